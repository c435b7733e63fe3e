package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.ledger.CommittedDebit;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;

/**
 * Times the reads of an engine as {@code purser.engine.reads}. The times depend on the rows, so operators alone see
 * them.
 */
final class TimedEngine implements DataEngine {
    private final DataEngine engine;
    private final MeterRegistry meters;
    private final Timer reads;

    /** @param source {@code upload} or {@code table} */
    TimedEngine(DataEngine engine, String source, MeterRegistry meters) {
        this.engine = engine;
        this.meters = meters;
        this.reads = Timer.builder("purser.engine.reads")
                .description("Reads of rows for questions that were charged")
                .tag("source", source)
                .serviceLevelObjectives(
                        Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(10))
                .register(meters);
    }

    @Override
    public Sensitive<List<Buckets>> collect(CommittedDebit debit, Dataset dataset, List<BucketRequest> requests) {
        Timer.Sample sample = Timer.start(meters);
        try {
            return engine.collect(debit, dataset, requests);
        } finally {
            sample.stop(reads);
        }
    }
}
