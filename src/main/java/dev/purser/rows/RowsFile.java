package dev.purser.rows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The finished rows of a dataset, open for reading. Each column has its values, row by row, and its profile. Reading
 * uses small buffers for any number of rows. If a column names the privacy unit, there is one more column, of
 * {@link #unitMarks}. It shows which rows belong together, and does not show which unit they belong to.
 *
 * <pre>
 * header     magic, version, columns, rows; the dataset's id and the digest of its registration;
 *            per column its bounds, the records of its profile, two checksums; a checksum of it all
 * values     as {@link ValuesLayout} says
 * profiles   per column, as {@link ColumnProfile} says
 * </pre>
 *
 * Numbers are little-endian. The header is verified when the file is opened, the values or the profile of a column
 * before they are first read.
 *
 * <p>The checksums find damage. The digest of the header, which contains them, identifies the file: the file of another
 * dataset or of another upload has another digest. The checksums do not detect other values that somebody wrote on
 * purpose. Only the service's own user can write the file.
 */
public final class RowsFile implements AutoCloseable {
    private final FileChannel channel;
    private final boolean hasUnits;
    private final long rows;
    private final String digest;
    private final List<ColumnValues> values = new ArrayList<>();
    private final List<ColumnProfile> profiles = new ArrayList<>();

    /**
     * Opens rows.
     *
     * @throws OtherRowsException if the file states another dataset or another registration
     * @throws IOException if there is no such file, or if it does not hold rows of this shape
     */
    public RowsFile(Path file, RowsShape shape) throws IOException {
        channel = FileChannel.open(file);
        hasUnits = shape.hasUnits();
        try {
            List<StoredRange> columns = shape.stored();
            RowsFileHeader header = RowsFileHeader.read(channel, shape);
            rows = header.rows();
            digest = header.digest();
            long end = open(header, columns);
            if (channel.size() != end) {
                throw new IOException("rows that are cut off");
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Opens all columns. Returns where the file has to end. */
    private long open(RowsFileHeader header, List<StoredRange> columns) {
        ValuesLayout layout = new ValuesLayout(columns, header.length());
        long profileAt = layout.end(rows);
        for (int i = 0; i < columns.size(); i++) {
            RowsFileHeader.Sections sections = header.columns().get(i);
            values.add(new ColumnValues(channel, columns, layout, i, rows, sections.valuesChecksum()));
            profiles.add(new ColumnProfile(channel, profileAt, sections.profileRecords(), sections.profileChecksum()));
            profileAt += sections.profileRecords() * ColumnProfile.RECORD_BYTES;
        }
        return profileAt;
    }

    /** Whether a file has the length that its first bytes state. */
    public static boolean isWhole(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return RowsFileHeader.isWhole(channel);
        }
    }

    /** The {@link #digest} of a file, from its first bytes alone. */
    public static String digestOf(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return RowsFileHeader.digest(channel);
        }
    }

    /** The digest of the header, in hexadecimal. */
    public String digest() {
        return digest;
    }

    /** How many rows there are. */
    public long rows() {
        return rows;
    }

    /** The values of the column at {@code position}. */
    public ColumnValues values(int position) {
        return values.get(position);
    }

    /** The marks of rows, if the shape has units: 1 in the first row of each unit, and 0 in every other row. */
    public ColumnValues unitMarks() {
        if (!hasUnits) {
            throw new IllegalStateException("rows without units");
        }
        return values.getLast();
    }

    /** The profile of the column at {@code position}. */
    public ColumnProfile profile(int position) {
        return profiles.get(position);
    }

    /** Whether the file is open. The interrupt of a thread that is reading also closes it. */
    public boolean isOpen() {
        return channel.isOpen();
    }

    /** Closes the file. Nothing obtained from here can be read any more. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
