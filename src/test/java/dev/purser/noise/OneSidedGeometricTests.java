package dev.purser.noise;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class OneSidedGeometricTests {
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 1, 2", "3, 7, 2", "10, 3, 1"})
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfShortDigits {}

    @OfShortDigits
    void hasItsDistributionOnEveryBitString(long numerator, long denominator, int digitBits) {
        assertEncloses(numerator, denominator, digitBits, 18, 0.45);
    }

    @Tag("deep")
    @OfShortDigits
    void hasItsDistributionOnEveryLongBitString(long numerator, long denominator, int digitBits) {
        assertEncloses(numerator, denominator, digitBits, 22, 0.45);
    }

    private static void assertEncloses(
            long numerator, long denominator, int digitBits, int depth, double mostUndecided) {
        OneSidedGeometric geometric = new OneSidedGeometric(Rational.of(numerator, denominator), digitBits);
        EveryBitString<BigInteger> runs = EveryBitString.of(geometric::sample, depth);
        OneSidedGeometricPmf pmf = new OneSidedGeometricPmf((double) numerator / denominator);

        for (int x = -2; x <= 40; x++) {
            runs.encloses(BigInteger.valueOf(x), pmf.probability(x));
        }
        assertThat(runs.undecided()).isLessThan(mostUndecided);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1/1",
                "3/7",
                "10/3",
                "1000/7",
                "1048576/1",
                "1099511627776/3",
                "1267650600228229401496703205376/1"
            })
    void hasItsDistributionAtEveryScale(String fraction) {
        // 120,000 draws of each source.
        String[] parts = fraction.split("/", 2);
        OneSidedGeometric geometric =
                new OneSidedGeometric(new Rational(new BigInteger(parts[0]), new BigInteger(parts[1])));
        double scale = geometric.scale().doubleValue();
        for (RandomBits bits : new RandomBits[] {new SeededBits(11), new SecureBits()}) {
            NoiseFit.assertFits(
                    geometric::sample, new OneSidedGeometricPmf(scale), u -> -scale * Math.log1p(-u), bits, 120_000);
        }
    }

    @Test
    void knowsItsMean() {
        for (double scale : new double[] {0.01, 0.4, 1, 2.5, 1000}) {
            double ratio = Math.exp(-1 / scale);
            double sum = 0;
            for (int x = 1; x <= 60 * Math.ceil(scale); x++) {
                sum += x * (1 - ratio) * Math.pow(ratio, x);
            }
            OneSidedGeometric geometric = new OneSidedGeometric(Rational.of(Math.round(scale * 100), 100));
            assertThat(geometric.mean()).isEqualTo(sum, within(1e-9 * sum));
        }
        assertThat(new OneSidedGeometric(Rational.of(BigInteger.TWO.pow(100))).mean())
                .isEqualTo(0x1p100, within(1e-15 * 0x1p100));
    }

    @Test
    void isCalibratedToSensitivityOverEpsilon() {
        assertThat(OneSidedGeometric.calibrated(BigInteger.valueOf(3), Rational.of(1, 2))
                        .scale())
                .isEqualTo(Rational.of(6, 1));
    }

    @Test
    void givesTheLeastQuantileByDirectSummation() {
        double[] betas = {0.999999999, 0.99, 0.9, 0.5, 0.3, 0.1, 0.05, 0.01, 1e-3, 1e-6, 1e-9, 1e-14};
        long[][] scales = {{1, 100}, {1, 3}, {3, 7}, {1, 1}, {10, 3}, {7, 1}, {1000, 7}, {400, 1}};
        for (long[] fraction : scales) {
            OneSidedGeometric geometric = new OneSidedGeometric(Rational.of(fraction[0], fraction[1]));
            double scale = geometric.scale().doubleValue();
            double[] tail = NoiseFit.tail(x -> Math.exp(-x / scale), 40_000, 1);
            for (double beta : betas) {
                NoiseFit.assertLeast(geometric.quantile(beta), tail, 1, beta);
            }
        }
    }

    @Test
    void neverStatesAQuantileTooSmallAtHugeScales() {
        // P(X > a) = exp(-(a+1)/b), so for p = 0.1 the quantile is b · ln 10 to within a step.
        BigInteger scale = BigInteger.TWO.pow(80);
        BigDecimal truth =
                new BigDecimal("2.302585092994045684017991454684364207601101488628773").multiply(new BigDecimal(scale));
        BigDecimal slack = new BigDecimal(scale).multiply(new BigDecimal("1e-11"));
        assertThat(new BigDecimal(new OneSidedGeometric(Rational.of(scale)).quantile(0.1)))
                .isBetween(truth.subtract(BigDecimal.ONE), truth.add(slack));
    }

    @Test
    void isAlwaysZeroAtScaleZeroAndDrawsNothing() {
        OneSidedGeometric silent = OneSidedGeometric.calibrated(BigInteger.ZERO, Rational.of(1, 2));
        assertThat(silent.sample(NoiseFit.NONE)).isEqualTo(BigInteger.ZERO);
        assertThat(silent.quantile(0.05)).isEqualTo(BigInteger.ZERO);
        assertThat(silent.mean()).isZero();
    }

    @Test
    void refusesANegativeScale() {
        assertThatIllegalArgumentException().isThrownBy(() -> new OneSidedGeometric(Rational.of(-1, 2)));
    }
}
