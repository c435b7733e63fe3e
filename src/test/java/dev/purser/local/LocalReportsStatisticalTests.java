package dev.purser.local;

import dev.purser.noise.GoodnessOfFit;
import dev.purser.noise.RandomBits;
import dev.purser.noise.SecureBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Compares reports with their exact distributions: 25,000 draws, chi-square, false alarm 1e-6 for each. Compares
 * contributions with the value and the stated variance: 25,000 draws, five standard deviations of the mean and of the
 * mean square, false alarm 6e-7 for each of the two.
 */
class LocalReportsStatisticalTests {
    private static final double SIGMAS = 5;

    /** The number of draws of each case. */
    int draws() {
        return 25_000;
    }

    private <V, R> void assertFits(
            LocalRandomizer<V, R> randomizer, V value, ToIntFunction<R> cell, double[] probabilities) {
        assertFits(randomizer, value, cell, probabilities, new SeededBits(31));
    }

    private <V, R> void assertFits(
            LocalRandomizer<V, R> randomizer, V value, ToIntFunction<R> cell, double[] probabilities, RandomBits bits) {
        long[] observed = new long[probabilities.length];
        boolean allPossible = true;
        for (int i = 0; i < draws(); i++) {
            R report = randomizer.report(value, bits);
            allPossible &= randomizer.isPossible(report);
            observed[cell.applyAsInt(report)]++;
        }
        assertThat(allPossible).isTrue();
        GoodnessOfFit.assertFits(observed, probabilities);
    }

    /** Checks a number that each draw gives: its mean, and its mean square about the mean. */
    private <V, R> void assertMoments(
            LocalRandomizer<V, R> randomizer, V value, ToDoubleFunction<R> number, double mean, double variance) {
        RandomBits bits = new SeededBits(37);
        double sum = 0;
        double squares = 0;
        double fourths = 0;
        for (int i = 0; i < draws(); i++) {
            double off = number.applyAsDouble(randomizer.report(value, bits)) - mean;
            sum += off;
            squares += off * off;
            fourths += off * off * off * off;
        }
        assertThat(sum / draws()).as("mean").isEqualTo(0, within(SIGMAS * Math.sqrt(variance / draws())));
        double ofSquare = Math.max(0, fourths / draws() - variance * variance);
        assertThat(squares / draws())
                .as("variance")
                .isEqualTo(variance, within(SIGMAS * Math.sqrt(ofSquare / draws()) + 1e-9 * variance));
    }

    private <R> void assertUnbiased(NumericRandomizer<R> randomizer, Position value) {
        double v = 2.0 * value.part() / value.width() - 1;
        assertMoments(randomizer, value, randomizer::contribution, v, randomizer.variance(v));
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 0", "2, 0.1, 1", "5, 1, 2", "9, 3, 8"})
    void areCategoriesWithTheirProbabilities(int k, String epsilon, int truth) {
        GeneralizedRandomizedResponse response = new GeneralizedRandomizedResponse(k, Epsilon.parse(epsilon));
        double[] exact = ExactReports.categories(k, Double.parseDouble(epsilon), truth);
        assertFits(response, truth, category -> category, exact);
        assertFits(response, truth, category -> category, exact, new SecureBits());
        assertThat(response.keepProbability()).isEqualTo(exact[truth], within(1e-15));
        assertThat(response.otherProbability()).isEqualTo(exact[truth == 0 ? 1 : 0], within(1e-15));
        assertThat(response.informativeness())
                .isEqualTo(response.keepProbability() - response.otherProbability(), within(1e-15));
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 0", "3, 0.1, 1", "4, 3, 3"})
    void areBitsWithTheirProbabilities(int k, String epsilon, int truth) {
        assertFits(
                new OptimizedUnaryEncoding(k, Epsilon.parse(epsilon)),
                truth,
                report -> report.ones().isEmpty() ? 0 : (int) report.ones().toLongArray()[0],
                ExactReports.unary(k, Double.parseDouble(epsilon), truth));
    }

    /** The hash of the category, the hash of another one, and the value. The hashes are independent and uniform. */
    @ParameterizedTest
    @CsvSource({"2, 0.1, 0, 1", "5, 1, 3, 0", "16384, 1, 16383, 2"})
    void areHashesWithTheirProbabilities(int k, String epsilon, int truth, int other) {
        OptimizedLocalHashing hashing = new OptimizedLocalHashing(k, Epsilon.parse(epsilon));
        int g = hashing.values();
        double[] cells = new double[g * g * g];
        for (int cell = 0; cell < cells.length; cell++) {
            double[] values = ExactReports.categories(g, Double.parseDouble(epsilon), cell / g / g);
            cells[cell] = values[cell % g] / g / g;
        }
        assertFits(
                hashing,
                truth,
                report -> (ExactReports.hash(report, truth, g) * g + ExactReports.hash(report, other, g)) * g
                        + report.value(),
                cells);
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 1, 0", "3, 2, 0.1, 2", "4, 3, 3, 1", "7, 3, 1, 6"})
    void areRowsWithTheirProbabilities(int k, int order, String epsilon, int truth) {
        assertFits(
                new HadamardResponse(k, Epsilon.parse(epsilon)),
                truth,
                report -> 2 * report.row() + report.sign().ordinal(),
                ExactReports.hadamard(order, Double.parseDouble(epsilon), truth));
    }

    static List<FrequencyRandomizer<?>> frequencies() {
        Epsilon epsilon = Epsilon.parse("1.5");
        return List.of(
                new GeneralizedRandomizedResponse(3, epsilon),
                new OptimizedUnaryEncoding(3, epsilon),
                new OptimizedLocalHashing(3, epsilon),
                new HadamardResponse(3, epsilon));
    }

    /**
     * 2000 collections of 100 devices: 60 in category 0, 40 in category 1, none in 2. Each frequency is checked as the
     * numbers above.
     */
    @ParameterizedTest
    @MethodSource("frequencies")
    <R> void giveFrequenciesWithoutBiasAndTheStatedVariance(FrequencyRandomizer<R> randomizer) {
        double[] truth = {0.6, 0.4, 0};
        RandomBits bits = new SeededBits(41);
        int collections = 2000;
        double[] sum = new double[3];
        double[] squares = new double[3];
        double[] fourths = new double[3];
        for (int collection = 0; collection < collections; collection++) {
            long[] tally = new long[randomizer.tallies()];
            for (int device = 0; device < 100; device++) {
                randomizer.add(randomizer.report(device < 60 ? 0 : 1, bits), tally, 0);
            }
            double[] frequencies = randomizer.frequencies(tally, 100);
            for (int category = 0; category < 3; category++) {
                double off = frequencies[category] - truth[category];
                sum[category] += off;
                squares[category] += off * off;
                fourths[category] += off * off * off * off;
            }
        }
        for (int category = 0; category < 3; category++) {
            double variance = randomizer.frequencyVariance(truth[category], 100);
            assertThat(sum[category] / collections).isEqualTo(0, within(SIGMAS * Math.sqrt(variance / collections)));
            double ofSquare = fourths[category] / collections - variance * variance;
            assertThat(squares[category] / collections)
                    .isEqualTo(variance, within(SIGMAS * Math.sqrt(ofSquare / collections)));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 3", "1, 1, 3", "1, 3, 3", "0.1, 500, 1000", "4, 900, 1000"})
    void areSignsWithTheirProbabilities(String epsilon, long part, long width) {
        Harmony harmony = new Harmony(Epsilon.parse(epsilon));
        Position value = new Position(part, width);
        double[] exact = ExactReports.signs(Double.parseDouble(epsilon), (double) part / width);
        assertFits(harmony, value, Sign::ordinal, exact);
        assertUnbiased(harmony, value);
    }

    /** The points fall into 128 cells of 512. */
    @ParameterizedTest
    @CsvSource({"1, 0, 1", "1, 1, 1", "0.3, 1, 3", "1, 3, 8", "4, 123456789, 1000000000", "6, 999, 1000"})
    void arePointsWithTheirProbabilities(String text, long part, long width) {
        double epsilon = Double.parseDouble(text);
        Piecewise piecewise = new Piecewise(Epsilon.parse(text));
        Position value = new Position(part, width);
        double[] exact = ExactReports.points(epsilon, (double) part / width);
        double[] cells = new double[128];
        IntStream.range(0, exact.length).forEach(point -> cells[point / 512] += exact[point]);
        assertThat(piecewise.band()).isEqualTo(ExactReports.band(epsilon));
        assertFits(piecewise, value, point -> point.index() / 512, cells);
        assertUnbiased(piecewise, value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "4"})
    void arePointsOfTheBandFromItsFirstToItsLast(String text) {
        // 0 is at the middle: the start of the band is rounded from a half. Cells: below, first, inner, last, above.
        double epsilon = Double.parseDouble(text);
        int band = ExactReports.band(epsilon);
        int start = Math.floorDiv(ExactReports.POINTS - band, 2);
        double[] exact = ExactReports.points(epsilon, 0.5);
        ToIntFunction<Integer> cell = point -> point < start
                ? 0
                : point < start + band / 2 ? 1 : point < start + band ? 2 : point == start + band ? 3 : 4;
        double[] cells = new double[5];
        IntStream.range(0, exact.length).forEach(point -> cells[cell.applyAsInt(point)] += exact[point]);
        assertFits(
                new Piecewise(Epsilon.parse(text)), new Position(1, 2), point -> cell.applyAsInt(point.index()), cells);
    }

    @ParameterizedTest
    @CsvSource({"0.3, 1, 4", "0.62, 1, 1", "3, 1, 3"})
    void areSignsOrPointsWithTheirShares(String text, long part, long width) {
        double epsilon = Double.parseDouble(text);
        double above = (double) part / width;
        double share = epsilon < 0.61 ? 1 : Math.exp(-epsilon / 2);
        double[] signs = ExactReports.signs(epsilon, above);
        double[] points = ExactReports.points(epsilon, above);
        double[] cells = new double[66];
        cells[64] = share * signs[0];
        cells[65] = share * signs[1];
        IntStream.range(0, points.length).forEach(point -> cells[point / 1024] += (1 - share) * points[point]);
        Hybrid hybrid = new Hybrid(Epsilon.parse(text));
        Position value = new Position(part, width);
        assertFits(
                hybrid,
                value,
                report -> switch (report) {
                    case Sign sign -> 64 + sign.ordinal();
                    case Point point -> point.index() / 1024;
                },
                cells);
        assertUnbiased(hybrid, value);
        assertThat(hybrid.signShare()).isEqualTo(share, within(1e-15));
    }

    @ParameterizedTest
    @CsvSource({"1, 20", "0.5, 3", "4, 1", "0.01, 1000000007"})
    void areNoisyNumbersWithoutBiasAndTheStatedVariance(String epsilon, long width) {
        LocalLaplace laplace = new LocalLaplace(Epsilon.parse(epsilon), width);
        assertUnbiased(laplace, new Position(0, width));
        assertUnbiased(laplace, new Position(width - width / 3, width));
        assertUnbiased(
                new MultilevelLaplace(List.of(Epsilon.parse("7"), Epsilon.parse(epsilon)), 2, width),
                new Position(width, width));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 0", "2, 3", "3, 2"})
    void areLevelsAndSignsWithTheirProbabilities(int level, long part) {
        double[] epsilons = {3, 1, 0.5};
        LeveledResponse leveled =
                new LeveledResponse(List.of(Epsilon.parse("3"), Epsilon.parse("1"), Epsilon.parse("0.5")));
        LeveledPosition value = new LeveledPosition(level, new Position(part, 3));
        double v = 2 * part / 3.0 - 1;
        assertFits(
                leveled,
                value,
                report -> 2 * (report.level() - 1) + report.sign().ordinal(),
                ExactReports.leveled(epsilons, level, part / 3.0));
        assertMoments(leveled, value, leveled::contribution, v, leveled.variance(level, v));
        LeveledResponse oneEpsilon = new LeveledResponse(
                Epsilon.parse("0.7"), List.of(Epsilon.parse("3"), Epsilon.parse("1"), Epsilon.parse("0.5")));
        assertFits(
                oneEpsilon,
                value,
                report -> 2 * (report.level() - 1) + report.sign().ordinal(),
                ExactReports.leveled(0.7, epsilons, level, part / 3.0));
        assertMoments(oneEpsilon, value, oneEpsilon::contribution, v, oneEpsilon.variance(level, v));
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 2", "2, 1, 1", "2, 2, 0", "3, 1, 3", "3, 3, 1"})
    void areReusedWithoutBiasAndWithTheStatedVariance(int reuse, int level, long part) {
        LeveledResponse leveled =
                new LeveledResponse(List.of(Epsilon.parse("3"), Epsilon.parse("1"), Epsilon.parse("0.5")));
        HierarchicalAggregator aggregator = new HierarchicalAggregator(leveled, reuse, new SeededBits(47));
        double v = 2 * part / 3.0 - 1;
        assertMoments(
                leveled,
                new LeveledPosition(level, new Position(part, 3)),
                report -> {
                    long[] tally = new long[aggregator.tallies()];
                    aggregator.add(report, tally, 0);
                    return aggregator.contributions(tally, 0);
                },
                v,
                aggregator.variance(level, v));
    }

    @Test
    void areAnyCoordinatesEquallyOftenAndInOrder() {
        // 2 of 4 coordinates at epsilon 5: six pairs.
        SampledCoordinates<Point> points = SampledCoordinates.piecewise(4, Epsilon.parse("5"));
        double[] pairs = new double[16];
        for (int first = 0; first < 4; first++) {
            for (int second = first + 1; second < 4; second++) {
                pairs[4 * first + second] = 1.0 / 6;
            }
        }
        assertFits(
                points,
                List.of(new Position(0, 3), new Position(1, 3), new Position(2, 3), new Position(3, 3)),
                report -> 4 * report.getFirst().coordinate() + report.getLast().coordinate(),
                pairs);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void areCoordinatesWithoutBiasAndTheStatedVariance(int coordinate) {
        List<Position> values = List.of(new Position(0, 1), new Position(2, 3), new Position(7, 8));
        Position own = values.get(coordinate);
        double v = 2.0 * own.part() / own.width() - 1;
        for (SampledCoordinates<?> each : List.of(
                SampledCoordinates.harmony(3, Epsilon.parse("1")),
                SampledCoordinates.piecewise(3, Epsilon.parse("5")),
                SampledCoordinates.hybrid(3, Epsilon.parse("5")))) {
            assertCoordinate(each, values, coordinate, v);
        }
    }

    private <R> void assertCoordinate(SampledCoordinates<R> sampled, List<Position> values, int coordinate, double v) {
        assertMoments(
                sampled,
                values,
                report -> report.stream()
                        .filter(each -> each.coordinate() == coordinate)
                        .mapToDouble(sampled::contribution)
                        .sum(),
                v,
                sampled.variance(v));
    }
}
