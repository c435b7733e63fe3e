package dev.purser.rows;

import java.util.List;

/**
 * Which dataset's rows a {@link RowsFile} holds and what they can be, from public facts alone.
 *
 * @param dataset the dataset's id, at most 63 ASCII characters
 * @param registrationDigest SHA-256 of its registration, 64 lower-case hexadecimal digits
 * @param columns what each column can hold
 */
public record RowsShape(String dataset, String registrationDigest, List<StoredRange> columns) {
    public RowsShape {
        columns = List.copyOf(columns);
    }
}
