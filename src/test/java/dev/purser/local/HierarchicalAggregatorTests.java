package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class HierarchicalAggregatorTests {
    private static final LeveledResponse FIVE_LEVELS = new LeveledResponse(IntStream.of(5, 4, 3, 2, 1)
            .mapToObj(times -> new Epsilon(times * 500_000_000L))
            .toList());
    private static final RandomBits ALWAYS_KEEPS = count -> 0;
    private static final RandomBits ALWAYS_FLIPS = count -> (1L << count) - 1;

    private static long[] added(int reuse, RandomBits bits, LeveledSign... reports) {
        HierarchicalAggregator aggregator = new HierarchicalAggregator(FIVE_LEVELS, reuse, bits);
        long[] tally = new long[aggregator.tallies()];
        for (LeveledSign report : reports) {
            aggregator.add(report, tally, 0);
        }
        return tally;
    }

    @Test
    void filesAReportUnderItsOwnAndTheFollowingLevels() {
        LeveledSign second = new LeveledSign(2, Sign.PLUS);
        assertThat(added(1, ALWAYS_FLIPS, second)).containsExactly(0, 0, 1, 1, 0, 0, 0, 0, 0, 0);
        assertThat(added(3, ALWAYS_KEEPS, second)).containsExactly(0, 0, 1, 1, 1, 1, 1, 1, 0, 0);
        assertThat(added(3, ALWAYS_FLIPS, second)).containsExactly(0, 0, 1, 1, -1, 1, -1, 1, 0, 0);
    }

    @Test
    void weighsAReportWhoseLevelsAreTooFewAtItsOwn() {
        assertThat(added(3, ALWAYS_KEEPS, new LeveledSign(4, Sign.MINUS), new LeveledSign(5, Sign.PLUS)))
                .containsExactly(0, 0, 0, 0, 0, 0, -2, 2, 3 - 1, 3 + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void countsEveryReportAsOftenAsItIsReused(int reuse) {
        for (int level = 1; level <= 5; level++) {
            long[] tally = added(reuse, ALWAYS_FLIPS, new LeveledSign(level, Sign.PLUS));
            assertThat(IntStream.range(0, 5)
                            .mapToLong(each -> tally[2 * each + 1])
                            .sum())
                    .isEqualTo(reuse);
        }
    }

    @Test
    void keepsTheSumsOfOthersAtItsOffset() {
        HierarchicalAggregator aggregator = new HierarchicalAggregator(FIVE_LEVELS, 2, ALWAYS_KEEPS);
        long[] tally = new long[14];
        Arrays.fill(tally, 7);
        aggregator.add(new LeveledSign(1, Sign.MINUS), tally, 2);
        assertThat(tally).containsExactly(7, 7, 6, 8, 6, 8, 7, 7, 7, 7, 7, 7, 7, 7);
    }

    @Test
    void isTheUnbiasedEstimateOfTheProtocolWithoutReuse() {
        LeveledSign[] reports = {
            new LeveledSign(1, Sign.PLUS), new LeveledSign(1, Sign.PLUS), new LeveledSign(4, Sign.MINUS)
        };
        long[] own = new long[8];
        for (LeveledSign report : reports) {
            FIVE_LEVELS.add(report, own, 3);
        }
        double sum =
                Arrays.stream(reports).mapToDouble(FIVE_LEVELS::contribution).sum();
        assertThat(FIVE_LEVELS.contributions(own, 3, 3)).isEqualTo(sum, within(1e-12));
        HierarchicalAggregator aggregator = new HierarchicalAggregator(FIVE_LEVELS, 1, ALWAYS_FLIPS);
        assertThat(aggregator.contributions(added(1, ALWAYS_FLIPS, reports), 0)).isEqualTo(sum, within(1e-12));
    }

    @Test
    void clampsEachLevelToItsReportsAndLeavesEmptyOnesOut() {
        HierarchicalAggregator aggregator = new HierarchicalAggregator(FIVE_LEVELS, 2, ALWAYS_KEEPS);
        // The first level has the magnitude 1.18, the last level 4.08: 9 · 1.18 is above 10, 1 · 4.08 is below 10.
        double last = 1 / Math.tanh(0.25);
        long[] tally = {0, 0, 9, 10, 0, 0, 0, 0, 0, 0, -1, 5};
        assertThat(aggregator.clampedContributions(tally, 2)).isEqualTo((10 - last) / 2, within(1e-12));
        assertThat(aggregator.contributions(tally, 2)).isEqualTo((9 / Math.tanh(1.25) - last) / 2, within(1e-12));
        tally[10] = -2;
        assertThat(aggregator.clampedContributions(tally, 2)).isEqualTo((10 - 5) / 2.0, within(1e-12));
        assertThat(aggregator.clampedContributions(new long[10], 0)).isZero();
    }

    /** Values uniform on [-1, 1], levels by fifths from below. */
    @ParameterizedTest
    @CsvSource({"1, 4.076", "2, 4.761", "3, 4.804", "4, 4.754", "5, 4.667"})
    void hasTheKnownVarianceForADevice(int reuse, double known) {
        HierarchicalAggregator aggregator = new HierarchicalAggregator(FIVE_LEVELS, reuse, ALWAYS_KEEPS);
        int parts = 10_000;
        double sum = 0;
        for (int i = 0; i < parts; i++) {
            double above = (i + 0.5) / parts;
            sum += aggregator.variance((int) (above * 5) + 1, 2 * above - 1);
        }
        assertThat(sum / parts).isEqualTo(known, within(6e-4));
        assertThat(aggregator.largestVariance())
                .isEqualTo(IntStream.rangeClosed(1, 5)
                        .mapToDouble(level -> aggregator.variance(level, 0))
                        .max()
                        .orElseThrow());
    }

    @Test
    void refusesToReuseNoLevelOrMoreThanThereAre() {
        for (int reuse : List.of(0, 6)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new HierarchicalAggregator(FIVE_LEVELS, reuse, ALWAYS_KEEPS))
                    .withMessage("a report is reused 1 to 5 times, not " + reuse);
        }
    }
}
