package dev.purser.admission;

import dev.purser.problem.FatalErrors;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a platform thread of its own. An upload computes for seconds without a pause: on virtual threads, of
 * which only as many run as there are processors, two uploads would stop all requests.
 */
public final class PlatformThread {
    private PlatformThread() {}

    /** What runs on the thread. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object, X extends Exception> {
        T run() throws X;
    }

    /**
     * Waits for the result of the work. The work uses objects of the caller, so no interrupt ends the waiting early.
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

    /** The compiler checked at {@link #call} that the work throws nothing else. */
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
