package dev.purser.dataset.ingest;

import dev.purser.dataset.Column;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one column into what is stored for them. */
sealed interface FieldReader {
    /** The field is missing, unreadable or unlisted, and the column has no substitute for it. */
    long REFUSED = Long.MIN_VALUE;

    /** What to store for the current field, or {@link #REFUSED}. */
    long read(Fields field);

    /** Whether the value read last lay outside the column's bounds. */
    boolean clamped();

    /** What a refused field is not. */
    String rule();

    static FieldReader of(Column column) {
        return switch (column) {
            case Column.Numeric numeric -> new Numbers(numeric);
            case Column.Category category -> new Categories(category);
        };
    }

    /** Numbers on the column's grid. */
    final class Numbers implements FieldReader {
        private final Column.Numeric column;
        private final GridReader grid;

        private Numbers(Column.Numeric column) {
            this.column = column;
            grid = new GridReader(column);
        }

        @Override
        public long read(Fields field) {
            long value = grid.read(field.bytes(), field.from(), field.to());
            return value == GridReader.UNREADABLE ? substitute(column.missing()) : value;
        }

        private static long substitute(@Nullable Long missing) {
            return missing == null ? REFUSED : missing;
        }

        @Override
        public boolean clamped() {
            return grid.clamped();
        }

        @Override
        public String rule() {
            return switch (column.type()) {
                case INTEGER -> "the value is missing or not an integer";
                case DECIMAL -> "the value is missing or not a decimal number";
            };
        }
    }

    /** Categories, matched exactly, as their position in the public list. */
    final class Categories implements FieldReader {
        private final Map<String, Integer> indices = new HashMap<>();
        private final @Nullable Integer missing;

        private Categories(Column.Category column) {
            for (int i = 0; i < column.categories().size(); i++) {
                indices.put(column.categories().get(i), i);
            }
            missing = column.missing();
        }

        @Override
        public long read(Fields field) {
            Integer index = indices.get(field.text());
            if (index == null) {
                index = missing;
            }
            return index == null ? REFUSED : index;
        }

        @Override
        public boolean clamped() {
            return false;
        }

        @Override
        public String rule() {
            return "the value is missing or not one of the categories";
        }
    }
}
