package dev.purser.local;

import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.Rational;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The largest log ratio over whole alphabets and over values that include both ends. It is the claimed epsilon, to
 * 1e-9, and not above it. {@link ExactReports} has the probabilities. {@code LocalReportsStatisticalTests} shows that
 * reports have these probabilities. 1e-12 is for the rounding of doubles.
 */
class ExactLocalLossTests {
    private static final double ROUNDING = 1e-12;

    private static void assertIsTheLoss(Epsilon claimed, double loss) {
        assertThat(loss)
                .isLessThanOrEqualTo(claimed.nanos() / 1e9 + ROUNDING)
                .isGreaterThanOrEqualTo((claimed.nanos() - 1) / 1e9 - ROUNDING);
    }

    @ParameterizedTest
    @CsvSource({"2, 0.000001", "2, 1", "3, 0.3", "5, 1", "10, 4", "100, 0.123456789", "1000, 20"})
    void ofCategories(int k, String epsilon) {
        double[][] distributions = IntStream.range(0, k)
                .mapToObj(truth -> ExactReports.categories(k, Double.parseDouble(epsilon), truth))
                .toArray(double[][]::new);
        assertIsTheLoss(
                new GeneralizedRandomizedResponse(k, Epsilon.parse(epsilon)).epsilon(),
                ExactReports.loss(distributions));
    }

    @ParameterizedTest
    @CsvSource({"2, 0.000001", "2, 1", "3, 0.3", "5, 1", "10, 4", "10, 0.123456789"})
    void ofBits(int k, String epsilon) {
        double[][] distributions = IntStream.range(0, k)
                .mapToObj(truth -> ExactReports.unary(k, Double.parseDouble(epsilon), truth))
                .toArray(double[][]::new);
        assertIsTheLoss(
                new OptimizedUnaryEncoding(k, Epsilon.parse(epsilon)).epsilon(), ExactReports.loss(distributions));
    }

    /** 100 hash functions, each as likely as any other for every category. */
    @ParameterizedTest
    @CsvSource({"2, 0.000001", "2, 1", "20, 0.3", "20, 2", "16384, 5", "16384, 8"})
    void ofHashes(int k, String epsilon) {
        OptimizedLocalHashing hashing = new OptimizedLocalHashing(k, Epsilon.parse(epsilon));
        SeededBits bits = new SeededBits(43);
        double loss = 0;
        for (int i = 0; i < 100; i++) {
            HashedCategory drawn = hashing.report(0, bits);
            int first = ExactReports.hash(drawn, 0, hashing.values());
            int last = ExactReports.hash(drawn, k - 1, hashing.values());
            loss = Math.max(
                    loss,
                    ExactReports.loss(
                            ExactReports.categories(hashing.values(), Double.parseDouble(epsilon), first),
                            ExactReports.categories(hashing.values(), Double.parseDouble(epsilon), last)));
        }
        assertIsTheLoss(hashing.epsilon(), loss);
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 0.000001", "3, 2, 1", "4, 3, 0.3", "7, 3, 4", "100, 7, 20"})
    void ofRows(int k, int order, String epsilon) {
        double[][] distributions = IntStream.range(0, k)
                .mapToObj(truth -> ExactReports.hadamard(order, Double.parseDouble(epsilon), truth))
                .toArray(double[][]::new);
        assertIsTheLoss(new HadamardResponse(k, Epsilon.parse(epsilon)).epsilon(), ExactReports.loss(distributions));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.000001", "0.1", "1", "4", "20"})
    void ofSigns(String epsilon) {
        double[][] distributions = IntStream.rangeClosed(0, 12)
                .mapToObj(twelfths -> ExactReports.signs(Double.parseDouble(epsilon), twelfths / 12.0))
                .toArray(double[][]::new);
        assertIsTheLoss(new Harmony(Epsilon.parse(epsilon)).epsilon(), ExactReports.loss(distributions));
    }

    /** 14 values, most of them between two points, so that their bands' starts are rounded at random. */
    private static double[][] allPoints(double epsilon) {
        double[] above = {0, 1, 0.5, 1.0 / 3, 0.3, 0.7, 1e-6, 1 - 1e-6, 0.25, 0.75, 0.1, 0.9, 0.499, 0.501};
        return Arrays.stream(above)
                .mapToObj(each -> ExactReports.points(epsilon, each))
                .toArray(double[][]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.000001", "0.1", "0.5", "1", "2.5", "4", "10"})
    void ofPoints(String epsilon) {
        assertIsTheLoss(
                new Piecewise(Epsilon.parse(epsilon)).epsilon(),
                ExactReports.loss(allPoints(Double.parseDouble(epsilon))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.62", "1", "4"})
    void ofSignsOrPoints(String text) {
        double epsilon = Double.parseDouble(text);
        double share = Math.exp(-epsilon / 2);
        List<double[]> distributions = new ArrayList<>();
        double[][] points = allPoints(epsilon);
        // The ends come first among the values of both kinds.
        for (int i = 0; i < points.length; i++) {
            double[] signs = ExactReports.signs(epsilon, i == 0 ? 0 : 1.0 / i);
            double[] both = Arrays.copyOf(points[i], ExactReports.POINTS + 2);
            for (int point = 0; point < ExactReports.POINTS; point++) {
                both[point] *= 1 - share;
            }
            both[ExactReports.POINTS] = share * signs[0];
            both[ExactReports.POINTS + 1] = share * signs[1];
            distributions.add(both);
        }
        assertIsTheLoss(
                new Hybrid(Epsilon.parse(text)).epsilon(), ExactReports.loss(distributions.toArray(double[][]::new)));
    }

    @ParameterizedTest
    @CsvSource({"1, 0.5", "2, 1", "3, 1", "3, 4"})
    void ofOneSampledSign(int dimensions, String epsilon) {
        // All values of -1, 0 and 1 in each coordinate.
        int values = (int) Math.pow(3, dimensions);
        double[][] distributions = new double[values][2 * dimensions];
        for (int value = 0; value < values; value++) {
            int rest = value;
            for (int coordinate = 0; coordinate < dimensions; coordinate++) {
                double[] signs = ExactReports.signs(Double.parseDouble(epsilon), rest % 3 / 2.0);
                distributions[value][2 * coordinate] = signs[0] / dimensions;
                distributions[value][2 * coordinate + 1] = signs[1] / dimensions;
                rest /= 3;
            }
        }
        assertIsTheLoss(
                SampledCoordinates.harmony(dimensions, Epsilon.parse(epsilon)).epsilon(),
                ExactReports.loss(distributions));
    }

    /** Given which coordinates were drawn, their reports are independent: the largest ratios multiply. */
    @ParameterizedTest
    @CsvSource({"1, 7, 1", "2, 4.999999999, 1", "2, 5, 2", "3, 5, 2", "3, 20, 3", "10, 20, 8"})
    void ofSampledPoints(int dimensions, String text, int sampled) {
        SampledCoordinates<Point> points = SampledCoordinates.piecewise(dimensions, Epsilon.parse(text));
        assertThat(points.sampled()).isEqualTo(sampled);
        assertThat(SampledCoordinates.hybrid(dimensions, Epsilon.parse(text)).sampled())
                .isEqualTo(sampled);
        double each = Double.parseDouble(text) / sampled;
        assertIsTheLoss(points.epsilon(), sampled * ExactReports.loss(allPoints(each)));
    }

    @ParameterizedTest
    @CsvSource({"1, 20", "0.5, 3", "4, 1", "0.1, 1000"})
    void ofLaplaceNoise(String text, int width) {
        LocalLaplace laplace = new LocalLaplace(Epsilon.parse(text), width);
        assertThat(laplace.scale())
                .isEqualTo(Rational.of(width, 1)
                        .dividedBy(Rational.of(Epsilon.parse(text).nanos(), Epsilon.NANOS_PER_UNIT)));
        DiscreteLaplacePmf pmf = new DiscreteLaplacePmf(width / Double.parseDouble(text));
        double[][] distributions = IntStream.rangeClosed(0, width)
                .mapToObj(part -> IntStream.rangeClosed(-5 * width, 6 * width)
                        .mapToDouble(report -> pmf.probability(report - part))
                        .toArray())
                .toArray(double[][]::new);
        assertIsTheLoss(laplace.epsilon(), ExactReports.loss(distributions));
        assertIsTheLoss(
                new MultilevelLaplace(List.of(Epsilon.ZERO, Epsilon.parse(text)), 2, width).epsilon(),
                ExactReports.loss(distributions));
    }

    private static double looseLoss(double[] epsilons) {
        List<double[]> distributions = new ArrayList<>();
        for (int level = 1; level <= epsilons.length; level++) {
            for (double above : new double[] {0, 0.5, 1}) {
                distributions.add(ExactReports.leveled(epsilons, level, above));
            }
        }
        return ExactReports.loss(distributions.toArray(double[][]::new));
    }

    private static List<Epsilon> parsed(String epsilons) {
        return Arrays.stream(epsilons.split(" ")).map(Epsilon::parse).toList();
    }

    /**
     * All levels with values -1, 0 and 1 against each other. The last column is the loss where it is known from
     * elsewhere, and otherwise 0.
     */
    @ParameterizedTest
    @CsvSource({
        "5 4 3 2 1, 9.044108142",
        "0.5 0.4 0.3 0.2 0.1, 0.971831",
        "1.25 1 0.75 0.5 0.25, 2.391218",
        "2.5 2 1.5 1 0.5, 4.648723",
        "10 8 6 4 2, 18.001159",
        "0.2 0.175 0.15 0.125 0.1, 0.394208",
        "0.5 0.4375 0.375 0.3125 0.25, 0.982158",
        "1 0.875 0.75 0.625 0.5, 1.951290",
        "2 1.75 1.5 1.25 1, 3.845086",
        "4 3.5 3 2.5 2, 7.543330",
        "1 1, 2",
        "0.3 0.3 0.3, 0.6",
        "3 0.000001, 0",
        "3 3 0.1, 0",
        "3 2.999999999 2.999999998, 0",
        "20 1 0.5 0.1, 0"
    })
    void ofLevelsAndSigns(String text, double known) {
        List<Epsilon> epsilons = parsed(text);
        LeveledResponse leveled = new LeveledResponse(epsilons);
        double loss = looseLoss(
                epsilons.stream().mapToDouble(each -> each.nanos() / 1e9).toArray());
        assertIsTheLoss(leveled.epsilon(), loss);
        assertThat(Math.abs(leveled.loss() - loss)).isLessThan(1e-11);
        // Rounded up, never down, whatever doubles make of the ninth digit.
        assertThat(leveled.epsilon().nanos() / 1e9).isGreaterThanOrEqualTo(loss - ROUNDING);
        assertThat(known == 0 || Math.abs(loss - known) < 6e-7).isTrue();
    }

    /** With one epsilon for all levels, the loss is this plus the largest epsilon of the signs, to the last digit. */
    @ParameterizedTest
    @CsvSource({"1, 5 4 3 2 1, 6", "0.3, 0.5 0.4, 0.8", "2, 0.2 0.2 0.1, 2.2", "0.000001, 3 1, 3.000001"})
    void ofLevelsAtOneEpsilon(String ofLevel, String ofSigns, String sum) {
        List<Epsilon> epsilons = parsed(ofSigns);
        LeveledResponse leveled = new LeveledResponse(Epsilon.parse(ofLevel), epsilons);
        double[] values =
                epsilons.stream().mapToDouble(each -> each.nanos() / 1e9).toArray();
        List<double[]> distributions = new ArrayList<>();
        for (int level = 1; level <= values.length; level++) {
            for (double above : new double[] {0, 0.5, 1}) {
                distributions.add(ExactReports.leveled(Double.parseDouble(ofLevel), values, level, above));
            }
        }
        assertIsTheLoss(leveled.epsilon(), ExactReports.loss(distributions.toArray(double[][]::new)));
        assertThat(leveled.epsilon()).isEqualTo(Epsilon.parse(sum));
        assertThat(Math.abs(leveled.loss() - Double.parseDouble(sum))).isLessThan(ROUNDING);
    }

    @ParameterizedTest
    @CsvSource({"1 1, 2", "0.3 0.3 0.3, 0.6", "5 4 3 2 1, 9.044108142"})
    void ofLevelsIsChargedInWholeNanos(String epsilons, String charge) {
        assertThat(new LeveledResponse(parsed(epsilons)).epsilon()).isEqualTo(Epsilon.parse(charge));
    }
}
