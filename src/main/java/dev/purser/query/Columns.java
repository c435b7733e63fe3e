package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the columns that a request names. */
public final class Columns {
    /** The field of a column of numbers. */
    static final Field<String> NUMBERS = field("A column of numbers.");

    /** The field of a column whose values have an order. */
    static final Field<String> ORDERED = field("A column of numbers, dates or timestamps.");

    private Columns() {}

    /** The field of a column, as the API describes it. */
    static Field<String> field(String description) {
        return Field.required("column", FieldType.text(1, 128), description, "age");
    }

    /** A column of the dataset. */
    static Optional<Column> any(ObjectReader in, Dataset dataset) {
        return named(in, ORDERED, dataset);
    }

    private static Optional<Column> named(ObjectReader in, Field<String> field, Dataset dataset) {
        return in.read(
                field,
                (sent, name) -> dataset.column(name)
                        .or(() -> sent.unlisted(
                                "one of the dataset's columns: ",
                                dataset.columns().stream().map(Column::name))));
    }

    /** A column whose values have an order: numbers, dates or timestamps. */
    static Optional<Column.Numeric> ordered(ObjectReader in, Dataset dataset) {
        return taken(in, ORDERED, "numbers, dates or timestamps", dataset);
    }

    /** A column whose values can be added up: numbers. */
    static Optional<Column.Numeric> numbers(ObjectReader in, Dataset dataset) {
        return taken(in, NUMBERS, "numbers", dataset);
    }

    /** A column of numbers that another field names. */
    public static Optional<Column.Numeric> numbers(ObjectReader in, Field<String> field, Dataset dataset) {
        return named(in, field, dataset).flatMap(column -> {
            if (column instanceof Column.Numeric numeric && isTaken(column, NUMBERS)) {
                return Optional.of(numeric);
            }
            in.refuse(
                    field,
                    field.name() + " must be a column of numbers, was \"" + column.name() + "\" of type "
                            + column.type());
            return Optional.empty();
        });
    }

    private static Optional<Column.Numeric> taken(
            ObjectReader in, Field<String> field, String holding, Dataset dataset) {
        return any(in, dataset).flatMap(column -> {
            if (isTaken(column, field)) {
                return Optional.of((Column.Numeric) column);
            }
            // A kind without a field for a column can be asked about every column in its where.
            String askable = QuestionKinds.ALL.stream()
                    .filter(kind -> kind.fields().stream().allMatch(each -> isTaken(column, each)))
                    .map(QuestionKind::name)
                    .collect(Collectors.joining(", "));
            in.refuse(
                    field,
                    "column must be a column of " + holding + ", was \"" + column.name() + "\" of type " + column.type()
                            + ", which can be asked about with " + askable);
            return Optional.empty();
        });
    }

    /** Whether a field can name this column. True for a field that names no column. */
    private static boolean isTaken(Column column, Field<?> field) {
        boolean isOrdered = column instanceof Column.Numeric;
        boolean isNumbers = column instanceof Column.Numeric numeric && numeric.notation() instanceof Notation.Numbers;
        return field.equals(NUMBERS) ? isNumbers : isOrdered || !field.equals(ORDERED);
    }
}
