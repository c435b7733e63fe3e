package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MonotonicityTests {
    private static final List<Neighborhood> WITH_MONOTONE_LISTS = List.of(
            SmallData.ADD_OR_REMOVE_ROW,
            SmallData.REPLACE_ROW,
            SmallData.addOrRemoveUnit(1),
            SmallData.addOrRemoveUnit(2));

    @Test
    void isNeverClaimedWhereNeighborsMoveTwoStatisticsApart() {
        List<Statistic> statistics = Units.statistics();
        for (Neighborhood neighborhood : WITH_MONOTONE_LISTS) {
            boolean[][] apart = movedApart(Units.moves(statistics, neighborhood), statistics.size());
            int claimed = 0;
            for (int i = 0; i < statistics.size(); i++) {
                for (int j = i; j < statistics.size(); j++) {
                    boolean holds = Monotonicity.holds(List.of(statistics.get(i), statistics.get(j)), neighborhood);
                    claimed += holds ? 1 : 0;
                    assertThat(holds && apart[i][j])
                            .as("%s and %s under %s", statistics.get(i), statistics.get(j), neighborhood)
                            .isFalse();
                }
            }
            assertThat(claimed).isGreaterThan(50);
        }
    }

    @Test
    void isNeverClaimedForAListOfWhichTwoCanMoveApart() {
        List<Statistic> statistics = Units.statistics();
        SplittableRandom random = new SplittableRandom(13);
        for (Neighborhood neighborhood : WITH_MONOTONE_LISTS) {
            boolean[][] apart = movedApart(Units.moves(statistics, neighborhood), statistics.size());
            for (int round = 0; round < 20_000; round++) {
                int[] list = IntStream.range(0, random.nextInt(2, 6))
                        .map(i -> random.nextInt(statistics.size()))
                        .toArray();
                boolean anyApart =
                        IntStream.of(list).anyMatch(i -> IntStream.of(list).anyMatch(j -> apart[i][j]));
                if (anyApart) {
                    assertThat(Monotonicity.holds(
                                    IntStream.of(list).mapToObj(statistics::get).toList(), neighborhood))
                            .isFalse();
                }
            }
        }
    }

    private static boolean[][] movedApart(List<long[]> moves, int size) {
        boolean[][] apart = new boolean[size][size];
        for (long[] move : moves) {
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    apart[i][j] |= move[i] > 0 && move[j] < 0 || move[i] < 0 && move[j] > 0;
                }
            }
        }
        return apart;
    }

    @Test
    void isNeverClaimedForReplacedUnitsOfAColumn() {
        List<Statistic> statistics = Units.statistics();
        for (int maxRows = 1; maxRows <= 3; maxRows++) {
            for (Statistic statistic : statistics) {
                assertThat(Monotonicity.holds(List.of(statistic, statistic), SmallData.replaceUnit(maxRows)))
                        .isFalse();
            }
        }
    }

    private static Statistic.Count count(int table, long from, long to) {
        return new Statistic.Count(table, false, from, to);
    }

    private static Statistic clipLoss(int table, long bound) {
        return new Statistic.ClipLoss(table, false, bound, 1);
    }

    private static Statistic sum(long lower, long upper) {
        return new Statistic.ClampedSum(0, false, lower, upper);
    }

    private static boolean holds(Neighborhood neighborhood, Statistic... statistics) {
        return Monotonicity.holds(List.of(statistics), neighborhood);
    }

    @Test
    void holdsForCountsAndSumsThatARowCanOnlyRaise() {
        Neighborhood added = SmallData.ADD_OR_REMOVE_ROW;
        assertThat(holds(added, count(0, 1, 2), count(1, 3, 9), sum(0, 5))).isTrue();
        assertThat(holds(SmallData.addOrRemoveUnit(4), count(0, 1, 2), sum(1, 5)))
                .isTrue();
        assertThat(holds(added, count(0, 1, 2), sum(-1, 5))).isFalse();
        assertThat(holds(added, count(0, 1, 2), sum(-5, 0))).isFalse();
    }

    @Test
    void holdsForClipLossesAndSumsThatARowCanOnlyLower() {
        Neighborhood added = SmallData.ADD_OR_REMOVE_ROW;
        assertThat(holds(added, clipLoss(0, 1), clipLoss(1, 7), sum(-5, 0))).isTrue();
        assertThat(holds(added, clipLoss(0, 1), new Statistic.NegatedCount(count(1, 0, 4))))
                .isTrue();
        assertThat(holds(added, clipLoss(0, 1), count(0, 1, 2))).isFalse();
        assertThat(holds(added, clipLoss(0, 1), sum(0, 5))).isFalse();
        assertThat(holds(added, count(0, 1, 2), new Statistic.NegatedCount(count(0, 1, 2))))
                .isFalse();
    }

    @Test
    void holdsForReplacedRowsOnlyInOneOrderOfOneColumn() {
        Neighborhood replaced = SmallData.REPLACE_ROW;
        long open = Statistic.NO_UPPER_END;
        long openBelow = Statistic.NO_LOWER_END;
        assertThat(holds(replaced, clipLoss(0, 1), clipLoss(0, 5))).isTrue();
        assertThat(holds(replaced, count(0, 1, open), count(0, 5, open))).isTrue();
        assertThat(holds(replaced, count(0, openBelow, 1), count(0, openBelow, 5)))
                .isTrue();

        assertThat(holds(replaced, count(0, 1, open), count(0, openBelow, 5))).isFalse();
        assertThat(holds(replaced, count(0, 1, 2), count(0, 2, 3))).isFalse();
        assertThat(holds(replaced, count(0, 1, open), count(1, 5, open))).isFalse();
        assertThat(holds(replaced, count(0, 1, open), clipLoss(0, 5))).isFalse();
        assertThat(holds(replaced, sum(0, 5), sum(0, 7))).isFalse();
    }

    @Test
    void doesNotHoldForClipLossesOfTwoColumnsWhenRowsAreReplaced() {
        // (0, 9) becomes (9, 0): the first column's loss falls by 1 while the second's rises by 1.
        List<Statistic> losses = List.of(clipLoss(0, 3), clipLoss(1, 3));
        SmallData data = new SmallData(List.of(new SmallData.View(0, row -> true), new SmallData.View(1, row -> true)));
        List<Long> moves = new ArrayList<>();
        for (Statistic loss : losses) {
            List<Buckets> before = data.tables(losses, List.of(new long[] {0, 9}));
            List<Buckets> after = data.tables(losses, List.of(new long[] {9, 0}));
            moves.add(loss.of(after).subtract(loss.of(before)).longValueExact());
        }
        assertThat(moves).containsExactly(-1L, 1L);
        assertThat(Monotonicity.holds(losses, SmallData.REPLACE_ROW)).isFalse();
        assertThat(Monotonicity.holds(losses, SmallData.ADD_OR_REMOVE_ROW)).isTrue();
    }

    @Test
    void doublesTheComparisonNoiseOfAListWithoutIt() {
        ThresholdQueries mixed = new ThresholdQueries(
                List.of(count(0, 1, 2), clipLoss(0, 1)),
                List.of(BigInteger.ONE, BigInteger.ONE),
                BigInteger.ZERO,
                SmallData.ADD_OR_REMOVE_ROW);
        assertThat(mixed.isMonotone()).isFalse();
        ThresholdScan scan = AboveThreshold.scanFor(Rational.ONE, mixed);
        ThresholdSplit split = ThresholdSplit.optimal(Rational.ONE, 2, 1);
        assertThat(scan.comparisonNoise().scale()).isEqualTo(Rational.of(2, 1).dividedBy(split.comparisons()));
    }
}
