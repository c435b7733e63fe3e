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
 * Lets only so many large questions be worked on at a time that they fit in memory together. A question of a hundred thousand
 * ranges becomes objects of many times its bytes; eight of those, each permitted, filled a heap of 256 MB and all failed.
 *
 * <p>Nothing was charged for a question that waits here. Small questions never wait.
 */
@Component
class WorkingMemory {
    /** Bodies up to this are not counted. */
    static final int SMALL_BYTES = 64 * 1024;

    /** What is made of a body takes at most about this many times its bytes. */
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
     * Reads a request's body and runs {@code work} on it. Room for a large one is found before it is read; one that is larger
     * than all there is runs alone.
     *
     * @throws ProblemException {@code temporarily-unavailable} if there is no room for too long; as {@link RawBody#read}
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
