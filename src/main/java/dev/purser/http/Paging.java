package dev.purser.http;

import dev.purser.json.Text;
import dev.purser.problem.ProblemException;
import dev.purser.problem.QueryParameters;
import dev.purser.problem.Violation;
import dev.purser.store.Order;
import java.util.regex.Pattern;

/**
 * The part of a list that a request wants.
 *
 * @param after the cursor: {@code next} of the part before; empty for the first part
 * @param limit the most items
 */
@QueryParameters({"after", "limit", "order"})
public record Paging(String after, int limit, Order order) {
    static final int MOST = 1_000;
    static final int BY_DEFAULT = 100;

    private static final Pattern SEQUENCE = Pattern.compile("[0-9]{1,16}");
    private static final Pattern ID = Pattern.compile("[a-z0-9-]{1,63}");
    private static final Pattern ULID = Pattern.compile("[0-9A-Z]{26}");

    long afterSequence() {
        return after.isEmpty() ? order.beforeSequences() : Long.parseLong(cursor(SEQUENCE));
    }

    String afterId() {
        return after.isEmpty() ? order.beforeIds() : cursor(ID);
    }

    String afterUlid() {
        return after.isEmpty() ? order.beforeIds() : cursor(ULID);
    }

    private String cursor(Pattern form) {
        if (!form.matcher(after).matches()) {
            throw ProblemException.validation(Violation.ofParameter(
                    "after", "after must be the next of an earlier page of this list, was " + Text.quoted(after)));
        }
        return after;
    }
}
