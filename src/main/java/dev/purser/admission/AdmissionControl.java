package dev.purser.admission;

import dev.purser.json.RequestLimits;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Limits the simultaneous requests, so that they fit in memory together and leave a processor to small requests.
 * Nothing has been charged for a request that waits here. A request that waits too long is refused.
 *
 * <ul>
 * <li>The bytes of a body are counted as they arrive ({@link BodyBytes}). Large bodies have a count of their own.
 * <li>A small body is worked on in the request's own thread. The memory of this work is counted as a multiple of the
 *     body's bytes.
 * <li>Heavy work runs on a few platform threads, and principals take turns ({@link Turns}). A large body is heavy work,
 *     and so is any other request that the reader of its body finds to be heavy. Each such thread has
 *     {@link #HEAVY_BYTES} of the heap, and all together have half of it.
 * <li>Quick work that spends nothing, such as a quote, runs one at a time for each principal ({@link #looking}). All
 *     such work together has a sixteenth of the heap.
 * <li>A long reply and a stream of events are counted until they are sent. A client that reads slowly takes only the
 *     share of its principal, or one larger reply.
 * </ul>
 *
 * <p>Bodies and replies have an eighth of the heap each. Small requests and connections ({@link LimitedConnector}) have
 * a sixteenth each. A sixteenth is left to the service itself.
 */
@Component
public final class AdmissionControl {
    /** A body of more bytes is heavy work. */
    public static final int SMALL_BYTES = 1 << 16;

    /**
     * The approximate bytes of a part of a long body. A principal may have 8 MB of large bodies at {@code -Xmx256m}.
     */
    private static final int PART_BYTES = (1 << 23) - (1 << 16);

    /** The work on a small body takes at most this many times its bytes, plus {@link #FIXED_BYTES}. */
    private static final int FACTOR = 40;

    private static final int FIXED_BYTES = 1 << 16;

    /** The memory of the largest permitted question with its body: docs/performance.md. */
    private static final long HEAVY_BYTES = 112L << 20;

    /** The memory that a quote or a free answer may take, from a sixteenth of the heap. */
    private static final long LOOK_BYTES = 16L << 20;

    /** The memory of a long reply while it is made and sent: a page of a list, and the buffers for it. */
    public static final int REPLY_BYTES = 4 << 20;

    /** The counted memory of an answer that is read from the database while it is sent. This also takes a processor. */
    public static final int ANSWER_BYTES = REPLY_BYTES * 3 / 2;

    /** The counted memory of a reply that is made of very many numbers. */
    public static final int LARGE_REPLY_BYTES = 3 * REPLY_BYTES;

    /** The most memory of a reply that is kept as a whole. Half of the memory for replies is for such replies. */
    private static final int HELD_BYTES = 64 << 20;

    /**
     * The memory for all replies of a principal: two answers or a large reply, and a page beside them. A single reply
     * may take more.
     */
    static final int REPLIES_BYTES = 4 * REPLY_BYTES;

    /** The most streams of events, which wait most of the time. */
    private static final int STREAMS = 128;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    /** Has a value on threads for heavy work. */
    private static final ScopedValue<Boolean> HEAVY = ScopedValue.newInstance();

    private final BodyBytes smallBodies;
    private final BodyBytes largeBodies;
    private final Turns small;
    private final Turns heavy;
    private final Turns looks;
    private final Turns replies;
    private final Turns streams = new Turns(STREAMS, STREAMS / 4);
    private final int maxHeldBytes;
    private final Duration patience;

    @Autowired
    AdmissionControl(RequestLimits limits, MeterRegistry meters) {
        this(
                Runtime.getRuntime().maxMemory(),
                Runtime.getRuntime().availableProcessors(),
                limits.maxBodyBytes(),
                Duration.ofSeconds(30));
        Gauge.builder("purser.questions.waiting", this, AdmissionControl::waiting)
                .register(meters);
        Gauge.builder("purser.questions.memory", this, AdmissionControl::memory)
                .baseUnit("bytes")
                .register(meters);
    }

    AdmissionControl(long heapBytes, int processors, int maxBodyBytes, Duration patience) {
        smallBodies = new BodyBytes(heapBytes / 16, SMALL_BYTES + 1);
        largeBodies = new BodyBytes(heapBytes / 16, maxBodyBytes + 1L);
        small = new Turns(heapBytes / 16, heapBytes / 32);
        maxHeldBytes = (int) Math.min(heapBytes / 16, HELD_BYTES);
        replies = new Turns(Math.max(heapBytes / 8, REPLIES_BYTES), REPLIES_BYTES);
        long threads = Math.clamp(heapBytes / 2 / HEAVY_BYTES, 1, Math.max(1, processors - 1));
        heavy = new Turns(threads, Math.max(1, threads - 1));
        looks = new Turns(Math.clamp(heapBytes / 16 / LOOK_BYTES, 1, Math.max(1, processors - 1)), 1);
        this.patience = patience;
    }

    /** Work on a whole body. */
    @FunctionalInterface
    public interface BodyWork<T extends @Nullable Object, X extends Exception> {
        T run(byte[] body) throws X;
    }

    /** Heavy work. */
    @FunctionalInterface
    public interface HeavyWork<T extends @Nullable Object, X extends Exception> {
        T run() throws X;
    }

    /**
     * Reads a request's body and runs {@code work} on it.
     *
     * @param principal the sender
     * @throws ProblemException {@code payload-too-large}, {@code unsupported-media-type}, {@code request-timeout};
     *     {@code temporarily-unavailable} if there is no memory in time
     * @throws IOException if the client stops sending
     * @throws X from {@code work}
     */
    public <T extends @Nullable Object, X extends Exception> T read(
            HttpServletRequest request, String principal, int maxBytes, BodyWork<T, X> work) throws IOException, X {
        try (BodyBytes.Lease ofSmall = smallBodies.lease(principal);
                BodyBytes.Lease ofLarge = largeBodies.lease(principal)) {
            return worked(principal, RequestBody.read(request, maxBytes, ofSmall, ofLarge, patience), work);
        }
    }

    private <T extends @Nullable Object, X extends Exception> T worked(
            String principal, RequestBody body, BodyWork<T, X> work) throws X {
        if (body.length() > SMALL_BYTES) {
            return heavily(principal, () -> work.run(body.toArray()));
        }
        try (Turns.Lease room = turn(small, principal, FIXED_BYTES + (long) FACTOR * body.length())) {
            return work.run(body.toArray());
        }
    }

    /** Work on some lines of a body. */
    @FunctionalInterface
    public interface LinesWork {
        /** @param linesBefore how many lines came before these */
        void run(byte[] lines, long linesBefore) throws IOException;
    }

    /**
     * Reads a body of any length in parts of whole lines, and runs {@code work} on the parts one after another. A part
     * is counted like a body of its own.
     *
     * @param principal the sender
     * @param maxLines the most lines of a part; it has fewer if the lines are long
     * @throws ProblemException as {@link #read}
     * @throws IOException if the client stops sending
     */
    public void readLines(HttpServletRequest request, String principal, int maxLines, int maxBytes, LinesWork work)
            throws IOException {
        RequestBody.requireIdentity(request);
        LineParts parts = new LineParts(request.getInputStream(), maxLines, PART_BYTES);
        long linesBefore = 0;
        while (parts.next()) {
            long before = linesBefore;
            try (BodyBytes.Lease ofSmall = smallBodies.lease(principal);
                    BodyBytes.Lease ofLarge = largeBodies.lease(principal)) {
                RequestBody lines = RequestBody.readPart(parts, maxBytes, ofSmall, ofLarge, patience);
                this.<Boolean, IOException>worked(principal, lines, body -> {
                    work.run(body, before);
                    return true;
                });
            }
            linesBefore += parts.lines();
        }
    }

    /**
     * Runs heavy work when it is the principal's turn. Heavy work may call this again.
     *
     * @throws ProblemException {@code temporarily-unavailable} if the turn does not come in time
     * @throws X from {@code work}
     */
    public <T extends @Nullable Object, X extends Exception> T heavily(String principal, HeavyWork<T, X> work)
            throws X {
        if (HEAVY.isBound()) {
            return work.run();
        }
        try (Turns.Lease thread = turn(heavy, principal, 1)) {
            return PlatformThread.call(
                    "heavy-work", () -> ScopedValue.where(HEAVY, true).call(work::run));
        }
    }

    /**
     * Runs work that spends nothing and takes a processor for milliseconds, such as a quote. Each principal's work runs
     * one at a time, and a processor is left to others. A request that holds the memory of a body may go on to such
     * work, so such work must not wait for a body.
     *
     * @throws ProblemException {@code temporarily-unavailable} if its turn does not come in time
     */
    public <T> T looking(String principal, Supplier<T> work) {
        if (HEAVY.isBound()) {
            return work.get();
        }
        try (Turns.Lease turn = turn(looks, principal, 1)) {
            return work.get();
        }
    }

    /** Whether this thread runs heavy work, which must not wait for other heavy work. */
    public static boolean isHeavyWork() {
        return HEAVY.isBound();
    }

    /**
     * Takes the memory of a long reply, until it is sent. A request that has this memory may go on to heavy work, so
     * heavy work must not wait for this memory.
     *
     * @param principal the receiver
     * @throws ProblemException {@code temporarily-unavailable} if there is no memory in time
     */
    public Turns.Lease replying(String principal, int bytes) {
        return sending(replies, principal, bytes, patience);
    }

    /** As {@link #replying}, for a request that already has memory and must not wait. */
    public Turns.Lease replyingNow(String principal, int bytes) {
        return sending(replies, principal, bytes, Duration.ZERO);
    }

    /** The most bytes of a reply that is kept as a whole until it is sent: 64 MB from a heap of 1 GB on. */
    public int maxHeldBytes() {
        return maxHeldBytes;
    }

    /** Takes a place for a stream of events, as {@link #replying}. */
    public Turns.Lease streaming(String principal) {
        return sending(streams, principal, 1, patience);
    }

    private static Turns.Lease sending(Turns turns, String principal, long amount, Duration patience) {
        return turns.take(principal, amount, patience)
                .orElseThrow(() -> unavailable("too many long replies at once; what was charged and stored is not"
                        + " charged again if the same request is sent again"));
    }

    private Turns.Lease turn(Turns turns, String principal, long amount) {
        return turns.take(principal, amount, patience).orElseThrow(AdmissionControl::busy);
    }

    /** How many requests wait for memory or for their turn. */
    private int waiting() {
        return small.waiting() + heavy.waiting() + looks.waiting() + replies.waiting() + streams.waiting();
    }

    /** How many bytes are counted for bodies and small requests. */
    private long memory() {
        return smallBodies.used() + largeBodies.used() + small.used();
    }

    /** The refusal of a request whose turn did not come in time. */
    public static ProblemException busy() {
        return unavailable("too many large requests at once; nothing was charged, send it again");
    }

    private static ProblemException unavailable(String detail) {
        return ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, detail).retryAfter(RETRY_AFTER);
    }
}
