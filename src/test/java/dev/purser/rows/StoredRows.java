package dev.purser.rows;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The content of a {@link RowsFile}, row by row. */
public final class StoredRows {
    private StoredRows() {}

    /** The shape of a file of some dataset with these columns. */
    public static RowsShape shape(List<StoredRange> columns) {
        return new RowsShape("some", "0".repeat(64), columns, false);
    }

    /** The bytes of a file without its owner and without the checksum of the header, which covers the owner. */
    public static byte[] withoutOwner(Path file) throws IOException {
        int owner = 96;
        ByteBuffer whole = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int header = RowsFileHeader.bytes(whole.getInt(12));
        return ByteBuffer.allocate(whole.limit() - owner - Long.BYTES)
                .put(whole.slice(0, 24))
                .put(whole.slice(24 + owner, header - Long.BYTES - 24 - owner))
                .put(whole.slice(header, whole.limit() - header))
                .array();
    }

    /** The sums of {@code prefixes}. */
    static BigInteger[] sums(Prefixes prefixes) {
        long[] high = prefixes.sumsHigh();
        long[] low = prefixes.sumsLow();
        BigInteger[] sums = new BigInteger[high.length];
        for (int i = 0; i < sums.length; i++) {
            byte[] bytes =
                    ByteBuffer.allocate(16).putLong(high[i]).putLong(low[i]).array();
            sums[i] = new BigInteger(bytes);
        }
        return sums;
    }

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
