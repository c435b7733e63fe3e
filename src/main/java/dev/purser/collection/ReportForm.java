package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.local.Piecewise;
import dev.purser.local.Point;
import dev.purser.local.Sign;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How a report is written in JSON. A value outside the protocol's alphabet is refused when it is read.
 *
 * @param <R> the report
 */
interface ReportForm<R> {
    /** Reads the fields of a report, without its id; empty if a field broke a rule. */
    Optional<R> read(ObjectReader in);

    /** The fields of a report, as {@link #read} takes them. */
    Map<String, Object> write(R report);

    Field<Sign> SIGN = Field.optional("sign", FieldType.integer(-1, 1).then(ReportForm::sign), "-1 or 1. Of %s.", -1);
    Field<Integer> POINT = Field.optional("point", FieldType.integer(0, Piecewise.POINTS - 1), "Of %s: 0 to 65535.");
    Field<Integer> LEVEL =
            Field.optional("level", FieldType.integer(1, ProtocolKind.MAX_LEVELS), "Of protocols with levels: from 1.");

    /** A sign: -1 or 1. */
    ReportForm<Sign> OF_SIGN = of(SIGN, Sign::factor);

    private static Optional<Sign> sign(ValueReader in, int sent) {
        return sent == 0 ? in.refused("must be -1 or 1, was 0") : Optional.of(sent < 0 ? Sign.MINUS : Sign.PLUS);
    }

    /** A point: its index. */
    ReportForm<Point> OF_POINT =
            of(POINT.of(POINT.type().then((_, index) -> Optional.of(new Point(index)))), Point::index);

    /** A report that is one field. */
    static <R> ReportForm<R> of(Field<R> field, Function<? super R, Object> write) {
        return new ReportForm<>() {
            @Override
            public Optional<R> read(ObjectReader in) {
                return in.required(field);
            }

            @Override
            public Map<String, Object> write(R report) {
                return Map.of(field.name(), write.apply(report));
            }
        };
    }

    /** A report that is one integer from {@code least} to {@code most}. */
    static ReportForm<Integer> integer(Field<Integer> field, int least, int most) {
        return of(field.of(FieldType.integer(least, most)), report -> report);
    }

    /** A report that has the fields of two reports. */
    static <A, B, R> ReportForm<R> both(
            ReportForm<A> first,
            ReportForm<B> second,
            BiFunction<A, B, R> report,
            Function<R, A> firstOf,
            Function<R, B> secondOf) {
        return new ReportForm<>() {
            @Override
            public Optional<R> read(ObjectReader in) {
                Optional<A> one = first.read(in);
                Optional<B> other = second.read(in);
                return one.flatMap(sent -> other.map(alsoSent -> report.apply(sent, alsoSent)));
            }

            @Override
            public Map<String, Object> write(R report) {
                Map<String, Object> fields = new HashMap<>(first.write(firstOf.apply(report)));
                fields.putAll(second.write(secondOf.apply(report)));
                return fields;
            }
        };
    }
}
