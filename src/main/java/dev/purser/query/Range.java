package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Notation;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.Statistic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A range of a column as half-open grid integers {@code from <= x < to}: outside of the bounds perhaps, or empty. */
public record Range(long from, long to) {
    private static final String ABOVE = "above";
    private static final String AT_LEAST = "atLeast";
    private static final String BELOW = "below";
    private static final String AT_MOST = "atMost";

    /** The ends as the API describes them. */
    static final List<Field> ENDS = List.of(
            Field.optional(ABOVE, ColumnValue.TYPE, "Values greater than this.").withExample(30),
            Field.optional(AT_LEAST, ColumnValue.TYPE, "Values of at least this."),
            Field.optional(BELOW, ColumnValue.TYPE, "Values less than this.").withExample(50),
            Field.optional(AT_MOST, ColumnValue.TYPE, "Values of at most this."));

    /** A range as an object of its own, as the API describes it. */
    static final FieldType TYPE = new FieldType.ObjectOf(
            "Range",
            "At least one end, at most one on each side; every end a multiple of the column's resolution, written as"
                    + " its type writes it (\"2020-01-31\"; \"2020-01-31T12:00:00Z\" or with an offset). A range may"
                    + " lie outside the column's bounds.",
            ENDS);

    /** Whether a range end was sent. */
    static boolean isSent(ObjectReader in) {
        return in.has(ABOVE) || in.has(AT_LEAST) || in.has(BELOW) || in.has(AT_MOST);
    }

    /** Notes that an object which may have a range has none in this form. */
    static void notHere(ObjectReader in) {
        in.notInThisForm(ABOVE, AT_LEAST, BELOW, AT_MOST);
    }

    /**
     * A range as it was sent.
     *
     * @param ends by the field names in the request, as grid integers
     */
    record Sent(Range range, Map<String, Long> ends, Notation notation) {
        /** The ends by the field names in the request. */
        Map<String, ColumnValue> shown() {
            Map<String, ColumnValue> shown = new LinkedHashMap<>();
            ends.forEach((name, steps) -> shown.put(name, notation.shown(steps)));
            return shown;
        }
    }

    /** Reads a range that is an object of its own. */
    static Optional<Sent> read(ObjectReader in, Column.Numeric column) {
        Optional<Sent> range = readEnds(in, column.notation());
        return in.complete(range::orElseThrow);
    }

    /** Reads the ends of a range in an object that has other fields too; the caller completes it. */
    static Optional<Sent> readEnds(ObjectReader in, Notation notation) {
        Map<String, Long> ends = new LinkedHashMap<>(4);
        Optional<Long> above = end(in, ABOVE, notation, ends);
        Optional<Long> atLeast = end(in, AT_LEAST, notation, ends);
        Optional<Long> below = end(in, BELOW, notation, ends);
        Optional<Long> atMost = end(in, AT_MOST, notation, ends);
        if (!isSent(in)) {
            in.refuse("a range needs at least one end: above, atLeast, below or atMost");
        }
        refuseBoth(in, ABOVE, AT_LEAST);
        refuseBoth(in, BELOW, AT_MOST);
        long from = above.map(value -> value + 1).or(() -> atLeast).orElse(Statistic.NO_LOWER_END);
        long to = atMost.map(value -> value + 1).or(() -> below).orElse(Statistic.NO_UPPER_END);
        return in.isIntact() ? Optional.of(new Sent(new Range(from, to), ends, notation)) : Optional.empty();
    }

    private static void refuseBoth(ObjectReader in, String one, String other) {
        if (in.has(one) && in.has(other)) {
            in.refuse(other, "a range has one end on each side at most: " + one + " and " + other + " were both sent");
        }
    }

    private static Optional<Long> end(ObjectReader in, String name, Notation notation, Map<String, Long> ends) {
        if (!in.has(name)) {
            return Optional.empty();
        }
        Optional<Long> steps = notation.read(in.optional(name));
        steps.ifPresent(end -> ends.put(name, end));
        return steps;
    }

    /** The intersection of both ranges. */
    Range and(Range other) {
        return new Range(Math.max(from, other.from), Math.min(to, other.to));
    }
}
