package dev.purser.rows;

import dev.purser.task.Task;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link RowsFile} of rows that come one by one. Where a section of the file begins is known only when all rows are there, so
 * they wait in a {@link ChunkFile}, to which a thread writes one chunk while the next one comes in. The values of a column are
 * counted meanwhile, or where that would take too much memory, sorted at the end: in runs of half a million, which are merged.
 *
 * <p>Memory depends on the number of columns and on their public bounds only: two chunks of 4 MB, {@link ValueCounts}, and at the end
 * 12 MB to sort one column after the other.
 */
public final class RowsFileWriter implements AutoCloseable {
    private static final int ROWS_OF_RUN = 1 << 19;

    private final Path target;
    private final List<StoredRange> ranges;
    private final ValueCounts counts;
    private final ChunkFile chunks;

    private RowChunk arriving;
    private RowChunk free;
    private @Nullable Task<Void> storing;
    private long rows;
    private long stored;

    /**
     * @param target a file that does not exist, in a folder that may hold others for as long as this is open
     * @throws RowsNotWritten if no file can be made there
     */
    public RowsFileWriter(RowsShape shape, Path target) throws RowsNotWritten {
        this.target = target;
        ranges = shape.columns();
        arriving = new RowChunk(ranges.size());
        free = new RowChunk(ranges.size());
        counts = new ValueCounts(ranges, shape.maxRows());
        try {
            chunks = new ChunkFile(
                    sibling(".chunks"),
                    RowChunk.rows(ranges.size()),
                    ranges.stream().mapToInt(StoredRange::offsetBytes).toArray());
        } catch (IOException e) {
            counts.close();
            throw new RowsNotWritten(e);
        }
    }

    private Path sibling(String suffix) {
        return target.resolveSibling(target.getFileName() + suffix);
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
            ranges.get(i).toOffsets(offsets, chunk.rows());
            chunks.write(number, i, offsets, chunk.rows());
            if (counts.isCounted(i)) {
                counts.add(i, offsets, chunk.rows());
            }
        }
        stored += chunk.rows();
    }

    /**
     * Writes the file. The caller makes it durable.
     *
     * @throws RowsNotWritten if it cannot be written, or a row broke the dataset's bounds; part of the file may be there then
     */
    public void finish() throws RowsNotWritten {
        handOver();
        awaitStored();
        try (FileChannel channel = NewFile.create(target)) {
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
            ProfileForm form = writeProfile(i, profile);
            int checksum = profile.finish();
            sections.add(
                    new RowsFileHeader.Sections(ranges.get(i), form, profile.end() - at, valuesChecksums[i], checksum));
            at = profile.end();
        }
        ChunkFile.writeFully(channel, new RowsFileHeader(rows, sections).encode(), 0);
    }

    private int writeValues(int column, SectionWriter into) throws IOException {
        int rowsOfChunk = chunks.rowsOfChunk();
        for (long from = 0; from < rows; from += rowsOfChunk) {
            into.put(chunks, from / rowsOfChunk, column, (int) Math.min(rowsOfChunk, rows - from));
        }
        return into.finish();
    }

    private ProfileForm writeProfile(int column, SectionWriter into) throws IOException {
        if (counts.isCounted(column)) {
            counts.write(column, into);
            return ProfileForm.COUNTED;
        }
        writeSorted(column, into);
        return ProfileForm.SORTED;
    }

    private void writeSorted(int column, SectionWriter into) throws IOException {
        StoredRange range = ranges.get(column);
        SortedProfileWriter profile = new SortedProfileWriter(into);
        try (ChunkFile runs = new ChunkFile(sibling(".runs"), ROWS_OF_RUN, new int[] {range.offsetBytes()})) {
            writeRuns(column, runs);
            RunMerge sorted = new RunMerge(runs, rows);
            while (sorted.hasNext()) {
                profile.add(range.lower() + sorted.next());
            }
        }
        profile.finish();
    }

    private void writeRuns(int column, ChunkFile runs) throws IOException {
        RadixSort sort = new RadixSort(ranges.get(column).size());
        long[] run = new long[(int) Math.min(ROWS_OF_RUN, rows)];
        for (long from = 0; from < rows; from += run.length) {
            int count = (int) Math.min(run.length, rows - from);
            chunks.read(column, from, run, count);
            runs.write(from / ROWS_OF_RUN, 0, sort.sort(run, count), count);
        }
    }

    /** Gives back what was needed on the way, whether or not the file was finished. */
    @Override
    public void close() throws RowsNotWritten {
        try (counts;
                chunks) {
            if (storing != null) {
                storing.await();
            }
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }
}
