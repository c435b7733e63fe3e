package dev.purser.collection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a declaration that depend on the protocol, as they were read.
 *
 * @param range of the numbers; null for categories
 * @param dimensions numbers of one value
 * @param categories empty for numbers
 */
record Declared(@Nullable Bounds range, int dimensions, List<String> categories, Protocol<?> protocol) {}
