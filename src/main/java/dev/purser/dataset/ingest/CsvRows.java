package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an upload as a dataset stores them: the listed columns in the order of registration, each value a grid integer or
 * the index of a category. Whatever breaks a rule of the registration is refused with its line and column.
 */
final class CsvRows {
    private static final int NOT_STORED = -1;

    private final Dataset dataset;
    private final @Nullable String unitColumn;
    private final Fields fields;
    private final FingerprintDigest fingerprint;
    private final FieldReader[] readers;
    private final long[] values;

    /** Per field of the file: the position of its column, or {@link #NOT_STORED}. */
    private int[] columnOfField = new int[0];

    private int unitField = NOT_STORED;
    private byte[] unit = new byte[64];
    private int unitLength;
    private boolean headerRead;
    private long count;
    private long valuesClamped;

    /** @param fingerprint is told all fields of every row, listed or not */
    CsvRows(Dataset dataset, Fields fields, FingerprintDigest fingerprint) {
        this.dataset = dataset;
        unitColumn = dataset.privacyUnit() instanceof PrivacyUnit.Column column ? column.column() : null;
        this.fields = fields;
        this.fingerprint = fingerprint;
        int columns = dataset.columns().size();
        readers = dataset.columns().stream()
                .map(column -> FieldReader.of(column, columns))
                .toArray(FieldReader[]::new);
        values = new long[columns];
    }

    /** Moves to the next row; false at the end of the file. */
    boolean next() throws IOException {
        if (!headerRead) {
            readHeader();
            headerRead = true;
        }
        if (!fields.next()) {
            return false;
        }
        if (count == dataset.maxRows()) {
            throw InvalidData.at(fields.recordLine(), "there are more rows than the dataset's maxRows");
        }
        readRow();
        fingerprint.endRow();
        count++;
        return true;
    }

    /** The current row; reused by the next. */
    long[] values() {
        return values;
    }

    /** The privacy unit of the current row, in the first {@link #unitLength} bytes; reused by the next. */
    byte[] unit() {
        return unit;
    }

    int unitLength() {
        return unitLength;
    }

    /** The rows so far. */
    long count() {
        return count;
    }

    /** The values so far that lay outside their column's bounds. */
    long valuesClamped() {
        return valuesClamped;
    }

    private void readHeader() throws IOException {
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < readers.length; i++) {
            positions.put(dataset.columns().get(i).name(), i);
        }
        Set<String> wanted = new TreeSet<>(positions.keySet());
        if (unitColumn != null) {
            wanted.add(unitColumn);
        }
        Set<String> found = new TreeSet<>();
        List<Integer> header = new ArrayList<>();
        boolean more = fields.next();
        while (more) {
            if (header.size() == CsvIngest.MAX_COLUMNS) {
                throw InvalidData.at(1, "the header has more than " + CsvIngest.MAX_COLUMNS + " columns");
            }
            String name = fields.text();
            if (wanted.contains(name) && !found.add(name)) {
                throw InvalidData.at(1, name, "the header has this column more than once");
            }
            if (wanted.contains(name) && fields.untyped()) {
                throw InvalidData.at(1, name, "the column is of a type that is not read");
            }
            if (name.equals(unitColumn)) {
                unitField = header.size();
            }
            header.add(positions.getOrDefault(name, NOT_STORED));
            more = !fields.endsRecord() && fields.next();
        }
        for (String name : wanted) {
            if (!found.contains(name)) {
                throw InvalidData.at(1, name, "the header does not have this column");
            }
        }
        columnOfField = header.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Reads all of a row before it judges a value: in a row that lost or gained a field, values stand under the wrong column. */
    private void readRow() throws IOException {
        int field = 0;
        int unreadable = NOT_STORED;
        while (true) {
            if (field == columnOfField.length) {
                throw fieldCount();
            }
            int column = columnOfField[field];
            if (column != NOT_STORED && !readValue(column) && unreadable == NOT_STORED) {
                unreadable = column;
            }
            if (field == unitField) {
                readUnit();
            }
            fingerprint.field(fields.bytes(), fields.from(), fields.to());
            field++;
            if (fields.endsRecord()) {
                break;
            }
            fields.next();
        }
        if (field != columnOfField.length) {
            throw fieldCount();
        }
        if (unreadable != NOT_STORED) {
            throw InvalidData.at(
                    fields.recordLine(), dataset.columns().get(unreadable).name(), readers[unreadable].rule());
        }
        if (unitColumn != null && unitLength == 0) {
            throw InvalidData.at(fields.recordLine(), unitColumn, "the privacy unit is empty");
        }
    }

    private boolean readValue(int column) {
        FieldReader reader = readers[column];
        long value = reader.read(fields);
        if (value == FieldReader.REFUSED) {
            return false;
        }
        if (reader.clamped()) {
            valuesClamped++;
        }
        values[column] = value;
        return true;
    }

    private void readUnit() {
        unitLength = fields.to() - fields.from();
        if (unit.length < unitLength) {
            unit = new byte[unitLength];
        }
        System.arraycopy(fields.bytes(), fields.from(), unit, 0, unitLength);
    }

    private ProblemException fieldCount() {
        return InvalidData.at(fields.recordLine(), "the row does not have as many fields as the header");
    }
}
