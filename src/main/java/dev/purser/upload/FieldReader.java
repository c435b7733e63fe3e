package dev.purser.upload;

import dev.purser.dataset.Column;
import dev.purser.dataset.Notation;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Turns the fields of one column into the stored values. */
sealed interface FieldReader {
    /** The field breaks a rule, which {@link #rule} returns. */
    long REFUSED = Long.MIN_VALUE;

    /** What became of a field. */
    enum Outcome {
        /** It is stored as it is, on the column's grid. */
        READ,
        /** It lay outside the column's bounds. */
        CLAMPED,
        /** It is missing, and the substitute is stored. */
        MISSING,
        /** It is no listed category, and the substitute is stored. */
        UNLISTED
    }

    /** The value to store for a field, or {@link #REFUSED}. */
    long read(FieldText field);

    /** What became of the field that was read last, unless it was refused. */
    Outcome outcome();

    /** The rule that the last refused field breaks, and what to do. It is the same text for all such fields. */
    String rule();

    /** One reader for each column. */
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

    /** The common part of all readers. It decides what becomes of a field that is no value of the column. */
    abstract sealed class OfColumn implements FieldReader permits Numbers, Times, Categories {
        private final Column column;
        private Outcome outcome = Outcome.READ;
        private String rule = "";

        private OfColumn(Column column) {
            this.column = column;
        }

        final long read(long value, boolean clamped) {
            outcome = clamped ? Outcome.CLAMPED : Outcome.READ;
            return value;
        }

        final long unread(String text) {
            Number substitute = column.missing();
            boolean isMissing = text.isEmpty() || column.missingSpellings().contains(text);
            boolean isUnlisted = !isMissing && column instanceof Column.Category category && category.hasNames();
            if (substitute == null || !isMissing && !isUnlisted) {
                rule = isMissing ? UnreadField.MISSING : UnreadField.rule(text, column);
                return REFUSED;
            }
            outcome = isMissing ? Outcome.MISSING : Outcome.UNLISTED;
            return substitute.longValue();
        }

        @Override
        public final Outcome outcome() {
            return outcome;
        }

        @Override
        public final String rule() {
            return rule;
        }
    }

    /** Numbers, put on the column's grid. */
    final class Numbers extends OfColumn {
        private final GridReader grid;

        private Numbers(Column.Numeric column, Notation.Numbers numbers) {
            super(column);
            grid = new GridReader(column, !numbers.whole(), false);
        }

        @Override
        public long read(FieldText field) {
            long value = grid.read(field);
            return value == GridReader.UNREADABLE ? unread(field.text()) : read(value, grid.clamped());
        }
    }

    /**
     * Dates and timestamps, put on the column's grid as the numbers that they stand for. Reading one needs the
     * calendar, which takes time. Therefore texts that were read are remembered, with some megabytes for all columns
     * together.
     */
    final class Times extends OfColumn {
        private static final int MAX_REMEMBERED = 1 << 14;
        private static final int MAX_TEXT = 40;
        private static final byte[] NO_NUMBER = {};

        private final Notation.Times times;
        private final GridReader grid;
        private final int maxRemembered;
        private final FieldText number = new FieldText();
        private final Map<String, Read> remembered = new HashMap<>();

        private record Read(long value, boolean clamped) {}

        private Times(Column.Numeric column, Notation.Times times, int maxRemembered) {
            super(column);
            this.times = times;
            this.maxRemembered = maxRemembered;
            grid = new GridReader(column, true, true);
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
            return read.value() == GridReader.UNREADABLE ? unread(text) : read(read.value(), read.clamped());
        }

        private Read read(String text) {
            byte[] digits = times.numberInUpload(text)
                    .map(BigDecimal::toPlainString)
                    .map(plain -> plain.getBytes(StandardCharsets.US_ASCII))
                    .orElse(NO_NUMBER);
            long value = grid.read(number.set(digits, 0, digits.length));
            return new Read(value, grid.clamped());
        }
    }

    /** Categories, as their position in the public list. */
    final class Categories extends OfColumn {
        private final Column.Category column;

        private Categories(Column.Category column) {
            super(column);
            this.column = column;
        }

        @Override
        public long read(FieldText field) {
            String text = field.text();
            int index = column.indexOf(column.spelling().categoryInUpload(text));
            return index < 0 ? unread(text) : read(index, false);
        }
    }
}
