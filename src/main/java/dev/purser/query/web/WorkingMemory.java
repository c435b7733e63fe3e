package dev.purser.query.web;

import dev.purser.json.RawBody;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Limits how many large questions are processed at a time, so that they fit in memory together. A question of a hundred
 * thousand ranges becomes objects of many times its bytes: eight such questions filled a heap of 256 MB, and all
 * failed.
 *
 * <p>A question that waits here was not charged yet. Small questions never wait.
 */
@Component
class WorkingMemory {
    /** Bodies up to this size are not counted. */
    static final int SMALL_BYTES = 64 * 1024;

    /** The objects made from a body take at most about this many times its bytes. */
    private static final int FACTOR = 32;

    private static final int UNIT_BYTES = 1024;

    private final int capacity;
    private final Semaphore free;
    private final long patienceMillis;

    @Autowired
    WorkingMemory() {
        this(Runtime.getRuntime().maxMemory() / 2, 30_000);
    }

    WorkingMemory(long bytes, long patienceMillis) {
        capacity = (int) Math.clamp(bytes / UNIT_BYTES, 1, Integer.MAX_VALUE);
        free = new Semaphore(capacity, true);
        this.patienceMillis = patienceMillis;
    }

    /**
     * Reads a request's body and runs {@code work} on it. Memory for a large body is reserved before the rest of it is
     * read. A body that needs more than the capacity runs alone.
     *
     * @throws ProblemException {@code temporarily-unavailable} if the wait for memory takes too long; as
     *     {@link RawBody#read}
     * @throws IOException if the client stops sending
     */
    <T> T reading(HttpServletRequest request, int maxBytes, Function<byte[], T> work) throws IOException {
        RawBody.Beginning beginning = RawBody.begin(request, maxBytes, SMALL_BYTES);
        if (beginning.isWhole()) {
            return work.apply(beginning.whole());
        }
        int needed = (int) Math.min(capacity, (long) beginning.mostBytes() * FACTOR / UNIT_BYTES);
        if (!acquired(needed)) {
            throw ProblemException.of(
                            ProblemType.TEMPORARILY_UNAVAILABLE,
                            "too many large questions at once; nothing was charged, send it again")
                    .withHeader("Retry-After", "5");
        }
        try {
            return work.apply(beginning.whole());
        } finally {
            free.release(needed);
        }
    }

    private boolean acquired(int needed) {
        try {
            return free.tryAcquire(needed, patienceMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
