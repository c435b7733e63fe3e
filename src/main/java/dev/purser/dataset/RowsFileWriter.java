package dev.purser.dataset;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link RowsFile} of rows that come one by one. Where a section of the file begins is known only when all rows are there, so
 * they wait in a {@link ChunkFile}, and each chunk is ready for the profiles then: the values of a column are counted, or where that
 * would take too much memory, sorted. A chunk is made so by a thread of its own while the next one comes in.
 *
 * <p>Memory depends on the number of columns and on their public bounds only: two chunks, and {@link ValueCounts}.
 */
public final class RowsFileWriter implements AutoCloseable {
    private final Path target;
    private final List<StoredRange> ranges;
    private final ValueCounts counts;
    /** Per column the lane of its sorted values, if it has one: the first lanes are those of the values. */
    private final int[] sortedLanes;

    private final RadixSort[] sorts;
    private final ChunkFile chunks;

    private RowChunk arriving;
    private RowChunk free;
    private @Nullable Task<Void> storing;
    private long rows;
    private long stored;

    /**
     * @param target a file that does not exist, in a folder that may hold one more for as long as this is open
     * @throws RowsNotWritten if no file can be made there
     */
    public RowsFileWriter(Dataset dataset, Path target) throws RowsNotWritten {
        this.target = target;
        ranges = dataset.columns().stream().map(StoredRange::of).toList();
        counts = new ValueCounts(ranges, dataset.maxRows());
        int columns = ranges.size();
        sortedLanes = new int[columns];
        sorts = new RadixSort[columns];
        List<Integer> widths = new ArrayList<>();
        ranges.forEach(range -> widths.add(range.offsetBytes()));
        for (int i = 0; i < columns; i++) {
            if (!counts.isCounted(i)) {
                sortedLanes[i] = widths.size();
                widths.add(ranges.get(i).offsetBytes());
                sorts[i] = new RadixSort(ranges.get(i).size());
            }
        }
        arriving = new RowChunk(columns);
        free = new RowChunk(columns);
        try {
            chunks = new ChunkFile(
                    target.resolveSibling(target.getFileName() + ".chunks"),
                    RowChunk.rows(columns),
                    widths.stream().mapToInt(Integer::intValue).toArray());
        } catch (IOException e) {
            counts.close();
            throw new RowsNotWritten(e);
        }
    }

    /**
     * Takes one row more.
     *
     * @param values what is stored of it, by the position of the column
     * @throws RowsNotWritten if an earlier row could not be written, or broke the dataset's bounds
     */
    public void add(long[] values) throws RowsNotWritten {
        if (arriving.isFull()) {
            handOver();
        }
        arriving.add(values);
        rows++;
    }

    private void handOver() throws RowsNotWritten {
        awaitStored();
        RowChunk full = arriving;
        arriving = free;
        arriving.clear();
        free = full;
        storing = Task.start("chunk", () -> {
            store(full);
            return null;
        });
    }

    private void awaitStored() throws RowsNotWritten {
        try {
            if (storing != null) {
                storing.join();
            }
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    private void store(RowChunk chunk) throws IOException {
        long number = stored / chunks.rowsOfChunk();
        for (int i = 0; i < ranges.size(); i++) {
            long[] offsets = chunk.column(i);
            toOffsets(offsets, chunk.rows(), ranges.get(i));
            chunks.write(number, i, offsets, chunk.rows());
            if (counts.isCounted(i)) {
                counts.add(i, offsets, chunk.rows());
            } else {
                chunks.write(number, sortedLanes[i], sorts[i].sort(offsets, chunk.rows()), chunk.rows());
            }
        }
        stored += chunk.rows();
    }

    private static void toOffsets(long[] values, int count, StoredRange range) throws IOException {
        long size = range.size();
        for (int i = 0; i < count; i++) {
            values[i] -= range.lower();
            if (values[i] < 0 || values[i] >= size) {
                throw new IOException("a value outside its column's bounds");
            }
        }
    }

    /**
     * Writes the file. The caller makes it durable.
     *
     * @throws RowsNotWritten if it cannot be written, or a row broke the dataset's bounds; part of the file may be there then
     */
    public void finish() throws RowsNotWritten {
        handOver();
        awaitStored();
        try (FileChannel channel = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            DatasetFiles.restrict(target);
            write(channel);
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    private void write(FileChannel channel) throws IOException {
        int columns = ranges.size();
        int[] valuesChecksums = new int[columns];
        long at = RowsFileHeader.bytes(columns);
        for (int i = 0; i < columns; i++) {
            valuesChecksums[i] = writeValues(i, new SectionWriter(channel, at));
            at += RowsFileHeader.valuesBytes(rows, ranges.get(i));
        }
        List<RowsFileHeader.Sections> sections = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            SectionWriter profile = new SectionWriter(channel, at);
            long records = counts.isCounted(i) ? writeCounted(i, profile) : writeMerged(i, profile);
            at += records * RowsFileHeader.PROFILE_RECORD_BYTES;
            sections.add(new RowsFileHeader.Sections(ranges.get(i), records, valuesChecksums[i], profile.finish()));
        }
        channel.write(new RowsFileHeader(rows, sections).encode(), 0);
    }

    private int writeValues(int column, SectionWriter into) throws IOException {
        int rowsOfChunk = chunks.rowsOfChunk();
        for (long from = 0; from < rows; from += rowsOfChunk) {
            into.put(chunks, from / rowsOfChunk, column, (int) Math.min(rowsOfChunk, rows - from));
        }
        return into.finish();
    }

    private long writeCounted(int column, SectionWriter into) throws IOException {
        ProfileWriter profile = new ProfileWriter(into);
        StoredRange range = ranges.get(column);
        for (long offset = 0; offset < range.size(); offset++) {
            profile.add(range.lower() + offset, counts.count(column, offset));
        }
        return profile.finish();
    }

    private long writeMerged(int column, SectionWriter into) throws IOException {
        ProfileWriter profile = new ProfileWriter(into);
        RunMerge sorted = new RunMerge(chunks, sortedLanes[column], rows);
        long lower = ranges.get(column).lower();
        while (sorted.hasNext()) {
            profile.add(lower + sorted.next());
        }
        return profile.finish();
    }

    /** Gives back what was needed on the way, whether or not the file was finished. */
    @Override
    public void close() throws IOException {
        if (storing != null) {
            storing.await();
        }
        try (counts) {
            chunks.close();
        }
    }
}
