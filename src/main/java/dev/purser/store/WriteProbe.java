package dev.purser.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries a small write to learn whether writing works. At most one write is begun in five seconds, and none while the
 * last write has no outcome. All callers wait for the same write, and no longer than three seconds after it began.
 */
final class WriteProbe {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private record Attempt(Request<?> request, long begunNanos) {
        private long ageNanos() {
            return System.nanoTime() - begunNanos;
        }
    }

    private final Supplier<Request<?>> begin;
    private @Nullable Attempt last;

    /** @param begin queues a small write */
    WriteProbe(Supplier<Request<?>> begin) {
        this.begin = begin;
    }

    boolean succeeds() {
        try {
            Attempt attempt = attempt();
            attempt.request().await(Duration.ofNanos(PATIENCE_NANOS - attempt.ageNanos()));
            return true;
        } catch (RuntimeException failure) {
            return false;
        }
    }

    private synchronized Attempt attempt() {
        Attempt attempt = last;
        if (attempt == null
                || attempt.ageNanos() > INTERVAL_NANOS && attempt.request().isDone()) {
            attempt = new Attempt(begin.get(), System.nanoTime());
            last = attempt;
        }
        return attempt;
    }
}
