package dev.purser.ledger;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Times every change of the books, from the call until it is durable or refused: {@code purser.ledger.commits}. */
final class TimedLedgerStore implements LedgerStore {
    private final LedgerStore store;
    private final MeterRegistry meters;
    private final Timer commits;

    TimedLedgerStore(LedgerStore store, MeterRegistry meters) {
        this.store = store;
        this.meters = meters;
        this.commits = Timer.builder("purser.ledger.commits")
                .description("Changes of the ledger, from the call until they are durable")
                .serviceLevelObjectives(
                        Duration.ofMillis(2), Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1))
                .register(meters);
    }

    @Override
    public <T extends @Nullable Object> T change(String account, Work<T> work) {
        Timer.Sample sample = Timer.start(meters);
        try {
            return store.change(account, work);
        } finally {
            sample.stop(commits);
        }
    }

    @Override
    public <T extends @Nullable Object> T look(Work<T> work) {
        return store.look(work);
    }

    @Override
    public <T extends @Nullable Object> T lookOnce(Work<T> work) {
        return store.lookOnce(work);
    }
}
