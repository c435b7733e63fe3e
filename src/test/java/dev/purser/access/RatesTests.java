package dev.purser.access;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RatesTests {
    private long nanos = Long.MAX_VALUE - 1_000; // such a clock may overflow
    private final Rates rates = new Rates(() -> nanos);

    private int counted(String sender, int perMinute) {
        int count = 0;
        while (rates.count(sender, perMinute).isEmpty()) {
            count++;
        }
        return count;
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void aSenderGetsTenSecondsAtOnceAndThenItsRate() {
        assertThat(counted("ana", 60)).isEqualTo(11);
        assertThat(counted("bob", 60)).isEqualTo(11);
        assertThat(rates.count("ana", 60)).isEqualTo(Optional.of(Duration.ofSeconds(1)));
        pass(Duration.ofSeconds(1));
        assertThat(counted("ana", 60)).isEqualTo(1);
        pass(Duration.ofSeconds(4));
        assertThat(counted("ana", 60)).isEqualTo(4);
    }

    @Test
    void whatIsNotUsedIsNotSavedUp() {
        assertThat(counted("ana", 60)).isEqualTo(11);
        pass(Duration.ofHours(1));
        assertThat(counted("ana", 60)).isEqualTo(11);
    }

    @Test
    void withoutARateNobodyIsRefused() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(rates.count("ana", 0)).isEmpty();
        }
    }

    @Test
    void manySendersDoNotGrowItForEver() {
        assertThat(counted("ana", 60)).isEqualTo(11);
        for (int i = 0; i < 10_001; i++) {
            rates.count("sender " + i, 60);
        }
        assertThat(counted("ana", 60)).isEqualTo(11);
    }
}
