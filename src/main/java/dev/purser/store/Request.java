package dev.purser.store;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A caller's work in a shared transaction, and its outcome. */
final class Request<T extends @Nullable Object> {
    final String account;
    private final Database.Work<T> work;
    private final CompletableFuture<Supplier<T>> outcome = new CompletableFuture<>();
    private Supplier<T> prepared = Request::refused;

    Request(String account, Database.Work<T> work) {
        this.account = account;
        this.work = work;
    }

    /** Waits for the outcome, even if the caller is interrupted. */
    T await() {
        return outcome.join().get();
    }

    /** The work cannot be undone alone: its group has to be rolled back and run again with savepoints. */
    static final class UndoNeeded extends Exception {
        private static final long serialVersionUID = 1L;

        private UndoNeeded() {
            super(null, null, false, false);
        }
    }

    /**
     * Runs the work and keeps its outcome until after the commit.
     *
     * @param guarded whether to run in a savepoint, to which a failure rolls back
     * @throws UndoNeeded if the work ran unguarded and left changes behind or a failed statement
     * @throws SQLException if the failure affects more than this work
     */
    void run(WriterConnection connection, Storage storage, boolean guarded) throws SQLException, UndoNeeded {
        StoreConnection statements = connection.statements;
        statements.beginWork();
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
        outcome.complete(prepared);
    }

    void refuse() {
        outcome.complete(Request::refused);
    }

    private static <T extends @Nullable Object> T refused() {
        throw unavailable();
    }

    static ProblemException unavailable() {
        return ProblemException.of(
                        ProblemType.TEMPORARILY_UNAVAILABLE,
                        "The ledger cannot be written right now; send the same request again later.")
                .withHeader("Retry-After", "5");
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
