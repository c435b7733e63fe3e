package dev.purser.rows;

import java.io.IOException;
import java.util.Arrays;

/** Records in memory. Sorting takes twice their memory. The buffer grows with the records, up to a given number. */
final class RecordBuffer {
    private static final int FIRST_RECORDS = 1 << 8;

    private final int capacity;
    private final int wordsOfRecord;
    private long[] words;
    private long[] spare = {};
    private int filled;

    /** @param records the most records that it can contain */
    RecordBuffer(int records, int wordsOfRecord) {
        this.wordsOfRecord = wordsOfRecord;
        capacity = records * wordsOfRecord;
        words = new long[Math.min(records, FIRST_RECORDS) * wordsOfRecord];
    }

    boolean isFull() {
        return filled == capacity;
    }

    void add(long[] record) {
        if (filled == words.length) {
            words = Arrays.copyOf(words, Math.min(capacity, 2 * filled));
        }
        copy(record, 0, words, filled);
        filled += wordsOfRecord;
    }

    /** Appends all records to a file in ascending order. Afterwards the buffer is empty. */
    void writeSorted(RecordFile file) throws IOException {
        sort();
        for (int at = 0; at < filled; at += wordsOfRecord) {
            file.add(words, at);
        }
        filled = 0;
    }

    /** All records, in ascending order. */
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
                at += wordsOfRecord;
                return true;
            }
        };
    }

    /** Frees the memory. */
    void free() {
        words = new long[0];
        spare = new long[0];
    }

    /** Merge sort from the bottom up. It merges neighbouring runs of one record, then of two records, and so on. */
    private void sort() {
        if (wordsOfRecord == 1) {
            Arrays.sort(words, 0, filled);
            return;
        }
        if (spare.length < filled) {
            spare = new long[words.length];
        }
        for (int width = wordsOfRecord; width < filled; width *= 2) {
            for (int left = 0; left < filled; left += 2 * width) {
                int right = Math.min(left + width, filled);
                merge(left, right, Math.min(right + width, filled));
            }
            long[] sorted = spare;
            spare = words;
            words = sorted;
        }
    }

    /** Merges the records from {@code left} to {@code right} with the records from {@code right} to {@code end}. */
    private void merge(int left, int right, int end) {
        int fromLeft = left;
        int fromRight = right;
        for (int to = left; to < end; to += wordsOfRecord) {
            boolean takesLeft = fromRight == end
                    || fromLeft < right && compare(wordsOfRecord, words, fromLeft, words, fromRight) <= 0;
            copy(words, takesLeft ? fromLeft : fromRight, spare, to);
            fromLeft += takesLeft ? wordsOfRecord : 0;
            fromRight += takesLeft ? 0 : wordsOfRecord;
        }
    }

    private void copy(long[] from, int at, long[] into, int to) {
        for (int i = 0; i < wordsOfRecord; i++) {
            into[to + i] = from[at + i];
        }
    }

    /** Compares two records by the first word in which they differ. */
    static int compare(int wordsOfRecord, long[] words, int at, long[] others, int other) {
        for (int i = 0; i < wordsOfRecord; i++) {
            if (words[at + i] != others[other + i]) {
                return words[at + i] < others[other + i] ? -1 : 1;
            }
        }
        return 0;
    }
}
