package dev.purser.faults;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What has to be put away again, also when the harness is interrupted: processes it started, folders it mounted. */
final class Belongings implements AutoCloseable {
    /** Puts one thing away; may be called more than once. */
    @FunctionalInterface
    interface Thing {
        void putAway() throws IOException, InterruptedException;
    }

    private final Deque<Thing> things = new ArrayDeque<>();
    private final Thread atExit = new Thread(this::putAllAway);

    Belongings() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    synchronized void add(Thing thing) {
        things.push(thing);
    }

    private synchronized void putAllAway() {
        while (!things.isEmpty()) {
            try {
                things.pop().putAway();
            } catch (IOException | InterruptedException | RuntimeException failure) {
                System.err.println("could not put away: " + failure);
            }
        }
    }

    @Override
    public void close() {
        putAllAway();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException alreadyGoing) {
            // The hook itself is running.
        }
    }
}
