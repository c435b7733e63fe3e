package dev.purser.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class GaussianQuantileTests {
    private static final double[] BETAS = {
        0.999999999, 0.999999, 0.99, 0.9, 0.5, 0.3, 0.1, 0.05, 0.01, 1e-3, 1e-6, 1e-9, 1e-14
    };

    @ParameterizedTest
    @ValueSource(
            doubles = {
                1e-6,
                0.01,
                0.05,
                1.0 / 3,
                0.5,
                1,
                2,
                3.5,
                6,
                100,
                1000.25,
                65_535,
                65_536,
                65_537,
                1e6,
                123_456_789,
                1e9
            })
    void givesTheLeastQuantileByDirectSummation(double variance) {
        Rational fraction = Rational.of(Math.round(variance * 1e6), 1_000_000);
        double summed = fraction.doubleValue();
        int length = (int) Math.ceil(12 * Math.sqrt(summed)) + 2;
        double[] tail = NoiseFit.tail(x -> Math.exp(-0.5 * x * x / summed), length, 2);
        DiscreteGaussian gaussian = new DiscreteGaussian(fraction);
        for (double beta : BETAS) {
            NoiseFit.assertLeast(gaussian.twoSidedQuantile(beta), tail, 2, beta);
            NoiseFit.assertLeast(gaussian.oneSidedQuantile(beta), tail, 1, beta);
        }
    }

    /** Half a step is nothing at σ = 2^100: the quantile is σ times the standard Gaussian's, here in 40 digits. */
    @ParameterizedTest
    @CsvSource({
        "1e-14, 7.739256319504373257564260893053312948764",
        "1e-9, 6.109410204869397129994730322451695226041",
        "1e-3, 3.2905267314918947873650000995725779461",
        "0.05, 1.959963984540054211779584194227173967956",
        "0.3, 1.036433389493789603521548596285601928716",
        "0.5, 0.6744897501960817432022270145413071853869",
        "0.9, 0.125661346855074006160428436141879999626",
        "0.999999999, 0.000000001253314101869355717837040480302578427096"
    })
    void neverStatesAQuantileTooSmallAtHugeSigma(double beta, BigDecimal standard) {
        BigInteger sigma = BigInteger.TWO.pow(100);
        DiscreteGaussian gaussian = new DiscreteGaussian(Rational.of(sigma.multiply(sigma)));
        BigDecimal truth = standard.multiply(new BigDecimal(sigma));
        BigDecimal slack = truth.multiply(new BigDecimal("1e-11"));
        assertThat(new BigDecimal(gaussian.twoSidedQuantile(beta))).isBetween(truth, truth.add(slack));
        assertThat(new BigDecimal(gaussian.oneSidedQuantile(beta / 2))).isBetween(truth, truth.add(slack));
    }

    @Test
    void isNothingAtProbabilityOneAndMore() {
        DiscreteGaussian gaussian = new DiscreteGaussian(Rational.of(1L << 40, 1));
        assertThat(gaussian.twoSidedQuantile(1)).isZero();
        assertThat(gaussian.oneSidedQuantile(0.5)).isZero();
        assertThat(gaussian.oneSidedQuantile(0.999999999)).isZero();
    }
}
