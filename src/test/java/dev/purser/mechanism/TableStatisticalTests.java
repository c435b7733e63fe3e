package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Function;
import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyAllowance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often all intervals of a table hold together, with groups of no row up to 10,000 rows. If the true rate is beta,
 * the observed rate is farther off than is accepted with probability 1e-5.
 */
class TableStatisticalTests {
    private static final int[] SIZES = {0, 1, 2, 5, 20, 100, 1_000, 10_000};
    private static final int FEW = 400;
    private static final int MANY = 2_000;
    private static final double BETA = 0.05;

    private static final Measure PERCENT = new Measure("x", Grid.ONE, 0, 0, 101);
    private static final List<Aggregate> AGGREGATES = Arrays.stream(Function.values())
            .filter(function -> function != Function.UNITS)
            .map(function -> new Aggregate(function, function == Function.COUNT ? null : PERCENT, 1))
            .toList();

    static Stream<PrivacyAllowance> allowances() {
        return Stream.of(
                new PrivacyAllowance.Pure(Epsilon.parse("1")),
                new PrivacyAllowance.Approximate(Epsilon.parse("0.5"), Delta.parse("0.000001")),
                new PrivacyAllowance.Concentrated(Epsilon.parse("1")));
    }

    @ParameterizedTest
    @MethodSource("allowances")
    void allIntervalsHoldTogether(PrivacyAllowance allowance) {
        assertAllIntervalsHold(allowance, FEW);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("allowances")
    void allIntervalsHoldTogetherInManyReleases(PrivacyAllowance allowance) {
        assertAllIntervalsHold(allowance, MANY);
    }

    private static void assertAllIntervalsHold(PrivacyAllowance allowance, int releases) {
        NoisyTable table = new NoisyTable(
                allowance, AGGREGATES, new NoisyTable.Shape(SIZES.length, false), SmallData.REPLACE_ROW, BETA);
        assertMissesNoMoreThanStated(table, truths(), releases);
    }

    private static long valueOf(int group, int row) {
        return (37L * row + group) % 102;
    }

    private static double[] valuesOf(int group) {
        return IntStream.range(0, SIZES[group])
                .mapToDouble(row -> valueOf(group, row))
                .toArray();
    }

    /** Checks how often not all intervals hold. */
    private static void assertMissesNoMoreThanStated(NoisyTable table, List<List<Double>> truths, int releases) {
        List<long[]> rows = new ArrayList<>();
        for (int group = 0; group < SIZES.length; group++) {
            for (int i = 0; i < SIZES[group]; i++) {
                rows.add(new long[] {valueOf(group, i), group});
            }
        }
        SmallData data = new SmallData(List.of(new SmallData.View(0, row -> true, SIZES.length, row -> (int) row[1])));
        Sensitive<List<Buckets>> exact = data.sensitive(table, rows);
        int missed = 0;
        for (int seed = 0; seed < releases; seed++) {
            missed += holds(table.release(exact, new SeededBits(seed)), truths) ? 0 : 1;
        }
        assertThat((double) missed / releases).isLessThan(BETA + 4.27 * Math.sqrt(BETA * (1 - BETA) / releases));
    }

    @ParameterizedTest
    @MethodSource("allowances")
    void allIntervalsOfSharesHoldTogether(PrivacyAllowance allowance) {
        assertAllIntervalsOfSharesHold(allowance, FEW);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("allowances")
    void allIntervalsOfSharesHoldTogetherInManyReleases(PrivacyAllowance allowance) {
        assertAllIntervalsOfSharesHold(allowance, MANY);
    }

    /** Four shares of one column that overlap, as sums of nine cells, of groups of no row up to 10,000 rows. */
    private static void assertAllIntervalsOfSharesHold(PrivacyAllowance allowance, int releases) {
        long[][] ranges = {{0, 30}, {10, 60}, {20, 90}, {50, 52}};
        List<Aggregate> shares = Arrays.stream(ranges)
                .map(range -> new Aggregate(
                        Function.MEAN,
                        Measure.whether(
                                "x",
                                new Statistic.RowsWithin(0, List.of(new Statistic.Count(0, true, range[0], range[1])))),
                        1))
                .toList();
        NoisyTable table = new NoisyTable(
                allowance, shares, new NoisyTable.Shape(SIZES.length, false), SmallData.ADD_OR_REMOVE_ROW, BETA);
        List<List<Double>> truths = new ArrayList<>();
        for (int group = 0; group < SIZES.length; group++) {
            double[] values = valuesOf(group);
            truths.add(Arrays.stream(ranges)
                    .map(range -> Arrays.stream(values)
                            .map(x -> x >= range[0] && x < range[1] ? 1 : 0)
                            .average()
                            .orElse(Double.NaN))
                    .toList());
        }
        assertMissesNoMoreThanStated(table, truths, releases);
    }

    private static List<List<Double>> truths() {
        List<List<Double>> truths = new ArrayList<>();
        for (int group = 0; group < SIZES.length; group++) {
            double[] values = valuesOf(group);
            // An empty group has no mean and no variance.
            double mean = Arrays.stream(values).average().orElse(Double.NaN);
            double variance = Arrays.stream(values)
                    .map(x -> (x - mean) * (x - mean))
                    .average()
                    .orElse(Double.NaN);
            truths.add(
                    List.of((double) values.length, Arrays.stream(values).sum(), mean, variance, Math.sqrt(variance)));
        }
        return truths;
    }

    private static boolean holds(NoisyTable.Answer answer, List<List<Double>> truths) {
        for (int group = 0; group < truths.size(); group++) {
            for (int i = 0; i < truths.get(group).size(); i++) {
                IntervalEstimate estimate = answer.groups().get(group).get(i);
                double truth = truths.get(group).get(i);
                if (truth < estimate.low().doubleValue() - 1e-9
                        || truth > estimate.high().doubleValue() + 1e-9) {
                    return false;
                }
            }
        }
        return true;
    }
}
