package dev.purser.noise;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class DiscreteLaplaceTests {
    private static final int DRAWS = 40_000;
    private static final int MANY_DRAWS = 120_000;

    /** With short digits, ties and undecided floors are frequent. So every way through the sampler is enumerated. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "1, 1, 2",
        "1, 1, 3",
        "1, 2, 1",
        "1, 2, 2",
        "2, 1, 1",
        "2, 1, 2",
        "2, 3, 1",
        "3, 2, 1",
        "3, 2, 2",
        "3, 7, 1",
        "3, 7, 2",
        "10, 3, 1",
        "10, 3, 3"
    })
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfShortDigits {}

    @OfShortDigits
    void hasItsDistributionOnEveryBitString(long numerator, long denominator, int digitBits) {
        assertEncloses(numerator, denominator, digitBits, 18, 0.56);
    }

    @Tag("deep")
    @OfShortDigits
    void hasItsDistributionOnEveryLongBitString(long numerator, long denominator, int digitBits) {
        assertEncloses(numerator, denominator, digitBits, 24, 0.45);
    }

    private static void assertEncloses(
            long numerator, long denominator, int digitBits, int depth, double mostUndecided) {
        DiscreteLaplace laplace = new DiscreteLaplace(Rational.of(numerator, denominator), digitBits);
        EveryBitString<BigInteger> runs = EveryBitString.of(laplace::sample, depth);
        DiscreteLaplacePmf pmf = new DiscreteLaplacePmf((double) numerator / denominator);

        for (long x = -40; x <= 40; x++) {
            runs.encloses(BigInteger.valueOf(x), pmf.probability(x));
            assertThat(runs.atLeast(BigInteger.valueOf(-x)))
                    .isEqualTo(runs.atLeast(BigInteger.valueOf(x)), within(1e-15));
        }
        assertThat(runs.undecided()).isLessThan(mostUndecided);
    }

    static List<Rational> scales() {
        BigInteger two = BigInteger.TWO;
        return List.of(
                Rational.of(1, 1),
                Rational.of(3, 7),
                Rational.of(10, 3),
                Rational.of(1000, 7),
                Rational.of(1L << 20, 1),
                Rational.of((1L << 40) - 1, 3),
                Rational.of(1L << 40, 1),
                Rational.of((1L << 40) * 500, 1),
                Rational.of((1L << 50) - 1, 1L << 48),
                Rational.of((1L << 50) - 1, (1L << 50) + 1),
                Rational.of(1L << 39, (1L << 41) + 1),
                // from here on BigInteger arithmetic: 51 bits in the numerator, 63 in the denominator, in both
                Rational.of((1L << 40) * 12_345, 1),
                Rational.of((1L << 50) + 1, 1L << 48),
                Rational.of((1L << 62) - 1, (1L << 62) + 1),
                new Rational(two.pow(130).add(BigInteger.ONE), two.pow(127)),
                new Rational(two.pow(200).add(BigInteger.ONE), BigInteger.valueOf(3)));
    }

    @ParameterizedTest
    @MethodSource("scales")
    void hasItsDistributionAtEveryScaleOnBothArithmetics(Rational scale) {
        assertFits(scale, new DiscreteLaplace(scale), new SeededBits(6), DRAWS);
        assertFits(scale, new DiscreteLaplace(scale), new SecureBits(), DRAWS);
    }

    @Tag("deep")
    @ParameterizedTest
    @MethodSource("scales")
    void hasItsDistributionAtEveryScaleInManyDraws(Rational scale) {
        assertFits(scale, new DiscreteLaplace(scale), new SeededBits(6), MANY_DRAWS);
        assertFits(scale, new DiscreteLaplace(scale), new SecureBits(), MANY_DRAWS);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "5, 1", "8, 3", "13, 2", "31, 1"})
    void hasItsDistributionHoweverOftenDigitsDoNotDecide(int digitBits, long denominator) {
        assertFitsAtFiveScales(digitBits, denominator, DRAWS);
    }

    @Tag("deep")
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "5, 1", "8, 3", "13, 2", "31, 1"})
    void hasItsDistributionInManyDrawsHoweverOftenDigitsDoNotDecide(int digitBits, long denominator) {
        assertFitsAtFiveScales(digitBits, denominator, MANY_DRAWS);
    }

    private static void assertFitsAtFiveScales(int digitBits, long denominator, int draws) {
        for (long numerator : new long[] {1, 10, 1000, 1L << 20, (1L << 40) - 1}) {
            Rational scale = Rational.of(numerator, denominator);
            assertFits(scale, new DiscreteLaplace(scale, digitBits), new SeededBits(8), draws);
        }
    }

    private static void assertFits(Rational scale, DiscreteLaplace laplace, RandomBits bits, int draws) {
        double b = scale.doubleValue();
        NoiseFit.assertFits(
                laplace::sample,
                new DiscreteLaplacePmf(b),
                u -> u < 0.5 ? b * Math.log(2 * u) : -b * Math.log(2 - 2 * u),
                bits,
                draws);
    }

    /** Exact tails of (1 − p)·X − p·Y and of X + Y. */
    @Test
    void boundsCombinationsAndSumsOfDraws() {
        for (int scale : new int[] {1, 2, 7}) {
            DiscreteLaplace laplace = new DiscreteLaplace(Rational.of(scale, 1));
            DiscreteLaplacePmf pmf = new DiscreteLaplacePmf(scale);
            for (double failure : new double[] {0.5, 0.05, 0.001}) {
                long ofSum = laplace.sumQuantile(2, failure).longValueExact();
                long ofThree = laplace.sumQuantile(3, failure).longValueExact();
                long ofCombination = laplace.combinationQuantile(failure).longValueExact();
                assertThat(ofSum).isBetween(ofCombination, ofThree);
                int far = 40 * scale;
                for (double p : new double[] {0, 0.1, 0.5, 0.9}) {
                    double tail = 0;
                    double tailOfSum = 0;
                    for (long x = -far; x <= far; x++) {
                        for (long y = -far; y <= far; y++) {
                            double both = pmf.probability(x) * pmf.probability(y);
                            tail += Math.abs((1 - p) * x - p * y) > ofCombination ? both : 0;
                            tailOfSum += Math.abs(x + y) > ofSum ? both : 0;
                        }
                    }
                    assertThat(tail).isLessThanOrEqualTo(failure);
                    assertThat(tailOfSum).isBetween(failure / 50, failure);
                }
            }
        }
    }

    @Test
    void leavesNoPatternInTheLowOrderBits() {
        DiscreteLaplace laplace = new DiscreteLaplace(Rational.of((1L << 40) * 5, 3));
        NoiseFit.assertNoPatternInTheLowOrderBits(laplace::sample, new SeededBits(7));
    }

    @Test
    void hasItsSignZeroAndTailWithTheProductionBits() {
        DiscreteLaplace laplace = new DiscreteLaplace(Rational.of(2, 1));
        NoiseFit.assertSignZeroAndTail(laplace::sample, new DiscreteLaplacePmf(2), 8);
    }

    @Test
    void isAlwaysZeroAtScaleZeroAndDrawsNothing() {
        DiscreteLaplace silent = DiscreteLaplace.calibrated(BigInteger.ZERO, Rational.of(1, 2));
        assertThat(silent.sample(NoiseFit.NONE)).isEqualTo(BigInteger.ZERO);
        assertThat(silent.twoSidedQuantile(0.05)).isEqualTo(BigInteger.ZERO);
        assertThat(silent.oneSidedQuantile(0.05)).isEqualTo(BigInteger.ZERO);
    }

    @Test
    void refusesANegativeScale() {
        assertThatIllegalArgumentException().isThrownBy(() -> new DiscreteLaplace(Rational.of(-1, 2)));
    }

    @Test
    void isCalibratedToSensitivityOverEpsilon() {
        assertThat(DiscreteLaplace.calibrated(BigInteger.valueOf(6), Rational.of(3, 10))
                        .scale())
                .isEqualTo(Rational.of(20, 1));
    }

    @Test
    void givesTheLeastQuantileByDirectSummation() {
        double[] betas = {0.999999, 0.99, 0.9, 0.5, 0.3, 0.1, 0.05, 0.01, 1e-3, 1e-6, 1e-9};
        long[][] scales = {{1, 100}, {1, 3}, {3, 7}, {1, 1}, {10, 3}, {7, 1}, {1000, 7}, {400, 1}};
        for (long[] fraction : scales) {
            DiscreteLaplace laplace = new DiscreteLaplace(Rational.of(fraction[0], fraction[1]));
            double scale = laplace.scale().doubleValue();
            double[] tail = NoiseFit.tail(x -> Math.exp(-x / scale), 20_000, 2);
            for (double beta : betas) {
                NoiseFit.assertLeast(laplace.twoSidedQuantile(beta), tail, 2, beta);
                NoiseFit.assertLeast(laplace.oneSidedQuantile(beta), tail, 1, beta);
            }
        }
    }

    @Test
    void neverStatesAQuantileTooSmallAtHugeScales() {
        // At these scales P(|X| > a) is exp(-a/b) to 1e-15, so the quantile is at least b·(-ln p), with -ln p in 50
        // digits: ln(1 + y) by its series for p near 1, and ln 10 for p = 0.1.
        BigInteger scale = BigInteger.TWO.pow(80);
        DiscreteLaplace laplace = new DiscreteLaplace(Rational.of(scale));
        BigDecimal minusLogOfTenth = new BigDecimal("2.302585092994045684017991454684364207601101488628773");
        assertWithin(laplace.twoSidedQuantile(0.1), new BigDecimal(scale).multiply(minusLogOfTenth));
        for (int k : new int[] {10, 20, 30, 40}) {
            double p = 1 - Math.scalb(1.0, -k);
            BigDecimal y = BigDecimal.TWO.pow(k).pow(-1, new MathContext(60));
            BigDecimal minusLog = BigDecimal.ZERO;
            BigDecimal power = BigDecimal.ONE;
            for (int i = 1; i < 20; i++) {
                power = power.multiply(y);
                minusLog = minusLog.add(power.divide(BigDecimal.valueOf(i), new MathContext(60)));
            }
            assertWithin(laplace.twoSidedQuantile(p), new BigDecimal(scale).multiply(minusLog));
        }
    }

    private static void assertWithin(BigInteger quantile, BigDecimal truth) {
        BigDecimal slack = new BigDecimal(BigInteger.TWO.pow(80)).multiply(new BigDecimal("1e-11"));
        assertThat(new BigDecimal(quantile)).isBetween(truth.subtract(BigDecimal.ONE), truth.add(slack));
    }
}
