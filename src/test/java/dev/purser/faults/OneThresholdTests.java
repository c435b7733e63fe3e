package dev.purser.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** These sessions have the noise of {@link Sessions}: epsilon 2, 16 positives, one threshold. */
class OneThresholdTests {
    private static final int POSITIVES = 16;
    private static final double THRESHOLD_SCALE = (1 + Math.cbrt(POSITIVES) * Math.cbrt(POSITIVES)) / 2;
    private static final double COMPARISON_SCALE = Math.cbrt(POSITIVES) * THRESHOLD_SCALE;

    /** The code of the service's noise is private to it. This noise differs from it by less than the rounding. */
    private static double laplace(double scale, RandomGenerator random) {
        double magnitude = -scale * Math.log(1 - random.nextDouble());
        return random.nextBoolean() ? magnitude : -magnitude;
    }

    private static List<Long> gaps(int size, double threshold, RandomGenerator random) {
        return Stream.generate(() -> Math.round(300 - threshold + laplace(COMPARISON_SCALE, random)))
                .limit(size)
                .toList();
    }

    private static OneThreshold run(int sessions, boolean isDrawnAgain, RandomGenerator random) {
        OneThreshold run = new OneThreshold();
        for (int i = 0; i < sessions; i++) {
            double threshold = laplace(THRESHOLD_SCALE, random);
            List<Long> before = gaps(8, threshold, random);
            double later = isDrawnAgain ? laplace(THRESHOLD_SCALE, random) : threshold;
            run.add(List.of(before, gaps(POSITIVES - 8, later, random)));
        }
        return run;
    }

    /** By construction, at most one run in 100,000 has so small a bound. The seeds are fixed. */
    @Test
    void oneThresholdRaisesNoAlarm() {
        List<Double> sums = new ArrayList<>();
        for (int seed = 0; seed < 60; seed++) {
            OneThreshold run = run(100, false, new SplittableRandom(seed));
            sums.add(run.sum());
            assertThat(run.probability()).as("seed %d", seed).isGreaterThan(OneThreshold.FALSE_ALARM);
        }
        // This is the mean of 6,000 statistics of mean 1 and variance below 2; the tolerance is five standard
        // deviations.
        double mean = sums.stream().mapToDouble(sum -> sum / 100).average().orElseThrow();
        assertThat(mean).isCloseTo(1, within(0.1));
    }

    /** Each kill has 16 sessions. */
    @Test
    void aThresholdDrawnAgainIsSeenAfterEightKills() {
        int seen = 0;
        for (int seed = 0; seed < 100; seed++) {
            seen += run(128, true, new SplittableRandom(seed)).probability() <= OneThreshold.FALSE_ALARM ? 1 : 0;
        }
        assertThat(seen).isGreaterThanOrEqualTo(98);
    }

    @Test
    void aThresholdDrawnAgainIsCertainToBeSeenAfterFiftyKills() {
        assertThat(run(800, true, new SplittableRandom(1)).probability()).isLessThan(1e-30);
    }

    @Test
    void theBoundIsAboveTheExactProbabilityOfOneSession() {
        OneThreshold run = new OneThreshold();
        run.add(List.of(List.of(1L, 2L, 3L, 4L), List.of(5L, 6L, 7L, 8L)));

        // Two of the 70 assignments are this far apart.
        assertThat(run.probability()).isBetween(2 / 70.0, 1.0);
    }

    @Test
    void groupsWithoutInformationAreLeftOut() {
        OneThreshold run = new OneThreshold();
        run.add(List.of(List.of(1L, 2L, 3L)));
        run.add(List.of(List.of(1L, 2L, 3L), List.of(4L)));
        run.add(List.of(List.of(5L, 5L), List.of(5L, 5L)));

        assertThat(run.sessions()).isZero();
    }
}
