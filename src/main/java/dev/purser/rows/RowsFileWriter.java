package dev.purser.rows;

import dev.purser.task.Task;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link RowsFile} of rows that come one after another. Their values are where they belong as soon as a chunk of them is full:
 * a thread writes it while the next one comes in. The values of a column are counted meanwhile, or where that would take too much memory,
 * sorted at the end: in runs of half a million, which are merged. Profiles and header are written last.
 *
 * <p>Memory depends on the number of columns and on their public bounds only: two chunks of 4 MB, beside the heap 1 MB for one column of a
 * chunk and {@link ValueCounts}, and at the end 12 MB to sort one column after the other.
 */
public final class RowsFileWriter implements AutoCloseable {
    private static final int ROWS_OF_RUN = 1 << 19;

    /** So few that their values stay in the processor's first cache, and that what they go through is compiled soon. */
    private static final int ROWS_OF_PIECE = 1 << 8;

    private final Path target;
    private final List<StoredRange> ranges;
    private final ValuesLayout layout;
    private final Arena arena = Arena.ofShared();
    private final ValueCounts counts;
    private final ValuesFile values;

    private RowChunk arriving;
    private RowChunk free;
    private @Nullable Task<Void> storing;
    private long rows;
    private boolean finished;

    /**
     * @param target a file that does not exist, in a folder that may hold others for as long as this is open
     * @throws RowsNotWritten if no file can be made there
     */
    public RowsFileWriter(RowsShape shape, Path target) throws RowsNotWritten {
        this.target = target;
        ranges = shape.columns();
        layout = new ValuesLayout(ranges);
        arriving = new RowChunk(ranges.size());
        free = new RowChunk(ranges.size());
        try {
            counts = new ValueCounts(ranges, shape.maxRows(), arena);
            values = new ValuesFile(target, layout, ranges.size(), arena);
        } catch (IOException e) {
            arena.close();
            throw new RowsNotWritten(e);
        } catch (RuntimeException | Error failure) {
            arena.close();
            throw failure;
        }
    }

    /**
     * Takes one row more.
     *
     * @param row what is stored of it, by the position of the column
     * @throws RowsNotWritten if an earlier row could not be written, or broke the dataset's bounds
     */
    public void add(long[] row) throws RowsNotWritten {
        if (arriving.isFull()) {
            handOver();
        }
        arriving.add(row);
    }

    /**
     * Takes the next rows.
     *
     * @param columns what is stored of them, by the position of the column and then by that of the row
     * @param count how many rows, from the beginning of each column on
     * @throws RowsNotWritten if an earlier row could not be written, or broke the dataset's bounds
     */
    public void add(long[][] columns, int count) throws RowsNotWritten {
        for (int from = 0; from < count; ) {
            if (arriving.isFull()) {
                handOver();
            }
            from += arriving.add(columns, from, count - from);
        }
    }

    private void handOver() throws RowsNotWritten {
        awaitStored();
        RowChunk full = arriving;
        arriving = free;
        arriving.clear();
        free = full;
        long number = rows / layout.rowsOfChunk();
        rows += full.rows();
        storing = Task.start("chunk", () -> {
            store(number, full);
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

    private void store(long number, RowChunk chunk) throws IOException {
        long at = layout.chunkAt(number);
        for (int i = 0; i < ranges.size(); i++) {
            for (int from = 0; from < chunk.rows(); from += ROWS_OF_PIECE) {
                store(i, chunk.column(i), from, Math.min(from + ROWS_OF_PIECE, chunk.rows()));
            }
            at = values.write(i, chunk.rows(), at);
        }
    }

    private void store(int column, long[] integers, int from, int to) throws IOException {
        ranges.get(column).toOffsets(integers, from, to);
        values.encode(column, integers, from, to);
        counts.add(column, integers, from, to);
    }

    /**
     * Writes what is left. The caller makes the file durable.
     *
     * @throws RowsNotWritten if it cannot be written, or a row broke the dataset's bounds
     */
    public void finish() throws RowsNotWritten {
        handOver();
        awaitStored();
        try {
            writeProfiles();
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
        finished = true;
    }

    private void writeProfiles() throws IOException {
        SectionWriter profiles = new SectionWriter(values.channel(), layout.end(rows));
        List<RowsFileHeader.Sections> sections = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i++) {
            long at = profiles.at();
            ProfileForm form = writeProfile(i, profiles);
            int checksum = profiles.finish();
            sections.add(
                    new RowsFileHeader.Sections(ranges.get(i), form, profiles.at() - at, values.checksum(i), checksum));
        }
        ChunkFile.writeFully(values.channel(), new RowsFileHeader(rows, sections).encode(), 0);
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
        Path file = target.resolveSibling(target.getFileName() + ".runs");
        try (ChunkFile runs = new ChunkFile(file, ROWS_OF_RUN, new int[] {range.offsetBytes()})) {
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
        Lanes lanes = layout.lanes(column, rows);
        long[] run = new long[(int) Math.min(ROWS_OF_RUN, rows)];
        for (long from = 0; from < rows; from += run.length) {
            int count = (int) Math.min(run.length, rows - from);
            values.read(lanes, from, run, count);
            runs.write(from / ROWS_OF_RUN, 0, sort.sort(run, count), count);
        }
    }

    /** Gives back what was needed on the way, and deletes the file unless it was finished. */
    @Override
    public void close() throws RowsNotWritten {
        try (arena;
                values) {
            if (storing != null) {
                storing.await();
            }
            if (!finished) {
                Files.deleteIfExists(target);
            }
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }
}
