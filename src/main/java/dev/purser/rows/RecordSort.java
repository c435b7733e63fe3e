package dev.purser.rows;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sorts records of three words, however many there are. What does not fit into memory goes to a file in sorted runs, which are
 * merged 256 at a time until so few are left that they can be merged while they are read.
 *
 * <p>Memory is at most 4 MB and what a buffer of a file takes, 12 KB: of records on their way in, of runs being merged, or of records
 * that were never so many that they needed a file. A run has 2 MB, so 22 million records are written once and 2^31 twice.
 *
 * <p>Its files are the service's own user's, and gone when it is closed, whatever happened.
 */
public final class RecordSort implements AutoCloseable {
    /** How many words a record has. */
    public static final int WORDS = 3;

    private static final int RECORDS_OF_BLOCK = 1 << 9;
    private static final int BLOCKS_OF_RUN = 170;
    private static final int RUNS_OF_MERGE = 1 << 8;

    private final Path file;
    private final int recordsOfBlock;
    private final int recordsOfRun;
    private final int runsOfMerge;
    private final RecordBuffer arriving;

    private @Nullable RecordFile runs;
    private int files;

    /** @param file one that does not exist; others with names like it may come and go */
    public RecordSort(Path file) {
        this(file, RECORDS_OF_BLOCK, BLOCKS_OF_RUN, RUNS_OF_MERGE);
    }

    /**
     * With other sizes than it is served with.
     *
     * @param recordsOfBlock that are read and written at a time
     * @param blocksOfRun that are sorted in memory
     * @param runsOfMerge that are merged at a time, at least 2
     */
    RecordSort(Path file, int recordsOfBlock, int blocksOfRun, int runsOfMerge) {
        this.file = file;
        this.recordsOfBlock = recordsOfBlock;
        this.runsOfMerge = runsOfMerge;
        recordsOfRun = recordsOfBlock * blocksOfRun;
        arriving = new RecordBuffer(recordsOfRun);
    }

    /**
     * Takes one record more.
     *
     * @throws RowsNotWritten if this or an earlier one cannot be written
     */
    public void add(long first, long second, long third) throws RowsNotWritten {
        if (arriving.isFull()) {
            writeRun();
        }
        arriving.add(first, second, third);
    }

    private void writeRun() throws RowsNotWritten {
        if (runs == null) {
            runs = newFile();
        }
        arriving.writeSorted(runs);
    }

    private RecordFile newFile() throws RowsNotWritten {
        return new RecordFile(file.resolveSibling(file.getFileName() + "." + files++), recordsOfBlock);
    }

    /**
     * Sorts what was added. Nothing more can be added then, and this is not asked again.
     *
     * @throws RowsNotWritten if records cannot be written, or not be read back
     */
    public SortedRecords sorted() throws RowsNotWritten {
        if (runs == null) {
            return arriving.sorted();
        }
        writeRun();
        arriving.free();
        return merged(runs);
    }

    private SortedRecords merged(RecordFile shortRuns) throws RowsNotWritten {
        RecordFile from = shortRuns;
        long length = recordsOfRun;
        from.finish();
        while (from.records() > length * runsOfMerge) {
            from = longerRuns(from, length);
            length *= runsOfMerge;
        }
        return new RecordMerge(from, 0, length, runsOfMerge);
    }

    /** Merges so many runs at a time into one, in a new file that takes the place of the old one. */
    private RecordFile longerRuns(RecordFile from, long length) throws RowsNotWritten {
        try (from) {
            RecordFile to = newFile();
            runs = to;
            long[] record = new long[WORDS];
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

    /** Deletes what is on the disk. */
    @Override
    public void close() throws RowsNotWritten {
        if (runs != null) {
            runs.close();
        }
    }
}
