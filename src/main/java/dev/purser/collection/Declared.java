package dev.purser.collection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the fields of a declaration that depend on the protocol say.
 *
 * @param range of the numbers; null for categories
 * @param dimensions numbers of one value
 * @param categories empty for numbers
 */
record Declared(@Nullable Bounds range, int dimensions, List<String> categories, Protocol<?> protocol) {}
