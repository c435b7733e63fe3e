package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Function;
import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.noise.Rational;
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
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
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
    void measuresPairsAndTriplesOfEveryGroupAlsoOfAnEmptyOne() {
        List<long[]> rows = List.of(
                new long[] {10, 0}, new long[] {90, 0}, new long[] {50, 0}, new long[] {0, 1}, new long[] {100, 1});
        NoisyTable table = table("100", new NoisyTable.Shape(3, false), of(Function.VARIANCE));
        Buckets all = data(3).tables(table.statistics(), rows).getFirst();
        List<List<Long>> pairs = new ArrayList<>();
        List<List<Long>> triples = new ArrayList<>();
        for (int group = 0; group < 3; group++) {
            List<Buckets> one = List.of(all.group(group));
            pairs.add(longs(TablePart.Quantity.PAIR.of(PERCENT).of(one)));
            triples.add(longs(TablePart.Quantity.TRIPLE.of(PERCENT).of(one)));
        }
        assertThat(pairs).containsExactly(List.of(150L, 150L), List.of(100L, 100L), List.of(0L, 0L));
        assertThat(triples)
                .containsExactly(List.of(10_700L, 8_600L, 10_700L), List.of(10_000L, 0L, 10_000L), List.of(0L, 0L, 0L));
    }

    private static List<Long> longs(List<BigInteger> integers) {
        return integers.stream().map(BigInteger::longValueExact).toList();
    }

    private static NoisyMoments moments(TablePart.Quantity quantity, Measure measure, long... released) {
        List<BigInteger> integers =
                Arrays.stream(released).mapToObj(BigInteger::valueOf).toList();
        return NoisyMoments.of(measure, quantity.of(measure), integers.getFirst(), integers, Rational.ZERO);
    }

    @Test
    void computesWhatTheVectorStates() {
        NoisyMoments pair = moments(TablePart.Quantity.PAIR, PERCENT, 150, 150);
        NoisyMoments triple = moments(TablePart.Quantity.TRIPLE, PERCENT, 10_700, 8_600, 10_700);
        for (NoisyMoments moments : List.of(pair, triple)) {
            assertThat(moments.count(Rational.ZERO).value()).isEqualByComparingTo("3");
            assertThat(moments.mean(Rational.ZERO).value()).isEqualByComparingTo("50");
            assertThat(moments.sum(Rational.ZERO).value()).isEqualByComparingTo("150");
        }
        assertThat(triple.variance(Rational.ZERO, Rational.ZERO).value()).isEqualByComparingTo("1066.6666666666667");
    }

    @Test
    void hasTheScalesThatTheVectorStates() {
        NoisyTable pair = table("0.9", new NoisyTable.Shape(3, false), of(Function.MEAN));
        NoisyTable triple = table("0.9", new NoisyTable.Shape(3, false), of(Function.VARIANCE), of(Function.MEAN));
        assertThat(parts(pair)).hasSize(1);
        assertThat(parts(triple)).hasSize(1);
        assertThat((BigDecimal) part(pair, 0).get("scale")).isCloseTo(new BigDecimal("111.1111"), within(0.001));
        assertThat((BigDecimal) part(triple, 0).get("scale")).isCloseTo(new BigDecimal("11111.1111"), within(0.001));
    }

    private static Offset<BigDecimal> within(double offset) {
        return Offset.offset(BigDecimal.valueOf(offset));
    }

    /** A part's epsilon by the rule: the largest weight that it serves. The fraction is shown with twelve digits. */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, 0.5, 0.5",
        "5, 1, 1, 0.833333333333, 0.166666666667", // the count is served by the first pair
        "1, 1, 3, 0.25, 0.75",
    })
    void dividesEpsilonByTheLargestWeights(int ofCount, int ofMean, int ofOther, String first, String second) {
        Measure other = new Measure("y", Grid.ONE, 0, 0, 7);
        NoisyTable table = table(
                "1",
                new NoisyTable.Shape(2, false),
                new Aggregate(Function.COUNT, null, ofCount),
                new Aggregate(Function.MEAN, PERCENT, ofMean),
                new Aggregate(Function.SUM, PERCENT, 1),
                new Aggregate(Function.MEAN, other, ofOther));
        assertThat(parts(table)).hasSize(2);
        assertThat(List.of(part(table, 0).get("epsilon"), part(table, 1).get("epsilon")))
                .isEqualTo(List.of(first, second));
    }

    @Test
    void measuresTheFewestPartsThatItsAggregatesNeed() {
        Measure point = new Measure("x", Grid.ONE, 0, 4, 4);
        NoisyTable.Shape all = new NoisyTable.Shape(1, false);
        assertThat(statistics(table("1", all, COUNT))).containsExactly("count");
        assertThat(statistics(table("1", all, of(Function.SUM), COUNT))).containsExactly("sum", "count");
        assertThat(statistics(table("1", all, of(Function.SUM), of(Function.MEAN), COUNT)))
                .containsExactly("pair");
        assertThat(statistics(table("1", all, of(Function.MEAN), of(Function.STANDARD_DEVIATION), COUNT)))
                .containsExactly("triple");
        assertThat(statistics(table("1", all, new Aggregate(Function.MEAN, point, 1))))
                .isEmpty();
        assertThat(statistics(table("1", all, new Aggregate(Function.VARIANCE, point, 1), COUNT)))
                .containsExactly("count");
        NoisyTable known = ServedMechanisms.table(
                "1", List.of(of(Function.VARIANCE), of(Function.MEAN), COUNT), all, SmallData.REPLACE_ROW);
        assertThat(statistics(known)).containsExactly("pair", "products");
        assertThat((BigDecimal) part(known, 0).get("sensitivity")).isEqualByComparingTo("100");
        assertThat((BigDecimal) part(known, 1).get("sensitivity")).isEqualByComparingTo("2500");
    }

    private static List<Object> statistics(NoisyTable table) {
        return parts(table).stream()
                .<Object>map(part -> Objects.requireNonNull(((Map<?, ?>) part).get("statistic")))
                .toList();
    }

    /** The mean and the count of values that are all clamped to one are exact. */
    @Test
    void statesTheMeanOfARangeOfNoWidthExactly() {
        Measure point = new Measure("x", Grid.ONE, 0, 4, 4);
        NoisyTable table = table(
                "1",
                new NoisyTable.Shape(2, false),
                new Aggregate(Function.MEAN, point, 1),
                new Aggregate(Function.VARIANCE, point, 1));
        Sensitive<List<Buckets>> exact = data(2).sensitive(table, List.of(new long[] {9, 0}));
        List<IntervalEstimate> group =
                table.release(exact, new SeededBits(1)).groups().getLast();
        assertThat(group.get(0))
                .isEqualTo(IntervalEstimate.of(
                        BigInteger.valueOf(4), BigInteger.valueOf(4), BigInteger.valueOf(4), BigDecimal.ONE));
        assertThat(group.get(1).alpha()).isZero();
        assertThat(group.get(1).value()).isZero();
    }

    @Test
    void neverChargesMoreThanItsParts() {
        Aggregate[] all = new Aggregate[20];
        for (int i = 0; i < all.length; i++) {
            Measure measure = new Measure("x" + i, Grid.ONE, i, 0, 3 + i);
            all[i] = new Aggregate(Function.values()[2 + i % 4], measure, i == 0 ? 1000 : 1 + i * i);
        }
        for (String epsilon : List.of("0.000001", "0.000017", "0.333333333", "100")) {
            NoisyTable table = table(epsilon, new NoisyTable.Shape(7, true), all);
            BigDecimal sum = BigDecimal.ZERO;
            for (Object part : parts(table)) {
                BigDecimal own = new BigDecimal((String) ((Map<?, ?>) part).get("epsilon"));
                assertThat(own).isPositive();
                sum = sum.add(own);
            }
            assertThat(sum.subtract(new BigDecimal(epsilon)).abs()).isLessThan(new BigDecimal("1e-9"));
            assertThat(table.event()).isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse(epsilon)));
        }
    }

    @Test
    void oneMeanWithoutKeysIsTheTwoSidedMean() {
        List<PrivacyAllowance> allowances = List.of(
                new PrivacyAllowance.Pure(Epsilon.parse("1")),
                new PrivacyAllowance.Approximate(Epsilon.parse("1"), Delta.parse("0.000001")),
                new PrivacyAllowance.Concentrated(Epsilon.parse("1")));
        for (Neighborhood neighborhood : NEIGHBORHOODS) {
            for (PrivacyAllowance allowance : allowances) {
                for (boolean filtered : new boolean[] {false, true}) {
                    NoisyTable table = new NoisyTable(
                            allowance,
                            List.of(of(Function.MEAN)),
                            new NoisyTable.Shape(1, filtered),
                            neighborhood,
                            0.001);
                    TwoSidedMean mean =
                            new TwoSidedMean(allowance, new MeanTarget(0, filtered, 0, 100, neighborhood), 0.001);
                    Description.InSteps scale = (Description.InSteps) Objects.requireNonNull(
                            mean.description().parameters().get("scale"));
                    assertThat((BigDecimal) part(table, 0).get("scale")).isEqualByComparingTo(scale.steps());
                    assertThat(mean.event()).isEqualTo(table.event());
                    assertThat(mean.expectedAlphaSteps(500))
                            .isEqualByComparingTo(table.expectedAlpha(of(Function.MEAN), 500));
                }
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

    /** Over all sets of groups that a unit can have rows in, against what is stated. */
    @ParameterizedTest
    @FieldSource("NEIGHBORHOODS")
    void boundsHowManyGroupsAUnitIsIn(Neighborhood neighborhood) {
        for (int groups = 1; groups <= 5; groups++) {
            for (boolean filtered : new boolean[] {false, true}) {
                boolean canBeNowhere = filtered || neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE;
                int most = 0;
                for (int one = canBeNowhere ? 0 : 1; one < 1 << groups; one++) {
                    for (int other = canBeNowhere ? 0 : 1; other < 1 << groups; other++) {
                        boolean isNeighbor = neighborhood.relation() == NeighboringRelation.REPLACE_ONE || one == 0;
                        boolean isUnit =
                                Integer.bitCount(one) <= neighborhood.unit().maxRows()
                                        && Integer.bitCount(other)
                                                <= neighborhood.unit().maxRows();
                        most = isNeighbor && isUnit ? Math.max(most, Integer.bitCount(one ^ other)) : most;
                    }
                }
                BigInteger moved = BigInteger.valueOf(most);
                assertThat(GroupSensitivity.ofUnits(neighborhood, filtered, groups))
                        .isEqualTo(new GroupSensitivity(moved, moved));
            }
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

    /** Every group of 1 to 3 values of −1 … 2, with noises of −2 … 2 each. */
    @Test
    void intervalsHoldEveryGroupWhoseNoisesAreWithinTheirBounds() {
        Measure measure = new Measure("x", Grid.ONE, 0, -1, 2);
        for (int size = 1; size <= 3; size++) {
            for (int code = 0; code < Math.pow(4, size); code++) {
                long[] values = new long[size];
                for (int i = 0, rest = code; i < size; i++, rest /= 4) {
                    values[i] = rest % 4 - 1;
                }
                checkAllNearby(measure, values);
            }
        }
    }

    private static void checkAllNearby(Measure measure, long[] values) {
        long n = values.length;
        long a = Arrays.stream(values).map(x -> x + 1).sum();
        long products = Arrays.stream(values).map(x -> (x + 1) * (2 - x)).sum();
        double mean = Arrays.stream(values).average().orElseThrow();
        double variance = Arrays.stream(values)
                .mapToDouble(x -> (x - mean) * (x - mean))
                .average()
                .orElseThrow();
        for (long one = -2; one <= 2; one += 2) {
            for (long other = -2; other <= 2; other += 2) {
                NoisyMoments pair = moments(TablePart.Quantity.PAIR, measure, a + one, 3 * n - a + other);
                contains(pair.mean(Rational.of(2, 3)), mean);
                contains(pair.count(Rational.of(4, 3)), n);
                contains(pair.sum(Rational.of(2 * 3, 3)), mean * n);
                for (long third = -2; third <= 2; third += 2) {
                    NoisyMoments triple = moments(
                            TablePart.Quantity.TRIPLE,
                            measure,
                            3 * a - products + one,
                            2 * products + third,
                            3 * (3 * n - a) - products + other);
                    Rational error = Rational.of(2, 9);
                    contains(triple.mean(error), mean);
                    contains(triple.count(Rational.of(6, 9)), n);
                    contains(triple.variance(error, error), variance);
                    contains(triple.variance(error, error).squareRoot(), Math.sqrt(variance));
                }
            }
        }
    }

    private static Aggregate share(long from, long to) {
        return new Aggregate(
                Function.MEAN,
                Measure.whether("x", new Statistic.RowsWithin(0, List.of(new Statistic.Count(0, true, from, to)))),
                1);
    }

    private static Aggregate sets(IntPredicate in, IntFunction<Statistic.Count> range) {
        return new Aggregate(
                Function.MEAN,
                Measure.whether(
                        "x",
                        new Statistic.RowsWithin(
                                0,
                                IntStream.range(0, 16)
                                        .filter(in)
                                        .mapToObj(range)
                                        .toList())),
                1);
    }

    /** Shares of one column, overlapping or not, are sums of cells that hold every value once. */
    @Test
    void sharesOfOneColumnAreSumsOfTheSameCells() {
        NoisyTable.Shape all = new NoisyTable.Shape(1, false);
        NoisyTable table = table("1", all, share(20, 60), share(40, Statistic.NO_UPPER_END), share(80, 90), COUNT);
        assertThat(statistics(table)).containsExactly("share");
        // The cells: below 20; 20 to 39; 40 to 59; 60 to 79 with 90 and above; 80 to 89.
        assertThat(part(table, 0).get("cells")).isEqualTo(5);
        assertThat(part(table, 0).get("column")).isEqualTo("x");
        assertThat((BigDecimal) part(table, 0).get("scale")).isEqualByComparingTo("1");
        List<long[]> rows = new ArrayList<>();
        for (long value = 0; value < 100; value++) {
            rows.add(new long[] {value, 0});
        }
        Buckets exact = data(1).tables(table.statistics(), rows).getFirst();
        assertThat(longs(table.parts().getFirst().part().of(List.of(exact.group(0)))))
                .containsExactly(20L, 20L, 20L, 30L, 10L);

        assertThat(statistics(table("1", all, share(20, 60), share(20, 60)))).containsExactly("share");
        assertThat(part(table("1", all, share(20, 60), share(20, 60)), 0).containsKey("cells"))
                .isFalse();
        NoisyTable both = table("1", all, share(Statistic.NO_LOWER_END, 50), share(50, Statistic.NO_UPPER_END));
        assertThat(part(both, 0).get("cells")).isEqualTo(2);
        // General sets have more cells than their pairs have integers.
        Aggregate[] general = IntStream.range(0, 4)
                .mapToObj(i ->
                        sets(value -> (value >> i & 1) == 1, value -> new Statistic.Count(0, true, value, value + 1L)))
                .toArray(Aggregate[]::new);
        assertThat(statistics(table("1", all, general))).hasSize(4);
        assertThat(part(table("1", all, general), 0).containsKey("cells")).isFalse();
        // Where the number of rows is public, each share is one sum.
        NoisyTable known =
                ServedMechanisms.table("1", List.of(share(0, 20), share(20, 60)), all, SmallData.REPLACE_ROW);
        assertThat(statistics(known)).containsExactly("share", "share");
        NoisyTable replaced = ServedMechanisms.table(
                "1", List.of(share(0, 20), share(20, 60)), new NoisyTable.Shape(2, false), SmallData.REPLACE_ROW);
        assertThat((BigDecimal) part(replaced, 0).get("sensitivity")).isEqualByComparingTo("2");
    }

    private static void contains(IntervalEstimate estimate, double exact) {
        assertThat(exact)
                .as("%s", estimate)
                .isBetween(estimate.low().doubleValue() - 1e-9, estimate.high().doubleValue() + 1e-9);
        assertThat(estimate.value()).isBetween(estimate.low(), estimate.high());
    }

    @Test
    void ofNoRowsThatCanBeSeenThereIsTheWholePossibleRange() {
        NoisyMoments noisy = moments(TablePart.Quantity.TRIPLE, PERCENT, 5_000, 0, -5_000);
        assertThat(noisy.mean(Rational.ONE))
                .isEqualTo(new NoisyMoments(PERCENT, Rational.of(-1, 1), Rational.ZERO, Rational.ZERO, false)
                        .mean(Rational.ZERO));
        assertThat(noisy.mean(Rational.ONE).value()).isEqualByComparingTo("50");
        assertThat(noisy.mean(Rational.ONE).alpha()).isEqualByComparingTo("50");
        assertThat(noisy.variance(Rational.ONE, Rational.ONE).low()).isZero();
        assertThat(noisy.variance(Rational.ONE, Rational.ONE).high()).isEqualByComparingTo("2500");
    }

    @Test
    void dividesRhoWhereThatErrsLess() {
        List<Aggregate> aggregates = IntStream.range(0, 8)
                .mapToObj(i -> new Aggregate(Function.MEAN, new Measure("x" + i, Grid.ONE, i, 0, 100), 1))
                .toList();
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
