package dev.purser.collection;

import dev.purser.local.GeneralizedRandomizedResponse;
import dev.purser.local.HadamardResponse;
import dev.purser.privacy.Epsilon;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class EstimateTests {
    @Test
    void intervalsAreByChebyshevForFewReportsAndNormalForMany() {
        assertThat(Estimate.ofMeans(new double[] {1}, 4, 999, 0.04).highs()[0]).isCloseTo(11, within(1e-12));
        assertThat(Estimate.ofMeans(new double[] {1}, 4, 999, 0.04).lows()[0]).isCloseTo(-9, within(1e-12));
        assertThat(Estimate.ofMeans(new double[] {0}, 4, 1000, 0.05).highs()[0])
                .isCloseTo(2 * 1.959963984540054, within(1e-9));
        assertThat(Estimate.ofMeans(new double[5], 1, 1000, 0.05).highs())
                .as("five hold together")
                .containsOnly(new double[] {2.5758293035489}, within(1e-9));
    }

    /** At an epsilon of 10, a report of a category almost never names another category. */
    @Test
    void aShareThatNobodyReportedIsNearZero() {
        var randomizer = new GeneralizedRandomizedResponse(100, Epsilon.parse("10"));
        long[] sums = new long[100];
        sums[7] = 1_000;
        Estimate estimate = Estimate.ofShares(randomizer, sums, 1_000, 0.05);
        assertThat(estimate.lows()[0]).isEqualTo(estimate.values()[0]).isBetween(-1e-4, 0.0);
        assertThat(estimate.highs()[0]).as("one device may be hidden").isEqualTo(0.001);
        assertThat(estimate.lows()[7]).isEqualTo(1);
        assertThat(estimate.highs()[7]).isEqualTo(estimate.values()[7]).isBetween(1.0, 1.01);
    }

    /** At an epsilon of 100, reports are true except with probability about e^-100. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10_000})
    void aShareIsAMultipleOfOneDevice(int reports) {
        var randomizer = new GeneralizedRandomizedResponse(2, Epsilon.parse("100"));
        Estimate estimate = Estimate.ofShares(randomizer, new long[] {1, reports - 1}, reports, 0.05);
        assertThat(estimate.lows()).containsExactly(new double[] {1.0 / reports, 1 - 1.0 / reports}, within(1e-12));
        assertThat(estimate.highs()).containsExactly(new double[] {1.0 / reports, 1 - 1.0 / reports}, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.001", "1", "4"})
    void aSingleReportSaysLittle(String epsilon) {
        var randomizer = new HadamardResponse(2, Epsilon.parse(epsilon));
        Estimate estimate = Estimate.ofShares(randomizer, new long[] {0, 1, 0, 0}, 1, 0.05);
        assertThat(Arrays.stream(estimate.lows()).max().orElseThrow()).isNotPositive();
        assertThat(Arrays.stream(estimate.highs()).min().orElseThrow()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void theProjectionIsTheNearestPointOfTheSimplex() {
        assertThat(project(0.2, 0.3, 0.5)).containsExactly(new double[] {0.2, 0.3, 0.5}, within(1e-12));
        assertThat(project(1.2, -0.1, -0.1)).containsExactly(new double[] {1, 0, 0}, within(1e-12));
        assertThat(project(0.6, 0.6, -0.5)).containsExactly(new double[] {0.5, 0.5, 0}, within(1e-12));
        assertThat(project(-3, -3)).containsExactly(new double[] {0.5, 0.5}, within(1e-12));
    }

    private static double[] project(double... values) {
        return new Estimate(values, values, values, values).onSimplex();
    }
}
