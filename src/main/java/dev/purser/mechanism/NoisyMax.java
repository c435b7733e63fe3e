package dev.purser.mechanism;

import dev.purser.noise.OneSidedGeometric;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import java.math.BigInteger;

/**
 * Report-noisy-max over utilities that are negated distances. Each utility gets its own noise, and only the position of
 * the largest sum is released. The noise is one-sided. With continuous one-sided noise this is permute-and-flip, which
 * never errs more than the exponential mechanism. Each choice takes one draw per position, whatever the utilities.
 *
 * <p>Guarantee: epsilon-differentially private for any number of distances, if one privacy unit changes each of them,
 * in any direction, by at most the L1 sensitivity that the noise is calibrated to. Argument in
 * {@code NoisyMaxQuantile.md}, step 2. Source: Dwork and Roth 2014, section 3.3; McKenna and Sheldon 2020; Ding et al.
 * 2021 for the equivalence of both forms.
 *
 * @param noise in steps of the distances
 */
record NoisyMax(OneSidedGeometric noise) {
    private static final Rational TWO = Rational.of(2, 1);

    /** Calibrates the noise to a loss of {@code epsilon}. */
    static NoisyMax calibrated(BigInteger l1Sensitivity, Rational epsilon) {
        // The scale is 2Δ/ε: the winner may fall by Δ while all others rise by Δ.
        Rational scale = Rational.of(l1Sensitivity).times(TWO).dividedBy(epsilon);
        return new NoisyMax(new OneSidedGeometric(scale));
    }

    /**
     * The position where noise minus distance is largest, the first of several. It always takes one draw for each
     * position.
     */
    int nearest(BigInteger[] distances, RandomBits bits) {
        int winner = 0;
        BigInteger best = noise.sample(bits).subtract(distances[0]);
        for (int i = 1; i < distances.length; i++) {
            BigInteger score = noise.sample(bits).subtract(distances[i]);
            if (score.compareTo(best) > 0) {
                winner = i;
                best = score;
            }
        }
        return winner;
    }
}
