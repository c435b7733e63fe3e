package dev.purser.faults;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Asks again after a restart until every outcome is known (I13, I15). */
final class Recovery {
    /** At most one in this many retried requests may fail. */
    private static final int ONE_IN = 1_000;

    private final Witness witness;
    private final Findings findings;
    private final Duration patience;

    /** @param patience within which every outcome has to be known */
    Recovery(Witness witness, Findings findings, Duration patience) {
        this.witness = witness;
        this.findings = findings;
        this.patience = patience;
    }

    @FunctionalInterface
    interface Asking {
        /** Sends a question again; null if nothing came back. */
        Reply ask(Asked asked) throws InterruptedException;
    }

    void resolve(TestDataset dataset, Asking again) {
        List<Exchange> unknown = unknown(dataset);
        long deadline = System.nanoTime() + patience.toNanos();
        Semaphore places = new Semaphore(FaultSettings.CLIENTS);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            unknown.forEach(exchange -> clients.execute(() -> resolve(again, exchange, places, deadline)));
        }
        dataset.unknown().clear();
        List<Exchange> left = unknown(dataset);
        findings.count("unknown outcomes", unknown.size());
        findings.count(
                "synopses of unknown outcome",
                unknown.stream()
                        .filter(exchange -> exchange.asked().isSynopsis())
                        .count());
        findings.count("unknown outcomes resolved", unknown.size() - left.size());
        if ((long) left.size() * ONE_IN > unknown.size()) {
            left.stream()
                    .limit(3)
                    .forEach(exchange -> findings.broken(
                            "I15",
                            left.size() + " of " + unknown.size() + " retried requests had no outcome within "
                                    + patience.toSeconds() + " s",
                            exchange.asked().key()));
        }
    }

    private List<Exchange> unknown(TestDataset dataset) {
        return witness.of(dataset.id()).stream().filter(Exchange::isUnknown).toList();
    }

    private void resolve(Asking again, Exchange exchange, Semaphore places, long deadline) {
        try {
            places.acquire();
            while (exchange.isUnknown() && System.nanoTime() < deadline) {
                Reply reply = again.ask(exchange.asked());
                if (reply != null && reply.isRefusal()) {
                    // No attempt is in flight. If one had been booked, this reply would be its answer.
                    exchange.settledByRefusal();
                } else if (reply == null || !reply.isAnswer()) {
                    Thread.sleep(50);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            places.release();
        }
    }
}
