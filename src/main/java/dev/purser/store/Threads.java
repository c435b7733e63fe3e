package dev.purser.store;

import dev.purser.problem.FatalErrors;
import java.time.Duration;

/** The threads of the writer, and time limits for waiting for them. */
final class Threads {
    /** Longer than it takes to notice a lost server. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Waits for something for at most some time. Returns whether it happened. */
    @FunctionalInterface
    interface Waiting {
        boolean within(long nanos) throws InterruptedException;
    }

    private Threads() {}

    /** A thread that the process cannot work without. The process ends if the thread fails. */
    static Thread indispensable(String name, Runnable work) {
        return Thread.ofPlatform()
                .name(name)
                .daemon()
                .uncaughtExceptionHandler(FatalErrors::escaped)
                .unstarted(work);
    }

    /** Waits for the end of a thread, even if interrupted; false if that takes too long. */
    static boolean join(Thread thread) {
        return !thread.isAlive() || await(PATIENCE, nanos -> thread.join(Duration.ofNanos(nanos)));
    }

    /** Waits even if interrupted. */
    static boolean await(Duration patience, Waiting waiting) {
        long end = System.nanoTime() + patience.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return waiting.within(end - System.nanoTime());
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
