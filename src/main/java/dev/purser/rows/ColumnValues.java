package dev.purser.rows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;

/** The stored integers of one column in the order of the rows, as offsets from the column's lower bound. */
public final class ColumnValues {
    private final FileChannel channel;
    private final List<StoredRange> columns;
    private final ValuesLayout layout;
    private final int column;
    private final long rows;
    private final int checksum;
    private boolean verified;

    /**
     * @param column the position of the column
     * @param rows how many rows the file has
     * @param checksum CRC-32C of all values of the column
     */
    ColumnValues(
            FileChannel channel, List<StoredRange> columns, ValuesLayout layout, int column, long rows, int checksum) {
        this.channel = channel;
        this.columns = columns;
        this.layout = layout;
        this.column = column;
        this.rows = rows;
        this.checksum = checksum;
    }

    /**
     * A reader for one thread. The first call compares the values with their checksum.
     *
     * @throws IOException if they are not the values that were written
     */
    public Reader reader() throws IOException {
        ValuesFile file = new ValuesFile(channel, columns, layout);
        verify(file);
        return (from, into, count) -> file.read(column, rows, from, into, count);
    }

    private synchronized void verify(ValuesFile file) throws IOException {
        if (!verified && file.checksum(column, rows) != checksum) {
            throw new IOException("damaged rows");
        }
        verified = true;
    }

    /** Reads the offsets of consecutive rows. */
    @FunctionalInterface
    public interface Reader {
        /**
         * Puts the offsets of {@code count} rows, beginning with row {@code from}, at the beginning of {@code into}.
         */
        void read(long from, long[] into, int count) throws IOException;
    }
}
