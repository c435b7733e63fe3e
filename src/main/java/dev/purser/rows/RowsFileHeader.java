package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The first bytes of a {@link RowsFile}, and so where everything else lies in it.
 *
 * @param rows how many there are
 * @param columns in the order of registration
 */
record RowsFileHeader(long rows, List<Sections> columns) {
    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private static final long MAGIC = 0x776f_7265_7372_7570L;
    private static final int VERSION = 2;
    private static final int FIXED_BYTES = 3 * Long.BYTES;
    private static final int COLUMN_BYTES = 5 * Long.BYTES;
    private static final String NOT_OURS = "not the rows of this dataset";

    /**
     * What is known of one column.
     *
     * @param range from the registration, which must be the one that the values were written for
     * @param form of the profile
     * @param profileBytes how long it is, a multiple of 8
     * @param valuesChecksum CRC-32C of the values
     * @param profileChecksum CRC-32C of the profile
     */
    record Sections(StoredRange range, ProfileForm form, long profileBytes, int valuesChecksum, int profileChecksum) {
        private boolean canBe(long rows) {
            return switch (form) {
                case SORTED -> profileBytes > 0 && profileBytes % SortedProfile.RECORD_BYTES == 0;
                case COUNTED -> CountedProfile.holds(range, rows) && profileBytes == CountedProfile.bytes(range);
            };
        }
    }

    RowsFileHeader {
        columns = List.copyOf(columns);
    }

    /** The header's own bytes, a multiple of 8. */
    static long bytes(int columns) {
        return FIXED_BYTES + (long) columns * COLUMN_BYTES + Long.BYTES;
    }

    /** Where the profile of a column begins, by the layout of the values before; past the last column, where the file ends. */
    long profileAt(int position, ValuesLayout values) {
        long at = values.end(rows);
        for (Sections before : columns.subList(0, position)) {
            at += before.profileBytes();
        }
        return at;
    }

    ByteBuffer encode() {
        ByteBuffer bytes =
                ByteBuffer.allocate((int) bytes(columns.size())).order(ORDER).putLong(MAGIC);
        bytes.putInt(VERSION).putInt(columns.size()).putLong(rows);
        for (Sections column : columns) {
            bytes.putLong(column.range().lower())
                    .putLong(column.range().upper())
                    .putLong(column.form().number())
                    .putLong(column.profileBytes())
                    .putInt(column.valuesChecksum())
                    .putInt(column.profileChecksum());
        }
        return bytes.putLong(checksum(bytes)).flip();
    }

    /**
     * Reads a header that was written for these columns.
     *
     * @param bytes as many as {@link #bytes} says, or fewer if the file ended
     * @throws IOException if it was not, or is damaged
     */
    static RowsFileHeader decode(ByteBuffer bytes, List<StoredRange> columns) throws IOException {
        bytes.order(ORDER);
        if (bytes.remaining() != bytes(columns.size())
                || bytes.getLong() != MAGIC
                || bytes.getInt() != VERSION
                || bytes.getInt() != columns.size()) {
            throw new IOException(NOT_OURS);
        }
        long rows = bytes.getLong();
        List<Sections> sections = new ArrayList<>();
        for (StoredRange range : columns) {
            if (bytes.getLong() != range.lower() || bytes.getLong() != range.upper()) {
                throw new IOException(NOT_OURS);
            }
            sections.add(new Sections(
                    range, ProfileForm.of(bytes.getLong()), bytes.getLong(), bytes.getInt(), bytes.getInt()));
        }
        if (checksum(bytes) != bytes.getLong() || !sections.stream().allMatch(column -> column.canBe(rows))) {
            throw new IOException(NOT_OURS);
        }
        return new RowsFileHeader(rows, sections);
    }

    /** Of all bytes before the position. */
    private static long checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().flip());
        return checksum.getValue();
    }
}
