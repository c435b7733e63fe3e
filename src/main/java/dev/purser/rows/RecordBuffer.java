package dev.purser.rows;

import java.util.Arrays;

import static dev.purser.rows.RecordSort.WORDS;

/**
 * Records in memory, sorted by merging: in twice the memory of the records, and in a time that hardly depends on the order in which
 * they come. It takes what it needs and at most what it was made for.
 */
final class RecordBuffer {
    private static final int FIRST_RECORDS = 1 << 8;

    private final int most;
    private long[] words;
    private long[] spare = {};
    private int filled;

    /** @param records that it holds at most */
    RecordBuffer(int records) {
        most = records * WORDS;
        words = new long[Math.min(records, FIRST_RECORDS) * WORDS];
    }

    boolean isFull() {
        return filled == most;
    }

    void add(long first, long second, long third) {
        if (filled == words.length) {
            words = Arrays.copyOf(words, (int) Math.min(most, 2L * filled));
        }
        words[filled] = first;
        words[filled + 1] = second;
        words[filled + 2] = third;
        filled += WORDS;
    }

    /** Appends all to a file, in ascending order, and is empty then. */
    void writeSorted(RecordFile file) throws RowsNotWritten {
        sort();
        for (int at = 0; at < filled; at += WORDS) {
            file.add(words, at);
        }
        filled = 0;
    }

    /** All, in ascending order. */
    SortedRecords sorted() {
        sort();
        spare = new long[0];
        return new SortedRecords() {
            private int at;

            @Override
            public boolean next(long[] record) {
                if (at == filled) {
                    return false;
                }
                copy(words, at, record, 0);
                at += WORDS;
                return true;
            }
        };
    }

    /** Gives its memory back. */
    void free() {
        words = new long[0];
        spare = new long[0];
    }

    /** Merges neighbours of one record each, then those of two that came of it, and so on. */
    private void sort() {
        if (spare.length < filled) {
            spare = new long[words.length];
        }
        for (int width = WORDS; width < filled; width *= 2) {
            for (int left = 0; left < filled; left += 2 * width) {
                int right = Math.min(left + width, filled);
                merge(left, right, Math.min(right + width, filled));
            }
            long[] sorted = spare;
            spare = words;
            words = sorted;
        }
    }

    /** Those from {@code left} to {@code right} and those from there to {@code end}. */
    private void merge(int left, int right, int end) {
        if (right == end || compare(words, right - WORDS, words, right) <= 0) {
            System.arraycopy(words, left, spare, left, end - left);
            return;
        }
        int fromLeft = left;
        int fromRight = right;
        for (int to = left; to < end; to += WORDS) {
            boolean takesLeft = fromRight == end || fromLeft < right && compare(words, fromLeft, words, fromRight) <= 0;
            copy(words, takesLeft ? fromLeft : fromRight, spare, to);
            fromLeft += takesLeft ? WORDS : 0;
            fromRight += takesLeft ? 0 : WORDS;
        }
    }

    private static void copy(long[] from, int at, long[] into, int to) {
        for (int i = 0; i < WORDS; i++) {
            into[to + i] = from[at + i];
        }
    }

    /** Two records by the first word in which they differ. */
    static int compare(long[] words, int at, long[] others, int other) {
        for (int i = 0; i < WORDS; i++) {
            if (words[at + i] != others[other + i]) {
                return words[at + i] < others[other + i] ? -1 : 1;
            }
        }
        return 0;
    }
}
