package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Outcome;
import dev.purser.noise.NoisePmf;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** The exact probability of what one comparison shows, given how far above the noisy threshold its exact value lies. */
interface ExactComparison {
    /**
     * The probability of one outcome.
     *
     * @param above the exact value minus the noisy threshold
     * @param gap the gap that a positive shows, or {@link ExactTranscripts#NO_GAP}
     */
    double probability(long above, Outcome outcome, long gap);

    /** One comparison with one noise. */
    record Once(TabulatedNoise noise) implements ExactComparison {
        @Override
        public double probability(long above, Outcome outcome, long gap) {
            return switch (outcome) {
                case NEGATIVE -> noise.atMost(-above - 1);
                case POSITIVE ->
                    gap == ExactTranscripts.NO_GAP ? noise.atLeast(-above) : noise.probability(gap - above);
                case CLEAR, CLOSE -> throw new IllegalArgumentException("one comparison has one kind of positive");
            };
        }
    }

    /** A coarse comparison with a margin, and a fine one where the coarse one does not decide. They are independent. */
    record Twice(TabulatedNoise coarse, TabulatedNoise fine, long margin) implements ExactComparison {
        @Override
        public double probability(long above, Outcome outcome, long gap) {
            double undecided = coarse.atMost(margin - above - 1);
            return switch (outcome) {
                case NEGATIVE -> undecided * fine.atMost(-above - 1);
                case CLOSE ->
                    undecided * (gap == ExactTranscripts.NO_GAP ? fine.atLeast(-above) : fine.probability(gap - above));
                case CLEAR ->
                    gap == ExactTranscripts.NO_GAP ? coarse.atLeast(margin - above) : coarse.probability(gap - above);
                // The release does not say which of the two comparisons found the positive.
                case POSITIVE ->
                    probability(above, Outcome.CLOSE, gap)
                            + (gap == ExactTranscripts.NO_GAP || gap >= margin
                                    ? probability(above, Outcome.CLEAR, gap)
                                    : 0);
            };
        }
    }

    /** A distribution whose tails are looked up in a table, because the same tails are needed many times. */
    final class TabulatedNoise {
        private final NoisePmf noise;
        private final int reach;
        private final double[] atLeast;
        private final double[] atMost;

        TabulatedNoise(NoisePmf noise, double scales) {
            this.noise = noise;
            reach = (int) Math.ceil(60 * scales) + 100;
            atLeast = tabulated(noise::atLeast);
            atMost = tabulated(noise::atMost);
        }

        private double[] tabulated(DoubleUnaryOperator tail) {
            return IntStream.rangeClosed(-reach, reach)
                    .mapToDouble(tail::applyAsDouble)
                    .toArray();
        }

        double probability(long x) {
            return noise.probability(x);
        }

        double atLeast(long x) {
            return Math.abs(x) <= reach ? atLeast[(int) x + reach] : noise.atLeast(x);
        }

        double atMost(long x) {
            return Math.abs(x) <= reach ? atMost[(int) x + reach] : noise.atMost(x);
        }
    }
}
