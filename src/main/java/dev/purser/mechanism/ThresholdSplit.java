package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.Rational;
import java.math.BigInteger;

/**
 * The division of the sparse vector technique's epsilon between the noisy threshold and the comparisons. The parts sum
 * to the whole exactly.
 *
 * @param threshold ε1, of the threshold's noise
 * @param comparisons ε2, of all comparisons together
 */
record ThresholdSplit(Rational threshold, Rational comparisons) {
    /**
     * The split 1 : (f·c)^(2/3), which minimises the variance of (comparison noise − threshold noise) for scales Δ/ε1
     * and f·c·Δ/ε2 (Lyu, Su and Li 2017, section 4.2). The weight is rounded down to 2^-40, and ε2 is the exact
     * remainder.
     *
     * @param factor f: 1 for a monotone list, else 2
     * @param maxPositives c
     */
    static ThresholdSplit optimal(Rational epsilon, int factor, int maxPositives) {
        Rational weight = ExactArithmetic.twoThirdsPower((long) factor * maxPositives);
        Rational threshold = epsilon.dividedBy(Rational.ONE.plus(weight));
        return new ThresholdSplit(threshold, epsilon.minus(threshold));
    }

    /** Half and half, as in the textbook. */
    static ThresholdSplit even(Rational epsilon) {
        Rational half = epsilon.dividedBy(Rational.of(2, 1));
        return new ThresholdSplit(half, half);
    }

    /** Scale Δ/ε1. */
    DiscreteLaplace thresholdNoise(BigInteger l1Sensitivity) {
        return DiscreteLaplace.calibrated(l1Sensitivity, threshold);
    }

    /** Scale f·c·Δ/ε2. */
    DiscreteLaplace comparisonNoise(BigInteger l1Sensitivity, int factor, int maxPositives) {
        return DiscreteLaplace.calibrated(
                l1Sensitivity.multiply(BigInteger.valueOf((long) factor * maxPositives)), comparisons);
    }
}
