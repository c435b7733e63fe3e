package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Function;
import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

class NoisyTableTests {
    static final List<Neighborhood> NEIGHBORHOODS = Units.NEIGHBORHOODS;

    private static final Measure PERCENT = new Measure("x", Grid.ONE, 0, 0, 100);
    private static final Aggregate COUNT = new Aggregate(Function.COUNT, null, 1);

    /** Column 0 has the value, column 1 the group. */
    private static SmallData data(int groups) {
        return new SmallData(List.of(new SmallData.View(0, row -> true, groups, row -> (int) row[1])));
    }

    private static Aggregate of(Function function) {
        return new Aggregate(function, PERCENT, 1);
    }

    private static NoisyTable table(String epsilon, NoisyTable.Shape shape, Aggregate... aggregates) {
        return ServedMechanisms.table(epsilon, List.of(aggregates), shape, SmallData.ADD_OR_REMOVE_ROW);
    }

    private static List<?> parts(NoisyTable table) {
        return (List<?>) Objects.requireNonNull(table.description().parameters().get("parts"));
    }

    private static Map<?, ?> part(NoisyTable table, int index) {
        return (Map<?, ?>) parts(table).get(index);
    }

    /** F has 10, 90, 50; M has 0, 100; nothing is in X. */
    @Test
    void measuresTheThreePartsOfEveryGroupAlsoOfAnEmptyOne() {
        List<long[]> rows = List.of(
                new long[] {10, 0}, new long[] {90, 0}, new long[] {50, 0}, new long[] {0, 1}, new long[] {100, 1});
        NoisyTable exact = ServedMechanisms.table(
                "100", List.of(of(Function.VARIANCE)), new NoisyTable.Shape(3, false), SmallData.ADD_OR_REMOVE_ROW);
        List<Buckets> tables = data(3).tables(exact.statistics(), rows);
        List<List<Long>> parts = new ArrayList<>();
        for (int group = 0; group < 3; group++) {
            List<Buckets> one = List.of(tables.getFirst().group(group));
            parts.add(exact.statistics().stream()
                    .map(statistic -> statistic.of(one).longValueExact())
                    .toList());
        }
        assertThat(parts).containsExactly(List.of(3L, 0L, -2200L), List.of(2L, 0L, 10000L), List.of(0L, 0L, 0L));
    }

    @Test
    void computesWhatTheVectorStates() {
        NoisyMoments female = new NoisyMoments(PERCENT, known(3), known(0));
        NoisyMoments male = new NoisyMoments(PERCENT, known(2), known(0));
        assertThat(female.mean().value()).isEqualByComparingTo("50");
        assertThat(male.mean().low()).isEqualByComparingTo("50");
        assertThat(female.variance(known(-2200)).value()).isEqualByComparingTo("1066.6666666666667");
        assertThat(male.variance(known(10_000)).value()).isEqualByComparingTo("2500");
        assertThat(female.sum().value()).isEqualByComparingTo("150");
    }

    private static NoisyInteger known(long value) {
        return new NoisyInteger(BigInteger.valueOf(value), BigInteger.ZERO);
    }

    private static NoisyInteger within(long value, long error) {
        return new NoisyInteger(BigInteger.valueOf(value), BigInteger.valueOf(error));
    }

    @Test
    void hasTheScalesThatTheVectorStates() {
        // Claims of 2 : 2 : 3, so seven thirds of 0.9 give Q 0.9.
        NoisyTable table = table("2.1", new NoisyTable.Shape(3, false), of(Function.VARIANCE));
        assertThat(part(table, 0).get("epsilon")).isEqualTo("0.6");
        assertThat(part(table, 1).get("epsilon")).isEqualTo("0.6");
        assertThat(part(table, 2).get("epsilon")).isEqualTo("0.9");
        // In steps: S is 100 half steps, Q 5000 quarters of squared steps.
        assertThat((BigDecimal) part(table, 1).get("sensitivity")).isEqualByComparingTo("50");
        assertThat((BigDecimal) part(table, 2).get("sensitivity")).isEqualByComparingTo("1250");
    }

    /** A part's epsilon by the rule: the largest of weight times share, in nano-epsilon, the rest to the first. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0.571428572, 0.428571428", // count and mean: 4 : 3
        "1, 2, 0.4, 0.6", // 1 : 3/2
        "3, 1, 0.8, 0.2", // 3 : 3/4
    })
    void dividesEpsilonByWeightTimesShare(int ofCount, int ofMean, String rows, String sum) {
        NoisyTable table = table(
                "1",
                new NoisyTable.Shape(2, false),
                new Aggregate(Function.COUNT, null, ofCount),
                new Aggregate(Function.MEAN, PERCENT, ofMean));
        assertThat(List.of(part(table, 0).get("epsilon"), part(table, 1).get("epsilon")))
                .isEqualTo(List.of(rows, sum));
    }

    @Test
    void neverChargesMoreThanItsParts() {
        Aggregate[] all = new Aggregate[20];
        for (int i = 0; i < all.length; i++) {
            Measure measure = new Measure("x" + i, Grid.ONE, i, 0, 3 + i);
            all[i] = new Aggregate(Function.values()[1 + i % 4], measure, i == 0 ? 1000 : 1 + i * i);
        }
        for (String epsilon : List.of("0.000001", "0.000017", "0.333333333", "100")) {
            NoisyTable table = table(epsilon, new NoisyTable.Shape(7, true), all);
            BigDecimal sum = BigDecimal.ZERO;
            for (Object part : parts(table)) {
                BigDecimal own = new BigDecimal((String) ((Map<?, ?>) part).get("epsilon"));
                assertThat(own).isPositive();
                sum = sum.add(own);
            }
            assertThat(sum).isEqualByComparingTo(epsilon);
            assertThat(table.event()).isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse(epsilon)));
        }
    }

    @Test
    void oneMeanWithoutKeysIsTheCenteredMean() {
        for (Neighborhood neighborhood : NEIGHBORHOODS) {
            for (boolean filtered : new boolean[] {false, true}) {
                MeanTarget target = new MeanTarget(0, filtered, 0, 100, neighborhood);
                NoisyTable table = ServedMechanisms.table(
                        "1", List.of(of(Function.MEAN)), new NoisyTable.Shape(1, filtered), neighborhood);
                Mechanism<MeanAnswer> mean = ServedMechanisms.centeredMean("1", target);
                assertThat((BigDecimal) part(table, 0).get("scale")).isEqualByComparingTo((BigDecimal)
                        mean.description().parameters().get("countScale"));
                Description.InSteps sumScale = (Description.InSteps)
                        Objects.requireNonNull(mean.description().parameters().get("sumScale"));
                assertThat((BigDecimal) part(table, 1).get("scale")).isEqualByComparingTo(sumScale.steps());
            }
        }
    }

    /** Over all units of −2 … 2 in two groups, against what is stated. */
    @ParameterizedTest
    @FieldSource("NEIGHBORHOODS")
    void boundsHowFarAUnitMovesAllGroups(Neighborhood neighborhood) {
        for (int[] terms : new int[][] {{1, 1}, {-2, 2}, {1, 2}, {-1, 2}, {-2, -1}, {0, 0}}) {
            List<long[]> units = units(neighborhood, terms[0], terms[1]);
            long l1 = 0;
            long squaredL2 = 0;
            for (long[] one : units) {
                for (long[] other : units) {
                    boolean isNeighbor =
                            neighborhood.relation() == NeighboringRelation.REPLACE_ONE || one[0] == 0 && one[1] == 0;
                    long[] move = {one[0] - other[0], one[1] - other[1]};
                    l1 = isNeighbor ? Math.max(l1, Math.abs(move[0]) + Math.abs(move[1])) : l1;
                    squaredL2 = isNeighbor ? Math.max(squaredL2, move[0] * move[0] + move[1] * move[1]) : squaredL2;
                }
            }
            GroupSensitivity stated = GroupSensitivity.of(
                    neighborhood, true, 2, BigInteger.valueOf(terms[0]), BigInteger.valueOf(terms[1]));
            assertThat(stated).isEqualTo(new GroupSensitivity(BigInteger.valueOf(l1), BigInteger.valueOf(squaredL2)));
        }
    }

    /** All sums that up to m rows can have in two groups. */
    private static List<long[]> units(Neighborhood neighborhood, int least, int greatest) {
        List<long[]> units = new ArrayList<>(List.of(new long[] {0, 0}));
        int from = 0;
        for (int rows = 0; rows < neighborhood.unit().maxRows(); rows++) {
            int to = units.size();
            for (int i = from; i < to; i++) {
                for (int term = least; term <= greatest; term++) {
                    units.add(new long[] {units.get(i)[0] + term, units.get(i)[1]});
                    units.add(new long[] {units.get(i)[0], units.get(i)[1] + term});
                }
            }
            from = to;
        }
        return units;
    }

    /** Every group that lies in the box: its exact numbers are within the intervals. */
    @Test
    void intervalsHoldEveryGroupThatTheReleasedPartsPermit() {
        Measure measure = new Measure("x", Grid.ONE, 0, -1, 2);
        for (int size = 1; size <= 3; size++) {
            for (int code = 0; code < Math.pow(4, size); code++) {
                List<long[]> rows = new ArrayList<>();
                for (int i = 0, rest = code; i < size; i++, rest /= 4) {
                    rows.add(new long[] {rest % 4 - 1});
                }
                checkAllNearby(measure, rows);
            }
        }
    }

    private static void checkAllNearby(Measure measure, List<long[]> rows) {
        List<Buckets> tables = SmallData.ONE_COLUMN.tables(
                List.of(new Statistic.CenteredSquares(0, true, measure.lower(), measure.upper())), rows);
        long n = rows.size();
        long sum = new Statistic.CenteredSum(0, true, measure.lower(), measure.upper())
                .of(tables)
                .longValueExact();
        long squares = new Statistic.CenteredSquares(0, true, measure.lower(), measure.upper())
                .of(tables)
                .longValueExact();
        double mean = rows.stream().mapToLong(row -> row[0]).average().orElseThrow();
        double variance = rows.stream()
                .mapToDouble(row -> (row[0] - mean) * (row[0] - mean))
                .average()
                .orElseThrow();
        for (long ofRows = -2; ofRows <= 2; ofRows++) {
            for (long ofSum = -3; ofSum <= 3; ofSum += 3) {
                for (long ofSquares = -4; ofSquares <= 4; ofSquares += 4) {
                    NoisyMoments noisy = new NoisyMoments(measure, within(n + ofRows, 2), within(sum + ofSum, 3));
                    contains(noisy.mean(), mean);
                    contains(noisy.variance(within(squares + ofSquares, 4)), variance);
                    contains(noisy.variance(within(squares + ofSquares, 4)).squareRoot(), Math.sqrt(variance));
                    contains(noisy.sum(), mean * n);
                    contains(NoisyMoments.count(within(n + ofRows, 2)), n);
                }
            }
        }
    }

    private static void contains(IntervalEstimate estimate, double exact) {
        assertThat(exact)
                .as("%s", estimate)
                .isBetween(estimate.low().doubleValue() - 1e-9, estimate.high().doubleValue() + 1e-9);
        assertThat(estimate.value()).isBetween(estimate.low(), estimate.high());
    }

    @Test
    void aGroupThatMayBeEmptyHasTheWholePossibleRange() {
        NoisyMoments noisy = new NoisyMoments(PERCENT, within(5, 5), within(7, 3));
        assertThat(noisy.mean().low()).isZero();
        assertThat(noisy.mean().high()).isEqualByComparingTo("100");
        assertThat(noisy.variance(within(3, 3)).low()).isZero();
        assertThat(noisy.variance(within(3, 3)).high()).isEqualByComparingTo("2500");
        assertThat(new NoisyMoments(PERCENT, within(6, 5), within(7, 3)).mean().low())
                .isPositive();
    }

    @Test
    void dividesRhoWhereThatErrsLess() {
        List<Aggregate> aggregates = List.of(COUNT, of(Function.MEAN), of(Function.STANDARD_DEVIATION));
        NoisyTable.Shape shape = new NoisyTable.Shape(100, false);
        PrivacyAllowance approximate = new PrivacyAllowance.Approximate(Epsilon.parse("1"), Delta.parse("0.000001"));
        NoisyTable gaussian = new NoisyTable(approximate, aggregates, shape, SmallData.REPLACE_ROW, 0.05);
        assertThat(gaussian.isPure()).isFalse();
        assertThat(gaussian.event()).isEqualTo(approximate.event());
        assertThat(part(gaussian, 0).containsKey("rho")).isTrue();
        assertThat(part(gaussian, 0).containsKey("epsilon")).isFalse();

        PrivacyAllowance large = new PrivacyAllowance.Approximate(Epsilon.parse("100"), Delta.parse("0.000001"));
        NoisyTable laplace = new NoisyTable(large, aggregates, shape, SmallData.REPLACE_ROW, 0.05);
        assertThat(laplace.isPure()).isTrue();
        assertThat(laplace.event()).isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("100")));
    }

    @Test
    void expectsNoSmallerErrorsThanItMakes() {
        List<Aggregate> aggregates = List.of(COUNT, of(Function.MEAN), of(Function.VARIANCE));
        NoisyTable table = table("1", new NoisyTable.Shape(4, false), aggregates.toArray(Aggregate[]::new));
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < 4_000; i++) {
            rows.add(new long[] {i % 101, i % 4});
        }
        Sensitive<List<Buckets>> exact = data(4).sensitive(table, rows);
        int missed = 0;
        for (int seed = 0; seed < 100; seed++) {
            boolean holds = true;
            for (int group = 0; group < 4; group++) {
                double[] values = valuesOf(rows, group);
                double mean = Arrays.stream(values).average().orElseThrow();
                double variance = Arrays.stream(values)
                        .map(x -> (x - mean) * (x - mean))
                        .average()
                        .orElseThrow();
                List<IntervalEstimate> released =
                        table.release(exact, new SeededBits(seed)).groups().get(group);
                double[] exactly = {values.length, mean, variance};
                for (int i = 0; i < 3; i++) {
                    double error = Math.abs(released.get(i).value().doubleValue() - exactly[i]);
                    holds &= error
                            <= table.expectedAlpha(aggregates.get(i), 1_000).doubleValue();
                }
            }
            missed += holds ? 0 : 1;
        }
        assertThat(missed).isLessThanOrEqualTo(5);
        assertThat(table.expectedAlpha(of(Function.VARIANCE), 1_000)).isLessThan(new BigDecimal("500"));
        assertThat(table.expectedAlpha(of(Function.VARIANCE), 1)).isEqualByComparingTo("2500");
    }

    private static double[] valuesOf(List<long[]> rows, int group) {
        return rows.stream()
                .filter(row -> row[1] == group)
                .mapToDouble(row -> row[0])
                .toArray();
    }
}
