package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.privacy.Grid;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * One entry of a threshold question's {@code queries}: an object with exactly one of {@code count}, {@code sum} and
 * {@code clipLoss}.
 */
public sealed interface ThresholdItem {
    Field<BigDecimal> BOUND = Field.required("bound", FieldType.NUMBER, "Values are clipped at this.", 76);
    Field<BigDecimal> STEP = Field.required("step", FieldType.NUMBER, "Above zero.", 1);

    List<Field<ObjectReader>> MEMBERS = List.of(
            member("count", "ThresholdCount", "The number of rows, or of privacy units.", List.of(Counted.FIELD)),
            member(
                    "sum",
                    "ThresholdSum",
                    "The sum of a column, each value clamped to [lower, upper].",
                    Field.all(List.of(Columns.NUMBERS), ClampBounds.OF_NUMBERS)),
            member(
                    "clipLoss",
                    "ThresholdClipLoss",
                    "Σ min(x, bound) − Σ min(x, bound + step): zero once no value is above the bound.",
                    List.of(Columns.NUMBERS, BOUND, STEP)));

    /** The entry as the API describes it. */
    FieldType<ObjectReader> TYPE =
            FieldType.object(new Shape.ObjectOf("ThresholdItem", "Exactly one of its members.", List.copyOf(MEMBERS)));

    /** The grid of its value. */
    Grid grid();

    /** The rows it covers. */
    Where where();

    /** The same item over the rows that also pass {@code rows}. */
    ThresholdItem among(Where rows);

    /** The number of rows or units. */
    record Count(Where where, Counted of) implements ThresholdItem {
        @Override
        public Grid grid() {
            return Grid.ONE;
        }

        @Override
        public ThresholdItem among(Where rows) {
            return new Count(where.and(rows), of);
        }
    }

    /** Σ clamp(x, lower, upper). */
    record Sum(Column.Numeric column, ClampBounds bounds, Where where) implements ThresholdItem {
        @Override
        public Grid grid() {
            return column.grid();
        }

        @Override
        public ThresholdItem among(Where rows) {
            return new Sum(column, bounds, where.and(rows));
        }
    }

    /** Σ min(x, bound) − Σ min(x, bound + step). */
    record ClipLoss(Column.Numeric column, long bound, long step, Where where) implements ThresholdItem {
        @Override
        public Grid grid() {
            return column.grid();
        }

        @Override
        public ThresholdItem among(Where rows) {
            return new ClipLoss(column, bound, step, where.and(rows));
        }
    }

    private static Field<ObjectReader> member(String name, String type, String description, List<Field<?>> fields) {
        return Field.optional(
                name,
                FieldType.object(new Shape.ObjectOf(type, description, Field.all(fields, List.of(Where.FIELD)))),
                "");
    }

    static Optional<ThresholdItem> read(ObjectReader in, Dataset dataset) {
        Optional<Field<ObjectReader>> kind = in.exactlyOne(MEMBERS);
        Optional<ThresholdItem> item = kind.flatMap(sent -> in.read(sent).flatMap(inner -> switch (sent.name()) {
            case "count" -> count(inner, dataset);
            case "sum" -> sum(inner, dataset);
            default -> clipLoss(inner, dataset);
        }));
        return in.complete(item::orElseThrow);
    }

    private static Optional<ThresholdItem> count(ObjectReader in, Dataset dataset) {
        Optional<Where> where = Where.read(in, dataset);
        Optional<Counted> of = Counted.read(in, dataset);
        return in.complete(() -> new Count(where.orElseThrow(), of.orElseThrow()));
    }

    private static Optional<ThresholdItem> sum(ObjectReader in, Dataset dataset) {
        Optional<Column.Numeric> column = Columns.numbers(in, dataset);
        Optional<ClampBounds> bounds = ClampBounds.read(in, column);
        Optional<Where> where = Where.read(in, dataset);
        return in.complete(() -> new Sum(column.orElseThrow(), bounds.orElseThrow(), where.orElseThrow()));
    }

    private static Optional<ThresholdItem> clipLoss(ObjectReader in, Dataset dataset) {
        Optional<Column.Numeric> column = Columns.numbers(in, dataset);
        Optional<Notation> notation = column.map(Column.Numeric::notation);
        Optional<Long> bound = in.read(BOUND, (sent, number) -> notation.flatMap(known -> known.onGrid(sent, number)));
        Optional<Long> step = in.read(STEP, (sent, number) -> notation.flatMap(known -> known.onGrid(sent, number)));
        if (step.filter(sent -> sent < 1).isPresent()) {
            in.refuse(STEP, "step must be above zero");
        }
        Optional<Where> where = Where.read(in, dataset);
        return in.complete(
                () -> new ClipLoss(column.orElseThrow(), bound.orElseThrow(), step.orElseThrow(), where.orElseThrow()));
    }
}
