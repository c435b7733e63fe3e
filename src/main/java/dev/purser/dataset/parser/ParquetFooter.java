package dev.purser.dataset.parser;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Looks at how much a Parquet file's description of itself describes before DuckDB does: DuckDB takes seconds and hundreds of megabytes
 * for a million columns, for a hundred thousand groups of rows, and for a name of fifty megabytes, and nobody has those.
 *
 * <p>The file ends in its description, the length of that (4 bytes, little endian) and {@code PAR1}. The description is a struct in
 * Thrift's compact protocol, whose second field is the schema and whose fourth are the groups of rows. Its fields may come in any
 * order, and more than once.
 */
final class ParquetFooter {
    /** A column of lists has three, so these are of as many columns as an upload may have. */
    static final int MAX_ELEMENTS = 30_001;

    /** Of a hundred thousand rows, as writers have it, they hold two thousand million. */
    static final int MAX_ROW_GROUPS = 20_000;

    /** Elements of lists: groups of rows, their columns, and what is said of each of those. */
    static final int MAX_VALUES = 3_000_000;

    /** All names of columns together, and what else the schema says of them. */
    static final int MAX_SCHEMA_BYTES = 8 << 20;

    static final int MAX_BYTES = 256 << 20;

    private static final int END = 8;
    private static final int MAX_DEPTH = 32;
    private static final int SCHEMA_FIELD = 2;
    private static final int ROW_GROUPS_FIELD = 4;
    private static final int TEXTS_FIELD = 5;
    private static final int ORDERS_FIELD = 7;

    private static final int STOP = 0;
    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    private static final int SHORT = 4;
    private static final int INTEGER = 5;
    private static final int LONG = 6;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int STRUCT = 12;

    private final RandomAccessFile in;
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int limit;
    /** How many bytes of the description are not in the buffer yet. */
    private long left;

    private long values;

    private ParquetFooter(RandomAccessFile in, long length) {
        this.in = in;
        left = length;
    }

    /** Whether a file describes no more than that; not so if what it ends in is no such struct. */
    static boolean isModest(Path file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long end = in.length() - END;
            if (end < 0) {
                return false;
            }
            in.seek(end);
            long length = Integer.toUnsignedLong(Integer.reverseBytes(in.readInt()));
            if (length > Math.min(end, MAX_BYTES)) {
                return false;
            }
            in.seek(end - length);
            return new ParquetFooter(in, length).isModest();
        } catch (EOFException tooShort) {
            return false;
        }
    }

    private boolean isModest() throws IOException {
        int field = 0;
        for (int head = next(); head != STOP; head = next()) {
            field = field(head, field);
            long before = unread();
            boolean modest = switch (field) {
                case SCHEMA_FIELD -> skipList(head, MAX_ELEMENTS) && before - unread() <= MAX_SCHEMA_BYTES;
                case ROW_GROUPS_FIELD -> skipList(head, MAX_ROW_GROUPS);
                case TEXTS_FIELD, ORDERS_FIELD -> skipList(head, MAX_VALUES);
                default -> skip(head & 0xF, 0);
            };
            if (!modest) {
                return false;
            }
        }
        return true;
    }

    /** Of 16 bits, as DuckDB has it: what is left of a larger number could be any field's. */
    private int field(int head, int last) throws IOException {
        return (short) (head >>> 4 == 0 ? signed(number()) : last + (head >>> 4));
    }

    private static long signed(long number) {
        return number >>> 1 ^ -(number & 1);
    }

    /** Of structs: DuckDB takes the elements for such, whatever the list says. */
    private boolean skipList(int head, int most) throws IOException {
        if ((head & 0xF) != LIST) {
            return false;
        }
        int kind = next();
        long size = size(kind);
        return size <= most && (kind & 0xF) == STRUCT && skip(STRUCT, size, 0);
    }

    /** Of a list or set; fewer than fifteen stand in its first byte. Of more than 31 bits DuckDB would take a part. */
    private long size(int head) throws IOException {
        long size = head >>> 4 == 0xF ? number() : head >>> 4;
        if (size < 0 || size > Integer.MAX_VALUE) {
            throw new EOFException();
        }
        return size;
    }

    /** Past so many values. False if there is too much in them, or it cannot be told what is. */
    private boolean skip(int type, long count, int depth) throws IOException {
        values += count;
        if (values > MAX_VALUES) {
            return false;
        }
        for (long i = 0; i < count; i++) {
            if (type == TRUE || type == FALSE) {
                next();
            } else if (!skip(type, depth)) {
                return false;
            }
        }
        return true;
    }

    /** Past a value of a struct's field, in whose head truth values are themselves. */
    private boolean skip(int type, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            return false;
        }
        switch (type) {
            case TRUE, FALSE -> {
                return true;
            }
            case BYTE -> {
                return pass(1);
            }
            case DOUBLE -> {
                return pass(Double.BYTES);
            }
            case BINARY -> {
                return pass(number());
            }
            case LIST, SET -> {
                int kind = next();
                return skip(kind & 0xF, size(kind), depth + 1);
            }
            case STRUCT -> {
                return skipStruct(depth + 1);
            }
            case SHORT, INTEGER, LONG -> {
                number();
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    private boolean skipStruct(int depth) throws IOException {
        for (int head = next(); head != STOP; head = next()) {
            if (head >>> 4 == 0) {
                number();
            }
            if (!skip(head & 0xF, depth)) {
                return false;
            }
        }
        return true;
    }

    private long unread() {
        return left + limit - position;
    }

    private boolean pass(long count) throws IOException {
        if (count < 0 || count > unread()) {
            throw new EOFException();
        }
        long buffered = Math.min(count, limit - position);
        position += (int) buffered;
        if (count > buffered) {
            in.seek(in.getFilePointer() + count - buffered);
            left -= count - buffered;
        }
        return true;
    }

    /** A number without a sign, seven bits in each byte, the lowest first. */
    private long number() throws IOException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = next();
            number |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return number;
            }
        }
        throw new EOFException();
    }

    private int next() throws IOException {
        if (position == limit) {
            limit = (int) Math.min(buffer.length, left);
            if (limit == 0) {
                throw new EOFException();
            }
            in.readFully(buffer, 0, limit);
            left -= limit;
            position = 0;
        }
        return buffer[position++] & 0xFF;
    }
}
