package dev.purser.mechanism;

import dev.purser.local.Harmony;
import dev.purser.local.Hybrid;
import dev.purser.local.NumericRandomizer;
import dev.purser.local.Piecewise;
import dev.purser.mechanism.LocalMean.Protocol;
import dev.purser.noise.RandomBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class LocalMeanStatisticalTests {
    private static final int RELEASES = 2_000;
    private static final double BETA = 0.2;

    private static MeanTarget target(long lower, long upper) {
        return new MeanTarget(0, false, lower, upper, SmallData.REPLACE_ROW);
    }

    private static LocalMean mean(String epsilon, Protocol protocol, MeanTarget target) {
        return new LocalMean(Epsilon.parse(epsilon), protocol, target, BETA);
    }

    private static NumericRandomizer<?> randomizer(Protocol protocol, Epsilon epsilon) {
        return switch (protocol) {
            case HARMONY -> new Harmony(epsilon);
            case PIECEWISE -> new Piecewise(epsilon);
            case HYBRID -> new Hybrid(epsilon);
        };
    }

    private static List<MeanAnswer> releases(LocalMean mechanism, List<long[]> rows) {
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, rows);
        RandomBits bits = new SeededBits(71);
        List<MeanAnswer> answers = new ArrayList<>(RELEASES);
        for (int i = 0; i < RELEASES; i++) {
            answers.add(mechanism.release(exact, bits));
        }
        return answers;
    }

    /**
     * 2,000 releases, epsilon 2, 400 rows of 10 values around 10 in [0, 20]: the mean is over ten standard deviations
     * from the ends. The mean of the releases is off by five of its own standard deviations with probability 6e-7, and
     * the variance of the releases is off by 16 % with probability 1e-6.
     */
    @ParameterizedTest
    @EnumSource
    void isTheMeanOfTheRowsWithTheVarianceOfOneReportForEach(Protocol protocol) {
        NumericRandomizer<?> randomizer = randomizer(protocol, Epsilon.parse("2"));
        List<long[]> rows = new ArrayList<>();
        double truth = 0;
        double variance = 0;
        for (int i = 0; i < 400; i++) {
            long value = 6 + i / 40;
            rows.add(new long[] {value});
            truth += value / 400.0;
            variance += randomizer.variance(value / 10.0 - 1) * 10 * 10 / 400 / 400;
        }

        List<MeanAnswer> answers = releases(mean("2", protocol, target(0, 20)), rows);

        double sum = 0;
        double squares = 0;
        for (MeanAnswer answer : answers) {
            double error = answer.meanSteps().doubleValue() - truth;
            sum += error;
            squares += error * error;
        }
        assertThat(sum / RELEASES).isEqualTo(0, within(5 * Math.sqrt(variance / RELEASES)));
        assertThat(squares / RELEASES).isEqualTo(variance, within(0.16 * variance));
    }

    /**
     * 100 rows at each place, 2,000 releases at beta 0.2: an interval that fails with probability at most 0.2 fails in
     * 400 + 5 · 17.9 or more of the releases with probability below 3e-7.
     */
    @ParameterizedTest
    @EnumSource
    void holdsTheClampedMeanInItsIntervalAsOftenAsItSays(Protocol protocol) {
        for (String epsilon : List.of("1", "4")) {
            for (long value : new long[] {-60, 0, 100}) {
                LocalMean mechanism = mean(epsilon, protocol, target(-100, 100));
                double alpha = mechanism.expectedAlphaSteps(100).doubleValue();
                int outside = 0;
                int beyondAlpha = 0;
                for (MeanAnswer answer : releases(mechanism, SmallData.repeated(100, value))) {
                    outside += answer.lowSteps().doubleValue() <= value
                                    && value <= answer.highSteps().doubleValue()
                            ? 0
                            : 1;
                    beyondAlpha += Math.abs(answer.meanSteps().doubleValue() - value) > alpha ? 1 : 0;
                    assertThat(answer.meanSteps()).isBetween(answer.lowSteps(), answer.highSteps());
                    assertThat(answer.lowSteps()).isGreaterThanOrEqualTo(BigDecimal.valueOf(-100));
                    assertThat(answer.highSteps()).isLessThanOrEqualTo(BigDecimal.valueOf(100));
                }
                assertThat(outside).as("%s at %d", epsilon, value).isLessThan(489);
                assertThat(beyondAlpha).as("%s at %d", epsilon, value).isLessThan(489);
            }
        }
    }

    @Test
    void boundsItsErrorByHoeffdingsAndBernsteinsInequality() {
        MeanTarget target = target(0, 1_000);
        // 2.16395341373865 · √(2 ln 10 / n) · 500, and l + √(l² + 2 ln 10 · 4.288992 / n), l = ln 10 · 5.082988 / 3n,
        // times 500: the contributions and variances of the continuous mechanism.
        assertThat(mean("1", Protocol.HARMONY, target)
                        .expectedAlphaSteps(100_000)
                        .doubleValue())
                .isEqualTo(7.342445868761, within(1e-4));
        assertThat(mean("1", Protocol.HYBRID, target)
                        .expectedAlphaSteps(100_000)
                        .doubleValue())
                .isEqualTo(7.046542436116, within(1e-2));
        assertThat(mean("1", Protocol.HYBRID, target).expectedAlphaSteps(1)).isEqualByComparingTo("1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mean("1", Protocol.HYBRID, target).expectedAlphaSteps(0));
    }

    @ParameterizedTest
    @EnumSource
    void expectsNoLargerErrorOfMoreRows(Protocol protocol) {
        for (String epsilon : List.of("0.000001", "0.6", "0.62", "3", "10")) {
            LocalMean mechanism = mean(epsilon, protocol, target(0, 99_999));
            BigDecimal before = BigDecimal.valueOf(99_999);
            for (long rows = 1; rows < 1L << 40; rows *= 2) {
                BigDecimal alpha = mechanism.expectedAlphaSteps(rows);
                assertThat(alpha).isLessThanOrEqualTo(before);
                before = alpha;
            }
        }
    }

    @Test
    void takesValuesBeyondTheRangeForItsEnds() {
        LocalMean mechanism = mean("1", Protocol.HYBRID, target(-7, 5));
        assertThat(releases(mechanism, SmallData.rows(-1_000, -8, 0, 6, 1L << 40)))
                .isEqualTo(releases(mechanism, SmallData.rows(-7, -7, 0, 5, 5)));
    }

    @Test
    void saysNothingOfNoRows() {
        MeanAnswer answer =
                releases(mean("1", Protocol.HYBRID, target(-8, 5)), List.of()).getFirst();
        assertThat(answer.meanSteps()).isEqualByComparingTo("-1.5");
        assertThat(answer.lowSteps()).isEqualByComparingTo("-8");
        assertThat(answer.highSteps()).isEqualByComparingTo("5");
    }

    @Test
    void knowsTheMeanOfARangeOfOneValue() {
        LocalMean mechanism = mean("1", Protocol.PIECEWISE, target(7, 7));
        MeanAnswer answer = releases(mechanism, SmallData.rows(3, 9)).getFirst();
        assertThat(answer.meanSteps()).isEqualByComparingTo("7");
        assertThat(answer.alphaSteps()).isZero();
        assertThat(mechanism.expectedAlphaSteps(2)).isZero();
    }

    @Test
    void isNotMadeWhereItIsNotPrivateOrTooLarge() {
        for (MeanTarget target : List.of(
                new MeanTarget(0, false, 0, 1, SmallData.ADD_OR_REMOVE_ROW),
                new MeanTarget(0, true, 0, 1, SmallData.REPLACE_ROW),
                new MeanTarget(0, false, 0, 1, SmallData.replaceUnit(1)))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> mean("1", Protocol.HARMONY, target))
                    .withMessageContaining("private");
        }
        assertThat(mean("1", Protocol.HARMONY, target(1, LocalMean.MAX_VALUES)).statistics())
                .hasSize(LocalMean.MAX_VALUES);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mean("1", Protocol.HARMONY, target(0, LocalMean.MAX_VALUES)));
        for (Protocol protocol : Protocol.values()) {
            String most = protocol.mostEpsilon().toString();
            assertThat(mean(most, protocol, target(0, 1)).description().parameters())
                    .containsEntry("protocol", protocol.name().toLowerCase(Locale.ROOT));
            assertThatIllegalArgumentException().isThrownBy(() -> mean(most + ".000000001", protocol, target(0, 1)));
        }
    }
}
