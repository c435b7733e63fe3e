package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The numbers of a {@link ChunkFile} of one lane in ascending order, if those of each chunk are. A tree of losers (Knuth, The Art of
 * Computer Programming, volume 3, section 5.4.1), whose nodes hold a number and the chunk that it is from in one word, so that the
 * lesser is chosen without a branch. Memory is 4 MB, and 12 bytes for each chunk.
 */
final class RunMerge {
    private static final int RUN_BITS = 20;
    private static final long RUN_MASK = (1L << RUN_BITS) - 1;
    private static final int BUFFER_BYTES = 4 << 20;
    private static final int MAX_BUFFERED = 1 << 13;
    private static final long EXHAUSTED = Long.MAX_VALUE;

    private final ChunkFile file;
    private final long rows;
    private final int runs;
    private final int width;

    /** How many numbers of a run are in memory, a power of two; those of all runs one after another. */
    private final int buffered;

    private final ByteBuffer buffer;
    /** Per run how many of its numbers were taken. */
    private final int[] taken;

    /** How many runs there could be, a power of two. The tree's first node is the winner, the children of node n are 2n and 2n + 1. */
    private final int leaves;

    private final long[] tree;

    /**
     * @param rows of all chunks together; all but the last are full
     * @throws IOException if they cannot be read
     */
    RunMerge(ChunkFile file, long rows) throws IOException {
        long chunks = Math.ceilDiv(rows, file.rowsOfChunk());
        if (chunks > RUN_MASK) {
            throw new IllegalArgumentException("more than a million runs");
        }
        this.file = file;
        this.rows = rows;
        runs = (int) chunks;
        width = file.width(0);
        buffered = Integer.highestOneBit(Math.clamp(BUFFER_BYTES / Math.max(1L, chunks * width), 1, MAX_BUFFERED));
        buffer = ByteBuffer.allocate(runs * buffered * width).order(RowsFileHeader.ORDER);
        taken = new int[runs];
        leaves = Integer.highestOneBit(Math.max(1, 2 * runs - 1));
        tree = new long[leaves];
        tree[0] = winner(1);
    }

    boolean hasNext() {
        return tree[0] != EXHAUSTED;
    }

    /** The least that is left, which must be something. */
    long next() throws IOException {
        long least = tree[0];
        int run = (int) (least & RUN_MASK);
        long winner = head(run);
        for (int node = (leaves + run) >>> 1; node > 0; node >>>= 1) {
            long loser = tree[node];
            tree[node] = Math.max(loser, winner);
            winner = Math.min(loser, winner);
        }
        tree[0] = winner;
        return least >>> RUN_BITS;
    }

    /** Of the runs below a node, whose losers are put into their places. */
    private long winner(int node) throws IOException {
        if (node >= leaves) {
            return head(node - leaves);
        }
        long left = winner(2 * node);
        long right = winner(2 * node + 1);
        tree[node] = Math.max(left, right);
        return Math.min(left, right);
    }

    /** Takes the next number of a run. */
    private long head(int run) throws IOException {
        if (run >= runs || taken[run] == rowsOf(run)) {
            return EXHAUSTED;
        }
        int place = taken[run] & (buffered - 1);
        int at = (run * buffered + place) * width;
        if (place == 0) {
            int count = Math.min(buffered, rowsOf(run) - taken[run]);
            file.read(run, 0, taken[run], buffer.limit(at + count * width).position(at));
            buffer.clear();
        }
        taken[run]++;
        return ChunkFile.number(buffer, at, width) << RUN_BITS | run;
    }

    private int rowsOf(int run) {
        return (int) Math.min(file.rowsOfChunk(), rows - (long) run * file.rowsOfChunk());
    }
}
