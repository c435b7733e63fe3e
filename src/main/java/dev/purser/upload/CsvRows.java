package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.privacy.PrivacyUnit.IdType;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a file as a dataset stores them: the listed columns in the order of registration, each value a grid
 * integer or the position of a category. A row that breaks a rule of the registration, or is of another block, is an
 * error with its line and column. Reading goes on after an error, but then no row may be stored.
 */
final class CsvRows {
    private static final String BLANK_LINE = "the line is blank: remove it";
    private static final byte[] MINUS = {'-'};

    /** The most digits of a unit that is written with an exponent or a point, as 3e1 or 30.0. */
    private static final int MOST_DIGITS_OF_A_POWER = 100;

    private final Dataset dataset;
    private final UploadFormat format;
    private final CsvScanner fields;
    private final @Nullable RowFingerprint fingerprint;
    private final InvalidData errors;
    private final FieldReader[] readers;
    private final @Nullable BlockRule block;
    private final long maxRows;
    private final boolean integerUnits;
    private final FieldText field = new FieldText();
    private final long[] values;
    /** The number of values by column and outcome. */
    private final long[][] outcomes;

    private final FieldText integer = new FieldText();
    private boolean begun;
    private @Nullable CsvHeader header;
    private String raggedRow = "";
    private byte[] unit = {};
    private int unitLength;
    private long rows;

    /**
     * Rows that are not read yet.
     *
     * @param block the block of all rows of the file; empty for a dataset without blocks
     * @param format the format of the sent file, from which {@code csv} may have been made
     * @param fingerprint takes all fields of every row, registered or not, until there is an error; null if no
     *     fingerprint is wanted
     * @param errors takes every broken rule
     */
    CsvRows(
            Dataset dataset,
            OptionalInt block,
            UploadFormat format,
            InputStream csv,
            @Nullable RowFingerprint fingerprint,
            InvalidData errors) {
        this.dataset = dataset;
        this.format = format;
        this.fingerprint = fingerprint;
        this.errors = errors;
        fields = new CsvScanner(csv);
        readers = FieldReader.ofAll(dataset.columns());
        this.block = block.isEmpty() ? null : new BlockRule(dataset, block.getAsInt());
        values = new long[readers.length];
        outcomes = new long[readers.length][FieldReader.Outcome.values().length];
        maxRows = dataset.maxRows();
        integerUnits = dataset.privacyUnit() instanceof PrivacyUnit.Column column && column.idType() == IdType.INTEGER;
    }

    /**
     * Moves to the next row. The first call moves to the row after the header.
     *
     * @return false at the end of what can be read
     * @throws IOException if the file cannot be read
     */
    boolean next() throws IOException {
        if (!begun) {
            begun = true;
            header = CsvHeader.read(fields, dataset, format == UploadFormat.CSV ? 1L : null, errors);
            raggedRow = header == null ? "" : header.raggedRow();
        }
        if (header == null || !fields.next() || fields.isBlankLastLine()) {
            return false;
        }
        if (rows++ == maxRows) {
            errors.add(
                    line(),
                    null,
                    "there are more rows than the dataset's maxRows: send at most " + maxRows
                            + ", or register a dataset with a larger maxRows");
        }
        readRow(header);
        if (fingerprint != null && errors.isEmpty()) {
            fingerprint.endRow();
        }
        return true;
    }

    private long line() {
        return format == UploadFormat.CSV ? fields.recordLine() : rows;
    }

    /**
     * Reads a whole row before it judges a value. In a row that lost or gained a field, values are in wrong columns.
     */
    private void readRow(CsvHeader header) throws IOException {
        int damaged = 0;
        int count = 0;
        boolean isEmpty = fields.from() == fields.to();
        while (true) {
            if (fields.damage() == null) {
                damaged++;
                readField(header, count);
            }
            count++;
            if (fields.endsRecord()) {
                break;
            }
            if (count > CsvHeader.MAX_COLUMNS) {
                fields.lose();
                break;
            }
            fields.next();
        }
        String damage = fields.damage();
        if (damage != null) {
            errors.add(line(), nameOf(header, damaged), damage);
        } else if (count != header.fields()) {
            errors.add(line(), null, count == 1 && isEmpty ? BLANK_LINE : raggedRow);
        } else {
            judge(header);
        }
    }

    private void readField(CsvHeader header, int position) {
        if (position >= header.fields()) {
            return;
        }
        field.set(fields.bytes(), fields.from(), fields.to());
        if (fingerprint != null && errors.isEmpty()) {
            fingerprint.field(field);
        }
        int column = header.columns()[position];
        if (column != CsvHeader.NOT_STORED) {
            values[column] = readers[column].read(field);
        }
        if (position == header.unit()) {
            keepUnit();
        }
    }

    /** The name of the column of a field; null if the field is not read. */
    private @Nullable String nameOf(CsvHeader header, int position) {
        if (position == header.unit()) {
            return CsvHeader.unitColumn(dataset);
        }
        int column = position < header.fields() ? header.columns()[position] : CsvHeader.NOT_STORED;
        return column == CsvHeader.NOT_STORED
                ? null
                : dataset.columns().get(column).name();
    }

    private void judge(CsvHeader header) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == FieldReader.REFUSED) {
                errors.add(line(), dataset.columns().get(i).name(), readers[i].rule());
            } else if (block != null && block.column() == i) {
                block.broken(values[i], readers[i].outcome() == FieldReader.Outcome.CLAMPED)
                        .ifPresent(rule -> errors.add(
                                line(), dataset.blocks().orElseThrow().column(), rule));
            } else {
                outcomes[i][readers[i].outcome().ordinal()]++;
            }
        }
        if (header.unit() != CsvHeader.NOT_STORED && unitLength == 0) {
            errors.add(
                    line(),
                    CsvHeader.unitColumn(dataset),
                    integerUnits
                            ? "the privacy unit is not an integer: correct it, or register the dataset with"
                                    + " \"idType\": \"text\""
                            : "the privacy unit is empty: every row needs one");
        }
    }

    /**
     * Copies the unit, because the scanner's buffer is reused for the next field. An integer of any size is kept in one
     * form, without spaces, plus and leading zeros. If the field should be an integer and is not, nothing is kept.
     */
    private void keepUnit() {
        unitLength = 0;
        if (!integerUnits) {
            append(field.bytes(), field.from(), field.to());
            return;
        }
        int from = field.from();
        int to = field.to();
        while (from < to && field.bytes()[from] == ' ') {
            from++;
        }
        while (from < to && field.bytes()[to - 1] == ' ') {
            to--;
        }
        integer.set(field.bytes(), from, to);
        if (!integer.isNumber() || !integer.isWhole()) {
            return;
        }
        if (integer.isNegative() && integer.digits() > 0) {
            append(MINUS, 0, MINUS.length);
        }
        if (integer.isPlain()) {
            // The text ends with the digits from the first nonzero digit on. Zero has no such digit, so its last digit
            // is kept.
            append(field.bytes(), to - Math.max(1, integer.digits()), to);
        } else if (integer.digits() + integer.exponent() <= MOST_DIGITS_OF_A_POWER) {
            byte[] digits = new BigDecimal(integer.text())
                    .toBigIntegerExact()
                    .abs()
                    .toString()
                    .getBytes(StandardCharsets.US_ASCII);
            append(digits, 0, digits.length);
        } else {
            unitLength = 0;
        }
    }

    private void append(byte[] bytes, int from, int to) {
        int length = unitLength + to - from;
        if (unit.length < length) {
            unit = Arrays.copyOf(unit, 2 * length);
        }
        System.arraycopy(bytes, from, unit, unitLength, to - from);
        unitLength = length;
    }

    /** The row, by the position of the column. The next row overwrites it. */
    long[] values() {
        return values;
    }

    /**
     * The privacy unit of the row, if a column names it: the first {@link #unitLength} bytes, which are the same for
     * the same unit.
     */
    byte[] unit() {
        return unit;
    }

    int unitLength() {
        return unitLength;
    }

    /** How many rows there were so far. */
    long rows() {
        return rows;
    }

    /** Whether all rows were read, after {@link #next} returned false. */
    boolean areComplete() {
        return header != null && !fields.isLost();
    }

    /** Whether no rule was broken so far. */
    boolean areSound() {
        return errors.isEmpty();
    }

    /** The columns with values that lay outside their bounds so far. */
    List<ClampedColumn> clamped() {
        return IntStream.range(0, outcomes.length)
                .filter(i -> count(i, FieldReader.Outcome.CLAMPED) > 0)
                .mapToObj(
                        i -> new ClampedColumn(dataset.columns().get(i).name(), count(i, FieldReader.Outcome.CLAMPED)))
                .toList();
    }

    /** The columns with values that are stored as the column's substitute so far. */
    List<SubstitutedColumn> substituted() {
        return IntStream.range(0, outcomes.length)
                .mapToObj(i -> new SubstitutedColumn(
                        dataset.columns().get(i).name(),
                        count(i, FieldReader.Outcome.MISSING),
                        count(i, FieldReader.Outcome.UNLISTED)))
                .filter(column -> column.missing() + column.unlisted() > 0)
                .toList();
    }

    private long count(int column, FieldReader.Outcome outcome) {
        return outcomes[column][outcome.ordinal()];
    }
}
