package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.privacy.Epsilon;
import java.math.BigInteger;

/**
 * A noisy sum divided by the public number of rows.
 *
 * <p>Guarantee: epsilon-differentially private where units of one row are replaced and no filter can drop them, so that
 * neighbours have the same number of rows. Anywhere else it is not private, because the divisor itself reveals a row
 * more or less. Example: for {0} against {0, 1} over [0, 1], the probability of an answer strictly inside differs by a
 * factor of 2 at every epsilon. The constructor and the web edge refuse all such cases. Argument in
 * {@code KnownCountMean.md}.
 */
public final class KnownCountMean extends RatioMean {
    private static final String NAME = "known-count-mean";

    /**
     * Builds the mean for a target whose count is public.
     *
     * @throws IllegalArgumentException if the count is not public
     */
    public KnownCountMean(Epsilon epsilon, MeanTarget target, double beta) {
        super(NAME, epsilon, beta, ratio(epsilon, requirePublicCount(target)));
    }

    private static MeanTarget requirePublicCount(MeanTarget target) {
        if (!target.hasPublicCount()) {
            throw new IllegalArgumentException("the number of rows is private here");
        }
        return target;
    }

    private static NoisyRatio ratio(Epsilon epsilon, MeanTarget target) {
        BigInteger width = BigInteger.valueOf(target.upper()).subtract(BigInteger.valueOf(target.lower()));
        return new NoisyRatio(
                target,
                1,
                0,
                DiscreteLaplace.calibrated(width, ExactArithmetic.of(epsilon)),
                DiscreteLaplace.calibrated(BigInteger.ZERO, ExactArithmetic.of(epsilon)));
    }

    /** Whether this mechanism is private for the target. */
    public static boolean isPrivateFor(MeanTarget target) {
        return target.hasPublicCount();
    }
}
