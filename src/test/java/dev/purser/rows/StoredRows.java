package dev.purser.rows;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** What a {@link RowsFile} holds, row by row. */
public final class StoredRows {
    private StoredRows() {}

    /** What a file of some dataset with these columns holds. */
    public static RowsShape shape(List<StoredRange> columns) {
        return new RowsShape("some", "0".repeat(64), columns);
    }

    /** A file as one of version 3, which does not state whose rows it holds. */
    public static byte[] olderVersion(Path file) throws IOException {
        int owner = 64 + 32;
        ByteBuffer now = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int header = RowsFileHeader.bytes(now.getInt(12)) - owner;
        ByteBuffer older = ByteBuffer.allocate(now.limit() - owner).order(ByteOrder.LITTLE_ENDIAN);
        older.put(now.slice(0, 24)).putInt(8, 3);
        older.put(now.slice(24 + owner, now.limit() - owner - 24));
        CRC32C checksum = new CRC32C();
        checksum.update(older.array(), 0, header - 8);
        return older.putLong(header - 8, checksum.getValue()).array();
    }

    /** Makes a file one of version 3. */
    public static void makeOlder(Path file) throws IOException {
        Files.write(file, olderVersion(file));
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
