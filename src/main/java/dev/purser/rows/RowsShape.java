package dev.purser.rows;

import java.util.List;

/**
 * What a {@link RowsFile} can hold, from public facts alone.
 *
 * @param columns what each column can hold
 */
public record RowsShape(List<StoredRange> columns) {
    public RowsShape {
        columns = List.copyOf(columns);
    }
}
