package dev.purser.collection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of the fields of a declaration that depend on the protocol.
 *
 * @param range the range of the numbers; null for categories
 * @param dimensions how many numbers one value has
 * @param categories empty for numbers
 */
record Declared(@Nullable Bounds range, int dimensions, List<String> categories, Protocol<?> protocol) {}
