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
 * Noise that is added to exact integers before they are released, calibrated to a public share of privacy. Argument in
 * {@code NoisyStatistic.md}.
 */
sealed interface AdditiveNoise {
    /** Discrete Laplace noise, for pure differential privacy. */
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
        public BigInteger combinationQuantile(int draws, double probability) {
            return draws == 1 ? quantile(probability) : distribution.combinationQuantile(probability);
        }

        @Override
        public BigInteger sumQuantile(int draws, double probability) {
            if (draws > DiscreteLaplace.MOST_SUMMED) {
                double scale = distribution.scale().doubleValue();
                return ExactArithmetic.up(TailBound.laplace(2 * draws * scale * scale, scale, probability));
            }
            return draws == 1 ? quantile(probability) : distribution.sumQuantile(draws, probability);
        }

        @Override
        public String name() {
            return Description.DISCRETE_LAPLACE;
        }

        @Override
        public BigDecimal spread() {
            return distribution.scale().toDecimal(MathContext.DECIMAL128);
        }
    }

    /** Discrete Gaussian noise, for zero-concentrated differential privacy. */
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
        public BigInteger combinationQuantile(int draws, double probability) {
            return quantile(probability / draws);
        }

        @Override
        public BigInteger sumQuantile(int draws, double probability) {
            double variance = draws * distribution.variance().doubleValue();
            return draws == 1 ? quantile(probability) : ExactArithmetic.up(TailBound.gaussian(variance, probability));
        }

        @Override
        public String name() {
            return Description.DISCRETE_GAUSSIAN;
        }

        @Override
        public BigDecimal spread() {
            return distribution.variance().toDecimal(MathContext.DECIMAL128).sqrt(MathContext.DECIMAL64);
        }
    }

    /** One draw, in grid steps. */
    BigInteger sample(RandomBits bits);

    /** The least a with P(|X| &gt; a) at most {@code probability}, in grid steps. */
    BigInteger quantile(double probability);

    /**
     * A bound that |Σ w·X| of {@code draws} independent draws X exceeds with probability at most {@code probability},
     * for any weights with Σ|w| at most 1. The arguments are in {@code NoisyTable.md}.
     */
    BigInteger combinationQuantile(int draws, double probability);

    /** A bound that |ΣX| of {@code draws} independent draws X exceeds with probability at most {@code probability}. */
    BigInteger sumQuantile(int draws, double probability);

    /** The distribution's name in answers. */
    String name();

    /** The description of a release of one kind with this noise, named for example {@code laplace-count}. */
    default Description description(String kind) {
        return new Description((isPure() ? "laplace-" : "gaussian-") + kind, name(), Map.of());
    }

    /** The scale of Laplace noise and the standard deviation of Gaussian noise, in grid steps. */
    BigDecimal spread();

    /** Adds the {@link #spread} to the description under {@code parameter}. */
    default Description describe(Description description, String parameter) {
        return description.withSteps(parameter, ExactArithmetic.display(spread()));
    }

    /** Whether the release is pure epsilon-differentially private. */
    default boolean isPure() {
        return this instanceof Laplace;
    }

    /** Laplace noise at the share's epsilon. */
    static AdditiveNoise laplace(BigInteger l1Sensitivity, Rational epsilon) {
        return new Laplace(DiscreteLaplace.calibrated(l1Sensitivity, epsilon));
    }

    /** Gaussian noise at the share's rho. */
    static AdditiveNoise gaussian(BigInteger squaredL2Sensitivity, Rho rho) {
        return new Gaussian(DiscreteGaussian.calibrated(squaredL2Sensitivity, ExactArithmetic.of(rho)));
    }

    /**
     * The noise within the share that has the smaller error bound; Laplace noise if the bounds are equal.
     *
     * @param probability the probability with which one draw may exceed the bound
     */
    static AdditiveNoise best(
            PrivacyShare share, BigInteger l1Sensitivity, BigInteger squaredL2Sensitivity, double probability) {
        AdditiveNoise laplace = laplace(l1Sensitivity, share.epsilon());
        if (share.rho().equals(Rho.ZERO) || l1Sensitivity.signum() == 0) {
            return laplace;
        }
        AdditiveNoise gaussian = gaussian(squaredL2Sensitivity, share.rho());
        return gaussian.quantile(probability).compareTo(laplace.quantile(probability)) < 0 ? gaussian : laplace;
    }
}
