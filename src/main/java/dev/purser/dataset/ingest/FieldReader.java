package dev.purser.dataset.ingest;

import dev.purser.dataset.Column;
import dev.purser.dataset.Notation;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one column into what is stored for them. */
sealed interface FieldReader {
    /** The field is missing, unreadable or unlisted, and the column has no substitute for it. */
    long REFUSED = Long.MIN_VALUE;

    /** What to store for the scanner's current field, or {@link #REFUSED}. */
    long read(CsvScanner field);

    /** Whether the value read last lay outside the column's bounds. */
    boolean clamped();

    /** What a refused field is not. */
    String rule();

    static FieldReader of(Column column) {
        return switch (column) {
            case Column.Numeric numeric ->
                switch (numeric.notation()) {
                    case Notation.Numbers numbers -> new Numbers(numeric, numbers);
                    case Notation.Times times -> new Times(numeric, times);
                };
            case Column.Category category -> new Categories(category);
        };
    }

    /** Numbers, put on the column's grid. */
    final class Numbers implements FieldReader {
        private final Column.Numeric column;
        private final GridReader grid;

        private Numbers(Column.Numeric column, Notation.Numbers numbers) {
            this.column = column;
            grid = new GridReader(column, !numbers.whole());
        }

        @Override
        public long read(CsvScanner field) {
            long value = grid.read(field.bytes(), field.from(), field.to());
            return value == GridReader.UNREADABLE ? substitute(column.missing()) : value;
        }

        @Override
        public boolean clamped() {
            return grid.clamped();
        }

        @Override
        public String rule() {
            return missingOrNot(column.notation().form());
        }
    }

    /** Dates and timestamps. Each stands for a number, which is written out and put on the grid as numbers are. */
    final class Times implements FieldReader {
        private final Column.Numeric column;
        private final Notation.Times times;
        private final GridReader grid;
        private boolean clamped;

        private Times(Column.Numeric column, Notation.Times times) {
            this.column = column;
            this.times = times;
            grid = new GridReader(column, true);
        }

        @Override
        public long read(CsvScanner field) {
            Optional<BigDecimal> number = times.numberInUpload(field.text());
            clamped = false;
            if (number.isEmpty()) {
                return substitute(column.missing());
            }
            byte[] digits = number.orElseThrow().toPlainString().getBytes(StandardCharsets.US_ASCII);
            long value = grid.read(digits, 0, digits.length);
            clamped = grid.clamped();
            return value;
        }

        @Override
        public boolean clamped() {
            return clamped;
        }

        @Override
        public String rule() {
            return missingOrNot(times.form());
        }
    }

    /** Categories, as their position in the public list. */
    final class Categories implements FieldReader {
        private final Column.Category column;

        private Categories(Column.Category column) {
            this.column = column;
        }

        @Override
        public long read(CsvScanner field) {
            int index = column.indexOf(column.spelling().categoryInUpload(field.text()));
            if (index >= 0) {
                return index;
            }
            return column.missing() == null ? REFUSED : column.missing();
        }

        @Override
        public boolean clamped() {
            return false;
        }

        @Override
        public String rule() {
            return missingOrNot(column.spelling().form());
        }
    }

    private static long substitute(@Nullable Long missing) {
        return missing == null ? REFUSED : missing;
    }

    private static String missingOrNot(String form) {
        return "the value is missing or not " + form;
    }
}
