package dev.purser.rows;

import java.util.List;
import java.util.stream.Stream;

/**
 * Which dataset's rows a {@link RowsFile} has, and which values they can have, from public facts alone.
 *
 * @param dataset the dataset's id, at most 63 ASCII characters
 * @param registrationDigest SHA-256 of its registration, 64 lower-case hexadecimal digits
 * @param columns the range of each column
 * @param hasUnits whether a column names the privacy unit. The rows of a unit are then consecutive, and each row has
 *     one more integer, its mark: 1 in the first row of its unit, and 0 in every other row
 */
public record RowsShape(String dataset, String registrationDigest, List<StoredRange> columns, boolean hasUnits) {
    private static final StoredRange MARK = new StoredRange(0, 1);

    public RowsShape {
        columns = List.copyOf(columns);
    }

    /** The ranges of the integers of a row: the columns, and then the mark if there is one. */
    List<StoredRange> stored() {
        return hasUnits ? Stream.concat(columns.stream(), Stream.of(MARK)).toList() : columns;
    }
}
