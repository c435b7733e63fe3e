package dev.purser.store;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A caller's work in a shared transaction, and its outcome. */
final class Request<T extends @Nullable Object> {
    final String account;
    private final Database.Work<T> work;
    private final CountDownLatch done = new CountDownLatch(1);
    private Supplier<T> prepared = Request::refused;

    Request(String account, Database.Work<T> work) {
        this.account = account;
        this.work = work;
    }

    /**
     * Waits for the outcome, even if the caller is interrupted.
     *
     * @throws ProblemException {@code temporarily-unavailable} if there is no outcome in time; the work may still be
     *     done
     */
    T await(Duration patience) {
        if (!Threads.await(patience, nanos -> done.await(nanos, TimeUnit.NANOSECONDS))) {
            throw ProblemException.of(
                            ProblemType.TEMPORARILY_UNAVAILABLE,
                            "The ledger did not answer in time, and the change may or may not have been made; send the"
                                    + " same request again, with the same Idempotency-Key if it has one.")
                    .retryAfter(Duration.ofSeconds(5));
        }
        return prepared.get();
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    /**
     * The work cannot be undone alone, or has to be run again. Its group has to be rolled back and run again with
     * savepoints.
     */
    static final class UndoNeeded extends SQLException {
        private static final long serialVersionUID = 1L;

        UndoNeeded() {
            super("the work is run again");
        }
    }

    /**
     * Runs the work and keeps its outcome until after the commit.
     *
     * @param guarded whether to run in a savepoint, to which a failure rolls back
     * @param last whether this is the last run, so that the work may not ask for another
     * @throws UndoNeeded if the work ran unguarded and left changes or a failed statement, or asked to be run again
     * @throws SQLException if the failure affects more than this work
     */
    void run(WriterConnection connection, Storage storage, boolean guarded, boolean last) throws SQLException {
        StoreConnection statements = connection.statements;
        statements.beginWork(last);
        if (guarded) {
            connection.save();
        }
        try {
            T value = work.run(statements);
            if (guarded) {
                // On PostgreSQL this fails if the work ignored the failure of a statement.
                connection.release();
            } else if (statements.hasFailed()) {
                throw new UndoNeeded();
            }
            statements.keepHeadsOfThisWork();
            prepared = () -> value;
        } catch (VirtualMachineError | UndoNeeded reachesFurther) {
            // A virtual machine error can occur between any two steps of this class.
            throw reachesFurther;
        } catch (Throwable failure) {
            throwIfItReachesFurther(failure, storage);
            if (guarded) {
                connection.undo();
            } else if (statements.hasChanged() || statements.hasFailed()) {
                throw new UndoNeeded();
            }
            prepared = () -> {
                throw asUnchecked(failure);
            };
        }
    }

    void answer() {
        done.countDown();
    }

    void refuse() {
        prepared = Request::refused;
        done.countDown();
    }

    private static <T extends @Nullable Object> T refused() {
        throw unavailable();
    }

    static ProblemException unavailable() {
        return ProblemException.of(
                        ProblemType.TEMPORARILY_UNAVAILABLE,
                        "The ledger cannot be written right now; send the same request again later.")
                .retryAfter(Duration.ofSeconds(5));
    }

    private static void throwIfItReachesFurther(Throwable failure, Storage storage) throws SQLException {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && storage.scopeOf(sql) != FailureScope.WORK) {
                throw sql;
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
