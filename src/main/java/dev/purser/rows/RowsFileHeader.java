package dev.purser.rows;

import dev.purser.digest.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The first bytes of a {@link RowsFile}, from which the places of all others follow.
 *
 * @param rows how many rows there are
 * @param columns in the order of registration
 * @param length how many bytes the header has
 * @param digest SHA-256 of the header's bytes, in hexadecimal
 */
record RowsFileHeader(long rows, List<Sections> columns, int length, String digest) {
    private static final long MAGIC = 0x776f_7265_7372_7570L;
    private static final int VERSION = 4;
    private static final int FIXED_BYTES = 3 * Long.BYTES;
    private static final int ID_BYTES = 64;
    private static final int OWNER_BYTES = ID_BYTES + 32;
    private static final int COLUMN_BYTES = 4 * Long.BYTES;
    private static final String NOT_OURS = "not the rows of this dataset";

    /**
     * The parts of the header for one column.
     *
     * @param range the range from the registration; the values must have been written for this range
     * @param profileRecords how many records its profile has
     * @param valuesChecksum CRC-32C of the values
     * @param profileChecksum CRC-32C of the profile
     */
    record Sections(StoredRange range, long profileRecords, int valuesChecksum, int profileChecksum) {}

    RowsFileHeader {
        columns = List.copyOf(columns);
    }

    /** The length of the header of a new file. */
    static int bytes(int columns) {
        return OWNER_BYTES + FIXED_BYTES + columns * COLUMN_BYTES + Long.BYTES;
    }

    /** The header of a new file. */
    static byte[] encode(RowsShape shape, long rows, List<Sections> columns) {
        ByteBuffer bytes =
                ByteBuffer.allocate(bytes(columns.size())).order(OwnFile.ORDER).putLong(MAGIC);
        bytes.putInt(VERSION).putInt(columns.size()).putLong(rows).put(owner(shape));
        for (Sections column : columns) {
            bytes.putLong(column.range().lower())
                    .putLong(column.range().upper())
                    .putLong(column.profileRecords())
                    .putInt(column.valuesChecksum())
                    .putInt(column.profileChecksum());
        }
        return bytes.putLong(checksum(bytes)).array();
    }

    /** The dataset's id, filled up with zeros, and the digest of its registration. */
    private static byte[] owner(RowsShape shape) {
        byte[] id = shape.dataset().getBytes(StandardCharsets.US_ASCII);
        if (id.length >= ID_BYTES) {
            throw new IllegalArgumentException("the id of a dataset has at most 63 characters");
        }
        return ByteBuffer.allocate(OWNER_BYTES)
                .put(id)
                .put(ID_BYTES, HexFormat.of().parseHex(shape.registrationDigest()))
                .array();
    }

    /**
     * Reads a header that was written for these rows.
     *
     * @throws OtherRowsException if it states another dataset or another registration
     * @throws IOException if it was written for other columns, or is damaged
     */
    static RowsFileHeader read(FileChannel file, RowsShape shape) throws IOException {
        return decode(bytes(file), shape);
    }

    /**
     * The digest that {@link #read} would give.
     *
     * @throws IOException if the file does not begin with a header
     */
    static String digest(FileChannel file) throws IOException {
        return Sha256.hexOf(bytes(file).array());
    }

    /**
     * Whether the file has the length that its header states. The header is not verified.
     *
     * @throws IOException if the file does not begin with a header
     */
    static boolean isWhole(FileChannel file) throws IOException {
        ByteBuffer bytes = bytes(file);
        int count = bytes.getInt(Long.BYTES + Integer.BYTES);
        bytes.position(FIXED_BYTES + OWNER_BYTES);
        List<StoredRange> ranges = new ArrayList<>();
        long profileRecords = 0;
        for (int i = 0; i < count; i++) {
            ranges.add(new StoredRange(bytes.getLong(), bytes.getLong()));
            profileRecords += bytes.getLong();
            bytes.getLong();
        }
        long profileAt = new ValuesLayout(ranges, bytes.limit()).end(bytes.getLong(2 * Long.BYTES));
        return file.size() == profileAt + profileRecords * ColumnProfile.RECORD_BYTES;
    }

    private static ByteBuffer bytes(FileChannel file) throws IOException {
        ByteBuffer begin = ByteBuffer.allocate(FIXED_BYTES).order(OwnFile.ORDER);
        OwnFile.read(file, begin, 0);
        int version = begin.getInt(Long.BYTES);
        int count = begin.getInt(Long.BYTES + Integer.BYTES);
        if (begin.getLong() != MAGIC || version != VERSION || count < 0 || count > file.size() / COLUMN_BYTES) {
            throw new IOException(NOT_OURS);
        }
        ByteBuffer bytes = ByteBuffer.allocate(bytes(count));
        OwnFile.read(file, bytes, 0);
        return bytes.order(OwnFile.ORDER);
    }

    private static RowsFileHeader decode(ByteBuffer bytes, RowsShape shape) throws IOException {
        int checked = bytes.limit() - Long.BYTES;
        if (checksum(bytes.duplicate().position(checked)) != bytes.getLong(checked)
                || bytes.getInt(Long.BYTES + Integer.BYTES) != shape.stored().size()) {
            throw new IOException(NOT_OURS);
        }
        long rows = bytes.getLong(2 * Long.BYTES);
        bytes.position(FIXED_BYTES);
        byte[] owner = new byte[OWNER_BYTES];
        bytes.get(owner);
        if (!Arrays.equals(owner, owner(shape))) {
            throw new OtherRowsException(NOT_OURS);
        }
        List<Sections> sections = new ArrayList<>();
        for (StoredRange range : shape.stored()) {
            if (bytes.getLong() != range.lower() || bytes.getLong() != range.upper()) {
                throw new IOException(NOT_OURS);
            }
            sections.add(new Sections(range, bytes.getLong(), bytes.getInt(), bytes.getInt()));
        }
        return new RowsFileHeader(rows, sections, bytes.limit(), Sha256.hexOf(bytes.array()));
    }

    /** CRC-32C of all bytes before the position. */
    private static long checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().flip());
        return checksum.getValue();
    }
}
