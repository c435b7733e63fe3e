package dev.purser.noise;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The discrete Gaussian distribution on the integers, {@code P(X = x) ∝ exp(-x² / (2σ²))}, for any rational σ², sampled
 * exactly. For integer vectors at most {@code Δ} apart in the Euclidean norm, adding an independent draw with
 * {@code σ² = Δ²/(2ρ)} to each component is {@code ρ}-zCDP. It is not ε-differentially private for any ε.
 *
 * <p>Variance 0 gives the constant 0, the noise of a statistic whose sensitivity is 0. The derivation of the sampler is
 * in {@code DiscreteGaussian.md}. Source: Canonne, Kamath and Steinke 2020.
 */
public final class DiscreteGaussian {
    private final Rational variance;
    private final @Nullable DiscreteLaplace candidates;
    private final @Nullable GaussianAcceptance acceptance;

    /**
     * The distribution with the parameter σ².
     *
     * @param variance σ², in grid steps squared, at least zero. The variance of the draws is at most σ², and equal to
     *     it to within a relative 1e-6 from σ = 1 on
     */
    public DiscreteGaussian(Rational variance) {
        this(variance, ScaledExponential.DIGIT_BITS, GaussianAcceptance.GRID_BITS);
    }

    DiscreteGaussian(Rational variance, int digitBits, int gridBits) {
        if (variance.signum() < 0) {
            throw new IllegalArgumentException("the variance must be at least zero");
        }
        this.variance = variance;
        if (variance.signum() == 0) {
            candidates = null;
            acceptance = null;
        } else {
            // Any scale is correct. A scale near σ rejects the fewest candidates: about a quarter.
            BigInteger scale =
                    variance.numerator().divide(variance.denominator()).sqrt().add(BigInteger.ONE);
            candidates = new DiscreteLaplace(Rational.of(scale), digitBits);
            acceptance = new GaussianAcceptance(variance, scale, digitBits, gridBits);
        }
    }

    /**
     * The noise of a {@code rho}-zCDP release of a vector of integers, with one draw for each integer.
     *
     * @param squaredL2Sensitivity in grid steps squared
     * @param rho above zero
     */
    public static DiscreteGaussian calibrated(BigInteger squaredL2Sensitivity, Rational rho) {
        return new DiscreteGaussian(Rational.of(squaredL2Sensitivity).dividedBy(rho.plus(rho)));
    }

    /** The parameter σ², in grid steps squared. */
    public Rational variance() {
        return variance;
    }

    /** Returns one exact draw, in grid steps. */
    public BigInteger sample(RandomBits bits) {
        if (candidates == null || acceptance == null) {
            return BigInteger.ZERO;
        }
        while (true) {
            BigInteger candidate = candidates.sample(bits);
            if (acceptance.accepts(candidate, bits)) {
                return candidate;
            }
        }
    }

    /** The least {@code a >= 0} with {@code P(|X| > a) <= probability}, rounded up where doubles cannot decide. */
    public BigInteger twoSidedQuantile(double probability) {
        return GaussianQuantile.twoSided(variance, probability);
    }

    /** The least {@code a >= 0} with {@code P(X > a) <= probability}, rounded up where doubles cannot decide. */
    public BigInteger oneSidedQuantile(double probability) {
        // By symmetry P(X > a) is half of P(|X| > a), and below one half for every a >= 0.
        return twoSidedQuantile(2 * probability);
    }
}
