package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.privacy.Epsilon;
import java.math.BigInteger;

/**
 * A noisy sum divided by the public number of rows.
 *
 * <p>Guarantee: epsilon-differentially private where units of one row are replaced and none can be filtered out, so that the
 * number of rows is the same on both neighbours. Anywhere else it is not: with a row more or less, the divisor itself tells
 * (dataset {0} against {0, 1} over [0, 1]: the chance of an answer strictly inside differs by a factor 2 at every epsilon).
 * It is therefore refused there, here and at the web edge. Argument in {@code KnownCountMean.md}.
 */
public final class KnownCountMean extends RatioMean {
    private static final String NAME = "known-count-mean";

    /**
     * The mean for a target whose count is public.
     *
     * @throws IllegalArgumentException if it is not
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
                DiscreteLaplace.calibrated(width, Exact.of(epsilon)),
                DiscreteLaplace.calibrated(BigInteger.ZERO, Exact.of(epsilon)));
    }

    /** Whether this mechanism is private for the target at all. */
    public static boolean isPrivateFor(MeanTarget target) {
        return target.hasPublicCount();
    }
}
