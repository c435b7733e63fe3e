package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** One column's stored integers in the order of the rows, as offsets: distances from the column's lower bound. */
public final class ColumnValues {
    private final CheckedSection file;
    private final Lanes lanes;

    /** @param file to be held against the column's checksum */
    ColumnValues(CheckedSection file, Lanes lanes) {
        this.file = file;
        this.lanes = lanes;
    }

    /**
     * A reader of these values, verified.
     *
     * @throws IOException if they are damaged
     */
    public Reader reader() throws IOException {
        MemorySegment bytes = file.verified();
        return (from, into, count) -> {
            for (int done = 0; done < count; ) {
                int here = Math.min(count - done, lanes.together(from + done));
                Offsets.decode(bytes, lanes.at(from + done), lanes.width(), into, done, here);
                done += here;
            }
        };
    }

    /** Reads the offsets of consecutive rows. */
    @FunctionalInterface
    public interface Reader {
        /** Puts the offsets of {@code count} rows, beginning with row {@code from}, at the beginning of {@code into}. */
        void read(long from, long[] into, int count);
    }
}
