package dev.purser.engine;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A set of a column's categories: those that are named, or all others. It takes no more memory than what is named,
 * however many categories the column has. May be empty.
 *
 * @param named indices of categories
 * @param inverted whether the set holds the categories that are not named
 */
public record CategorySet(SortedSet<Integer> named, boolean inverted) {
    public CategorySet {
        named = new TreeSet<>(named);
    }

    public boolean contains(int index) {
        return named.contains(index) != inverted;
    }

    /** The categories in both sets. */
    public CategorySet and(CategorySet other) {
        if (inverted && !other.inverted) {
            return other.and(this);
        }
        SortedSet<Integer> both = new TreeSet<>(named);
        if (inverted) {
            both.addAll(other.named);
        } else {
            both.removeIf(index -> !other.contains(index));
        }
        return new CategorySet(both, inverted);
    }
}
