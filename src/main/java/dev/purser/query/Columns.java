package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.json.ObjectReader;
import java.util.Optional;
import java.util.stream.Collectors;

/** Columns named in a request. */
final class Columns {
    private Columns() {}

    /** A column of the dataset. */
    static Optional<Column> any(ObjectReader in, String field, Dataset dataset) {
        return in.required(field).string(1, 128).flatMap(name -> {
            Optional<Column> column = dataset.column(name);
            if (column.isEmpty()) {
                in.refuse(
                        field,
                        field + " must be one of the dataset's columns ("
                                + dataset.columns().stream()
                                        .map(Column::name)
                                        .limit(20)
                                        .collect(Collectors.joining(", "))
                                + "), was \"" + name + "\"");
            }
            return column;
        });
    }

    /** A numeric column of the dataset. */
    static Optional<Column.Numeric> numeric(ObjectReader in, String field, Dataset dataset) {
        return any(in, field, dataset).flatMap(column -> {
            if (column instanceof Column.Numeric numeric) {
                return Optional.of(numeric);
            }
            in.refuse(field, field + " must be a column of numbers; \"" + column.name() + "\" holds categories");
            return Optional.empty();
        });
    }
}
