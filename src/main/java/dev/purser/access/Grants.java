package dev.purser.access;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which datasets, or which collections, a key was given. The ids need not exist: a grant takes effect when something gets
 * that id.
 *
 * @param all whether it is all of them, those to come included
 * @param ids ascending; empty if it is all of them
 */
public record Grants(boolean all, Set<String> ids) {
    /** The most ids that one key can be given one by one. */
    public static final int MAX_IDS = 1_000;

    /** Everything, also what will be registered later. */
    public static final Grants ALL = new Grants(true, Set.of());

    /** Nothing. */
    public static final Grants NONE = new Grants(false, Set.of());

    private static final String ALL_TEXT = "*";

    /** Keeps a copy of the ids. */
    public Grants {
        if (all && !ids.isEmpty()) {
            throw new IllegalArgumentException("all of them, and some by name");
        }
        ids = Collections.unmodifiableSortedSet(new TreeSet<>(ids));
    }

    /** These ids and no others. */
    public static Grants of(List<String> ids) {
        return new Grants(false, new TreeSet<>(ids));
    }

    /** Whether this id is among them. */
    public boolean include(String id) {
        return all || ids.contains(id);
    }

    /** As a key's row holds them: {@code *}, or the ids with a space between. */
    String text() {
        return all ? ALL_TEXT : String.join(" ", ids);
    }

    static Grants ofText(String text) {
        if (text.equals(ALL_TEXT)) {
            return ALL;
        }
        return text.isEmpty() ? NONE : of(List.of(text.split(" ", -1)));
    }
}
