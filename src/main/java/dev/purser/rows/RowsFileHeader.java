package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The first bytes of a {@link RowsFile}, from which the places of all others follow.
 *
 * @param rows how many there are
 * @param columns in the order of registration
 */
record RowsFileHeader(long rows, List<Sections> columns) {
    private static final long MAGIC = 0x776f_7265_7372_7570L;
    private static final int VERSION = 3;
    private static final int FIXED_BYTES = 3 * Long.BYTES;
    private static final int COLUMN_BYTES = 4 * Long.BYTES;
    private static final String NOT_OURS = "not the rows of this dataset";

    /**
     * What is known of one column.
     *
     * @param range from the registration; it must be the one that the values were written for
     * @param profileRecords how many records its profile has
     * @param valuesChecksum CRC-32C of the values
     * @param profileChecksum CRC-32C of the profile
     */
    record Sections(StoredRange range, long profileRecords, int valuesChecksum, int profileChecksum) {}

    RowsFileHeader {
        columns = List.copyOf(columns);
    }

    /** The length of the header. */
    static int bytes(int columns) {
        return FIXED_BYTES + columns * COLUMN_BYTES + Long.BYTES;
    }

    ByteBuffer encode() {
        ByteBuffer bytes =
                ByteBuffer.allocate(bytes(columns.size())).order(OwnFile.ORDER).putLong(MAGIC);
        bytes.putInt(VERSION).putInt(columns.size()).putLong(rows);
        for (Sections column : columns) {
            bytes.putLong(column.range().lower())
                    .putLong(column.range().upper())
                    .putLong(column.profileRecords())
                    .putInt(column.valuesChecksum())
                    .putInt(column.profileChecksum());
        }
        return bytes.putLong(checksum(bytes)).flip();
    }

    /**
     * Reads a header that was written for these columns.
     *
     * @param bytes as many as {@link #bytes} says
     * @throws IOException if it was written for others, or is damaged
     */
    static RowsFileHeader decode(ByteBuffer bytes, List<StoredRange> columns) throws IOException {
        bytes.order(OwnFile.ORDER);
        if (bytes.getLong() != MAGIC || bytes.getInt() != VERSION || bytes.getInt() != columns.size()) {
            throw new IOException(NOT_OURS);
        }
        long rows = bytes.getLong();
        List<Sections> sections = new ArrayList<>();
        for (StoredRange range : columns) {
            if (bytes.getLong() != range.lower() || bytes.getLong() != range.upper()) {
                throw new IOException(NOT_OURS);
            }
            sections.add(new Sections(range, bytes.getLong(), bytes.getInt(), bytes.getInt()));
        }
        if (checksum(bytes) != bytes.getLong()) {
            throw new IOException(NOT_OURS);
        }
        return new RowsFileHeader(rows, sections);
    }

    /** CRC-32C of all bytes before the position. */
    private static long checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().flip());
        return checksum.getValue();
    }
}
