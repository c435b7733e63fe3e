package dev.purser.admission;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The memory of request bodies, from their first byte until their requests are done. Bytes are counted as they arrive.
 *
 * <p>If incomplete bodies took all memory, none of them could go on. Part of the memory is therefore reserved for the
 * oldest body, which always fits. Other bodies wait for the rest of the memory, and no principal has more than half of
 * the rest.
 */
final class BodyBytes {
    private final long forAll;
    private final long forOldest;
    private final Set<Lease> leases = new LinkedHashSet<>();
    private final Map<String, Long> held = new HashMap<>();
    private long used;

    /**
     * @param forAll bytes for all bodies except the oldest
     * @param forOldest bytes for the oldest body, enough for the largest body
     */
    BodyBytes(long forAll, long forOldest) {
        this.forAll = forAll;
        this.forOldest = forOldest;
    }

    /** The memory of a body that is about to arrive. It has none yet. Its age counts from its first need of memory. */
    Lease lease(String principal) {
        return new Lease(principal);
    }

    /** How many bytes are taken. */
    synchronized long used() {
        return used;
    }

    private boolean fits(Lease lease, long more) {
        Lease oldest = leases.iterator().next();
        if (lease.equals(oldest)) {
            return lease.bytes + more <= forOldest;
        }
        return used - oldest.bytes + more <= forAll && held.getOrDefault(lease.principal, 0L) + more <= forAll / 2;
    }

    private synchronized boolean grow(Lease lease, long more, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        leases.add(lease);
        while (!fits(lease, more)) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        used += more;
        lease.bytes += more;
        held.merge(lease.principal, more, Long::sum);
        return true;
    }

    private synchronized void release(Lease lease) {
        leases.remove(lease);
        used -= lease.bytes;
        held.computeIfPresent(lease.principal, (name, bytes) -> bytes == lease.bytes ? null : bytes - lease.bytes);
        notifyAll();
    }

    /** The memory of one body. */
    final class Lease implements AutoCloseable {
        private final String principal;
        private long bytes;

        private Lease(String principal) {
            this.principal = principal;
        }

        /**
         * Takes more memory, or waits for it.
         *
         * @return whether it was taken; false if it takes longer than {@code patience} or the thread is interrupted
         */
        boolean grow(long more, Duration patience) {
            try {
                return BodyBytes.this.grow(this, more, patience);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public void close() {
            release(this);
        }
    }
}
