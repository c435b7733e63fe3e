package dev.purser.access;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The datasets, or the collections, that a key was granted. The ids need not exist: a grant takes effect when something
 * gets that id.
 *
 * @param all whether all datasets or collections are granted, including future ones
 * @param ids ascending; empty if all of them are granted
 */
public record Grants(boolean all, Set<String> ids) {
    /** The largest number of ids that one key can be granted individually. */
    public static final int MAX_IDS = 1_000;

    /** All datasets or collections, including future ones. */
    public static final Grants ALL = new Grants(true, Set.of());

    /** Nothing. */
    public static final Grants NONE = new Grants(false, Set.of());

    /** The one element of a list that grants everything. */
    static final String EVERYTHING = "*";

    /** Copies the ids. */
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

    /** Whether this id is granted. */
    public boolean include(String id) {
        return all || ids.contains(id);
    }

    /** The ids in order, or {@code *} alone for everything, in the form in which keys are created. */
    public List<String> listed() {
        return all ? List.of(EVERYTHING) : List.copyOf(ids);
    }

    /** The grants that {@link #listed} lists. */
    static Grants ofListed(List<String> listed) {
        return listed.equals(List.of(EVERYTHING)) ? ALL : of(listed);
    }

    /** The form in a key's row: the elements of {@link #listed}, separated by spaces. */
    String text() {
        return String.join(" ", listed());
    }

    static Grants ofText(String text) {
        return text.isEmpty() ? NONE : ofListed(List.of(text.split(" ", -1)));
    }
}
