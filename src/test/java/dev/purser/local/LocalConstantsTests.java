package dev.purser.local;

import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /** The largest contribution of the continuous mechanism, of which {@link Piecewise} is the discrete form. */
    private static double continuousBound(double epsilon) {
        return 1 / Math.tanh(epsilon / 4);
    }

    /**
     * The continuous variance at a value from -1 to 1: {@code v²/(h - 1) + (h + 3)/(3(h - 1)²)} with
     * {@code h = e^(ε/2)}.
     */
    private static double continuousVariance(double v, double epsilon) {
        double excess = Math.expm1(epsilon / 2);
        return v * v / excess + (excess + 4) / (3 * excess * excess);
    }

    @Test
    void areTheKnownOnes() {
        assertKnown(new GeneralizedRandomizedResponse(2, Epsilon.parse("0.75")).keepProbability(), 0.679178699175393);
        assertKnown(
                new LeveledResponse(List.of(Epsilon.parse("2"), Epsilon.parse("1"))).conversionKeepProbability(1, 2),
                0.803388066758518);
        assertKnown(continuousBound(1), 4.0829881650736);
        assertKnown(continuousVariance(0.5, 1), 4.06747689014109);
        assertKnown(new Harmony(Epsilon.parse("1")).magnitude(), 2.16395341373865);
        assertKnown(new LeveledResponse(FIVE_LEVELS).loss(), 9.04410814134198);
    }

    /** Compared with constants that are known to seven digits. */
    @Test
    void ofFrequenciesAreTheKnownOnes() {
        Epsilon one = Epsilon.parse("1");
        assertVariance(new GeneralizedRandomizedResponse(1000, one), 3.389402e-03);
        assertVariance(new OptimizedUnaryEncoding(1000, one), 3.682694e-05);
        assertVariance(new HadamardResponse(1000, one), 4.682694e-05);
        // onto 4 values
        double own = Math.E / (Math.E + 3);
        assertVariance(new OptimizedLocalHashing(1000, one), 3.0 / 16 / Math.pow(own - 0.25, 2) / 100_000);
    }

    private static void assertVariance(FrequencyRandomizer<?> randomizer, double known) {
        assertThat(randomizer.frequencyVariance(0, 100_000)).isEqualTo(known, within(2e-7 * known));
    }

    @ParameterizedTest
    @CsvSource({"0.000001, 2", "0.4, 2", "0.41, 3", "1, 4", "5, 149", "8, 2982"})
    void ofHashesAreOneMoreThanTheExponentialOfEpsilon(String epsilon, int values) {
        assertThat(new OptimizedLocalHashing(2, Epsilon.parse(epsilon)).values())
                .isEqualTo(values);
    }

    /** The estimate is 0 for as much support as a category has without any device of its own. */
    @Test
    void ofHashesAllowForTheImagesThatDoNotDivideEvenly() {
        int g = 2_982;
        OptimizedLocalHashing hashing = new OptimizedLocalHashing(2, OptimizedLocalHashing.MAX_EPSILON);
        long prime = Integer.MAX_VALUE;
        long squares = 0;
        for (int value = 0; value < g; value++) {
            long images = Math.ceilDiv((value + 1) * prime, g) - Math.ceilDiv(value * prime, g);
            squares += images * images;
        }
        double collision = (double) squares / prime / prime;
        double[] values = ExactReports.categories(g, 8, 0);
        double support = values[0] * collision + values[1] * (1 - collision);
        long reports = 1L << 62;
        double share = hashing.frequencies(new long[] {Math.round(support * reports), 0}, reports)[0];
        assertThat(share).isEqualTo(0, within(1e-15));
    }

    /** Also for the extreme hash functions, values and categories. */
    @Test
    void ofHashesSupportTheCategoriesWhoseHashIsTheValue() {
        for (String epsilon : List.of("0.1", "1", "3", "8")) {
            OptimizedLocalHashing hashing =
                    new OptimizedLocalHashing(OptimizedLocalHashing.MAX_CATEGORIES, Epsilon.parse(epsilon));
            int last = Integer.MAX_VALUE - 1;
            for (int value : new int[] {0, 1, hashing.values() - 1}) {
                for (HashedCategory report : List.of(
                        new HashedCategory(0, 0, value),
                        new HashedCategory(0, last, value),
                        new HashedCategory(last, last, value),
                        new HashedCategory(1, last, value),
                        new HashedCategory(last, 0, value),
                        new HashedCategory(1_234_567_890, 987_654_321, value))) {
                    assertThat(hashing.isPossible(report)).isTrue();
                    long[] tally = new long[hashing.tallies()];
                    hashing.add(report, tally, 0);
                    assertThat(tally)
                            .isEqualTo(IntStream.range(0, tally.length)
                                    .mapToLong(
                                            each -> ExactReports.hash(report, each, hashing.values()) == value ? 1 : 0)
                                    .toArray());
                }
            }
        }
    }

    /** Every category's estimate by the whole matrix, for sums of signs of all rows. */
    @ParameterizedTest
    @CsvSource({"2, 2", "7, 3", "8, 4", "100, 7"})
    void ofRowsSolveForTheShares(int k, int order) {
        HadamardResponse response = new HadamardResponse(k, Epsilon.parse("1"));
        int[][] entries = ExactReports.hadamard(order);
        assertThat(response.tallies()).isEqualTo(entries.length);
        long[] tally = IntStream.range(0, entries.length)
                .mapToLong(row -> row * row % 11 - 5)
                .toArray();
        // The sums of signs come from at least this number of reports.
        long reports = LongStream.of(tally).map(Math::abs).sum();
        double[] frequencies = response.frequencies(tally, reports);
        assertThat(frequencies).hasSize(k);
        for (int category = 0; category < k; category++) {
            int column = category + 1;
            long sum = IntStream.range(0, entries.length)
                    .mapToLong(row -> tally[row] * entries[row][column])
                    .sum();
            assertThat(frequencies[category]).isEqualTo(sum * 2.16395341373865 / reports, within(1e-11));
        }
    }

    @Test
    void ofSeveralCoordinatesAreTheMagnitudeTimesTheirNumber() {
        assertKnown(
                SampledCoordinates.harmony(5, Epsilon.parse("1")).contribution(new CoordinateReport<>(3, Sign.PLUS)),
                5 * 2.16395341373865);
        // 2 of 5 at 2.5 each
        assertKnown(SampledCoordinates.piecewise(5, Epsilon.parse("5")).scale(), 2.5);
    }

    /** The formula of the note, which holds where the first level's epsilon is above the second level's epsilon. */
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
                .isEqualTo(continuousBound(epsilon), within(1e-3 * continuousBound(epsilon)));
        for (double v : new double[] {-1, -0.5, 0, 0.3, 1}) {
            double continuous = continuousVariance(v, epsilon);
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
        // The worst variance is the variance at v = 1 or at v = 0. From this epsilon on, some share of points does
        // better than none.
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
        assertThat(leveled.largestVariance()).isEqualTo(leveled.variance(5, 0));
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
