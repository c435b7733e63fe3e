package dev.purser.faults;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Everything that the harness has to remove, also when it is interrupted: started processes, mounted folders. */
final class Belongings implements AutoCloseable {
    /** Removes one thing. It may be called more than once. */
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
            // The shutdown hook itself is running.
        }
    }
}
