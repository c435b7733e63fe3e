package dev.purser.store;

import java.util.Locale;
import java.util.NavigableSet;

/** The order of a list. It says which items come after another. */
public enum Order {
    ASC(">", 0, ""),
    /** Descending. The order begins after an id that is longer than every real id. */
    DESC("<", Long.MAX_VALUE, "z".repeat(64));

    private final String comparison;
    private final long beforeSequences;
    private final String beforeIds;

    Order(String comparison, long beforeSequences, String beforeIds) {
        this.comparison = comparison;
        this.beforeSequences = beforeSequences;
        this.beforeIds = beforeIds;
    }

    /** How an item compares with one before it, in SQL. */
    public String comparison() {
        return comparison;
    }

    /** A number after which all sequence numbers come. */
    public long beforeSequences() {
        return beforeSequences;
    }

    /** A text after which all ids come. */
    public String beforeIds() {
        return beforeIds;
    }

    /** The elements of {@code ids} that come after an id. */
    public NavigableSet<String> following(NavigableSet<String> ids, String after) {
        return switch (this) {
            case ASC -> ids.tailSet(after, false);
            case DESC -> ids.headSet(after, false).descendingSet();
        };
    }

    /** The name in requests. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
