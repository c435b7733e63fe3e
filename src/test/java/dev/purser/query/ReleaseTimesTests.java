package dev.purser.query;

import dev.purser.store.StartupRefusal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ReleaseTimesTests {
    private static final Duration QUANTUM = Duration.ofMillis(100);

    /** No kinds besides the kinds of the list. */
    private static final ChargedKinds NO_OTHERS = new ChargedKinds(List.of());

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private static ReleaseSettings settings(boolean quantised) {
        return new ReleaseSettings(quantised, QUANTUM, Duration.ZERO, Duration.ofSeconds(120), Map.of());
    }

    /** How long it takes until a reply leaves, if making it takes {@code work}. */
    private Duration away(ReleaseTimes times, Duration work) throws InterruptedException {
        long start = System.nanoTime();
        try (ReleaseTimes.Departure departure = times.departure(List.of("count"), 1)) {
            Thread.sleep(work);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private double counted(String meter) {
        return meters.counter(meter).count();
    }

    @Test
    void aReplyLeavesAtTheEndOfAQuantum() throws InterruptedException {
        ReleaseTimes times = new ReleaseTimes(settings(true), NO_OTHERS, meters);
        assertThat(away(times, Duration.ZERO)).isBetween(QUANTUM, QUANTUM.multipliedBy(2));
        assertThat(counted("purser.release.overruns")).isZero();

        assertThat(away(times, Duration.ofMillis(130))).isGreaterThanOrEqualTo(QUANTUM.multipliedBy(2));
        assertThat(counted("purser.release.overruns")).isOne();
        assertThat(counted("purser.release.replies")).isEqualTo(2);
    }

    /** The time to make the reply is part of the quantum. The machine may sometimes be late, but not always. */
    @Test
    void aReplyThatTookLongLeavesNoLaterThanOneThatDidNot() throws InterruptedException {
        ReleaseTimes times = new ReleaseTimes(settings(true), NO_OTHERS, meters);
        Duration earliest = Duration.ofDays(1);
        for (int i = 0; i < 5; i++) {
            Duration away = away(times, Duration.ofMillis(80));
            earliest = away.compareTo(earliest) < 0 ? away : earliest;
        }
        assertThat(earliest).isBetween(QUANTUM, Duration.ofMillis(150));
    }

    @Test
    void anInterruptedReplyWaitsAllTheSame() throws InterruptedException {
        ReleaseTimes times = new ReleaseTimes(settings(true), NO_OTHERS, meters);
        long start = System.nanoTime();
        try (ReleaseTimes.Departure departure = times.departure(List.of("count"), 1)) {
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(QUANTUM);
    }

    @Test
    void whatIsNotQuantisedLeavesAtOnce() throws InterruptedException {
        long start = System.nanoTime();
        away(new ReleaseTimes(settings(false), NO_OTHERS, meters), Duration.ZERO);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(QUANTUM);
        assertThat(counted("purser.release.replies")).isZero();
    }

    @Test
    void aQuantumGrowsWithTheRowsADatasetIsRegisteredForUpToTheLongest() {
        ReleaseSettings settings = new ReleaseSettings(
                true,
                Duration.ofMillis(250),
                Duration.ofMillis(50),
                Duration.ofSeconds(2),
                Map.of("quantile", Duration.ofSeconds(1)));
        assertThat(settings.quantum(List.of("count"), 1))
                .isEqualTo(Duration.ofMillis(250).plusNanos(50));
        assertThat(settings.quantum(List.of("count"), 10_000_000)).isEqualTo(Duration.ofMillis(750));
        assertThat(settings.quantum(List.of("quantile"), 10_000_000)).isEqualTo(Duration.ofMillis(1500));
        assertThat(settings.quantum(List.of("count"), 100_000_000_000L)).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.quantum(List.of("count", "count"), 10_000_000)).isEqualTo(Duration.ofMillis(1500));
        assertThat(settings.quantum(List.of("count", "quantile"), 1_000_000)).isEqualTo(Duration.ofMillis(1350));
        assertThat(settings.quantum(List.of("count", "quantile"), 10_000_000)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        Duration day = Duration.ofDays(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReleaseSettings(true, day, QUANTUM, Duration.ofMillis(60), Map.of()))
                .withMessage("purser.release.longest must be at least purser.release.quantum, was 60ms");
        ReleaseSettings ofNoKind = new ReleaseSettings(true, QUANTUM, QUANTUM, day, Map.of("summ", QUANTUM));
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> new ReleaseTimes(ofNoKind, NO_OTHERS, meters))
                .withMessageContaining("purser.release.kinds.summ must name one of")
                .withMessageEndingWith("the nearest is \"sum\".");
    }
}
