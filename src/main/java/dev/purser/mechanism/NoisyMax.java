package dev.purser.mechanism;

import dev.purser.noise.OneSidedGeometric;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import java.math.BigInteger;

/**
 * Report-noisy-max over utilities that are minus a distance: each gets noise of its own, and the position of the largest sum is
 * all that is released. The noise is one-sided: with a continuous one this is permute-and-flip, which never errs more than the exponential
 * mechanism; but each choice takes one draw for each position, whatever the utilities.
 *
 * <p>Guarantee: epsilon-differentially private, whatever the number of distances, if one privacy unit moves each of them by at
 * most the L1 sensitivity that the noise is calibrated to, in whatever direction. Argument in {@code NoisyMaxQuantile.md},
 * step 2. Source: Dwork and Roth 2014, section 3.3; McKenna and Sheldon 2020; Ding et
 * al. 2021 for the one as the other.
 *
 * @param noise in steps of the distances
 */
record NoisyMax(OneSidedGeometric noise) {
    private static final Rational TWO = Rational.of(2, 1);

    /** The choice that loses {@code epsilon}. */
    static NoisyMax calibrated(BigInteger l1Sensitivity, Rational epsilon) {
        // Noise of 2Δ/ε: the winner may fall by Δ while all others rise by Δ.
        Rational scale = Rational.of(l1Sensitivity).times(TWO).dividedBy(epsilon);
        return new NoisyMax(new OneSidedGeometric(scale));
    }

    /** The position with the largest noise less distance, the first of several: one draw for each, always. */
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
