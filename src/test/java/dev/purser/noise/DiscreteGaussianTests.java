package dev.purser.noise;

import java.math.BigInteger;
import java.util.List;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class DiscreteGaussianTests {
    static List<Rational> variances() {
        BigInteger two = BigInteger.TWO;
        return List.of(
                Rational.of(1, 10),
                Rational.of(1, 3),
                Rational.of(1, 1),
                Rational.of(7, 2),
                // σ² is a multiple of floor(σ) + 1: some exponents are exactly zero
                Rational.of(6, 1),
                Rational.of(100, 1),
                Rational.of(7_000_001, 7),
                Rational.of(1L << 40, 3),
                new Rational(two.pow(80), BigInteger.ONE),
                new Rational(two.pow(113), BigInteger.ONE),
                // from here on no long arithmetic
                new Rational(two.pow(120), BigInteger.ONE),
                new Rational(two.pow(200).add(BigInteger.ONE), BigInteger.valueOf(3)));
    }

    @ParameterizedTest
    @MethodSource("variances")
    void hasItsDistributionAtEveryVarianceOnBothArithmetics(Rational variance) {
        assertFits(variance, new DiscreteGaussian(variance), new SeededBits(21), 40_000);
        assertFits(variance, new DiscreteGaussian(variance), new SecureBits(), 40_000);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("variances")
    void hasItsDistributionInManyDraws(Rational variance) {
        assertFits(variance, new DiscreteGaussian(variance), new SeededBits(21), 120_000);
        assertFits(variance, new DiscreteGaussian(variance), new SecureBits(), 120_000);
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "13, 0", "62, 2"})
    void hasItsDistributionHoweverOftenWhatIsDrawnFirstDoesNotDecide(int digitBits, int gridBits) {
        assertFitsAtFourVariances(digitBits, gridBits, 20_000);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "5, 3", "13, 0", "31, 8", "62, 0", "62, 2"})
    void hasItsDistributionAtEverySizeOfWhatIsDrawnFirst(int digitBits, int gridBits) {
        assertFitsAtFourVariances(digitBits, gridBits, 40_000);
    }

    @Tag("deep")
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 2", "2, 0", "2, 1", "3, 0", "5, 3", "13, 0", "31, 8", "62, 0", "62, 2"})
    void hasItsDistributionInManyDrawsThatWhatIsDrawnFirstDoesNotDecide(int digitBits, int gridBits) {
        assertFitsAtFourVariances(digitBits, gridBits, 400_000);
    }

    private static void assertFitsAtFourVariances(int digitBits, int gridBits, int draws) {
        for (Rational variance : new Rational[] {
            Rational.of(1, 3), Rational.of(7, 2), Rational.of(7_000_001, 7), Rational.of(1L << 60, 1)
        }) {
            assertFits(variance, new DiscreteGaussian(variance, digitBits, gridBits), new SeededBits(22), draws);
        }
    }

    private static void assertFits(Rational variance, DiscreteGaussian gaussian, RandomBits bits, int draws) {
        NormalDistribution normal = new NormalDistribution(null, 0, Math.sqrt(variance.doubleValue()));
        DiscreteGaussianPmf pmf = new DiscreteGaussianPmf(variance.doubleValue());
        NoiseFit.assertFits(gaussian::sample, pmf, normal::inverseCumulativeProbability, bits, draws);
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 1_000_000, 1L << 62})
    void isPracticallyAlwaysZeroAtATinyVariance(long reciprocal) {
        // P(X != 0) = 2·exp(-500) and less
        DiscreteGaussian gaussian = new DiscreteGaussian(Rational.of(1, reciprocal));
        RandomBits bits = new SecureBits();
        for (int i = 0; i < 20_000; i++) {
            assertThat(gaussian.sample(bits)).isZero();
        }
    }

    @Test
    void leavesNoPatternInTheLowOrderBits() {
        DiscreteGaussian gaussian = new DiscreteGaussian(
                new Rational(BigInteger.TWO.pow(80).multiply(BigInteger.valueOf(5)), BigInteger.valueOf(3)));
        NoiseFit.assertNoPatternInTheLowOrderBits(gaussian::sample, new SeededBits(23));
    }

    @Test
    void hasItsSignZeroAndTailWithTheProductionBits() {
        DiscreteGaussian gaussian = new DiscreteGaussian(Rational.of(4, 1));
        NoiseFit.assertSignZeroAndTail(gaussian::sample, new DiscreteGaussianPmf(4), 6);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 40, 60, 100})
    void hasItsMoments(int log2OfSigma) {
        // 200,000 draws in units of σ. Means of x, x², x³, x⁴ are 0, 1, 0, 3 with variances 1, 2, 15, 96 (at σ = 1 to
        // within 1e-5); five and a half standard deviations, probability 4e-8 for each of 20.
        int draws = 200_000;
        DiscreteGaussian gaussian = new DiscreteGaussian(Rational.of(BigInteger.TWO.pow(2 * log2OfSigma)));
        RandomBits bits = new SeededBits(24);
        double[] sums = new double[5];
        for (int i = 0; i < draws; i++) {
            double x = Math.scalb(gaussian.sample(bits).doubleValue(), -log2OfSigma);
            double power = 1;
            for (int k = 1; k <= 4; k++) {
                power *= x;
                sums[k] += power;
            }
        }
        double[] means = {1, 0, 1, 0, 3};
        double[] variances = {0, 1, 2, 15, 96};
        for (int k = 1; k <= 4; k++) {
            assertThat(sums[k] / draws)
                    .as("moment %d", k)
                    .isEqualTo(means[k], within(1e-5 + 5.5 * Math.sqrt(variances[k] / draws)));
        }
    }

    @Test
    void isAlwaysZeroAtVarianceZeroAndDrawsNothing() {
        DiscreteGaussian silent = DiscreteGaussian.calibrated(BigInteger.ZERO, Rational.of(1, 2));
        assertThat(silent.sample(NoiseFit.NONE)).isEqualTo(BigInteger.ZERO);
        assertThat(silent.twoSidedQuantile(0.05)).isEqualTo(BigInteger.ZERO);
        assertThat(silent.oneSidedQuantile(0.05)).isEqualTo(BigInteger.ZERO);
    }

    @Test
    void refusesANegativeVariance() {
        assertThatIllegalArgumentException().isThrownBy(() -> new DiscreteGaussian(Rational.of(-1, 2)));
    }

    @Test
    void isCalibratedToSquaredSensitivityOverTwiceRho() {
        assertThat(DiscreteGaussian.calibrated(BigInteger.valueOf(9), Rational.of(3, 10))
                        .variance())
                .isEqualTo(Rational.of(15, 1));
    }
}
