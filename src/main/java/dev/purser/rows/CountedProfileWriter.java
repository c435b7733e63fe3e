package dev.purser.rows;

import java.io.IOException;

/** Turns how often each value was there into the blocks of a {@link CountedProfile}. */
final class CountedProfileWriter {
    /** How many counters it takes at a time at most: whole blocks. */
    static final int PIECE = 64 * CountedProfile.BLOCK;

    private static final int WORDS_OF_BLOCK = CountedProfile.BLOCK_BYTES / Integer.BYTES;

    private final SectionWriter into;
    private final int[] words = new int[PIECE / CountedProfile.BLOCK * WORDS_OF_BLOCK];
    private long count;
    private long countsBefore;

    CountedProfileWriter(SectionWriter into) {
        this.into = into;
    }

    /**
     * Takes the counters of the next values.
     *
     * @param length a multiple of {@link CountedProfile#BLOCK}
     */
    void add(int[] counters, int length) throws IOException {
        int word = 0;
        for (int from = 0; from < length; from += CountedProfile.BLOCK) {
            addBlock(counters, from, word);
            word += WORDS_OF_BLOCK;
        }
        into.put(words, word);
    }

    private void addBlock(int[] counters, int from, int word) {
        long below = count;
        long before = countsBefore;
        words[word] = (int) before;
        words[word + 1] = (int) (before >>> Integer.SIZE);
        for (int i = 0; i < CountedProfile.BLOCK; i++) {
            words[word + 2 + i] = (int) below;
            before += below;
            below += counters[from + i];
        }
        count = below;
        countsBefore = before;
    }
}
