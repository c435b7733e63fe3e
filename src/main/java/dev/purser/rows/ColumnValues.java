package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** One column's stored integers in the order of the rows, as offsets: distances from the column's lower bound. */
public final class ColumnValues {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(RowsFileHeader.ORDER);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(RowsFileHeader.ORDER);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(RowsFileHeader.ORDER);

    private final CheckedSection section;
    private final int offsetBytes;

    ColumnValues(CheckedSection section, int offsetBytes) {
        this.section = section;
        this.offsetBytes = offsetBytes;
    }

    /**
     * A reader of these values, verified.
     *
     * @throws IOException if they are damaged
     */
    public Reader reader() throws IOException {
        MemorySegment bytes = section.verified();
        return switch (offsetBytes) {
            case Byte.BYTES -> (from, into, count) -> readBytes(bytes, from, into, count);
            case Short.BYTES -> (from, into, count) -> readShorts(bytes, from, into, count);
            case Integer.BYTES -> (from, into, count) -> readInts(bytes, from, into, count);
            default -> (from, into, count) -> readLongs(bytes, from, into, count);
        };
    }

    /** Reads the offsets of consecutive rows. */
    @FunctionalInterface
    public interface Reader {
        /** Puts the offsets of {@code count} rows, beginning with row {@code from}, at the beginning of {@code into}. */
        void read(long from, long[] into, int count);
    }

    private static void readBytes(MemorySegment bytes, long from, long[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Byte.toUnsignedLong(bytes.get(ValueLayout.JAVA_BYTE, from + i));
        }
    }

    private static void readShorts(MemorySegment bytes, long from, long[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Short.toUnsignedLong(bytes.get(SHORT, (from + i) * Short.BYTES));
        }
    }

    private static void readInts(MemorySegment bytes, long from, long[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Integer.toUnsignedLong(bytes.get(INT, (from + i) * Integer.BYTES));
        }
    }

    private static void readLongs(MemorySegment bytes, long from, long[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = bytes.get(LONG, (from + i) * Long.BYTES);
        }
    }
}
