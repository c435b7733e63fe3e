package dev.purser.dataset.jail;

import dev.purser.dataset.ingest.UploadParser;
import dev.purser.dataset.parser.BatchSlots;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parses each upload in a jailed process of its own. Which jail holds here is tried once, when this object is made; if none does,
 * no upload is parsed unless that was permitted.
 *
 * <p>Two parsers are started in advance, so that an upload does not wait for a Java virtual machine, nor the one that comes right after it.
 * They have seen nothing of any upload, and no parser sees two.
 */
public final class JailedParser implements UploadParser, AutoCloseable {
    private static final long MAX_WAIT_SECONDS = 20;
    private static final int WAITING = 2;
    private static final String NOT_NOW = "the upload cannot be parsed right now";
    private static final Logger LOG = LoggerFactory.getLogger(JailedParser.class);

    private final Path folder;
    private final boolean unjailedPermitted;
    private final int maxParsers;
    private final Duration rest;
    private final Semaphore free;
    private final CompletableFuture<Optional<Jail>> trial;
    private final BlockingQueue<WaitingParser> waiting = new ArrayBlockingQueue<>(WAITING);
    private volatile boolean closed;

    /**
     * @param folder where parsers start, and unpack what they need before they begin
     * @param maxParsers how many uploads are parsed at a time; further ones wait
     * @param unjailedPermitted whether to parse uploads where no jail holds
     * @param rest how long after an upload the second of the waiting parsers is replaced: others may come, and need the processors
     */
    public JailedParser(Path folder, int maxParsers, boolean unjailedPermitted, Duration rest) {
        this.folder = folder;
        this.unjailedPermitted = unjailedPermitted;
        this.maxParsers = maxParsers;
        this.rest = rest;
        free = new Semaphore(maxParsers, true);
        trial = CompletableFuture.supplyAsync(
                this::tryJails,
                work -> Thread.ofPlatform().daemon().name("jail-trial").start(work));
    }

    /** How uploads are parsed on this host. */
    public enum Standing {
        /** In a jail that was seen to hold. */
        JAILED,
        /** Without one, as the operator permitted. */
        UNJAILED,
        /** Not at all. */
        REFUSED
    }

    /** Waits for the trial, if it still runs. */
    public Standing standing() {
        if (trial.join().isPresent()) {
            return Standing.JAILED;
        }
        return unjailedPermitted ? Standing.UNJAILED : Standing.REFUSED;
    }

    private Optional<Jail> tryJails() {
        Optional<Jail> jail = Trial.strongest(folder);
        if (jail.isPresent()) {
            LOG.info("uploads are parsed in a jail: {}", jail.orElseThrow());
        } else if (unjailedPermitted) {
            LOG.warn("uploads are parsed without a jail, as PURSER_UNJAILED permits");
        } else {
            LOG.warn("uploads are refused: no jail for parsing them holds on this host, see docs/operating.md");
        }
        return jail;
    }

    @Override
    public void requireAvailable() {
        if (standing() == Standing.REFUSED) {
            throw unavailable("uploads are not taken on this host, which has no jail to parse them in");
        }
    }

    @Override
    public Parsing csv() {
        return parse("CSV");
    }

    @Override
    public ParquetParsing parquet(Path file) {
        Path shared = file.resolveSibling(file.getFileName() + ".batches");
        Arena arena = Arena.ofShared();
        try {
            BatchSlots slots = BatchSlots.create(shared, arena);
            return new SharingParsing(parse("PARQUET\t" + file + "\t" + shared), slots, arena);
        } catch (IOException e) {
            arena.close();
            LOG.error("the memory to share with a parser could not be made");
            throw unavailable(NOT_NOW);
        } catch (RuntimeException | Error failure) {
            arena.close();
            throw failure;
        } finally {
            delete(shared);
        }
    }

    /** Both have it mapped, or nobody needs it. */
    private static void delete(Path shared) {
        try {
            Files.deleteIfExists(shared);
        } catch (IOException e) {
            LOG.error("a file to share with a parser could not be deleted");
        }
    }

    private Parsing parse(String order) {
        requireAvailable();
        takePlace();
        boolean given = false;
        try {
            Parsing parsing = new PlacedParsing(next().give(order));
            given = true;
            return parsing;
        } catch (IOException e) {
            LOG.error("a parser of an upload could not be started");
            throw unavailable(NOT_NOW);
        } finally {
            if (!given) {
                free.release();
                prepareAfterRest();
            }
        }
    }

    private void takePlace() {
        try {
            if (free.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw unavailable("too many uploads are being parsed; send it again later");
    }

    /** The one that waits longest, which is the one that is readiest. */
    private WaitingParser next() throws IOException {
        for (WaitingParser next = waiting.poll(); next != null; next = waiting.poll()) {
            if (next.isAlive()) {
                return next;
            }
        }
        return start();
    }

    private WaitingParser start() throws IOException {
        return WaitingParser.start(trial.join().orElse(Jail.NONE), folder);
    }

    /** Starts one parser more that waits for an upload, if uploads are parsed on this host and fewer than two wait. */
    public void prepareNext() {
        waiting.removeIf(parser -> !parser.isAlive());
        if (closed || standing() == Standing.REFUSED || waiting.remainingCapacity() == 0) {
            return;
        }
        try {
            WaitingParser next = start();
            if (!waiting.offer(next)) {
                next.close();
            }
            if (closed) {
                endWaiting();
            }
        } catch (IOException e) {
            // The next upload will say so.
            LOG.error("a parser of uploads could not be started");
        }
    }

    /** Has the parser started that an upload took: now if none waits, or else after a rest. */
    private void replace() {
        if (waiting.isEmpty()) {
            prepareNext();
        }
        prepareAfterRest();
    }

    /** Does as {@link #prepareNext} after a rest, unless uploads are parsed then: once they are, this is done anyway. */
    private void prepareAfterRest() {
        CompletableFuture.delayedExecutor(rest.toMillis(), TimeUnit.MILLISECONDS, JailedParser::startThread)
                .execute(() -> {
                    if (free.availablePermits() == maxParsers) {
                        prepareNext();
                    }
                });
    }

    private static void startThread(Runnable work) {
        Thread.ofPlatform().daemon().name("parser-start").start(work);
    }

    private static ProblemException unavailable(String detail) {
        return ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, detail);
    }

    /** Ends the parsers that wait; those at work end with their uploads. */
    @Override
    public void close() {
        closed = true;
        endWaiting();
    }

    private void endWaiting() {
        for (WaitingParser next = waiting.poll(); next != null; next = waiting.poll()) {
            next.close();
        }
    }

    /** Gives its place back once, and has its parser replaced then: not while this one needs the processor. */
    private final class PlacedParsing implements Parsing {
        private final AtomicReference<@Nullable Parsing> parsing;
        private final OutputStream input;
        private final InputStream frames;

        private PlacedParsing(Parsing parsing) {
            this.parsing = new AtomicReference<>(parsing);
            input = parsing.input();
            frames = parsing.frames();
        }

        @Override
        public OutputStream input() {
            return input;
        }

        @Override
        public InputStream frames() {
            return frames;
        }

        @Override
        public void close() {
            Parsing open = parsing.getAndSet(null);
            if (open != null) {
                open.close();
                free.release();
                replace();
            }
        }
    }

    /** Gives the memory back that it shared with its parser. */
    private static final class SharingParsing implements ParquetParsing {
        private final Parsing parsing;
        private final BatchSlots slots;
        private final Arena arena;

        private SharingParsing(Parsing parsing, BatchSlots slots, Arena arena) {
            this.parsing = parsing;
            this.slots = slots;
            this.arena = arena;
        }

        @Override
        public BatchSlots slots() {
            return slots;
        }

        @Override
        public OutputStream input() {
            return parsing.input();
        }

        @Override
        public InputStream frames() {
            return parsing.frames();
        }

        @Override
        public void close() {
            try {
                parsing.close();
            } finally {
                if (arena.scope().isAlive()) {
                    arena.close();
                }
            }
        }
    }
}
