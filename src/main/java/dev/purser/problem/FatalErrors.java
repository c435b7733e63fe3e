package dev.purser.problem;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Decides what follows an error that no code can handle.
 *
 * <p>The process ends, with one line on standard error and the status {@value #STATUS}, if
 *
 * <ul>
 *   <li>the memory is exhausted, in any thread: the error can occur between any two steps of any code;
 *   <li>anything escapes from a thread that everything depends on: the two threads of the ledger, and the threads of
 *       the connector.
 * </ul>
 *
 * A restart reads the books again, which are sound whenever the process ends. After any other error the work goes on:
 * the request, the upload or the sweep fails, and nothing else does.
 *
 * <p>Code that catches errors of every kind calls {@link #check} first. The class must be loaded before the memory is
 * exhausted, so {@code main} begins with {@link #install}.
 */
public final class FatalErrors {
    /** The status with which {@code -XX:+ExitOnOutOfMemoryError} ends a process, so that supervisors see one status. */
    public static final int STATUS = 3;

    private static final int MAX_CAUSES = 16;
    private static final FileOutputStream STANDARD_ERROR = new FileOutputStream(FileDescriptor.err);
    private static final byte[] OUT_OF_MEMORY = line("the memory is exhausted");

    private FatalErrors() {}

    /** From now on, this class handles everything that escapes from a thread. */
    public static void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            if (isOfTheConnector(thread)) {
                escaped(thread, failure);
            }
            check(failure);
            // Java does the same without a handler.
            failure.printStackTrace();
        });
    }

    /** Tomcat uses these names. The threads run while it serves. It logs the errors that it catches, and they go on. */
    private static boolean isOfTheConnector(Thread thread) {
        return thread.getName().endsWith("-Poller") || thread.getName().endsWith("-Acceptor");
    }

    /** Ends the process if the memory was exhausted. Otherwise it does nothing. */
    public static void check(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            if (cause instanceof OutOfMemoryError) {
                end(OUT_OF_MEMORY);
            }
            cause = cause.getCause();
        }
    }

    /** Ends the process. It handles what escapes from a thread that everything depends on. */
    public static void escaped(Thread thread, Throwable failure) {
        check(failure);
        end(line(thread.getName() + " ended with " + failure.getClass().getName()));
    }

    private static byte[] line(String reason) {
        return ("Purser ends: " + reason + ". Start it again; the ledger is sound.\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Ends the process without shutdown hooks, which could wait for the thread that failed. */
    private static void end(byte[] line) {
        try {
            STANDARD_ERROR.write(line);
        } catch (IOException nobodyReads) {
            // The exit status still tells that the process failed.
        } finally {
            Runtime.getRuntime().halt(STATUS);
        }
    }
}
