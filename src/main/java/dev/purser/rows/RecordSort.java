package dev.purser.rows;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sorts records of some words each, however many there are (external merge sort: Knuth, The Art of Computer
 * Programming, volume 3, section 5.4.1). Records that do not fit into memory are written to a file in sorted runs of 2
 * MB. The runs are merged 256 at a time until one last merge can take all runs. The last merge runs while the records
 * are read.
 *
 * <p>Memory is at most 4 MB, for incoming records or for the blocks of the runs that are merged. Closing deletes the
 * files.
 */
public final class RecordSort implements AutoCloseable {
    private static final int WORDS_OF_BLOCK = 3 << 9;
    private static final int BLOCKS_OF_RUN = 170;
    private static final int RUNS_OF_MERGE = 1 << 8;

    private final Path file;
    private final int words;
    private final int recordsOfBlock;
    private final int recordsOfRun;
    private final int runsOfMerge;
    private final RecordBuffer arriving;

    private @Nullable RecordFile runs;
    private int files;

    /**
     * @param file a file that does not exist; temporary files have names that begin like it
     * @param words the number of words of a record
     */
    public RecordSort(Path file, int words) {
        this(file, words, Math.max(1, WORDS_OF_BLOCK / words), BLOCKS_OF_RUN, RUNS_OF_MERGE);
    }

    /**
     * A sort with other sizes, for tests.
     *
     * @param recordsOfBlock how many records are read and written at a time
     * @param blocksOfRun how many blocks are sorted in memory
     * @param runsOfMerge how many runs are merged at a time, at least 2
     */
    RecordSort(Path file, int words, int recordsOfBlock, int blocksOfRun, int runsOfMerge) {
        this.file = file;
        this.words = words;
        this.recordsOfBlock = recordsOfBlock;
        this.runsOfMerge = runsOfMerge;
        recordsOfRun = recordsOfBlock * blocksOfRun;
        arriving = new RecordBuffer(recordsOfRun, words);
    }

    /**
     * Takes the next record.
     *
     * @param record the words of the record
     * @throws IOException if this or an earlier record cannot be written
     */
    public void add(long... record) throws IOException {
        if (arriving.isFull()) {
            writeRun();
        }
        arriving.add(record);
    }

    private void writeRun() throws IOException {
        if (runs == null) {
            runs = newFile();
        }
        arriving.writeSorted(runs);
    }

    private RecordFile newFile() throws IOException {
        return new RecordFile(file.resolveSibling(file.getFileName() + "." + files++), words, recordsOfBlock);
    }

    /**
     * Sorts the added records. It is called once, and nothing can be added afterwards.
     *
     * @throws IOException if records cannot be written or read back
     */
    public SortedRecords sorted() throws IOException {
        if (runs == null) {
            return arriving.sorted();
        }
        writeRun();
        arriving.free();
        RecordFile from = runs;
        long length = recordsOfRun;
        from.finish();
        while (from.records() > length * runsOfMerge) {
            from = longerRuns(from, length);
            length *= runsOfMerge;
        }
        return new RecordMerge(from, 0, length, runsOfMerge);
    }

    /** Merges every {@code runsOfMerge} runs into one, in a new file that replaces the old file. */
    private RecordFile longerRuns(RecordFile from, long length) throws IOException {
        try (from) {
            RecordFile to = newFile();
            runs = to;
            long[] record = new long[words];
            for (long first = 0; first < from.records(); first += length * runsOfMerge) {
                RecordMerge merge = new RecordMerge(from, first, length, runsOfMerge);
                while (merge.next(record)) {
                    to.add(record, 0);
                }
            }
            to.finish();
            return to;
        }
    }

    /** Deletes the file. */
    @Override
    public void close() throws IOException {
        if (runs != null) {
            runs.close();
        }
    }
}
