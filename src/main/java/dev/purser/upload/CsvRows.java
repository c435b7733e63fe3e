package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.privacy.PrivacyUnit.IdType;
import dev.purser.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The rows of a CSV file as a dataset stores them: the listed columns in the order of registration, each value a grid
 * integer or the position of a category. A row that breaks a rule of the registration is refused by its line and
 * column.
 */
final class CsvRows {
    private static final byte[] MINUS = {'-'};

    private final Dataset dataset;
    private final CsvScanner fields;
    private final CsvHeader header;
    private final RowFingerprint fingerprint;
    private final FieldReader[] readers;
    private final boolean integerUnits;
    private final FieldText field = new FieldText();
    private final long[] values;
    private final FieldText integer = new FieldText();
    private byte[] unit = {};
    private int unitLength;
    private long rows;
    private long clamped;

    /**
     * Reads the header.
     *
     * @param fingerprint is told all fields of every row, listed or not
     * @throws ProblemException {@code invalid-data}
     * @throws IOException if {@code csv} cannot be read
     */
    CsvRows(Dataset dataset, InputStream csv, RowFingerprint fingerprint) throws IOException {
        this.dataset = dataset;
        this.fingerprint = fingerprint;
        fields = new CsvScanner(csv);
        readers = FieldReader.ofAll(dataset.columns());
        values = new long[readers.length];
        integerUnits = dataset.privacyUnit() instanceof PrivacyUnit.Column column && column.idType() == IdType.INTEGER;
        header = CsvHeader.read(fields, dataset);
    }

    /**
     * Moves to the next row.
     *
     * @return false at the end of the file
     * @throws ProblemException {@code invalid-data}
     * @throws IOException if the file cannot be read
     */
    boolean next() throws IOException {
        if (!fields.next()) {
            return false;
        }
        if (rows == dataset.maxRows()) {
            throw InvalidData.at(fields.recordLine(), "there are more rows than the dataset's maxRows");
        }
        readRow();
        fingerprint.endRow();
        rows++;
        return true;
    }

    /**
     * Reads all of a row before it judges a value: in a row that lost or gained a field, values stand under the wrong
     * column.
     */
    private void readRow() throws IOException {
        int last = header.fields() - 1;
        int unreadable = CsvHeader.NOT_STORED;
        for (int i = 0; i <= last; i++) {
            field.set(fields.bytes(), fields.from(), fields.to());
            fingerprint.field(field);
            int column = header.columns()[i];
            if (column != CsvHeader.NOT_STORED && !readValue(column) && unreadable == CsvHeader.NOT_STORED) {
                unreadable = column;
            }
            if (i == header.unit()) {
                keepUnit();
            }
            if (fields.endsRecord() != (i == last)) {
                throw InvalidData.at(fields.recordLine(), "the row does not have as many fields as the header");
            }
            if (i < last) {
                fields.next();
            }
        }
        if (unreadable != CsvHeader.NOT_STORED) {
            throw InvalidData.at(
                    fields.recordLine(), dataset.columns().get(unreadable).name(), readers[unreadable].rule());
        }
        if (header.unit() != CsvHeader.NOT_STORED && unitLength == 0) {
            throw InvalidData.at(
                    fields.recordLine(),
                    CsvHeader.unitColumn(dataset),
                    integerUnits ? "the privacy unit is not an integer" : "the privacy unit is empty");
        }
    }

    private boolean readValue(int column) {
        FieldReader reader = readers[column];
        values[column] = reader.read(field);
        if (values[column] == FieldReader.REFUSED) {
            return false;
        }
        clamped += reader.clamped() ? 1 : 0;
        return true;
    }

    /**
     * Copies the unit, because the scanner's buffer is reused for the next field. Of an integer, of any size, keeps its
     * one text, without spaces, plus and leading zeros. Of a field that should be an integer and is none, keeps
     * nothing.
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
        if (integer.isNumber() && integer.isWhole()) {
            if (integer.isNegative() && integer.digits() > 0) {
                append(MINUS, 0, MINUS.length);
            }
            // The text ends with the digits from the first on that is not zero; zero has none of these.
            append(field.bytes(), to - Math.max(1, integer.digits()), to);
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

    /** The row, by the position of the column. Overwritten by the next one. */
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

    /** How many values so far lay outside their column's bounds. */
    long clamped() {
        return clamped;
    }
}
