package dev.purser.store;

import dev.purser.problem.FatalErrors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that reports each group's heads to the witness and then answers the group's callers. Meanwhile the writer
 * runs the next group. Groups are answered in the order of their commits.
 *
 * <p>If the witness fails, the group is refused although it is committed, and its heads stay owed. The next group is
 * answered only after the witness has seen these heads too, because the next group may have read what the refused group
 * wrote.
 */
final class Acknowledgements {
    private static final Logger log = LoggerFactory.getLogger(Acknowledgements.class);
    private static final int IDLE_SECONDS = 1;

    /** @param heads the new heads of a durable group; null if the group must be refused */
    record Group(List<Request<?>> requests, @Nullable Map<String, String> heads) {
        private static final Group END = new Group(List.of(), null);
    }

    private volatile CommitWitness witness = heads -> {};

    /** Has room for one group, so the writer is at most two groups ahead of its callers. */
    private final BlockingQueue<Group> groups = new ArrayBlockingQueue<>(1);

    /** Heads that were committed and not yet witnessed. Only the thread uses them. */
    private final Map<String, String> owed = new HashMap<>();

    private volatile boolean owing;
    private final Heartbeat heartbeat = new Heartbeat();
    private final Thread thread = Threads.indispensable("ledger-answers", this::run);

    void start() {
        thread.start();
    }

    void witness(CommitWitness next) {
        witness = next;
    }

    /** False if no request can be answered: the witness failed on committed heads, or does not return. */
    boolean isKeepingUp() {
        return !owing && heartbeat.isRecent();
    }

    /** Waits for room without a time limit. Only the writer calls this. The callers of the writer have a time limit. */
    void hand(Group group) {
        boolean interrupted = false;
        while (true) {
            try {
                groups.put(group);
                break;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (true) {
            heartbeat.beat();
            Group group = next();
            if (group == Group.END) {
                return;
            }
            if (group == null) {
                pay(Map.of());
            } else {
                answer(group);
            }
        }
    }

    private @Nullable Group next() {
        while (true) {
            try {
                return groups.poll(IDLE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException unexpected) {
                log.warn("the ledger's answering thread was interrupted and continues");
            }
        }
    }

    private void answer(Group group) {
        boolean stands = group.heads() != null && pay(group.heads());
        for (Request<?> request : group.requests()) {
            if (stands) {
                request.answer();
            } else {
                request.refuse();
            }
        }
    }

    /** Reports the owed heads. Returns whether the witness has seen everything committed so far. */
    private boolean pay(Map<String, String> heads) {
        owed.putAll(heads);
        if (owed.isEmpty()) {
            return true;
        }
        try {
            witness.committed(Map.copyOf(owed));
            owed.clear();
            owing = false;
            return true;
        } catch (Throwable failure) {
            FatalErrors.check(failure);
            owing = true;
            log.error("committed entries could not be witnessed, so no request is answered: {}", failure.toString());
            return false;
        }
    }

    /** Answers the groups that were handed over, then stops; false if that takes too long. */
    boolean close() {
        return Threads.await(Threads.PATIENCE, nanos -> groups.offer(Group.END, nanos, TimeUnit.NANOSECONDS))
                && Threads.join(thread);
    }
}
