package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The count and the sum of the rows of one column below any edge. The first record stands for no rows. The other
 * records list the distinct stored integers in ascending order, each with the count and the sum of all rows up to it.
 *
 * <p>The first question reads the whole profile, compares it with its checksum, and remembers the first integer of each
 * block. From then on an edge takes a search among these integers and a search within one block. Consecutive edges in
 * one block share one reading of the block.
 */
public final class ColumnProfile {
    /** A record: an integer, then count, low half and high half of the sum of all rows up to it. */
    static final int RECORD_BYTES = 4 * Long.BYTES;

    private static final int MIN_BLOCK_RECORDS = 1 << 9;
    private static final int MAX_BLOCKS = 1 << 16;

    private final FileChannel channel;
    private final long begin;
    private final long records;
    private final int checksum;
    private final int blockRecords;
    private long @Nullable [] firstOfBlock;

    /**
     * @param begin the position of the first record in the file
     * @param records how many records there are, at least one
     * @param checksum CRC-32C of all records
     */
    ColumnProfile(FileChannel channel, long begin, long records, int checksum) {
        this.channel = channel;
        this.begin = begin;
        this.records = records;
        this.checksum = checksum;
        blockRecords = (int) Math.max(MIN_BLOCK_RECORDS, Math.ceilDiv(records, MAX_BLOCKS));
    }

    /**
     * Counts and sums of the rows below each edge, and at the end the count and sum of all rows.
     *
     * @param edges stored integers; ascending edges are fastest
     * @throws IOException if the profile is damaged
     */
    public Prefixes below(long... edges) throws IOException {
        long[] firsts = index();
        Prefixes found = new Prefixes(edges.length);
        Block block = new Block();
        for (int i = 0; i < edges.length; i++) {
            block.read(lastBelow(edges[i], firsts));
            block.copy(block.lastBelow(edges[i]), found, i);
        }
        block.read(firsts.length - 1);
        block.copy(block.size - 1, found, edges.length);
        return found;
    }

    private synchronized long[] index() throws IOException {
        if (firstOfBlock == null) {
            long[] firsts = new long[(int) Math.ceilDiv(records, blockRecords)];
            CRC32C actual = new CRC32C();
            Block block = new Block();
            for (int i = 0; i < firsts.length; i++) {
                block.read(i);
                firsts[i] = block.value(0);
                actual.update(block.bytes.duplicate());
            }
            if ((int) actual.getValue() != checksum) {
                throw new IOException("damaged profile");
            }
            firstOfBlock = firsts;
        }
        return firstOfBlock;
    }

    /** The last block that begins below an edge, or the first block. */
    private static int lastBelow(long edge, long[] firsts) {
        int low = 0;
        int high = firsts.length;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (firsts[middle] < edge) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** One block in memory. */
    private final class Block {
        private final ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(records, blockRecords) * RECORD_BYTES)
                .order(OwnFile.ORDER);
        private int number = -1;
        private int size;

        private void read(int wanted) throws IOException {
            if (wanted != number) {
                long first = (long) wanted * blockRecords;
                size = (int) Math.min(blockRecords, records - first);
                bytes.clear().limit(size * RECORD_BYTES);
                OwnFile.read(channel, bytes, begin + first * RECORD_BYTES);
                number = wanted;
            }
        }

        private long value(int at) {
            return bytes.getLong(at * RECORD_BYTES);
        }

        /** The last record of an integer below an edge, or the first record. */
        private int lastBelow(long edge) {
            int low = 0;
            int high = size;
            while (high - low > 1) {
                int middle = (low + high) >>> 1;
                if (value(middle) < edge) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        private void copy(int record, Prefixes into, int position) {
            int at = record * RECORD_BYTES;
            into.add(
                    position,
                    bytes.getLong(at + Long.BYTES),
                    bytes.getLong(at + 3 * Long.BYTES),
                    bytes.getLong(at + 2 * Long.BYTES));
        }
    }
}
