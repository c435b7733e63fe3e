package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClipSearchTests {
    private static final Rational ONE = Rational.ONE;

    private static MeanTarget target(long lower, long upper) {
        return new MeanTarget(0, false, lower, upper, SmallData.ADD_OR_REMOVE_ROW);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 63, 64, 65, 1_000, 149_995, 1L << 40, 1L << 41, (1L << 41) - 1})
    void looksAtFewGeometricDistancesThatEndAtTheDeclaredBound(long farthest) {
        List<Long> distances = ClipSearch.distances(farthest);
        assertThat(distances).isSorted().doesNotHaveDuplicates().hasSizeBetween(1, ClipSearch.MAX_CANDIDATES);
        assertThat(distances.getFirst()).isBetween(1L, Math.max(1, farthest));
        assertThat(distances.getLast()).isEqualTo(farthest);
        for (int i = 1; i < distances.size(); i++) {
            double factor = Math.pow(farthest, 1.0 / ClipSearch.MAX_CANDIDATES);
            assertThat((double) distances.get(i))
                    .as("no gap wider than the factor and the grid make it")
                    .isLessThanOrEqualTo(distances.get(i - 1) * factor + 1.5);
        }
    }

    @Test
    void walksAwayFromTheKeptEndInBothDirections() {
        ClipSearch up = ClipSearch.upwards(target(-50, 90), 0, ONE, ONE);
        ClipSearch down = ClipSearch.downwards(target(-50, 90), 0, ONE, ONE);

        assertThat(up.candidates()).isSorted().allMatch(bound -> bound > 0).endsWith(90L);
        assertThat(down.candidates())
                .isSortedAccordingTo(Collections.reverseOrder())
                .allMatch(bound -> bound < 0)
                .endsWith(-50L);
    }

    @Test
    void countsTheRowsBeyondEachCandidateAndNoneThatLieOnIt() {
        ClipSearch up = ClipSearch.upwards(target(-50, 90), 0, ONE, ONE);
        ClipSearch down = ClipSearch.downwards(target(-50, 90), 0, ONE, ONE);
        long[] values = {-51, -50, -49, -2, -1, 0, 1, 2, 3, 89, 90, 91};
        List<long[]> rows = SmallData.rows(values);
        List<Statistic> statistics = new ArrayList<>(up.queries().statistics());
        statistics.addAll(down.queries().statistics());
        List<Buckets> tables = SmallData.ONE_COLUMN.tables(statistics, rows);

        for (int i = 0; i < up.candidates().size(); i++) {
            long bound = up.candidates().get(i);
            assertThat(up.queries().exact(tables).get(i))
                    .isEqualTo(-rows.stream().filter(row -> row[0] > bound).count());
        }
        for (int i = 0; i < down.candidates().size(); i++) {
            long bound = down.candidates().get(i);
            assertThat(down.queries().exact(tables).get(i))
                    .isEqualTo(-rows.stream().filter(row -> row[0] < bound).count());
        }
    }

    @Test
    void isMonotoneExceptForReplacedUnitsOfAColumn() {
        List<Neighborhood> monotone =
                List.of(SmallData.ADD_OR_REMOVE_ROW, SmallData.addOrRemoveUnit(3), SmallData.REPLACE_ROW);
        for (Neighborhood neighborhood : monotone) {
            MeanTarget target = new MeanTarget(0, true, -9, 9, neighborhood);
            assertThat(ClipSearch.upwards(target, 0, ONE, ONE).queries().isMonotone())
                    .isTrue();
            assertThat(ClipSearch.downwards(target, 0, ONE, ONE).queries().isMonotone())
                    .isTrue();
        }
        MeanTarget replaced = new MeanTarget(0, true, -9, 9, SmallData.replaceUnit(2));
        assertThat(ClipSearch.upwards(replaced, 0, ONE, ONE).queries().isMonotone())
                .isFalse();
    }

    @Test
    void stopsWhereTenRowsOrFiveUnitsOverEpsilonAreLeft() {
        assertThat(ClipSearch.upwards(target(0, 9), 0, ONE, ONE).queries().thresholdSteps())
                .isEqualTo(-10);
        assertThat(ClipSearch.upwards(target(0, 9), 0, ONE, Rational.of(3, 10))
                        .queries()
                        .thresholdSteps())
                .isEqualTo(-17);
        MeanTarget units = new MeanTarget(0, false, 0, 9, SmallData.addOrRemoveUnit(4));
        assertThat(ClipSearch.upwards(units, 0, ONE, ONE).queries().thresholdSteps())
                .isEqualTo(-20);
    }

    @Test
    void findsTheFirstCandidateBeyondWhichFewRowsLie() {
        // At epsilon 100 the noises have scale 0.02: at least one of the run's 128 draws is off with probability below
        // 1e-18.
        ClipSearch up = ClipSearch.upwards(target(0, 100_000), 0, Rational.of(100, 1), ONE);
        List<long[]> rows = new ArrayList<>(SmallData.repeated(500, 37));
        rows.addAll(SmallData.repeated(9, 99_999));
        RandomBits bits = new SeededBits(14);
        long found = up.find(SmallData.ONE_COLUMN.tables(up.queries().statistics(), rows), bits);

        long expected = up.candidates().stream()
                .filter(bound -> bound >= 37)
                .findFirst()
                .orElseThrow();
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void keepsTheDeclaredBoundWhereManyRowsLieBeyondAll() {
        ClipSearch up = ClipSearch.upwards(target(0, 1_000), 0, Rational.of(100, 1), ONE);
        ClipSearch down = ClipSearch.downwards(target(-1_000, 0), 0, Rational.of(100, 1), ONE);
        assertThat(up.find(tables(up, 5_000), new SeededBits(15))).isEqualTo(1_000);
        assertThat(down.find(tables(down, -5_000), new SeededBits(15))).isEqualTo(-1_000);
    }

    private static List<Buckets> tables(ClipSearch search, long value) {
        return SmallData.ONE_COLUMN.tables(search.queries().statistics(), SmallData.repeated(500, value));
    }

    @Test
    void spendsTheSearchShareExactly() {
        ClipSearch up = ClipSearch.upwards(target(0, 1_000), 0, Rational.of(1, 5), ONE);
        BigInteger one = BigInteger.ONE;
        Rational threshold =
                Rational.of(one).dividedBy(up.scan().thresholdNoise().scale());
        Rational comparison =
                Rational.of(one).dividedBy(up.scan().comparisonNoise().scale());
        assertThat(threshold.plus(comparison)).isEqualTo(Rational.of(1, 5));
        assertThat(up.scan().maxPositives()).isOne();
    }
}
