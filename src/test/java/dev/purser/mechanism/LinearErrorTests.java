package dev.purser.mechanism;

import dev.purser.mechanism.CellWeights.Run;
import dev.purser.mechanism.LinearError.Part;
import dev.purser.mechanism.SynopsisShapes.Asked;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Variances and bounds of random questions, against coefficients that are computed with matrices. */
class LinearErrorTests {
    static final List<SynopsisShapes.Shape> LAPLACE = SynopsisShapes.LAPLACE;
    static final List<SynopsisShapes.Shape> GAUSSIAN = SynopsisShapes.GAUSSIAN;

    private static final int QUESTIONS = 30;
    private static final double GRID = 0.01;

    /** The best value on the grid times this number is at most the best of all values. */
    private static final double NEAR = 0.995;

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
                double[] chernoff = chernoff(scales);
                for (int each = 0; each < BETAS.length; each++) {
                    double beta = BETAS[each];
                    assertThat(error.bound(asked.parts(), beta))
                            .as("%s, columns %s, question %s, beta %s", shape, divided, asked.parts(), beta)
                            .isGreaterThanOrEqualTo(
                                    Math.min(chernoff[each], mostlyOne(scales, shape, beta)) * (1 - 1e-6));
                }
            }
        }
    }

    /** For each beta, the best s for the exact product of the moments of continuous noises, on a fine grid. */
    private static double[] chernoff(double[] scales) {
        double largest = Arrays.stream(scales).max().orElseThrow();
        double[] best = new double[BETAS.length];
        Arrays.fill(best, largest == 0 ? 0 : Double.POSITIVE_INFINITY);
        for (double u = GRID; largest > 0 && u < 1; u += GRID) {
            double s = u / largest;
            double log =
                    Arrays.stream(scales).map(c -> -Math.log1p(-c * c * s * s)).sum();
            for (int i = 0; i < best.length; i++) {
                best[i] = Math.min(best[i], (Math.log(2 / BETAS[i]) + log) / s * NEAR);
            }
        }
        return best;
    }

    /** Bounds one noise by its own tail and the others by the exact product. For single cells only. */
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
        // p is e^(−1/b) of the noise itself. The largest p of all noises makes the least bound.
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

    /** The same cells with Laplace noise of scale 2 and with Gaussian noise of deviation 6. */
    @Test
    void gaussianNoiseBesideLaplaceNoiseCounts() {
        List<Hierarchy> columns = List.of(Hierarchy.flat(4));
        Grain cells = new Grain(List.of(0));
        Precision.Measurement laplace = SynopsisShapes.measurement(cells, 2, true);
        Precision.Measurement gaussian = SynopsisShapes.measurement(cells, 6, false);
        CellWeights ones = CellWeights.ones(columns.getFirst());
        double share = 36 / (36 + laplace.variance());
        double main = 2 * share;
        double ofGaussian = Math.pow(6 * (1 - share), 2);
        double least = main * (Math.log(2 / ((1 + Math.exp(-0.5)) * 0.05)) + ofGaussian / (2 * main * main));
        for (List<Precision.Measurement> both : List.of(List.of(laplace, gaussian), List.of(gaussian, laplace))) {
            LinearError error = new LinearError(new Precision(columns, both), List.of(0));
            List<Part> oneCell = List.of(new Part(ones, List.of(new Run(1, 2))));
            assertThat(error.bound(oneCell, 0.05)).isBetween(least, 1.1 * least);
            List<Part> twoCells = List.of(new Part(ones, List.of(new Run(1, 3))));
            assertThat(error.bound(twoCells, 0.05)).isGreaterThan(TailBound.gaussian(error.variance(twoCells), 0.05));
        }
    }
}
