package dev.purser.collection;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class EstimateTests {
    @Test
    void intervalsAreByChebyshevForFewReportsAndNormalForMany() {
        double[] variance = {4};
        assertThat(Estimate.of(new double[] {0}, variance, 999, 0.04).halfWidths()[0])
                .isCloseTo(10, within(1e-12));
        assertThat(Estimate.of(new double[] {0}, variance, 1000, 0.05).halfWidths()[0])
                .isCloseTo(2 * 1.959963984540054, within(1e-9));
        assertThat(Estimate.of(new double[5], new double[] {1, 1, 1, 1, 1}, 1000, 0.05)
                        .halfWidths())
                .as("five hold together")
                .containsOnly(new double[] {2.5758293035489}, within(1e-9));
    }

    @Test
    void theProjectionIsTheNearestPointOfTheSimplex() {
        assertThat(project(0.2, 0.3, 0.5)).containsExactly(new double[] {0.2, 0.3, 0.5}, within(1e-12));
        assertThat(project(1.2, -0.1, -0.1)).containsExactly(new double[] {1, 0, 0}, within(1e-12));
        assertThat(project(0.6, 0.6, -0.5)).containsExactly(new double[] {0.5, 0.5, 0}, within(1e-12));
        assertThat(project(-3, -3)).containsExactly(new double[] {0.5, 0.5}, within(1e-12));
    }

    private static double[] project(double... values) {
        return new Estimate(values, values, values).onSimplex();
    }
}
