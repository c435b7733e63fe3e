package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

class L1SensitivityTests {
    static final List<Neighborhood> NEIGHBORHOODS = Units.NEIGHBORHOODS;

    @ParameterizedTest
    @FieldSource("NEIGHBORHOODS")
    void isNeverPassedAndIsAttainedBetweenSmallNeighbors(Neighborhood neighborhood) {
        List<Statistic> statistics = Units.statistics();
        List<long[]> units = Units.unitValues(statistics, neighborhood);
        for (int i = 0; i < statistics.size(); i++) {
            Statistic statistic = statistics.get(i);
            long moved = farthest(units, i, neighborhood);
            assertThat(statistic.l1Sensitivity(neighborhood))
                    .as("%s under %s", statistic, neighborhood)
                    .isGreaterThanOrEqualTo(BigInteger.valueOf(moved));
            if (canAttain(statistic)) {
                assertThat(statistic.l1Sensitivity(neighborhood))
                        .as("%s under %s is stated no larger than it is", statistic, neighborhood)
                        .isEqualTo(moved);
            }
        }
    }

    /** How far apart a neighbouring pair can be in statistic i. */
    private static long farthest(List<long[]> units, int i, Neighborhood neighborhood) {
        long least = units.stream().mapToLong(unit -> unit[i]).min().orElseThrow();
        long greatest = units.stream().mapToLong(unit -> unit[i]).max().orElseThrow();
        return neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE
                ? Math.max(-least, greatest)
                : greatest - least;
    }

    // An empty range counts nothing. Its sensitivity does not take this into account.
    private static boolean canAttain(Statistic statistic) {
        return switch (statistic) {
            case Statistic.Count count -> count.from() < count.to();
            case Statistic.UnitCount units -> true;
            case Statistic.RowsWithin within -> within.ranges().stream().anyMatch(L1SensitivityTests::canAttain);
            case Statistic.NegatedCount negated -> canAttain(negated.count());
            case Statistic.ClampedSum sum -> true;
            // A product of half the width squared needs a value in the middle, rounded.
            case Statistic.Products products -> true;
            // A loss of the whole step needs a value at or above its upper end.
            case Statistic.ClipLoss loss -> loss.bound() + loss.step() <= 2;
        };
    }

    @ParameterizedTest
    @FieldSource("NEIGHBORHOODS")
    void boundsTheCenteredSumInHalfSteps(Neighborhood neighborhood) {
        for (long[] bounds : new long[][] {{-2, 2}, {-1, 2}, {1, 2}, {-2, -1}, {0, 2}, {1, 1}}) {
            for (boolean filtered : new boolean[] {false, true}) {
                int table = filtered ? 2 : 0;
                List<Statistic> statistics = List.of(
                        new Statistic.ClampedSum(table, filtered, bounds[0], bounds[1]),
                        Statistic.Count.ofAll(table, filtered));
                List<long[]> centered = Units.unitValues(statistics, neighborhood).stream()
                        .map(unit -> new long[] {2 * unit[0] - (bounds[0] + bounds[1]) * unit[1]})
                        .toList();
                assertThat(L1Sensitivity.centeredSumInHalfSteps(
                                neighborhood, filtered, BigInteger.valueOf(bounds[0]), BigInteger.valueOf(bounds[1])))
                        .isEqualTo(farthest(centered, 0, neighborhood));
            }
        }
    }

    @Test
    void isZeroOnlyWhereTheRowCountIsPublic() {
        Statistic all = Statistic.Count.ofAll(0, false);
        Statistic some = Statistic.Count.ofAll(0, true);
        assertThat(all.l1Sensitivity(SmallData.REPLACE_ROW)).isZero();
        assertThat(some.l1Sensitivity(SmallData.REPLACE_ROW)).isOne();
        assertThat(all.l1Sensitivity(SmallData.replaceUnit(1))).isOne();
        assertThat(all.l1Sensitivity(SmallData.ADD_OR_REMOVE_ROW)).isOne();
    }

    @Test
    void ofUnitsIsOneHoweverManyRowsTheyHave() {
        Statistic all = new Statistic.UnitCount(0, false);
        Statistic some = new Statistic.UnitCount(0, true);
        assertThat(all.l1Sensitivity(SmallData.addOrRemoveUnit(20))).isOne();
        assertThat(some.l1Sensitivity(SmallData.addOrRemoveUnit(20))).isOne();
        assertThat(all.l1Sensitivity(SmallData.replaceUnit(20))).isZero();
        assertThat(some.l1Sensitivity(SmallData.replaceUnit(20))).isOne();
    }

    @Test
    void isTheMagnitudeAndNotTheWidthWhereRowsAreAdded() {
        Statistic heights = new Statistic.ClampedSum(0, false, 150, 200);
        assertThat(heights.l1Sensitivity(SmallData.ADD_OR_REMOVE_ROW)).isEqualTo(200);
        assertThat(heights.l1Sensitivity(SmallData.REPLACE_ROW)).isEqualTo(50);
        assertThat(new Statistic.ClampedSum(0, true, 150, 200).l1Sensitivity(SmallData.REPLACE_ROW))
                .isEqualTo(200);
    }

    @Test
    void isExactAtTheLargestBoundsAndUnits() {
        long far = 1L << 40;
        BigInteger units = BigInteger.valueOf(Integer.MAX_VALUE);
        Statistic sum = new Statistic.ClampedSum(0, true, -far, far);
        assertThat(sum.l1Sensitivity(SmallData.addOrRemoveUnit(Integer.MAX_VALUE)))
                .isEqualTo(BigInteger.valueOf(far).multiply(units));
        assertThat(sum.l1Sensitivity(SmallData.replaceUnit(Integer.MAX_VALUE)))
                .isEqualTo(BigInteger.valueOf(2 * far).multiply(units));
    }

    @Test
    void ofAListIsItsLargestInCommonSteps() {
        ThresholdQueries queries = new ThresholdQueries(
                List.of(new Statistic.ClampedSum(0, false, 0, 5), Statistic.Count.ofAll(1, false)),
                List.of(BigInteger.valueOf(3), BigInteger.valueOf(20)),
                BigInteger.ZERO,
                SmallData.ADD_OR_REMOVE_ROW);
        assertThat(queries.l1Sensitivity()).isEqualTo(20);
    }
}
