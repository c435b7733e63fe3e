package dev.purser.mechanism;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StatisticTests {
    private static final long FAR = 1L << 40;
    private static final SmallData DATA =
            new SmallData(List.of(new SmallData.View(0, row -> true), new SmallData.View(1, row -> row[0] >= 0)));

    /** The definition, row by row. */
    static BigInteger rowByRow(Statistic statistic, SmallData data, List<long[]> rows) {
        SmallData.View view = data.views().get(statistic.table());
        BigInteger total = BigInteger.ZERO;
        for (long[] row : rows) {
            if (view.filter().test(row)) {
                total = total.add(part(statistic, row[view.column()]));
            }
        }
        return total;
    }

    private static BigInteger part(Statistic statistic, long x) {
        return switch (statistic) {
            case Statistic.Count count ->
                (count.from() == Statistic.NO_LOWER_END || x >= count.from())
                                && (count.to() == Statistic.NO_UPPER_END || x < count.to())
                        ? BigInteger.ONE
                        : BigInteger.ZERO;
            case Statistic.UnitCount units -> throw new IllegalArgumentException("values have no units");
            case Statistic.RowsWithin within ->
                within.ranges().stream().map(range -> part(range, x)).reduce(BigInteger.ZERO, BigInteger::add);
            case Statistic.NegatedCount negated -> part(negated.count(), x).negate();
            case Statistic.ClampedSum sum -> BigInteger.valueOf(Math.clamp(x, sum.lower(), sum.upper()));
            case Statistic.ClipLoss loss ->
                BigInteger.valueOf(Math.min(x, loss.bound()) - Math.min(x, loss.bound() + loss.step()));
            case Statistic.Products products -> {
                long clamped = Math.clamp(x, products.lower(), products.upper());
                yield BigInteger.valueOf(clamped - products.lower())
                        .multiply(BigInteger.valueOf(products.upper() - clamped));
            }
        };
    }

    @Test
    void agreeWithTheirDefinitionRowByRow() {
        SplittableRandom random = new SplittableRandom(12);
        for (int round = 0; round < 400; round++) {
            List<long[]> rows = new ArrayList<>();
            int size = random.nextInt(0, 25);
            for (int i = 0; i < size; i++) {
                rows.add(new long[] {value(random), value(random)});
            }
            List<Statistic> statistics = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                statistics.addAll(randomStatistics(random));
            }
            List<Buckets> tables = DATA.tables(statistics, rows);
            for (Statistic statistic : statistics) {
                assertThat(statistic.of(tables)).as("%s", statistic).isEqualTo(rowByRow(statistic, DATA, rows));
            }
        }
    }

    private static List<Statistic> randomStatistics(SplittableRandom random) {
        int table = random.nextInt(2);
        boolean selective = table == 1;
        Statistic.Count count = new Statistic.Count(
                table,
                selective,
                random.nextInt(4) == 0 ? Statistic.NO_LOWER_END : value(random),
                random.nextInt(4) == 0 ? Statistic.NO_UPPER_END : value(random));
        long one = value(random);
        long other = random.nextInt(4) == 0 ? one : value(random);
        return List.of(
                count,
                new Statistic.NegatedCount(count),
                new Statistic.RowsWithin(
                        table,
                        List.of(
                                new Statistic.Count(table, selective, Statistic.NO_LOWER_END, Math.min(one, other)),
                                new Statistic.Count(table, selective, Math.max(one, other), Statistic.NO_UPPER_END))),
                new Statistic.ClampedSum(table, selective, Math.min(one, other), Math.max(one, other)),
                new Statistic.Products(table, selective, Math.min(one, other), Math.max(one, other)),
                new Statistic.ClipLoss(table, selective, one, random.nextBoolean() ? 1 : random.nextLong(1, 2 * FAR)));
    }

    private static long value(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> FAR;
            case 1 -> -FAR;
            case 2 -> random.nextLong(-FAR, FAR + 1);
            default -> random.nextLong(-4, 5);
        };
    }

    @Test
    void countNothingInAnEmptyRangeWhateverItsEnds() {
        Buckets none = Buckets.over(new long[0]).build();
        long[] ends = {Statistic.NO_LOWER_END, Statistic.NO_UPPER_END, 3};
        for (long from : ends) {
            for (long to : ends) {
                Statistic.Count count = new Statistic.Count(0, false, from, to);
                if (from >= to) {
                    assertThat(count.of(List.of(none))).isZero();
                }
            }
        }
    }

    @Test
    void refuseBoundsOutOfOrder() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Statistic.ClampedSum(0, false, 2, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Statistic.ClipLoss(0, false, 2, 0));
    }

    @Test
    void areComparedInStepsOfTheCommonGrid() {
        List<Statistic> statistics = List.of(
                Statistic.Count.ofAll(0, false),
                new Statistic.ClampedSum(0, false, 0, 9),
                Statistic.Count.ofAll(0, false));
        ThresholdQueries queries = new ThresholdQueries(
                statistics,
                List.of(BigInteger.valueOf(40), BigInteger.valueOf(3), BigInteger.ONE),
                BigInteger.ZERO,
                SmallData.ADD_OR_REMOVE_ROW);
        List<Buckets> tables = SmallData.ONE_COLUMN.tables(statistics, SmallData.rows(4, 7));
        assertThat(queries.exact(tables))
                .containsExactly(BigInteger.valueOf(80), BigInteger.valueOf(33), BigInteger.TWO);
    }
}
