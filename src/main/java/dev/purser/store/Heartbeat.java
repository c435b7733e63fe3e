package dev.purser.store;

import java.util.concurrent.TimeUnit;

/** Shows whether a thread that should beat at least once a second still runs. */
final class Heartbeat {
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(3);

    private volatile long lastNanos = System.nanoTime();

    void beat() {
        lastNanos = System.nanoTime();
    }

    boolean isRecent() {
        return System.nanoTime() - lastNanos < STUCK_NANOS;
    }
}
