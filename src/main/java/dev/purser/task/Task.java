package dev.purser.task;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Work on a platform thread of its own. Reading from and writing to another process blocks the carrier of a virtual thread, of
 * which there are no more than processors: a few slow uploads would stop all requests.
 */
public final class Task<T> {
    private final FutureTask<T> future;

    private Task(FutureTask<T> future) {
        this.future = future;
    }

    public static <T> Task<T> start(String name, Callable<T> work) {
        FutureTask<T> future = new FutureTask<>(work);
        Thread.ofPlatform().daemon().name(name).start(future);
        return new Task<>(future);
    }

    /** What came of it, once it is done: it uses what belongs to the caller, so no interrupt ends the waiting before. */
    public T join() throws IOException {
        boolean interrupted = false;
        while (true) {
            try {
                return future.get();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                throw rethrown(e.getCause());
            } finally {
                if (interrupted && future.isDone()) {
                    Thread.currentThread().interrupt();
                }
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

    /** Done, with whatever outcome. */
    public void await() {
        try {
            join();
        } catch (IOException | RuntimeException | Error outcome) {
            // Of interest to whoever joins.
        }
    }
}
