package dev.purser.local;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import java.math.BigInteger;

/**
 * Reports a number plus discrete Laplace noise, on the grid of its public range. With values in [-1, 1] the range is 2
 * wide, so the scale is 2/epsilon there and {@code width/epsilon} in grid steps.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private. Argument in {@code LocalLaplace.md}. Source: Dwork et
 * al. 2006; Ghosh, Roughgarden and Sundararajan 2009 for the discrete form.
 */
public final class LocalLaplace implements NumericRandomizer<BigInteger> {
    private final LocalEpsilon localEpsilon;
    private final long width;
    private final DiscreteLaplace noise;

    /**
     * The protocol for a range.
     *
     * @param epsilon above 0, at most 100
     * @param width of the public range, in grid steps; every {@link Position} must have the same width
     */
    public LocalLaplace(Epsilon epsilon, long width) {
        if (width < 1 || width > Position.MAX_WIDTH) {
            throw new IllegalArgumentException("a range must be 1 to " + Position.MAX_WIDTH + " grid steps wide");
        }
        localEpsilon = LocalEpsilon.of(epsilon);
        this.width = width;
        noise = DiscreteLaplace.calibrated(BigInteger.valueOf(width), localEpsilon.amount());
    }

    @Override
    public Epsilon epsilon() {
        return localEpsilon.roundedUp();
    }

    /** The value in grid steps above the range's lower bound, plus noise. It is not clamped. */
    @Override
    public BigInteger report(Position value, RandomBits bits) {
        if (value.width() != width) {
            throw new IllegalArgumentException("the value's range must be the protocol's");
        }
        return BigInteger.valueOf(value.part()).add(noise.sample(bits));
    }

    @Override
    public boolean isPossible(BigInteger report) {
        return true;
    }

    /** The noise's scale in grid steps. */
    public Rational scale() {
        return noise.scale();
    }

    @Override
    public double contribution(BigInteger report) {
        return 2 * report.doubleValue() / width - 1;
    }

    @Override
    public int tallies() {
        return 1;
    }

    /** The sum of the noisy values, in grid steps above the range's lower bound. */
    @Override
    public void add(BigInteger report, long[] tally, int offset) {
        tally[offset] = Math.addExact(tally[offset], report.longValueExact());
    }

    @Override
    public double contributions(long[] tally, int offset, long reports) {
        return 2.0 * tally[offset] / width - reports;
    }

    /** {@inheritDoc} It is the same for every value. */
    @Override
    public double variance(double v) {
        // The noise's variance, 2q/(1 - q)² with q = exp(-1/scale), times the square of a grid step.
        double halfRoot = Math.sinh(localEpsilon.value() / width / 2);
        double step = 2.0 / width;
        return step * step / (2 * halfRoot * halfRoot);
    }

    @Override
    public double largestVariance() {
        return variance(0);
    }
}
