package dev.purser.mechanism;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The true loss of two means that are not offered. The loss is the largest over all answers on a fine grid, and is
 * compared with its closed form. Values in [0, 1], continuous Laplace noise.
 */
class NotOfferedLossTests {
    private static final int STEPS = 1_000_000;

    private static double largest(DoubleUnaryOperator lossAt) {
        double largest = 0;
        for (int i = 0; i <= STEPS; i++) {
            largest = Math.max(largest, Math.abs(lossAt.applyAsDouble((double) i / STEPS)));
        }
        return largest;
    }

    /**
     * The mean over the true count, drawn again until it lies in the range: ε + ln((2 − e^−ε − e^−(n−1)ε)/(1 − e^−nε)).
     */
    @Test
    void drawingUntilTheMeanIsInTheRangeLosesMoreThanEpsilon() {
        int n = 10;
        double epsilon = 0.5;
        double loss =
                largest(answer -> logTruncated(answer, 0, n * epsilon) - logTruncated(answer, 1.0 / n, n * epsilon));

        assertThat(loss).isCloseTo(0.830553181581605, within(1e-12));
    }

    private static double logTruncated(double answer, double mean, double rate) {
        double inside = 2 - Math.exp(-rate * mean) - Math.exp(-rate * (1 - mean));
        return -rate * Math.abs(answer - mean) - Math.log(inside);
    }

    /** The mean over the true count, where a row may be added: ln((n + 1)/n) + ε·n/(n + 1), at the new mean. */
    @Test
    void theTrueCountTellsOfAnAddedRow() {
        int n = 1;
        double epsilon = 0.1;
        double loss = largest(
                answer -> logDensity(answer, 0, n * epsilon) - logDensity(answer, 1.0 / (n + 1), (n + 1) * epsilon));

        assertThat(loss).isCloseTo(0.743147180559945, within(1e-12));
    }

    private static double logDensity(double answer, double mean, double rate) {
        return Math.log(rate / 2) - rate * Math.abs(answer - mean);
    }
}
