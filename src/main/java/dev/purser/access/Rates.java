package dev.purser.access;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Counts the requests of each sender. Each sender has a moment up to which its requests so far have used its rate. A
 * request is refused if this moment is more than ten seconds ahead. Any other request moves it by one interval (the
 * generic cell rate algorithm).
 */
final class Rates {
    private static final long BURST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    /** A sender that sends nothing for long is forgotten and starts anew. */
    private static final int REMEMBERED = 10_000;

    private final LongSupplier nanos;
    private final Map<String, Long> usedUpTo = new Recent<>(REMEMBERED);

    /** @param nanos a clock that never goes back */
    Rates(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Counts a request, unless it is one too many.
     *
     * @param perMinute 0 for any number
     * @return how long the sender has to wait; empty if the request is counted
     */
    Optional<Duration> count(String sender, int perMinute) {
        if (perMinute == 0) {
            return Optional.empty();
        }
        synchronized (usedUpTo) {
            long now = nanos.getAsLong();
            Long used = usedUpTo.get(sender);
            // Only differences are compared, because such a clock may begin anywhere and overflow.
            long ahead = used == null ? 0 : Math.max(0, used - now);
            if (ahead > BURST_NANOS) {
                return Optional.of(Duration.ofNanos(ahead - BURST_NANOS));
            }
            usedUpTo.put(sender, now + ahead + MINUTE_NANOS / perMinute);
            return Optional.empty();
        }
    }
}
