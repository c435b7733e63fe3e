package dev.purser.collection;

import org.junit.jupiter.api.Test;

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

    /** With an epsilon of 10, a report of a category says 1 with probability 1/2, and of another one almost never. */
    @Test
    void anIntervalOfAShareHasTheSharesThatAreNearEnoughByTheirOwnVariance() {
        double atZero = 0.0002;
        double atOne = 0.1;
        Estimate estimate = Estimate.ofShares(new double[] {0, 0.2}, atZero, atOne, 10, 0.1);
        for (int i = 0; i < 2; i++) {
            for (double end : new double[] {estimate.lows()[i], estimate.highs()[i]}) {
                assertThat(Math.abs(estimate.values()[i] - end))
                        .isCloseTo(Math.sqrt((atZero + (atOne - atZero) * end) / 0.05), within(1e-12));
            }
        }
        assertThat(estimate.highs()[0]).as("nothing was seen, of few devices").isGreaterThan(1);
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
