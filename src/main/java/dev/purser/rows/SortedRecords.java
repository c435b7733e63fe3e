package dev.purser.rows;

/** The records of a {@link RecordSort} in ascending order: by their first word, then their second, then their third, all signed. */
public interface SortedRecords {
    /**
     * Takes the next record.
     *
     * @param record gets its words
     * @return false, and nothing in {@code record}, if there is no more
     * @throws RowsNotWritten if it cannot be read back
     */
    boolean next(long[] record) throws RowsNotWritten;
}
