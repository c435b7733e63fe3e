package dev.purser.noise;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a sampler on every bit string up to a depth and adds up, for each outcome, the probability of the strings that
 * lead to this outcome. The probability of what is not decided within the depth is exact too, so the true probabilities
 * are enclosed.
 *
 * @param decided the probability of each outcome among strings within the depth
 * @param undecided the probability of needing more bits
 */
record EveryBitString<T>(Map<T, Double> decided, double undecided) {
    static <T> EveryBitString<T> of(Function<RandomBits, T> sampler, int depth) {
        Map<T, Double> decided = new HashMap<>();
        double undecided = explore(sampler, new Script(depth), decided);
        return new EveryBitString<>(decided, undecided);
    }

    double atLeast(T outcome) {
        return decided.getOrDefault(outcome, 0.0);
    }

    /** The probability is at least the decided part, and at most the decided part plus what is undecided. */
    void encloses(T outcome, double probability) {
        assertThat(probability)
                .as("the probability of %s", outcome)
                .isBetween(atLeast(outcome) - 1e-12, atLeast(outcome) + undecided + 1e-12);
    }

    private static <T> double explore(Function<RandomBits, T> sampler, Script script, Map<T, Double> decided) {
        double undecided = 0;
        do {
            script.rewind();
            try {
                T outcome = sampler.apply(script);
                decided.merge(outcome, Math.scalb(1.0, -script.length()), Double::sum);
            } catch (OutOfBits e) {
                undecided += Math.scalb(1.0, -script.length());
            }
        } while (script.nextString());
        return undecided;
    }

    private static final class OutOfBits extends RuntimeException {
        private static final long serialVersionUID = 1;

        OutOfBits() {
            super("deeper than asked", null, false, false);
        }
    }

    /** A bit string that grows with zeros as it is read, and counts up from its end. */
    private static final class Script implements RandomBits {
        private final boolean[] string;
        private int length;
        private int read;

        Script(int depth) {
            string = new boolean[depth];
        }

        void rewind() {
            read = 0;
        }

        int length() {
            return length;
        }

        boolean nextString() {
            while (length > 0 && string[length - 1]) {
                length--;
            }
            if (length == 0) {
                return false;
            }
            string[length - 1] = true;
            return true;
        }

        @Override
        public long next(int count) {
            long bits = 0;
            for (int i = 0; i < count; i++) {
                if (read == string.length) {
                    throw new OutOfBits();
                }
                if (read == length) {
                    string[length++] = false;
                }
                bits = bits << 1 | (string[read++] ? 1 : 0);
            }
            return bits;
        }
    }
}
