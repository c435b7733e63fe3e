package dev.purser.dataset.parser;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Looks at how many elements the schema of a Parquet file has before DuckDB does: DuckDB takes seconds and hundreds of megabytes
 * for a million of them, and nobody has that many columns.
 *
 * <p>The file ends in its description, the length of that (4 bytes, little endian) and {@code PAR1}. The description is a
 * struct in Thrift's compact protocol, and begins with a version, then the schema as a list of structs.
 */
final class ParquetFooter {
    /** A column of lists has three, so these are of as many columns as an upload may have. */
    static final int MAX_ELEMENTS = 30_001;

    private static final int END = 8;
    private static final int VERSION_FIELD = 0x15;
    private static final int SCHEMA_FIELD = 0x19;
    private static final int LONG_LIST_OF_STRUCTS = 0xFC;

    private ParquetFooter() {}

    /** Whether the schema is short enough, or not where every writer puts it, about which DuckDB will have its say. */
    static boolean isModest(Path file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long end = in.length() - END;
            if (end < 0) {
                return true;
            }
            in.seek(end);
            long length = Integer.toUnsignedLong(Integer.reverseBytes(in.readInt()));
            if (length > end) {
                return true;
            }
            in.seek(end - length);
            if (in.read() != VERSION_FIELD || number(in) < 0 || in.read() != SCHEMA_FIELD) {
                return true;
            }
            // A list of fewer than fifteen has its size in this byte.
            return in.read() != LONG_LIST_OF_STRUCTS || number(in) <= MAX_ELEMENTS;
        }
    }

    /** A number of up to 35 bits, seven in each byte, the lowest first. */
    private static long number(RandomAccessFile in) throws IOException {
        long number = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int next = in.read();
            number |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                break;
            }
        }
        return number;
    }
}
