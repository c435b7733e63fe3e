package dev.purser.mechanism;

import dev.purser.mechanism.SynopsisShapes.Asked;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Variances and bounds of random questions, against coefficients that are computed with matrices. */
class LinearErrorTests {
    static final List<SynopsisShapes.Shape> LAPLACE = SynopsisShapes.all(true);
    static final List<SynopsisShapes.Shape> GAUSSIAN = SynopsisShapes.all(false);

    private static final int QUESTIONS = 30;
    private static final double[] BETAS = {0.05, 1e-7};

    @ParameterizedTest
    @FieldSource("LAPLACE")
    void boundsAreNoSmallerThanThoseOfTheExactCoefficients(SynopsisShapes.Shape shape) {
        DenseLeastSquares dense = shape.dense();
        SplittableRandom random = new SplittableRandom(shape.name().hashCode());
        for (List<Integer> divided : shape.divided()) {
            LinearError error = new LinearError(shape.precision(), divided);
            for (int i = 0; i < QUESTIONS; i++) {
                Asked asked = SynopsisShapes.random(shape, divided, dense, random);
                double variance = dense.variance(asked.cells());
                assertThat(error.variance(asked.parts()))
                        .as("%s, question %s", shape, asked.parts())
                        .isCloseTo(variance, Offset.offset(1e-9 * (1 + variance)));
                double[] scales = dense.scales(asked.cells());
                for (double beta : BETAS) {
                    double least = Math.min(chernoff(scales, beta), mostlyOne(scales, shape, beta));
                    assertThat(error.bound(asked.parts(), beta))
                            .as("%s, columns %s, question %s, beta %s", shape, divided, asked.parts(), beta)
                            .isGreaterThanOrEqualTo(least * (1 - 1e-6));
                }
            }
        }
    }

    /** The best s for the exact product of the continuous moment generating functions, on a fine grid. */
    private static double chernoff(double[] scales, double beta) {
        double largest = Arrays.stream(scales).max().orElseThrow();
        if (largest == 0) {
            return 0;
        }
        double best = Double.POSITIVE_INFINITY;
        for (double u = 0.005; u < 1; u += 0.005) {
            double s = u / largest;
            double log =
                    Arrays.stream(scales).map(c -> -Math.log1p(-c * c * s * s)).sum();
            best = Math.min(best, (Math.log(2 / beta) + log) / s);
        }
        // The grid is this close to the best.
        return best * (1 - 1e-3);
    }

    /** One noise by its own tail, the others by the exact product; for single cells alone. */
    private static double mostlyOne(double[] scales, SynopsisShapes.Shape shape, double beta) {
        double[] sorted = Arrays.stream(scales).sorted().toArray();
        double main = sorted[sorted.length - 1];
        if (main == 0) {
            return 0;
        }
        double log = IntStream.range(0, sorted.length - 1)
                .mapToDouble(i -> Math.log1p(-Math.pow(Math.min(1, sorted[i] / main), 2)))
                .sum();
        double greatestScale = shape.measured().stream()
                .mapToDouble(Precision.Measurement::laplaceScale)
                .max()
                .orElseThrow();
        // p is e^(−1/b) of the noise itself; the largest that there is makes the least bound.
        return main * (Math.log(2 / ((1 + Math.exp(-1 / greatestScale)) * beta)) - log);
    }

    @ParameterizedTest
    @FieldSource("GAUSSIAN")
    void gaussianBoundsAreThoseOfTheExactVariance(SynopsisShapes.Shape shape) {
        DenseLeastSquares dense = shape.dense();
        SplittableRandom random = new SplittableRandom(shape.name().hashCode());
        for (List<Integer> divided : shape.divided()) {
            LinearError error = new LinearError(shape.precision(), divided);
            for (int i = 0; i < QUESTIONS; i++) {
                Asked asked = SynopsisShapes.random(shape, divided, dense, random);
                double exact = Math.sqrt(dense.variance(asked.cells()) * 2 * Math.log(40));
                assertThat(error.bound(asked.parts(), 0.05)).isCloseTo(exact, Offset.offset(1e-6 * (1 + exact)));
            }
        }
    }
}
