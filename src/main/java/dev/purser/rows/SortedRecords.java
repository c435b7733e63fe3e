package dev.purser.rows;

import java.io.IOException;

/**
 * The records of a {@link RecordSort} in ascending order: by their first word, then their second, and so on, all
 * signed.
 */
public interface SortedRecords {
    /**
     * Takes the next record.
     *
     * @param record receives the words of the record
     * @return false, and nothing in {@code record}, if there is no more
     * @throws IOException if it cannot be read back
     */
    boolean next(long[] record) throws IOException;
}
