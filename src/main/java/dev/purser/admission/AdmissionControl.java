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
 * Limits the requests that are worked on at a time, so that they fit in memory together, and leaves a processor to
 * small requests. Nothing has been charged for a request that waits here. A request that waits too long is refused.
 *
 * <ul>
 * <li>The bytes of a body are counted as they arrive ({@link BodyBytes}), those of large bodies apart.
 * <li>A small body is worked on in the request's own thread. What is made of it is counted as a multiple of its bytes.
 * <li>Heavy work runs on few platform threads, in turn between principals ({@link Turns}): a large body, and whatever
 * else the reader of the body finds to be heavy. Each such thread has {@link #HEAVY_BYTES} of the heap, and all
 * together have half of it.
 * <li>What spends nothing and is quickly done, such as a quote, runs one at a time for each principal ({@link
 * #looking}). All together have a sixteenth of the heap.
 * <li>A long reply is counted until it is sent, and so are streams of events. A client that reads slowly has only the
 * share of its principal, or one reply that is larger.
 * </ul>
 *
 * <p>Bodies and replies have an eighth of the heap each. Small requests have a sixteenth, and so have connections
 * ({@link LimitedConnector}). An eighth is left to the service itself.
 */
@Component
public final class AdmissionControl {
    /** A body of more bytes is heavy work. */
    public static final int SMALL_BYTES = 1 << 16;

    /** A part of a long body has about so many bytes. A principal may have 8 MB of large bodies at {@code -Xmx256m}. */
    private static final int PART_BYTES = (1 << 23) - (1 << 16);

    /** What is made of a small body takes at most this many times its bytes, and {@link #FIXED_BYTES}. */
    private static final int FACTOR = 40;

    private static final int FIXED_BYTES = 1 << 16;

    /** What the largest permitted question takes, with its body: docs/performance.md. */
    private static final long HEAVY_BYTES = 112L << 20;

    /** What a quote or a free answer may take of a heap's sixteenth. */
    private static final long LOOK_BYTES = 16L << 20;

    /** What a long reply takes while it is made and sent: a page of a list, and the buffers for it. */
    public static final int REPLY_BYTES = 4 << 20;

    /** What counts for an answer that is read from the database while it is sent. That takes a processor as well. */
    public static final int ANSWER_BYTES = REPLY_BYTES * 3 / 2;

    /** What counts for a reply that is made of very many numbers. */
    public static final int LARGE_REPLY_BYTES = 3 * REPLY_BYTES;

    /** The most memory of a reply that is held as a whole. Half of the memory for replies is for such replies. */
    private static final int HELD_BYTES = 64 << 20;

    /**
     * What all replies of a principal take: two answers or a large reply, and a page beside them; or one that takes
     * more by itself.
     */
    static final int REPLIES_BYTES = 4 * REPLY_BYTES;

    /** A stream of events waits most of the time. */
    private static final int STREAMS = 128;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    /** Bound on threads for heavy work. */
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
     * @param principal who sends it
     * @throws ProblemException {@code payload-too-large}, {@code unsupported-media-type}, {@code request-timeout};
     *     {@code temporarily-unavailable} if there is no room for too long
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
     * Reads a body of any length in parts of whole lines, and runs {@code work} on one after another. A part is counted
     * like a body of its own.
     *
     * @param principal who sends it
     * @param maxLines of a part; it has fewer if they are long
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
     * Runs heavy work when it is the principal's turn. Heavy work may run more of it.
     *
     * @throws ProblemException {@code temporarily-unavailable} if that takes too long
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
     * Runs work that spends nothing and takes a processor for milliseconds, such as a quote: one after another for each
     * principal, and a processor is left to others. A request that holds the memory of a body may go on to such work,
     * so such work must not wait for a body.
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

    /** Whether the caller is heavy work, which must not wait for other heavy work. */
    public static boolean isHeavyWork() {
        return HEAVY.isBound();
    }

    /**
     * Takes the memory of a long reply, until it is sent. A request that holds it may go on to heavy work, so heavy
     * work must not wait for it.
     *
     * @param principal who receives it
     * @throws ProblemException {@code temporarily-unavailable} if there is none for too long
     */
    public Turns.Lease replying(String principal, int bytes) {
        return sending(replies, principal, bytes, patience);
    }

    /** As {@link #replying}, for a request that holds memory already and must not wait. */
    public Turns.Lease replyingNow(String principal, int bytes) {
        return sending(replies, principal, bytes, Duration.ZERO);
    }

    /** The most bytes that a reply may take which is held as a whole until it is sent: 64 MB from a heap of 1 GB on. */
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
