package dev.purser.rows;

import java.util.List;

/**
 * What a {@link RowsFile} can hold, from public facts alone.
 *
 * @param columns what each column can hold
 * @param maxRows the most rows there can be
 */
public record RowsShape(List<StoredRange> columns, long maxRows) {
    public RowsShape {
        columns = List.copyOf(columns);
    }
}
