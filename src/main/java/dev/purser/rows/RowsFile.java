package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The finished rows of a dataset, mapped into memory for reading: per column its values, row by row, and its profile. Nothing of
 * it lies on the heap, however many rows there are.
 *
 * <pre>
 * header     magic, version, columns, rows; per column its bounds, form and size of its profile, two checksums; a checksum of it all
 * values     chunk after chunk of rows, and in it per column: the distance of each row's stored integer from the lower bound, in
 *            1, 2, 4 or 8 bytes
 * profiles   per column: what there is below each integer it can hold, or below each that it does hold
 * </pre>
 *
 * Numbers are little-endian; what a column has in a chunk, and a profile, begins at a multiple of 8. How many rows a chunk has follows from
 * the number of columns, and which of the widths a column has from its public bounds. The header is verified when the file is
 * opened, the values or the profile of a column before they are read for the first time since.
 */
public final class RowsFile implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final long rows;
    private final List<ColumnValues> values = new ArrayList<>();
    private final List<ColumnProfile> profiles = new ArrayList<>();

    /**
     * Opens rows.
     *
     * @throws IOException if there is no such file, or if it does not hold rows of this shape
     */
    public RowsFile(Path file, RowsShape shape) throws IOException {
        List<StoredRange> columns = shape.columns();
        try (FileChannel channel = FileChannel.open(file)) {
            RowsFileHeader header = header(channel, columns);
            ValuesLayout layout = new ValuesLayout(columns);
            rows = header.rows();
            if (rows < 0 || channel.size() != header.profileAt(columns.size(), layout)) {
                throw new IOException("rows that are cut off");
            }
            MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            for (int i = 0; i < columns.size(); i++) {
                map(all, header, layout, i, shape.maxRows());
            }
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private static RowsFileHeader header(FileChannel channel, List<StoredRange> columns) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) RowsFileHeader.bytes(columns.size()));
        int read = 0;
        while (read >= 0 && bytes.hasRemaining()) {
            read = channel.read(bytes);
        }
        return RowsFileHeader.decode(bytes.flip(), columns);
    }

    private void map(MemorySegment all, RowsFileHeader header, ValuesLayout layout, int position, long maxRows) {
        RowsFileHeader.Sections sections = header.columns().get(position);
        Lanes lanes = layout.lanes(position, rows);
        values.add(new ColumnValues(new CheckedSection(all, () -> lanes.in(all), sections.valuesChecksum()), lanes));
        CheckedSection profile = new CheckedSection(
                all.asSlice(header.profileAt(position, layout), sections.profileBytes()), sections.profileChecksum());
        profiles.add(
                switch (sections.form()) {
                    case SORTED -> new SortedProfile(profile, sections.range(), maxRows);
                    case COUNTED -> new CountedProfile(profile, sections.range());
                });
    }

    /** How many rows there are. */
    public long rows() {
        return rows;
    }

    /** The values of the column at {@code position}. */
    public ColumnValues values(int position) {
        return values.get(position);
    }

    /** The profile of the column at {@code position}. */
    public ColumnProfile profile(int position) {
        return profiles.get(position);
    }

    /** Gives the mapping back; nothing got from here can be read any more. */
    @Override
    public void close() {
        arena.close();
    }
}
