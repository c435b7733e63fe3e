package dev.purser.local;

import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** The public constants, against numbers that were computed elsewhere. */
class LocalConstantsTests {
    private static final List<Epsilon> FIVE_LEVELS = IntStream.of(5, 4, 3, 2, 1)
            .mapToObj(Integer::toString)
            .map(Epsilon::parse)
            .toList();

    private static void assertKnown(double value, double known) {
        assertThat(value).isEqualTo(known, within(1e-12 * known));
    }

    @Test
    void areTheKnownOnes() {
        assertKnown(new GeneralizedRandomizedResponse(2, Epsilon.parse("0.75")).keepProbability(), 0.679178699175393);
        assertKnown(
                new LeveledResponse(List.of(Epsilon.parse("2"), Epsilon.parse("1"))).conversionKeepProbability(1, 2),
                0.803388066758518);
        assertKnown(Piecewise.continuousBound(1), 4.0829881650736);
        assertKnown(Piecewise.continuousVariance(0.5, 1), 4.06747689014109);
        assertKnown(new Harmony(Epsilon.parse("1")).magnitude(), 2.16395341373865);
        assertKnown(new LeveledResponse(FIVE_LEVELS).loss(), 9.04410814134198);
    }

    @Test
    void ofSeveralCoordinatesAreTheMagnitudeTimesTheirNumber() {
        assertKnown(
                SampledCoordinates.harmony(5, Epsilon.parse("1")).contribution(new CoordinateReport<>(3, Sign.PLUS)),
                5 * 2.16395341373865);
        // 2 of 5 at 2.5 each
        assertKnown(SampledCoordinates.piecewise(5, Epsilon.parse("5")).scale(), 2.5);
    }

    /** The formula of the note, which holds where the first level's epsilon is above the second's. */
    @Test
    void ofLevelsAreAttainedByTheFirstTwo() {
        double[] epsilons = {1.3, 1.1, 0.9, 0.2};
        LeveledResponse leveled = new LeveledResponse(
                List.of(Epsilon.parse("1.3"), Epsilon.parse("1.1"), Epsilon.parse("0.9"), Epsilon.parse("0.2")));
        assertKnown(
                leveled.loss(), 2 * epsilons[0] - Math.log((Math.exp(epsilons[0]) + 3) / (Math.exp(epsilons[1]) + 3)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.000001", "0.1", "1", "4", "10"})
    void ofPointsSolveForTheStartOfTheBand(String text) {
        Piecewise piecewise = new Piecewise(Epsilon.parse(text));
        double epsilon = Double.parseDouble(text);
        double bound = piecewise.contribution(new Point(Piecewise.POINTS - 1));
        double furthest = 0;
        for (int point = 0; point < Piecewise.POINTS; point++) {
            double off = piecewise.contribution(new Point(point)) - ExactReports.value(epsilon, point);
            furthest = Math.max(furthest, Math.abs(off));
        }
        // Relative to the bound: solving cancels at a small epsilon, and e^-epsilon itself has 1e-16 only.
        assertThat(furthest).isLessThan(1e-9 * bound);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.1", "0.5", "1", "2.5", "4", "6"})
    void ofPointsAreThoseOfTheContinuousMechanismToAThousandth(String text) {
        Piecewise piecewise = new Piecewise(Epsilon.parse(text));
        double epsilon = Double.parseDouble(text);
        assertThat(piecewise.contribution(new Point(Piecewise.POINTS - 1)))
                .isEqualTo(Piecewise.continuousBound(epsilon), within(1e-3 * Piecewise.continuousBound(epsilon)));
        for (double v : new double[] {-1, -0.5, 0, 0.3, 1}) {
            double continuous = Piecewise.continuousVariance(v, epsilon);
            assertThat(piecewise.variance(v)).isEqualTo(continuous, within(1e-3 * continuous));
        }
    }

    /** Also between two starts of the band, where its random rounding adds a millionth. */
    @ParameterizedTest
    @ValueSource(strings = {"0.5", "6", "10"})
    void ofPointsHaveTheVarianceOfTheirDistribution(String text) {
        Piecewise piecewise = new Piecewise(Epsilon.parse(text));
        for (double above : new double[] {0, 1.0 / 3, 0.5, 0.700001}) {
            double[] points = ExactReports.points(Double.parseDouble(text), above);
            double v = 2 * above - 1;
            double variance = IntStream.range(0, points.length)
                    .mapToDouble(point -> points[point] * Math.pow(piecewise.contribution(new Point(point)) - v, 2))
                    .sum();
            assertThat(piecewise.variance(v)).isEqualTo(variance, within(1e-10 * variance));
        }
    }

    @Test
    void ofHybridChangeWhereItsTwoPartsAreEquallyGood() {
        assertThat(Hybrid.LEAST_EPSILON_WITH_POINTS).isEqualTo(0.61, within(0.005));
        // Its worst variance is that of v = 1 or of v = 0; from there on some share of points does better
        // than none.
        Hybrid above = new Hybrid(Epsilon.parse("0.62"));
        Harmony signs = new Harmony(Epsilon.parse("0.62"));
        Piecewise points = new Piecewise(Epsilon.parse("0.62"));
        double worst = Math.max(above.variance(0), above.variance(1));
        assertThat(worst).isLessThan(signs.variance(0)).isLessThan(points.variance(1));
        assertThat(new Hybrid(Epsilon.parse("0.6")).signShare()).isEqualTo(1);
    }

    @Test
    void ofFiveEqualFifthsGiveTheVarianceOfHierA() {
        // Values uniform on [-1, 1], levels by fifths from below, epsilon 0.5 times {5, 4, 3, 2, 1}: 4.076
        // for a device.
        LeveledResponse leveled = new LeveledResponse(IntStream.of(5, 4, 3, 2, 1)
                .mapToObj(times -> new Epsilon(times * 500_000_000L))
                .toList());
        double sum = 0;
        int parts = 100_000;
        for (int i = 0; i < parts; i++) {
            double above = (i + 0.5) / parts;
            sum += leveled.variance((int) (above * 5) + 1, 2 * above - 1);
        }
        assertThat(sum / parts).isEqualTo(4.076, within(6e-4));
    }

    @Test
    void ofLevelConversionKeepAnEstimateUnbiased() {
        // r (2 p_i - 1) - (1 - r)(2 p_i - 1) = 2 p_j - 1.
        LeveledResponse leveled = new LeveledResponse(FIVE_LEVELS);
        for (int from = 1; from <= 5; from++) {
            assertThat(leveled.conversionKeepProbability(from, from)).isEqualTo(1);
            for (int to = from; to <= 5; to++) {
                double kept = 2 * leveled.conversionKeepProbability(from, to) - 1;
                assertThat(kept / Math.tanh((6 - to) / 2.0)).isEqualTo(1 / Math.tanh((6 - from) / 2.0), within(1e-12));
            }
        }
    }
}
