package dev.purser.engine;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A set of a column's categories: the named categories, or all others. It takes four bytes for each named category,
 * however many categories the column has. It may be empty.
 */
public final class CategorySet {
    /** The named categories, ascending. */
    private final int[] named;

    private final boolean inverted;

    /**
     * @param named indices of categories
     * @param inverted whether the set holds the categories that are not named
     */
    public CategorySet(Collection<Integer> named, boolean inverted) {
        this(named.stream().mapToInt(Integer::intValue), inverted);
    }

    private CategorySet(IntStream named, boolean inverted) {
        this.named = named.sorted().distinct().toArray();
        this.inverted = inverted;
    }

    /** The categories that are named, ascending. */
    public IntStream named() {
        return Arrays.stream(named);
    }

    /** Whether the set holds the categories that are not named. */
    public boolean inverted() {
        return inverted;
    }

    public boolean contains(int index) {
        return Arrays.binarySearch(named, index) >= 0 != inverted;
    }

    /** The categories in both sets. */
    public CategorySet and(CategorySet other) {
        if (inverted && !other.inverted) {
            return other.and(this);
        }
        return inverted
                ? new CategorySet(IntStream.concat(named(), other.named()), true)
                : new CategorySet(named().filter(other::contains), false);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CategorySet set && inverted == set.inverted && Arrays.equals(named, set.named);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(named) + Boolean.hashCode(inverted);
    }
}
