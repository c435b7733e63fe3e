package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import java.math.BigInteger;
import java.util.Objects;

/**
 * Error bounds of the sparse vector technique. A bound alpha means: except with probability beta, every examined value that
 * was called positive is at least threshold − alpha, and every one called negative is at most threshold + alpha.
 */
final class ThresholdAccuracy {
    private static final int SPLITS = 64;

    private ThresholdAccuracy() {}

    /**
     * The bound for one noisy threshold, from the exact discrete tails.
     *
     * <p>If the threshold's noise is within a, and no value errs by more than b on its own dangerous side, no decision is
     * off by more than a + b. A value at or above the threshold can only be wrongly negative, one below it only wrongly
     * positive, so one tail of each comparison's noise counts: a union bound over k values gives
     * β = P(|ρ| > a) + k·P(ν > b). The split of β between the two is public and chosen to make a + b small.
     *
     * @param queries k, the most values that can be examined
     */
    static BigInteger alphaSteps(
            DiscreteLaplace thresholdNoise, DiscreteLaplace comparisonNoise, int queries, double beta) {
        BigInteger best = null;
        for (int part = 1; part < SPLITS; part++) {
            double thresholdBeta = beta * part / SPLITS;
            BigInteger alpha = thresholdNoise
                    .twoSidedQuantile(thresholdBeta)
                    .add(comparisonNoise.oneSidedQuantile((beta - thresholdBeta) / queries));
            best = best == null ? alpha : best.min(alpha);
        }
        return Objects.requireNonNull(best);
    }

    /**
     * The published bound of Sparse, for sensitivity 1: 8c(ln k + ln(2c/β))/ε (Dwork and Roth 2014, theorem 3.26).
     */
    static double publishedSparse(int queries, int maxPositives, double beta, double epsilon) {
        return 8.0 * maxPositives * (Math.log(queries) + Math.log(2.0 * maxPositives / beta)) / epsilon;
    }

    /**
     * The published bound of NumericSparse, for sensitivity 1, over decisions and values together: 9c(ln k + ln(4c/β))/ε
     * (Dwork and Roth 2014, theorem 3.28, δ = 0).
     */
    static double publishedNumericSparse(int queries, int maxPositives, double beta, double epsilon) {
        return 9.0 * maxPositives * (Math.log(queries) + Math.log(4.0 * maxPositives / beta)) / epsilon;
    }
}
