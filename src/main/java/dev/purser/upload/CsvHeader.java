package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which field of a file is which column of a dataset.
 *
 * @param columns by field, the position of its column, or {@link #NOT_STORED}
 * @param unit the field that names the privacy unit, or {@link #NOT_STORED} if a row is one
 */
record CsvHeader(int[] columns, int unit) {
    /** The most columns that a file may have. */
    static final int MAX_COLUMNS = 10_000;

    static final int NOT_STORED = -1;

    /**
     * Reads the first record.
     *
     * @throws ProblemException {@code invalid-data} if it is empty, lacks a listed column or repeats one
     */
    static CsvHeader read(CsvScanner fields, Dataset dataset) throws IOException {
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < dataset.columns().size(); i++) {
            positions.put(dataset.columns().get(i).name(), i);
        }
        String unitColumn = unitColumn(dataset);
        Set<String> wanted = new TreeSet<>(positions.keySet());
        if (!unitColumn.isEmpty()) {
            wanted.add(unitColumn);
        }
        Set<String> found = new HashSet<>();
        List<Integer> columns = new ArrayList<>();
        int unit = NOT_STORED;
        boolean more = fields.next();
        if (!more || fields.endsRecord() && fields.from() == fields.to()) {
            throw InvalidData.at(1, "the header is empty: it must name the columns, separated by commas");
        }
        boolean otherSeparator = false;
        while (more) {
            if (columns.size() == MAX_COLUMNS) {
                throw InvalidData.at(1, "the header has more than " + MAX_COLUMNS + " columns");
            }
            String name = fields.text();
            otherSeparator |= name.indexOf(';') >= 0 || name.indexOf('\t') >= 0;
            if (wanted.contains(name) && !found.add(name)) {
                throw InvalidData.at(1, name, "the header has this column more than once");
            }
            if (!unitColumn.isEmpty() && name.equals(unitColumn)) {
                unit = columns.size();
            }
            columns.add(positions.getOrDefault(name, NOT_STORED));
            more = !fields.endsRecord() && fields.next();
        }
        for (String name : wanted) {
            if (!found.contains(name)) {
                throw otherSeparator && columns.size() == 1
                        ? InvalidData.at(1, "the header is one column: a comma separates columns, no semicolon or tab")
                        : InvalidData.at(1, name, "the header does not have this column");
            }
        }
        return new CsvHeader(columns.stream().mapToInt(Integer::intValue).toArray(), unit);
    }

    /** The name of the column that names the privacy unit; empty if a row is one. */
    static String unitColumn(Dataset dataset) {
        return dataset.privacyUnit() instanceof PrivacyUnit.Column column ? column.column() : "";
    }

    int fields() {
        return columns.length;
    }
}
