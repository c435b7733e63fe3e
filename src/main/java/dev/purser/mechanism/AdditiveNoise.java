package dev.purser.mechanism;

import dev.purser.noise.DiscreteGaussian;
import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Rho;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Map;

/**
 * Noise to add to exact integers that are then released, from a public share of privacy. Argument in {@code
 * NoisyStatistic.md}.
 */
sealed interface AdditiveNoise {
    /** Discrete Laplace noise: pure privacy. */
    record Laplace(DiscreteLaplace distribution) implements AdditiveNoise {
        @Override
        public BigInteger sample(RandomBits bits) {
            return distribution.sample(bits);
        }

        @Override
        public BigInteger quantile(double probability) {
            return distribution.twoSidedQuantile(probability);
        }

        @Override
        public String name() {
            return Description.DISCRETE_LAPLACE;
        }

        @Override
        public Description describe(Description description, String parameter) {
            return description.withSteps(parameter, distribution.scale());
        }
    }

    /** Discrete Gaussian noise: zero-concentrated privacy. */
    record Gaussian(DiscreteGaussian distribution) implements AdditiveNoise {
        @Override
        public BigInteger sample(RandomBits bits) {
            return distribution.sample(bits);
        }

        @Override
        public BigInteger quantile(double probability) {
            return distribution.twoSidedQuantile(probability);
        }

        @Override
        public String name() {
            return Description.DISCRETE_GAUSSIAN;
        }

        @Override
        public Description describe(Description description, String parameter) {
            BigDecimal deviation =
                    distribution.variance().toDecimal(MathContext.DECIMAL64).sqrt(new MathContext(12));
            return description.withSteps(parameter, deviation);
        }
    }

    /** One draw, in grid steps. */
    BigInteger sample(RandomBits bits);

    /** The least a with P(|X| &gt; a) at most {@code probability}, in grid steps. */
    BigInteger quantile(double probability);

    /** The distribution's name, as answers state it. */
    String name();

    /** The description of a release of one kind with this noise, for example {@code laplace-count}. */
    default Description description(String kind) {
        return new Description((isPure() ? "laplace-" : "gaussian-") + kind, name(), Map.of());
    }

    /** The description with this noise's scale, or its standard deviation, under {@code parameter}. */
    Description describe(Description description, String parameter);

    /** Whether the release is private by pure epsilon. */
    default boolean isPure() {
        return this instanceof Laplace;
    }

    /** Laplace noise at the share's epsilon. */
    static AdditiveNoise laplace(BigInteger l1Sensitivity, Rational epsilon) {
        return new Laplace(DiscreteLaplace.calibrated(l1Sensitivity, epsilon));
    }

    /**
     * The noise that keeps the share and exceeds the lesser bound with {@code probability}; pure noise if both do as well.
     *
     * @param probability with which one draw may pass the bound
     */
    static AdditiveNoise best(
            PrivacyShare share, BigInteger l1Sensitivity, BigInteger squaredL2Sensitivity, double probability) {
        AdditiveNoise laplace = laplace(l1Sensitivity, share.epsilon());
        if (share.rho().equals(Rho.ZERO) || l1Sensitivity.signum() == 0) {
            return laplace;
        }
        AdditiveNoise gaussian = new Gaussian(DiscreteGaussian.calibrated(squaredL2Sensitivity, Exact.of(share.rho())));
        return gaussian.quantile(probability).compareTo(laplace.quantile(probability)) < 0 ? gaussian : laplace;
    }
}
