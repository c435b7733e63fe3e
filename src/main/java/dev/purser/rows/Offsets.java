package dev.purser.rows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Non-negative numbers of 1, 2, 4 or 8 bytes in memory beside the heap, one after another: loops that become vector instructions. */
final class Offsets {
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(RowsFileHeader.ORDER);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(RowsFileHeader.ORDER);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(RowsFileHeader.ORDER);

    private Offsets() {}

    /** Writes {@code count} numbers from {@code first} on, so that they begin at byte {@code at}. */
    static void encode(long[] numbers, int first, int count, int width, MemorySegment into, long at) {
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into.set(BYTE, at + i, (byte) numbers[first + i]);
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into.set(SHORT, at + (long) i * Short.BYTES, (short) numbers[first + i]);
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into.set(INT, at + (long) i * Integer.BYTES, (int) numbers[first + i]);
                }
            }
            default -> MemorySegment.copy(numbers, first, into, LONG, at, count);
        }
    }

    /** Reads {@code count} numbers that begin at byte {@code at}, and puts them into {@code into} from {@code first} on. */
    static void decode(MemorySegment bytes, long at, int width, long[] into, int first, int count) {
        switch (width) {
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[first + i] = Byte.toUnsignedLong(bytes.get(BYTE, at + i));
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[first + i] = Short.toUnsignedLong(bytes.get(SHORT, at + (long) i * Short.BYTES));
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[first + i] = Integer.toUnsignedLong(bytes.get(INT, at + (long) i * Integer.BYTES));
                }
            }
            default -> MemorySegment.copy(bytes, LONG, at, into, first, count);
        }
    }
}
