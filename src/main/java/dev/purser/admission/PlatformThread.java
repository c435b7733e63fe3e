package dev.purser.admission;

import dev.purser.problem.FatalErrors;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a platform thread of its own. An upload computes for seconds without a pause. Only a limited number of
 * virtual threads run at a time, so uploads on virtual threads could stop all requests.
 */
public final class PlatformThread {
    private PlatformThread() {}

    /** Work for the thread. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, X extends Exception> {
        T run() throws X;
    }

    /**
     * Runs the work and waits for its result. The work uses objects of the caller, so no interrupt ends the waiting
     * early.
     *
     * @throws X from {@code work}
     */
    public static <T extends @Nullable Object, X extends Exception> T call(String name, Work<T, X> work) throws X {
        FutureTask<T> task = new FutureTask<>(work::run);
        Thread.ofPlatform().daemon().name(name).start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    FatalErrors.check(e);
                    throw PlatformThread.<X>thrown(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The exception as the type that {@link #call} declares. The compiler has checked there that the work throws no
     * other.
     */
    @SuppressWarnings("unchecked")
    private static <X extends Exception> X thrown(@Nullable Throwable cause) {
        return switch (cause) {
            case Error failure -> throw failure;
            case RuntimeException failure -> throw failure;
            case null -> throw new IllegalStateException("a failure without a cause");
            default -> (X) cause;
        };
    }
}
