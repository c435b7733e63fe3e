package dev.purser.dataset.ingest;

import dev.purser.dataset.Column;
import dev.purser.dataset.Notation;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one column into what is stored for them. */
sealed interface FieldReader permits FieldReader.OnGrid, FieldReader.Categories, Remembering {
    /** The field is missing, unreadable or unlisted, and the column has no substitute for it. */
    long REFUSED = Long.MIN_VALUE;

    /** Texts remembered for all columns together, and for one. */
    int MAX_REMEMBERED = 1 << 16;

    int MAX_REMEMBERED_OF_COLUMN = 1 << 10;

    /** What to store for a field, or {@link #REFUSED}. */
    long read(TextField field);

    /** Whether the value read last lay outside the column's bounds. */
    boolean clamped();

    /** What puts numbers on the column's grid that were not texts; nothing if the column is of something else. */
    default @Nullable GridReader grid() {
        return null;
    }

    /** What a refused field is not. */
    String rule();

    /** One for each column. */
    static FieldReader[] ofAll(List<Column> columns) {
        return columns.stream().map(column -> of(column, columns.size())).toArray(FieldReader[]::new);
    }

    /** Of a column that is one of so many. */
    static FieldReader of(Column column, int columns) {
        int places = remembered(columns);
        return switch (column) {
            case Column.Numeric numeric ->
                switch (numeric.notation()) {
                    // Put on the grid in the time that looking it up takes.
                    case Notation.Numbers _ -> new OnGrid(numeric);
                    case Notation.Times _ -> new Remembering(new OnGrid(numeric), places);
                };
            case Column.Category category -> new Remembering(new Categories(category), places);
        };
    }

    /** How many texts are remembered of a column that is one of so many. */
    static int remembered(int columns) {
        return Integer.highestOneBit(Math.clamp(MAX_REMEMBERED / columns, 1, MAX_REMEMBERED_OF_COLUMN));
    }

    /** Numbers, and dates and timestamps as the numbers that they stand for, put on the column's grid. */
    final class OnGrid implements FieldReader {
        private static final byte[] NO_NUMBER = {};

        private final Column.Numeric column;
        private final Notation.@Nullable Times times;
        private final GridReader grid;
        private final TextField seconds = new TextField();

        private OnGrid(Column.Numeric column) {
            this.column = column;
            times = column.notation() instanceof Notation.Times other ? other : null;
            grid = new GridReader(
                    column,
                    switch (column.notation()) {
                        case Notation.Numbers numbers -> !numbers.whole();
                        case Notation.Times _ -> true;
                    });
        }

        @Override
        public long read(TextField field) {
            long value = times == null ? grid.read(field) : read(times.numberInUpload(field.text()));
            if (value != GridReader.UNREADABLE) {
                return value;
            }
            return column.missing() == null ? REFUSED : column.missing();
        }

        private long read(Optional<BigDecimal> number) {
            byte[] digits = number.map(known -> known.toPlainString().getBytes(StandardCharsets.US_ASCII))
                    .orElse(NO_NUMBER);
            return grid.read(seconds.set(digits, 0, digits.length));
        }

        @Override
        public @Nullable GridReader grid() {
            return times == null ? grid : null;
        }

        @Override
        public boolean clamped() {
            return grid.clamped();
        }

        @Override
        public String rule() {
            return "the value is missing or not " + column.notation().form();
        }
    }

    /** Categories, as their position in the public list. */
    final class Categories implements FieldReader {
        private final Column.Category column;

        private Categories(Column.Category column) {
            this.column = column;
        }

        @Override
        public long read(TextField field) {
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
            return "the value is missing or not " + column.spelling().form();
        }
    }
}
