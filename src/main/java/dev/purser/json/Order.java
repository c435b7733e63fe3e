package dev.purser.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The order of a list. It says what a cursor means: an item comes after it in this order. */
@Schema(description = "`desc` begins at the other end, with the newest items where a list is ordered by time.")
public enum Order {
    @JsonProperty("asc")
    ASC(">", 0, ""),
    /** No id has as many characters as the one that this order begins after. */
    @JsonProperty("desc")
    DESC("<", Long.MAX_VALUE, "z".repeat(64));

    private static final Pattern SEQUENCE = Pattern.compile("[0-9]{1,16}");
    private static final Pattern ID = Pattern.compile("[a-z0-9-]{1,63}");
    private static final Pattern ULID = Pattern.compile("[0-9A-Z]{26}");

    private final String comparison;
    private final long beforeFirstSequence;
    private final String beforeFirstId;

    Order(String comparison, long beforeFirstSequence, String beforeFirstId) {
        this.comparison = comparison;
        this.beforeFirstSequence = beforeFirstSequence;
        this.beforeFirstId = beforeFirstId;
    }

    /** How an item compares with a cursor before it, in SQL. */
    public String comparison() {
        return comparison;
    }

    /**
     * The sequence number after which a page begins.
     *
     * @param cursor the parameter {@code after}; empty for the first page
     * @throws ProblemException {@code validation-failed} if the cursor is of no page of such a list
     */
    public long afterSequence(String cursor) {
        return cursor.isEmpty() ? beforeFirstSequence : Long.parseLong(readable(cursor, SEQUENCE.asMatchPredicate()));
    }

    /**
     * The id after which a page begins.
     *
     * @param cursor as of {@link #afterSequence}
     * @throws ProblemException as {@link #afterSequence}
     */
    public String afterId(String cursor) {
        return cursor.isEmpty() ? beforeFirstId : readable(cursor, ID.asMatchPredicate());
    }

    /** As {@link #afterId}, where the ids are ULIDs. */
    public String afterUlid(String cursor) {
        return cursor.isEmpty() ? beforeFirstId : readable(cursor, ULID.asMatchPredicate());
    }

    /** Those of {@code ids} that come after an id, in this order. */
    public NavigableSet<String> following(NavigableSet<String> ids, String after) {
        return switch (this) {
            case ASC -> ids.tailSet(after, false);
            case DESC -> ids.headSet(after, false).descendingSet();
        };
    }

    private static String readable(String cursor, Predicate<String> form) {
        if (!form.test(cursor)) {
            throw ProblemException.validation(Violation.ofParameter(
                    "after", "after must be the next of an earlier page of this list, was " + Text.quoted(cursor)));
        }
        return cursor;
    }

    /** The name in requests. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
