package dev.purser.store;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer: a thread that runs all waiting works in one transaction, commits once, and only then answers their callers.
 *
 * <p>Many callers share one fsync, and each still hears of success only after its own bytes are durable. Works run one after
 * another, each in its own savepoint, so each sees all earlier ones and none can disturb another.
 *
 * <p>Failure story. If a work fails, its savepoint is rolled back and only its caller hears of it. If the disk is full, the
 * transaction is rolled back, everyone in it is refused, and the next transaction is tried. If the commit fails in any other
 * way, nobody knows what the disk holds: everyone in it is refused, and so is every later write until a restart reads the
 * file anew. A failed fsync is never tried again, because the second one reports success without writing what the first one
 * lost. Refusals wait for the commit too: a work may have been refused because of what its neighbours did.
 */
final class GroupCommit implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

    /** Bounds the time a caller waits for its neighbours' works. */
    private static final int MAX_TOGETHER = 256;

    /** Beyond this many waiting works new ones are turned away. */
    private static final int MAX_WAITING = 10_000;

    private final Session session;
    private final PreparedStatement begin;
    private final PreparedStatement save;
    private final PreparedStatement undo;
    private final PreparedStatement release;
    private final PreparedStatement commit;
    private final PreparedStatement rollback;

    private final BlockingQueue<Request<?>> queue = new LinkedBlockingQueue<>();
    private final Request<@Nullable Void> end = new Request<>(Database.NO_ACCOUNT, session -> null);
    private final Thread thread;
    private boolean closed;
    private volatile boolean failed;
    private final AtomicLong commits = new AtomicLong();

    /**
     * @param connection the writer's own from now on, in auto-commit mode: the transactions are begun and ended here, and a
     *     work that tries to is refused by the driver
     */
    GroupCommit(Connection connection) throws SQLException {
        this.session = new Session(connection);
        this.begin = connection.prepareStatement("BEGIN IMMEDIATE");
        this.save = connection.prepareStatement("SAVEPOINT work");
        this.undo = connection.prepareStatement("ROLLBACK TO work");
        this.release = connection.prepareStatement("RELEASE work");
        this.commit = connection.prepareStatement("COMMIT");
        this.rollback = connection.prepareStatement("ROLLBACK");
        this.thread = Thread.ofPlatform().name("ledger-writer").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Runs {@code work} and returns once it is committed durably. An interrupted caller still waits for the outcome. */
    <T extends @Nullable Object> T write(String account, Database.Work<T> work) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("a work must not wait for another write");
        }
        Request<T> request = new Request<>(account, work);
        enqueue(request);
        return request.outcome.join().get();
    }

    private synchronized void enqueue(Request<?> request) {
        if (closed || queue.size() >= MAX_WAITING) {
            throw unavailable();
        }
        queue.add(request);
    }

    /** Whether writes have stopped for good. */
    boolean hasFailed() {
        return failed;
    }

    /** How many transactions were committed. */
    long commits() {
        return commits.get();
    }

    private void run() {
        List<Request<?>> batch = new ArrayList<>();
        while (true) {
            batch.add(take());
            queue.drainTo(batch, MAX_TOGETHER - 1);
            // Nothing is ever queued behind the end.
            boolean last = batch.remove(end);
            batch.sort(Comparator.comparing(request -> request.account));
            answer(batch);
            if (last) {
                return;
            }
            batch.clear();
        }
    }

    private Request<?> take() {
        while (true) {
            try {
                return queue.take();
            } catch (InterruptedException unexpected) {
                log.warn("the ledger's writer was interrupted and goes on");
            }
        }
    }

    private void answer(List<Request<?>> batch) {
        boolean durable = false;
        try {
            durable = !batch.isEmpty() && !failed && commitTogether(batch);
        } catch (Throwable unexpected) {
            // Whatever this was, the state of the transaction is unknown.
            fail(unexpected);
        } finally {
            for (Request<?> request : batch) {
                if (durable) {
                    request.answer();
                } else {
                    request.refuse();
                }
            }
        }
    }

    /** Whether all works of the batch, done or failed each on its own, now stand durably. */
    private boolean commitTogether(List<Request<?>> batch) {
        try {
            begin.execute();
            for (Request<?> request : batch) {
                request.run();
            }
        } catch (SQLException failure) {
            return abandon(failure, Sqlite.reachOf(failure) == Sqlite.Reach.TRANSACTION);
        }
        try {
            commit.execute();
        } catch (SQLException failure) {
            return abandon(failure, Sqlite.isFull(failure));
        }
        commits.incrementAndGet();
        return true;
    }

    private boolean abandon(SQLException failure, boolean mayGoOn) {
        if (!mayGoOn) {
            fail(failure);
            return false;
        }
        log.error("the ledger could not be written: {}", failure.getMessage());
        try {
            rollback.execute();
        } catch (SQLException second) {
            // After some errors SQLite has ended the transaction by itself, and says so. If it has not, the
            // next BEGIN fails.
            if (Sqlite.reachOf(second) != Sqlite.Reach.WORK) {
                fail(second);
            }
        }
        return false;
    }

    private void fail(Throwable cause) {
        failed = true;
        log.error(
                "the ledger cannot be written any more ({}); restart the service once the disk is sound",
                cause.toString());
    }

    private static ProblemException unavailable() {
        return ProblemException.of(
                        ProblemType.TEMPORARILY_UNAVAILABLE,
                        "The ledger cannot be written right now; send the same request again later.")
                .withHeader("Retry-After", "5");
    }

    /** Finishes what is waiting, then stops. */
    @Override
    public void close() {
        synchronized (this) {
            if (!closed) {
                closed = true;
                queue.add(end);
            }
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A work on its way. */
    private final class Request<T extends @Nullable Object> {
        private final String account;
        private final Database.Work<T> work;
        private final CompletableFuture<Supplier<T>> outcome = new CompletableFuture<>();
        private Supplier<T> prepared = Request::refused;

        private Request(String account, Database.Work<T> work) {
            this.account = account;
            this.work = work;
        }

        /**
         * Runs the work in its savepoint and keeps its outcome for after the commit.
         *
         * @throws SQLException if the failure reaches further than this work
         */
        private void run() throws SQLException {
            save.execute();
            try {
                T value = work.run(session);
                prepared = () -> value;
            } catch (Throwable failure) {
                throwIfItReachesFurther(failure);
                undo.execute();
                prepared = () -> {
                    throw asUnchecked(failure);
                };
            }
            release.execute();
        }

        private void answer() {
            outcome.complete(prepared);
        }

        private void refuse() {
            outcome.complete(Request::refused);
        }

        private static <T extends @Nullable Object> T refused() {
            throw unavailable();
        }

        private static void throwIfItReachesFurther(Throwable failure) throws SQLException {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException storage && Sqlite.reachOf(storage) != Sqlite.Reach.WORK) {
                    throw storage;
                }
            }
        }

        private static RuntimeException asUnchecked(Throwable failure) {
            return switch (failure) {
                case RuntimeException unchecked -> unchecked;
                case SQLException storage -> new StorageException(storage);
                case Error error -> throw error;
                default -> new IllegalStateException(failure);
            };
        }
    }
}
