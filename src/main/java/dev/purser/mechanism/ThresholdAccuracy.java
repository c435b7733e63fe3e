package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.OneSidedGeometric;
import java.math.BigInteger;
import java.util.Objects;

/**
 * Error bounds of the sparse vector technique. A bound alpha means: except with probability beta, every examined value
 * that was called positive is at least threshold − alpha, and every value called negative is at most threshold + alpha.
 */
final class ThresholdAccuracy {
    private static final int SPLITS = 64;

    private ThresholdAccuracy() {}

    /**
     * The bound for one noisy threshold, or for several one after the other, from the exact discrete tails.
     *
     * <p>If each threshold's noise is within a, and no value errs by more than b on its own dangerous side, no decision
     * is off by more than a + b. A value at or above the threshold can only be wrongly negative, and a value below it
     * only wrongly positive, so only one tail of each comparison's noise counts. A union bound over k values gives β =
     * P(any |ρ| > a) + k·P(ν > b). The split of β between the two is public and chosen to make a + b small.
     *
     * @param thresholds the largest number of noisy thresholds
     * @param queries k, the largest number of examined values
     */
    static BigInteger alphaSteps(
            DiscreteLaplace thresholdNoise, int thresholds, DiscreteLaplace comparisonNoise, int queries, double beta) {
        BigInteger best = null;
        for (int part = 1; part < SPLITS; part++) {
            double thresholdBeta = beta * part / SPLITS;
            BigInteger alpha = thresholdNoise
                    .twoSidedQuantile(FailureProbability.ofEach(thresholdBeta, thresholds))
                    .add(comparisonNoise.oneSidedQuantile((beta - thresholdBeta) / queries));
            best = best == null ? alpha : best.min(alpha);
        }
        return Objects.requireNonNull(best);
    }

    /** A shift of the threshold, and the bound that holds with it. */
    record OneSided(BigInteger shift, BigInteger alpha) {}

    /**
     * The best shift for noise that is never below zero. Let P(ν > b) = (β − β1)/k and P(ρ > c) = β1. A value is
     * wrongly positive only if its own noise exceeds shift + a, so shift + a = b suffices. It is wrongly negative only
     * if the threshold's noise exceeds a − shift, so a − shift = c suffices. The shift (b − c)/2 gives a = (b + c)/2
     * for both.
     */
    static OneSided oneSided(
            OneSidedGeometric thresholdNoise, OneSidedGeometric comparisonNoise, int queries, double beta) {
        OneSided best = null;
        for (int part = 1; part < SPLITS; part++) {
            double thresholdBeta = beta * part / SPLITS;
            BigInteger b = comparisonNoise.quantile((beta - thresholdBeta) / queries);
            BigInteger c = thresholdNoise.quantile(thresholdBeta);
            BigInteger shift = b.subtract(c).shiftRight(1);
            BigInteger alpha = b.subtract(shift).max(c.add(shift));
            best = best == null || alpha.compareTo(best.alpha()) < 0 ? new OneSided(shift, alpha) : best;
        }
        return Objects.requireNonNull(best);
    }

    /** The bound under a given shift: the larger of the two requirements above, at the best split of β. */
    static BigInteger oneSided(
            OneSidedGeometric thresholdNoise,
            OneSidedGeometric comparisonNoise,
            int queries,
            double beta,
            BigInteger shift) {
        BigInteger best = null;
        for (int part = 1; part < SPLITS; part++) {
            double thresholdBeta = beta * part / SPLITS;
            BigInteger b = comparisonNoise.quantile((beta - thresholdBeta) / queries);
            BigInteger c = thresholdNoise.quantile(thresholdBeta);
            BigInteger alpha = b.subtract(shift).max(c.add(shift)).max(BigInteger.ZERO);
            best = best == null ? alpha : best.min(alpha);
        }
        return Objects.requireNonNull(best);
    }

    /**
     * The bound for two comparisons of each value, with the threshold's noise bounded separately. A value is wrongly
     * positive only if its first noise exceeds margin + a or its second exceeds a. It is wrongly negative only if its
     * second noise is below −a. A union bound covers 2k draws.
     */
    static BigInteger adaptive(AdaptiveScan scan, int queries, double beta) {
        BigInteger best = null;
        for (int part = 1; part < SPLITS; part++) {
            double thresholdBeta = beta * part / SPLITS;
            double each = (beta - thresholdBeta) / 2 / queries;
            BigInteger coarse = scan.coarseNoise().oneSidedQuantile(each).subtract(scan.margin());
            BigInteger fine = scan.fineNoise().oneSidedQuantile(each);
            BigInteger alpha =
                    scan.thresholdNoise().twoSidedQuantile(thresholdBeta).add(coarse.max(fine));
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
     * The published bound of NumericSparse, for sensitivity 1, over decisions and values together: 9c(ln k +
     * ln(4c/β))/ε (Dwork and Roth 2014, theorem 3.28, δ = 0).
     */
    static double publishedNumericSparse(int queries, int maxPositives, double beta, double epsilon) {
        return 9.0 * maxPositives * (Math.log(queries) + Math.log(4.0 * maxPositives / beta)) / epsilon;
    }

    /**
     * The published bound of Sparse for δ &gt; 0 and sensitivity 1: (ln k + ln(2c/β))·√(512·c·ln(1/δ))/ε (Dwork and
     * Roth 2014, theorem 3.26).
     */
    static double publishedSparse(int queries, int maxPositives, double beta, double epsilon, double delta) {
        return (Math.log(queries) + Math.log(2.0 * maxPositives / beta))
                * Math.sqrt(512.0 * maxPositives * -Math.log(delta))
                / epsilon;
    }

    /**
     * The bound of NumericSparse for δ &gt; 0 and sensitivity 1, corrected: u·max(ln k + ln(4c/β), √8·ln(2c/β)) with u
     * = √(c·ln(2/δ))·(√512 + 1)/ε. The published bound (Dwork and Roth 2014, theorem 3.28) is the first term alone. The
     * values' noise, of scale √8·u, exceeds it too often where k is small.
     */
    static double correctedNumericSparse(int queries, int maxPositives, double beta, double epsilon, double delta) {
        double unit = Math.sqrt(maxPositives * Math.log(2 / delta)) * (Math.sqrt(512) + 1) / epsilon;
        return unit
                * Math.max(
                        Math.log(queries) + Math.log(4.0 * maxPositives / beta),
                        Math.sqrt(8) * Math.log(2.0 * maxPositives / beta));
    }
}
