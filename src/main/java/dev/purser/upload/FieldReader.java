package dev.purser.upload;

import dev.purser.dataset.Column;
import dev.purser.dataset.Notation;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one column into what is stored for them. */
sealed interface FieldReader {
    /** The field is missing, unreadable or unlisted, and the column has no substitute for it. */
    long REFUSED = Long.MIN_VALUE;

    /** What to store for a field, or {@link #REFUSED}. */
    long read(FieldText field);

    /** Whether the value read last lay outside the column's bounds. */
    boolean clamped();

    /** What a refused field is not, and what to do about it: the same text for every field. */
    String rule();

    private static String rule(String form) {
        return "the value is missing or not " + form
                + ": correct it, or register the column with a substitute as missing";
    }

    /** One for each column. */
    static FieldReader[] ofAll(List<Column> columns) {
        int maxRemembered = Times.MAX_REMEMBERED / columns.size();
        return columns.stream().map(column -> of(column, maxRemembered)).toArray(FieldReader[]::new);
    }

    private static FieldReader of(Column column, int maxRemembered) {
        return switch (column) {
            case Column.Numeric numeric ->
                switch (numeric.notation()) {
                    case Notation.Numbers numbers -> new Numbers(numeric, numbers);
                    case Notation.Times times -> new Times(numeric, times, maxRemembered);
                };
            case Column.Category category -> new Categories(category);
        };
    }

    private static long orMissing(long value, @Nullable Number missing) {
        if (value != GridReader.UNREADABLE) {
            return value;
        }
        return missing == null ? REFUSED : missing.longValue();
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
        public long read(FieldText field) {
            return orMissing(grid.read(field), column.missing());
        }

        @Override
        public boolean clamped() {
            return grid.clamped();
        }

        @Override
        public String rule() {
            return FieldReader.rule(column.notation().formInUpload());
        }
    }

    /**
     * Dates and timestamps, put on the column's grid as the numbers that they stand for. Reading one takes a look into
     * the calendar, so that texts read before are remembered: some megabytes in all columns together.
     */
    final class Times implements FieldReader {
        private static final int MAX_REMEMBERED = 1 << 14;
        private static final int MAX_TEXT = 40;
        private static final byte[] NO_NUMBER = {};

        private final Column.Numeric column;
        private final Notation.Times times;
        private final GridReader grid;
        private final int maxRemembered;
        private final FieldText number = new FieldText();
        private final Map<String, Read> remembered = new HashMap<>();
        private boolean clamped;

        private record Read(long value, boolean clamped) {}

        private Times(Column.Numeric column, Notation.Times times, int maxRemembered) {
            this.column = column;
            this.times = times;
            this.maxRemembered = maxRemembered;
            grid = new GridReader(column, true);
        }

        @Override
        public long read(FieldText field) {
            String text = field.text();
            Read read = remembered.get(text);
            if (read == null) {
                read = read(text);
                if (remembered.size() < maxRemembered && text.length() <= MAX_TEXT) {
                    remembered.put(text, read);
                }
            }
            clamped = read.clamped();
            return orMissing(read.value(), column.missing());
        }

        private Read read(String text) {
            byte[] digits = times.numberInUpload(text)
                    .map(BigDecimal::toPlainString)
                    .map(plain -> plain.getBytes(StandardCharsets.US_ASCII))
                    .orElse(NO_NUMBER);
            long value = grid.read(number.set(digits, 0, digits.length));
            return new Read(value, grid.clamped());
        }

        @Override
        public boolean clamped() {
            return clamped;
        }

        @Override
        public String rule() {
            return FieldReader.rule(column.notation().formInUpload());
        }
    }

    /** Categories, as their position in the public list. */
    final class Categories implements FieldReader {
        private final Column.Category column;

        private Categories(Column.Category column) {
            this.column = column;
        }

        @Override
        public long read(FieldText field) {
            int index = column.indexOf(column.spelling().categoryInUpload(field.text()));
            return orMissing(index < 0 ? GridReader.UNREADABLE : index, column.missing());
        }

        @Override
        public boolean clamped() {
            return false;
        }

        @Override
        public String rule() {
            return FieldReader.rule(column.formInUpload());
        }
    }
}
