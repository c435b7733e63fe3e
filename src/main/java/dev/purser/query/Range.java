package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Notation;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import dev.purser.mechanism.Statistic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A range of a column as half-open grid integers {@code from <= x < to}. It can be outside of the bounds, or empty. */
public record Range(long from, long to) {
    private static final Field<ValueReader> ABOVE =
            end("above", "Values greater than this.").withExample(30);
    private static final Field<ValueReader> AT_LEAST = end("atLeast", "Values of at least this.");
    private static final Field<ValueReader> BELOW =
            end("below", "Values less than this.").withExample(50);
    private static final Field<ValueReader> AT_MOST = end("atMost", "Values of at most this.");

    static final List<Field<?>> ENDS = List.of(ABOVE, AT_LEAST, BELOW, AT_MOST);

    private static Field<ValueReader> end(String name, String description) {
        return Field.optional(name, FieldType.unread(ColumnValue.SHAPE), description);
    }

    /** A range as an object of its own, as the API describes it. */
    static final FieldType<ObjectReader> TYPE = FieldType.object(new Shape.ObjectOf(
            "Range",
            "At least one end, at most one on each side; every end a multiple of the column's resolution, written as"
                    + " its type writes it (\"2020-01-31\"; \"2020-01-31T12:00:00Z\" or with an offset). A range may"
                    + " lie outside the column's bounds.",
            ENDS));

    /** Whether a range end was sent. */
    static boolean isSent(ObjectReader in) {
        return ENDS.stream().anyMatch(in::has);
    }

    /** Notes that the ends of a range are fields of other forms of this object. */
    static void notHere(ObjectReader in) {
        in.notInThisForm(ENDS);
    }

    /**
     * A range as it was sent.
     *
     * @param ends the ends as grid integers, by their field names in the request
     */
    record Sent(Range range, Map<String, Long> ends, Notation notation) {
        /** The ends by their field names in the request. */
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

    private static void refuseBoth(ObjectReader in, Field<?> one, Field<?> other) {
        if (in.has(one) && in.has(other)) {
            in.refuse(
                    other,
                    "a range has one end on each side at most: " + one.name() + " and " + other.name()
                            + " were both sent");
        }
    }

    private static Optional<Long> end(
            ObjectReader in, Field<ValueReader> field, Notation notation, Map<String, Long> ends) {
        Optional<Long> steps = in.read(field).flatMap(notation::read);
        steps.ifPresent(end -> ends.put(field.name(), end));
        return steps;
    }

    /** The intersection of both ranges. */
    Range and(Range other) {
        return new Range(Math.max(from, other.from), Math.min(to, other.to));
    }
}
