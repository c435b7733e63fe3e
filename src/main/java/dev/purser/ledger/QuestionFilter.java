package dev.purser.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The questions of a principal about a dataset that a list shows.
 *
 * @param kind the kind of the questions; null for every kind
 * @param column a column that the questions name; null for any
 * @param from the earliest time of a charge; null for no bound
 * @param to the time before which the questions were charged; null for no bound. Times of questions are whole
 *     milliseconds
 */
public record QuestionFilter(
        String datasetId,
        String principal,
        @Nullable String kind,
        @Nullable String column,
        @Nullable Instant from,
        @Nullable Instant to) {
    private static final int NANOS_BELOW_A_MILLISECOND = 999_999;

    /** The first millisecond that passes. */
    long fromMillis() {
        return from == null ? Long.MIN_VALUE : firstMillisNotBefore(from);
    }

    /** The first millisecond that is too late to pass. */
    long toMillis() {
        return to == null ? Long.MAX_VALUE : firstMillisNotBefore(to);
    }

    private static long firstMillisNotBefore(Instant instant) {
        return instant.plusNanos(NANOS_BELOW_A_MILLISECOND).toEpochMilli();
    }
}
