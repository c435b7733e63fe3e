package dev.purser.store;

import dev.purser.problem.FatalErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer: a thread that runs all waiting requests in one transaction and commits once. Their callers are
 * answered only after the commit.
 *
 * <p>Many callers share one fsync, and each learns of success only after its own bytes are durable. Requests run one
 * after another: each sees the changes of all earlier requests, and none disturbs another.
 *
 * <p><b>Failure story.</b> A failed request is undone, and only its caller learns of it. Most failed requests only
 * read. If a failed request changed something, the group is rolled back and run again with a savepoint for each
 * request. Savepoints in the first run would slow down every group. If the transaction lost against a transaction of
 * another instance, it is rolled back and run again. If the disk is full, the transaction is rolled back, all its
 * requests are refused, and the next transaction is tried. If the connection is lost or the commit fails, the outcome
 * is unknown: all requests are refused, and the storage decides what follows. A server is asked on a new connection,
 * where a retry finds what its first attempt left. A file cannot be asked, so every later write is refused until a
 * restart reads the file again. Refusals also wait for the commit, because the cause of a refusal may be a change by
 * another request of the group.
 */
final class GroupCommit implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GroupCommit.class);

    /** Bounds how long a caller waits for the other requests of its group. */
    private static final int MAX_TOGETHER = 256;

    /** New requests are refused while this many wait. */
    private static final int MAX_WAITING = 10_000;

    /** How often a transaction that loses against other instances is tried. */
    private static final int MAX_ATTEMPTS = 5;

    private static final long IDLE_SECONDS = 1;
    private static final long RECHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Storage storage;
    private final MacKey key;
    private final Duration patience;
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final BlockingQueue<Request<?>> queue = new LinkedBlockingQueue<>();
    private final Request<@Nullable Void> end = new Request<>(Database.NO_ACCOUNT, connection -> null);
    private final Thread thread = Threads.indispensable("ledger-writer", this::run);
    private final AtomicLong commits = new AtomicLong();
    private final Heartbeat heartbeat = new Heartbeat();
    private final WriteProbe probe = new WriteProbe(this::touching);
    private volatile ConnectCheck check = connection -> {};
    private boolean closed;

    /** Only the thread uses it once the thread runs. Null while no connection has passed every check. */
    private @Nullable WriterConnection connection;

    private long checkedAtNanos;
    private volatile boolean connected = true;
    private volatile boolean failed;

    /**
     * @param first a new connection from the storage, owned by this writer from now on
     * @param key the key of the home
     * @param patience how long callers wait
     */
    GroupCommit(Storage storage, Connection first, MacKey key, Duration patience) throws SQLException {
        this.storage = storage;
        this.key = key;
        this.patience = patience;
        this.connection = checked(new WriterConnection(first, storage.begin(), key));
        this.checkedAtNanos = System.nanoTime();
    }

    void start() {
        acknowledgements.start();
        thread.start();
    }

    void witness(CommitWitness witness) {
        acknowledgements.witness(witness);
    }

    /** Runs {@code next} now and on every new connection. */
    void onConnect(ConnectCheck next) {
        check = next;
        write(Database.NO_ACCOUNT, connection -> {
            next.connected(connection);
            return null;
        });
    }

    /** Runs {@code work} and returns when it is durably committed and witnessed. */
    <T extends @Nullable Object> T write(String account, Database.Work<T> work) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("a write must not wait for another write");
        }
        return enqueued(account, work).await(patience);
    }

    private synchronized <T extends @Nullable Object> Request<T> enqueued(String account, Database.Work<T> work) {
        if (closed || failed || !connected || queue.size() >= MAX_WAITING) {
            throw Request.unavailable();
        }
        Request<T> request = new Request<>(account, work);
        queue.add(request);
        return request;
    }

    boolean isWritable() {
        return connected && !failed && acknowledgements.isKeepingUp() && heartbeat.isRecent();
    }

    /** Whether a small write, which {@link WriteProbe} tries, succeeds. */
    boolean isProvenWritable() {
        return isWritable() && probe.succeeds() && isWritable();
    }

    private Request<@Nullable Void> touching() {
        return enqueued(Database.NO_ACCOUNT, connection -> {
            storage.touch(connection);
            return null;
        });
    }

    /** How many transactions that contained requests were committed since the start. */
    long commits() {
        return commits.get();
    }

    private void run() {
        boolean last = false;
        while (!last) {
            heartbeat.beat();
            List<Request<?>> batch = next();
            // Nothing is queued after the end.
            last = batch.remove(end);
            Map<String, String> heads = makeReady() && !batch.isEmpty() ? commitTogether(batch) : null;
            if (!batch.isEmpty()) {
                acknowledgements.hand(new Acknowledgements.Group(batch, heads));
            }
        }
    }

    /** The waiting requests; empty if none arrived for a while. */
    private List<Request<?>> next() {
        List<Request<?>> batch = new ArrayList<>();
        try {
            Request<?> first = queue.poll(IDLE_SECONDS, TimeUnit.SECONDS);
            if (first != null) {
                batch.add(first);
                queue.drainTo(batch, MAX_TOGETHER - 1);
            }
        } catch (InterruptedException unexpected) {
            log.warn("the ledger's writer was interrupted and continues");
        }
        return batch;
    }

    /**
     * Connects if there is no connection. Returns whether the connection has passed every check when it was new, and
     * the recurring checks recently.
     */
    private boolean makeReady() {
        if (failed) {
            return false;
        }
        try {
            if (connection == null) {
                connection = checked(new WriterConnection(storage.openWriter(), storage.begin(), key));
                connected = true;
                checkedAtNanos = System.nanoTime();
                log.info("the ledger can be written again");
            } else if (System.nanoTime() - checkedAtNanos > RECHECK_NANOS) {
                storage.requireStillDurable(connection.connection);
                checkedAtNanos = System.nanoTime();
            }
            return true;
        } catch (Throwable refusal) {
            giveUp(refusal);
            return false;
        }
    }

    /**
     * Runs the check on a new connection and commits. This commit is durable only if all earlier commits are, including
     * the commits of a lost connection.
     */
    private WriterConnection checked(WriterConnection fresh) throws SQLException {
        try {
            fresh.begin();
            check.connected(fresh.statements);
            fresh.statements.keepHeadsOfThisWork();
            fresh.commit();
            Map<String, String> heads = fresh.statements.takeHeads();
            if (!heads.isEmpty()) {
                acknowledgements.hand(new Acknowledgements.Group(List.of(), heads));
            }
            return fresh;
        } catch (Throwable failure) {
            closeQuietly(fresh);
            throw failure;
        }
    }

    /**
     * Runs the requests. Returns the new heads once every request, successful or undone, is durably settled; null if
     * that failed.
     */
    private @Nullable Map<String, String> commitTogether(List<Request<?>> batch) {
        batch.sort(Comparator.comparing(request -> request.account));
        for (int attempt = 1; connection != null && !failed && attempt <= MAX_ATTEMPTS; attempt++) {
            FailureScope scope = tryOnce(connection, batch, attempt);
            if (scope == null) {
                commits.incrementAndGet();
                return connection.statements.takeHeads();
            }
            if (scope != FailureScope.AGAIN) {
                return null;
            }
        }
        log.error("the ledger could not be written: other instances held its locks in {} attempts", MAX_ATTEMPTS);
        return null;
    }

    /** Runs the requests once. Returns what a failure affects; null if there was none. */
    private @Nullable FailureScope tryOnce(WriterConnection current, List<Request<?>> batch, int attempt) {
        try {
            current.begin();
            for (Request<?> request : batch) {
                request.run(current, storage, attempt > 1, attempt > 2);
            }
        } catch (Request.UndoNeeded again) {
            rollBack(current);
            return FailureScope.AGAIN;
        } catch (Throwable failure) {
            return abandon(current, failure, storage.scopeOf(failure));
        }
        try {
            current.commit();
            // A server that is weakened while a commit waits for its standby wakes the commit without a warning. A file
            // that was replaced lacks this commit, so the next process would not find it.
            storage.requireStillDurable(current.connection);
            return null;
        } catch (Throwable failure) {
            return abandon(current, failure, storage.scopeOfCommit(failure));
        }
    }

    private FailureScope abandon(WriterConnection current, Throwable failure, FailureScope scope) {
        FatalErrors.check(failure);
        switch (scope) {
            case AGAIN -> rollBack(current);
            case WORK, TRANSACTION -> {
                log.error("the ledger {} could not be written: {}", storage.name(), failure.toString());
                rollBack(current);
            }
            case CONNECTION -> lose(failure);
            case DATABASE -> fail(failure);
        }
        return scope;
    }

    private void rollBack(WriterConnection current) {
        try {
            current.rollback();
        } catch (Throwable second) {
            // After some errors SQLite has already ended the transaction, and ROLLBACK then fails.
            if (second instanceof SQLException && storage.scopeOf(second) == FailureScope.WORK) {
                return;
            }
            giveUp(second);
        }
    }

    private void giveUp(Throwable cause) {
        FatalErrors.check(cause);
        if (storage.scopeOfCommit(cause) == FailureScope.DATABASE) {
            fail(cause);
        } else {
            lose(cause);
        }
    }

    private void lose(Throwable cause) {
        if (connected) {
            log.error("the ledger cannot be written until its database can be reached: {}", cause.toString());
        }
        connected = false;
        if (connection != null) {
            closeQuietly(connection);
            connection = null;
        }
    }

    private void fail(Throwable cause) {
        failed = true;
        log.error(
                "the ledger cannot be written any more ({}); restart the service once its disk and files are sound",
                cause.toString());
    }

    private static void closeQuietly(WriterConnection unfit) {
        try {
            unfit.close();
        } catch (SQLException ignored) {
            // The failure that led here is the one to report.
        }
    }

    /**
     * Finishes waiting requests, then stops. If they take too long, the connection stays open until the process ends.
     */
    @Override
    public void close() throws SQLException {
        synchronized (this) {
            if (!closed) {
                closed = true;
                queue.add(end);
            }
        }
        if (Threads.join(thread) && acknowledgements.close() && connection != null) {
            connection.close();
        }
    }
}
