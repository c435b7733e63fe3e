package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import java.util.Optional;

/** Reads the columns that a request names. */
final class Columns {
    static final String NAME = "column";

    /** The field of a column of numbers. */
    static final Field NUMBERS = field("A column of numbers.");

    /** The field of a column whose values have an order. */
    static final Field ORDERED = field("A column of numbers, dates or timestamps.");

    private Columns() {}

    /** The field of a column, as the API describes it. */
    static Field field(String description) {
        return Field.required(NAME, FieldType.TEXT, description).withExample("age");
    }

    /** A column of the dataset. */
    static Optional<Column> any(ObjectReader in, String field, Dataset dataset) {
        ValueReader sent = in.required(field);
        return sent.string(1, 128)
                .flatMap(name -> dataset.column(name)
                        .or(() -> sent.unlisted(
                                "one of the dataset's columns: ",
                                dataset.columns().stream().map(Column::name))));
    }

    /** A column whose values have an order: numbers, dates or timestamps. */
    static Optional<Column.Numeric> ordered(ObjectReader in, String field, Dataset dataset) {
        return any(in, field, dataset)
                .flatMap(column -> column instanceof Column.Numeric ordered
                        ? Optional.of(ordered)
                        : refuse(in, field, "numbers, dates or timestamps", column));
    }

    /** A column whose values can be added up: numbers. */
    static Optional<Column.Numeric> numbers(ObjectReader in, String field, Dataset dataset) {
        return any(in, field, dataset)
                .flatMap(column ->
                        column instanceof Column.Numeric numeric && numeric.notation() instanceof Notation.Numbers
                                ? Optional.of(numeric)
                                : refuse(in, field, "numbers", column));
    }

    private static Optional<Column.Numeric> refuse(ObjectReader in, String field, String holding, Column column) {
        String askable = switch (column) {
            case Column.Numeric _ -> "count, histogram, quantile, sparse-range and a threshold of counts";
            case Column.Category _ -> "count, histogram and a threshold of counts";
        };
        in.refuse(
                field,
                field + " must be a column of " + holding + ", was \"" + column.name() + "\" of type " + column.type()
                        + ", which can be asked about with " + askable);
        return Optional.empty();
    }
}
