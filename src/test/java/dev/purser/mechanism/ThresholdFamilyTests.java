package dev.purser.mechanism;

import dev.purser.mechanism.ThresholdFamily.Kind;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ThresholdFamilyTests {
    private static final BigInteger ONE = BigInteger.ONE;
    private static final BigInteger TEN = BigInteger.TEN;
    private static final Statistic.Count RANGE = new Statistic.Count(0, true, 2, 5);
    private static final Statistic.ClampedSum SUM = new Statistic.ClampedSum(0, true, -2, 5);
    private static final Statistic.ClipLoss LOSS = new Statistic.ClipLoss(0, true, 3, 5);

    @Test
    void ofCountsAdmitsCountsAloneInWholeRows() {
        for (Neighborhood neighborhood : AuditCases.NEIGHBORHOODS) {
            ThresholdFamily counts = ThresholdFamily.ofCounts(neighborhood);
            assertThat(counts.l1Sensitivity().intValueExact())
                    .isEqualTo(neighborhood.unit().maxRows());
            assertThat(counts.monotone()).isEqualTo(neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE);
            for (Statistic.Count count : List.of(
                    RANGE,
                    Statistic.Count.ofAll(0, false),
                    Statistic.Count.ofAll(7, true),
                    new Statistic.Count(3, false, Statistic.NO_LOWER_END, 4))) {
                assertThat(counts.admits(count, ONE, neighborhood)).isTrue();
                assertThat(counts.admits(new Statistic.NegatedCount(count), ONE, neighborhood))
                        .isFalse();
            }
            assertThat(counts.admits(RANGE, BigInteger.TWO, neighborhood)).isFalse();
            assertThat(counts.admits(SUM, ONE, neighborhood)).isFalse();
            assertThat(counts.admits(LOSS, ONE, neighborhood)).isFalse();
            assertThat(counts.admits(new Statistic.ClampedSum(0, true, 0, 1), ONE, neighborhood))
                    .isFalse();
            assertThat(counts.admits(new Statistic.ClipLoss(0, true, 0, 1), ONE, neighborhood))
                    .isFalse();
        }
    }

    @Test
    void ofSumsAdmitsSumsAndClipLossesUpToItsSensitivityInCommonSteps() {
        Neighborhood rows = SmallData.ADD_OR_REMOVE_ROW;
        // A sum of -2 ... 5 moves by up to 5 of its steps.
        for (Statistic statistic : List.of(SUM, LOSS)) {
            assertThat(ThresholdFamily.ofSums(BigInteger.valueOf(5)).admits(statistic, ONE, rows))
                    .isTrue();
            assertThat(ThresholdFamily.ofSums(BigInteger.valueOf(4)).admits(statistic, ONE, rows))
                    .isFalse();
            assertThat(ThresholdFamily.ofSums(BigInteger.valueOf(50)).admits(statistic, TEN, rows))
                    .isTrue();
            assertThat(ThresholdFamily.ofSums(BigInteger.valueOf(49)).admits(statistic, TEN, rows))
                    .isFalse();
        }
        assertThat(ThresholdFamily.ofSums(BigInteger.valueOf(6)).admits(SUM, ONE, SmallData.REPLACE_ROW))
                .isFalse();
        assertThat(ThresholdFamily.ofSums(BigInteger.valueOf(7)).admits(SUM, ONE, SmallData.REPLACE_ROW))
                .isTrue();
        assertThat(ThresholdFamily.ofSums(BigInteger.valueOf(5)).admits(SUM, ONE, SmallData.addOrRemoveUnit(2)))
                .isFalse();
        ThresholdFamily sums = ThresholdFamily.ofSums(BigInteger.valueOf(1_000));
        assertThat(sums.monotone()).isFalse();
        assertThat(sums.admits(RANGE, ONE, rows)).isFalse();
        assertThat(sums.admits(new Statistic.NegatedCount(RANGE), ONE, rows)).isFalse();
    }

    @Test
    void admitsNoFactorThatHidesOrReversesAStatistic() {
        for (BigInteger factor : List.of(BigInteger.ZERO, ONE.negate())) {
            assertThat(ThresholdFamily.ofCounts(SmallData.ADD_OR_REMOVE_ROW)
                            .admits(RANGE, factor, SmallData.ADD_OR_REMOVE_ROW))
                    .isFalse();
            assertThat(ThresholdFamily.ofSums(TEN).admits(SUM, factor, SmallData.ADD_OR_REMOVE_ROW))
                    .isFalse();
        }
    }

    @Test
    void admitsNothingUnderANeighborhoodThatItIsWrongAbout() {
        ThresholdFamily rowsAreAdded = ThresholdFamily.ofCounts(SmallData.ADD_OR_REMOVE_ROW);
        assertThat(rowsAreAdded.admits(RANGE, ONE, SmallData.REPLACE_ROW)).isFalse();
        assertThat(rowsAreAdded.admits(RANGE, ONE, SmallData.addOrRemoveUnit(2)))
                .isFalse();
        assertThat(new ThresholdFamily(Kind.COUNTS, TEN, true).admits(RANGE, ONE, SmallData.replaceUnit(2)))
                .isFalse();
    }

    @Test
    void refusesToBeWhatNoFamilyIs() {
        for (BigInteger none : List.of(BigInteger.ZERO, ONE.negate())) {
            assertThatIllegalArgumentException().isThrownBy(() -> ThresholdFamily.ofSums(none));
            assertThatIllegalArgumentException().isThrownBy(() -> new ThresholdFamily(Kind.COUNTS, none, false));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> new ThresholdFamily(Kind.SUMS, TEN, true));
    }

    /** All statistics that a family admits, on all pairs of small neighbouring datasets. */
    @Test
    void boundsEveryMoveAndSaysTheDirectionOfAll() {
        List<Statistic> statistics = new ArrayList<>();
        for (int table = 0; table < 2; table++) {
            boolean selective = table == 1;
            statistics.add(Statistic.Count.ofAll(table, selective));
            statistics.add(new Statistic.Count(table, selective, 0, Statistic.NO_UPPER_END));
            statistics.add(new Statistic.Count(table, selective, Statistic.NO_LOWER_END, 1));
            statistics.add(new Statistic.Count(table, selective, -1, 2));
            statistics.add(new Statistic.NegatedCount(new Statistic.Count(table, selective, -1, 2)));
            statistics.add(new Statistic.ClampedSum(table, selective, -2, 1));
            statistics.add(new Statistic.ClampedSum(table, selective, 0, 2));
            statistics.add(new Statistic.ClipLoss(table, selective, -1, 2));
        }
        SmallData data =
                new SmallData(List.of(new SmallData.View(0, row -> true), new SmallData.View(0, row -> row[1] > 0)));
        for (Neighborhood neighborhood : AuditCases.NEIGHBORHOODS) {
            List<ThresholdFamily> families = List.of(
                    ThresholdFamily.ofCounts(neighborhood),
                    ThresholdFamily.ofSums(BigInteger.TWO),
                    ThresholdFamily.ofSums(BigInteger.valueOf(6)));
            List<BigInteger> largest = new ArrayList<>(List.of(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO));
            for (Pair pair : pairs(neighborhood)) {
                List<Buckets> here = data.tables(statistics, pair.rows());
                List<Buckets> there = data.tables(statistics, pair.neighbor());
                for (int i = 0; i < families.size(); i++) {
                    ThresholdFamily family = families.get(i);
                    List<BigInteger> moves = statistics.stream()
                            .filter(statistic -> family.admits(statistic, ONE, neighborhood))
                            .map(statistic -> statistic.of(there).subtract(statistic.of(here)))
                            .toList();
                    assertThat(moves).allMatch(move -> move.abs().compareTo(family.l1Sensitivity()) <= 0);
                    if (family.monotone()) {
                        assertThat(moves.stream().allMatch(move -> move.signum() >= 0)
                                        || moves.stream().allMatch(move -> move.signum() <= 0))
                                .isTrue();
                    }
                    for (BigInteger move : moves) {
                        largest.set(i, largest.get(i).max(move.abs()));
                    }
                }
            }
            assertThat(largest.getFirst()).isEqualTo(families.getFirst().l1Sensitivity());
            assertThat(largest.getLast()).isBetween(BigInteger.TWO, BigInteger.valueOf(6));
        }
    }

    /** All pairs that differ by one unit of rows of equal values, and some pairs that differ by other units. */
    private static List<Pair> pairs(Neighborhood neighborhood) {
        List<long[]> values = new ArrayList<>();
        for (long x = -3; x <= 3; x++) {
            values.add(new long[] {x, 0});
            values.add(new long[] {x, 1});
        }
        List<Pair> pairs = new ArrayList<>();
        for (long[] before : values) {
            for (long[] after : values) {
                List<long[]> others = List.of(new long[] {0, 1}, new long[] {2, 0});
                Pair pair = Pair.of(neighborhood, others, before, after);
                pairs.add(pair);
                pairs.add(new Pair(pair.neighbor(), pair.rows()));
            }
        }
        return pairs;
    }
}
