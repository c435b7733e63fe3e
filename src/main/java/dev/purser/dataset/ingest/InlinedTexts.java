package dev.purser.dataset.ingest;

import java.util.Arrays;

/**
 * What became of the short texts of one column of a Parquet file: most columns have few, again and again. A text is known by the two words
 * that it takes in a batch, its length and its bytes. What became of it is a function of them alone, so nothing changes but the time.
 */
final class InlinedTexts {
    private static final int WORDS = 6;
    /** The first word of no text: its length would be negative. */
    private static final long NONE = -1;
    /** By place: the two words, the two of its block in the fingerprint, its stored value, and whether that is a bound that it lay beyond. */
    private final long[] memory;

    private final int places;
    private int at;

    /** @param places how many texts are remembered at most; a power of two */
    InlinedTexts(int places) {
        memory = new long[places * WORDS];
        this.places = places;
        Arrays.fill(memory, NONE);
    }

    /** Moves to a text; false if nothing is known of it. */
    boolean find(long first, long second) {
        at = Remembering.place(first + 5 * second, places) * WORDS;
        return memory[at] == first && memory[at + 1] == second;
    }

    /** Remembers what became of the text that was looked for last. */
    void remember(long first, long second, long blockFirst, long blockSecond, long value, boolean clamped) {
        memory[at] = first;
        memory[at + 1] = second;
        memory[at + 2] = blockFirst;
        memory[at + 3] = blockSecond;
        memory[at + 4] = value;
        memory[at + 5] = clamped ? 1 : 0;
    }

    /** The first word of its block in the fingerprint. */
    long blockFirst() {
        return memory[at + 2];
    }

    long blockSecond() {
        return memory[at + 3];
    }

    /** What is stored of it. */
    long value() {
        return memory[at + 4];
    }

    /** How many values lay outside their column's bounds: one or none. */
    long clamped() {
        return memory[at + 5];
    }
}
