package dev.purser.upload;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a platform thread of its own. An upload computes for seconds without a pause: on virtual threads, of
 * which only as many run as there are processors, two uploads would stop all requests.
 */
final class PlatformThread {
    private PlatformThread() {}

    /**
     * Waits for what comes of the work. It uses what belongs to the caller, so that no interrupt ends the waiting
     * early.
     */
    static <T> T call(String name, Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().name(name).start(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static IOException rethrown(@Nullable Throwable cause) {
        return switch (cause) {
            case IOException failure -> failure;
            case RuntimeException failure -> throw failure;
            case Error failure -> throw failure;
            case null, default -> throw new IllegalStateException("a failure that was not declared", cause);
        };
    }
}
