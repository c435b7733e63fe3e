package dev.purser.noise;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;

import static org.assertj.core.api.Assertions.assertThat;

/** Pearson's chi-square test of observed counts against stated probabilities. */
public final class GoodnessOfFit {
    /** A right sampler fails a test once in a million seeds. The seeds are fixed. */
    public static final double FALSE_ALARM = 1e-6;

    private static final double LEAST_EXPECTED = 10;

    private GoodnessOfFit() {}

    /** Asserts that the counts fit, with {@link #FALSE_ALARM}. */
    public static void assertFits(long[] observed, double[] probabilities) {
        assertThat(pValue(observed, probabilities)).isGreaterThan(FALSE_ALARM);
    }

    /** The probability that counts of this distribution are as far off as these, or further. Thin cells are merged. */
    public static double pValue(long[] observed, double[] probabilities) {
        long draws = 0;
        for (long count : observed) {
            draws += count;
        }
        double statistic = 0;
        int cells = 0;
        double expected = 0;
        double seen = 0;
        double leftProbability = 1;
        for (int i = 0; i < observed.length; i++) {
            expected += draws * probabilities[i];
            seen += observed[i];
            leftProbability -= probabilities[i];
            boolean last = i == observed.length - 1;
            if (last || (expected >= LEAST_EXPECTED && draws * leftProbability >= LEAST_EXPECTED)) {
                statistic += (seen - expected) * (seen - expected) / expected;
                cells++;
                expected = 0;
                seen = 0;
            }
        }
        if (cells < 2) {
            throw new IllegalArgumentException("nothing to compare");
        }
        return 1 - new ChiSquaredDistribution(cells - 1).cumulativeProbability(statistic);
    }
}
