package dev.purser.rows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a {@link RowsFile} holds, row by row. */
public final class StoredRows {
    private StoredRows() {}

    public static List<List<Long>> in(Path file, RowsShape shape) throws IOException {
        List<List<Long>> all = new ArrayList<>();
        try (RowsFile rows = new RowsFile(file, shape)) {
            long[] offset = new long[1];
            for (long row = 0; row < rows.rows(); row++) {
                List<Long> values = new ArrayList<>();
                for (int i = 0; i < shape.columns().size(); i++) {
                    rows.values(i).reader().read(row, offset, 1);
                    values.add(shape.columns().get(i).lower() + offset[0]);
                }
                all.add(values);
            }
        }
        return all;
    }
}
