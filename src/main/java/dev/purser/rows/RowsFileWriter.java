package dev.purser.rows;

import dev.purser.digest.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Writes the {@link RowsFile} of rows that come one after another. The values of a chunk are written when the chunk is
 * full. Profiles and the header follow at the end, so that a file that was not finished cannot be opened.
 *
 * <p>Memory depends only on the number of columns and on their public bounds. It is a chunk of 4 MB and its encoded
 * form, and later 8 MB to count the values of one column or to sort them on the disk.
 */
public final class RowsFileWriter implements AutoCloseable {
    /** The values of a column that can have more different values than this are sorted. Other values are counted. */
    private static final int MAX_COUNTERS = 1 << 20;

    private static final int ROWS_TOGETHER = 1 << 13;

    private final RowsShape shape;
    private final Path target;
    private final List<StoredRange> columns;
    private final FileChannel channel;
    private final ValuesLayout layout;
    private final ValuesFile values;
    private final CRC32C[] checksums;
    private final RowChunk chunk;
    private long written;
    private boolean finished;

    /**
     * Creates the file.
     *
     * @param target a file that does not exist; temporary files beside it have names that begin like it
     */
    public RowsFileWriter(RowsShape shape, Path target) throws IOException {
        this.shape = shape;
        this.target = target;
        columns = shape.stored();
        layout = new ValuesLayout(columns, RowsFileHeader.bytes(columns.size()));
        checksums = Stream.generate(CRC32C::new).limit(columns.size()).toArray(CRC32C[]::new);
        chunk = new RowChunk(columns.size());
        channel = OwnFile.create(target);
        values = new ValuesFile(channel, columns, layout);
    }

    /**
     * Takes the next row.
     *
     * @param row the stored integers by the position of the column, and the mark last if the shape has units
     * @throws IOException if this or an earlier row cannot be written, or is outside the dataset's bounds
     */
    public void add(long[] row) throws IOException {
        if (chunk.isFull()) {
            writeChunk();
        }
        chunk.add(row);
    }

    private void writeChunk() throws IOException {
        values.write(chunk, written, checksums);
        written += chunk.rows();
        chunk.clear();
    }

    /**
     * Writes what is left. The caller makes the file durable.
     *
     * @return the digest of the header, which identifies the file
     * @throws IOException if it cannot be written, or a row is outside the dataset's bounds
     */
    public byte[] finish() throws IOException {
        writeChunk();
        List<RowsFileHeader.Sections> sections = new ArrayList<>();
        long position = layout.end(written);
        for (int i = 0; i < columns.size(); i++) {
            ProfileWriter profile = new ProfileWriter(channel, position);
            if (columns.get(i).size() <= MAX_COUNTERS) {
                count(i, profile);
            } else {
                sort(i, profile);
            }
            profile.finish();
            position = profile.end();
            sections.add(new RowsFileHeader.Sections(
                    columns.get(i), profile.records(), (int) checksums[i].getValue(), profile.checksum()));
        }
        byte[] header = RowsFileHeader.encode(shape, written, sections);
        OwnFile.write(channel, ByteBuffer.wrap(header), 0);
        finished = true;
        return Sha256.of(header);
    }

    private void count(int column, ProfileWriter profile) throws IOException {
        StoredRange range = columns.get(column);
        long[] counts = new long[(int) range.size()];
        forEachOffset(column, offset -> counts[(int) offset]++);
        for (int offset = 0; offset < counts.length; offset++) {
            if (counts[offset] > 0) {
                profile.add(range.lower() + offset, counts[offset]);
            }
        }
    }

    private void sort(int column, ProfileWriter profile) throws IOException {
        try (RecordSort sort = new RecordSort(target.resolveSibling(target.getFileName() + ".sort"), 1)) {
            long[] record = new long[1];
            forEachOffset(column, offset -> {
                record[0] = offset;
                sort.add(record);
            });
            SortedRecords sorted = sort.sorted();
            while (sorted.next(record)) {
                profile.add(columns.get(column).lower() + record[0], 1);
            }
        }
    }

    private void forEachOffset(int column, OffsetConsumer consumer) throws IOException {
        long[] offsets = new long[ROWS_TOGETHER];
        for (long from = 0; from < written; from += ROWS_TOGETHER) {
            int count = (int) Math.min(ROWS_TOGETHER, written - from);
            values.read(column, written, from, offsets, count);
            for (int i = 0; i < count; i++) {
                consumer.accept(offsets[i]);
            }
        }
    }

    @FunctionalInterface
    private interface OffsetConsumer {
        void accept(long offset) throws IOException;
    }

    /** Closes the file, and deletes it unless it was finished. */
    @Override
    public void close() throws IOException {
        try (channel) {
            if (!finished) {
                Files.deleteIfExists(target);
            }
        }
    }
}
