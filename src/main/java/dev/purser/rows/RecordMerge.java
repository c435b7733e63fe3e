package dev.purser.rows;

import java.io.IOException;

/**
 * The records of neighbouring runs of a {@link RecordFile} in ascending order. The records of each run must be in this
 * order. The class is a tree of losers (Knuth, The Art of Computer Programming, volume 3, section 5.4.1). Memory is one
 * block for each run.
 */
final class RecordMerge implements SortedRecords {
    private final RecordFile file;
    private final int words;
    private final Run[] runs;

    /**
     * The number of a run at each node. Node 0 is the winner. The children of node n are 2n and 2n + 1, and the runs
     * come after the nodes.
     */
    private final int[] tree;

    /**
     * @param first the first record of the first run
     * @param length the length of each run; the file's last run may be shorter
     * @param most how many runs are merged; fewer if the file has fewer
     * @throws IOException if records cannot be read
     */
    RecordMerge(RecordFile file, long first, long length, int most) throws IOException {
        this.file = file;
        words = file.words();
        int count = (int) Math.min(most, Math.ceilDiv(file.records() - first, length));
        runs = new Run[Integer.highestOneBit(2 * count - 1)];
        for (int i = 0; i < runs.length; i++) {
            long from = Math.min(first + i * length, file.records());
            runs[i] = i < count ? new Run(from, Math.min(from + length, file.records())) : new Run(0, 0);
        }
        tree = new int[runs.length];
        tree[0] = winner(1);
    }

    /** Finds the winner of the runs below a node, and puts the losers into their places. */
    private int winner(int node) {
        if (node >= runs.length) {
            return node - runs.length;
        }
        int left = winner(2 * node);
        int right = winner(2 * node + 1);
        boolean leftWins = !runs[right].isBefore(runs[left]);
        tree[node] = leftWins ? right : left;
        return leftWins ? left : right;
    }

    @Override
    public boolean next(long[] record) throws IOException {
        int winner = tree[0];
        if (runs[winner].isAtEnd()) {
            return false;
        }
        runs[winner].take(record);
        for (int node = (runs.length + winner) >>> 1; node > 0; node >>>= 1) {
            int other = tree[node];
            if (runs[other].isBefore(runs[winner])) {
                tree[node] = winner;
                winner = other;
            }
        }
        tree[0] = winner;
        return true;
    }

    /** The rest of one run, with one block in memory. */
    private final class Run {
        private final long[] block;
        private final long end;
        private long next;
        private int at;
        private int filled;

        private Run(long first, long end) throws IOException {
            this.end = end;
            next = first;
            block = new long[(int) Math.min(file.recordsOfBlock(), end - first) * words];
            read();
        }

        private void read() throws IOException {
            int count = (int) Math.min(file.recordsOfBlock(), end - next);
            file.read(next, block, count);
            next += count;
            at = 0;
            filled = count * words;
        }

        private boolean isAtEnd() {
            return at == filled;
        }

        /** A run at its end comes after all others. */
        private boolean isBefore(Run other) {
            return !isAtEnd() && (other.isAtEnd() || RecordBuffer.compare(words, block, at, other.block, other.at) < 0);
        }

        private void take(long[] record) throws IOException {
            for (int i = 0; i < words; i++) {
                record[i] = block[at + i];
            }
            at += words;
            if (at == filled && next < end) {
                read();
            }
        }
    }
}
