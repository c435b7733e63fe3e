package dev.purser.store;

import java.util.concurrent.TimeUnit;

/** Whether a thread that takes a turn at least every second still does. */
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
