package dev.purser.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lends a fixed amount to principals. Principals that wait take turns: the principal whose last turn is the longest ago
 * is next. The requests of one principal are served in the order of their arrival. No principal has more than its share
 * at a time, whether or not others wait, except for a single amount that is larger than a share. All such amounts
 * together have half of the whole, so that they leave room for others however long they are kept.
 */
public final class Turns {
    private final long capacity;
    private final long share;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Lease> waiting = new ArrayList<>();
    private final Map<String, Borrower> standings = new HashMap<>();

    private long free;
    private long lentAboveShares;
    private long served;

    /** @param share the most that one principal has at a time in several amounts, at most {@code capacity} */
    public Turns(long capacity, long share) {
        this.capacity = capacity;
        this.share = share;
        free = capacity;
    }

    /** The state of a principal that has something or waits. */
    private static final class Borrower {
        private int leases;
        private long held;
        private long lastServed;
    }

    /** An amount that was lent, to be given back. */
    public final class Lease implements AutoCloseable {
        private final String principal;
        private final Borrower standing;
        private final long amount;
        private final Condition granted = lock.newCondition();

        private Lease(String principal, Borrower standing, long amount) {
            this.principal = principal;
            this.standing = standing;
            this.amount = amount;
        }

        private long aboveShare() {
            return amount > share ? amount : 0;
        }

        private boolean isPermitted() {
            return standing.held + amount <= share || standing.held == 0 && lentAboveShares + amount <= capacity / 2;
        }

        /** Gives the amount back. */
        @Override
        public void close() {
            lock.lock();
            try {
                standing.held -= amount;
                lentAboveShares -= aboveShare();
                free += amount;
                forget(this);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Takes an amount, or waits for it. An amount above the share is lent only to a principal that has nothing. An
     * amount above half of the whole counts as half.
     *
     * @return the lease; empty if it takes longer than {@code patience}, or the thread is interrupted
     */
    public Optional<Lease> take(String principal, long amount, Duration patience) {
        lock.lock();
        try {
            Borrower standing = standings.computeIfAbsent(principal, name -> new Borrower());
            standing.leases++;
            Lease lease = new Lease(principal, standing, Math.min(amount, Math.max(share, capacity / 2)));
            waiting.add(lease);
            serve();
            if (awaitTurn(lease, patience)) {
                return Optional.of(lease);
            }
            waiting.remove(lease);
            forget(lease);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the turn of a lease. Returns whether it came in time. */
    private boolean awaitTurn(Lease lease, Duration patience) {
        long left = patience.toNanos();
        try {
            while (waiting.contains(lease) && left > 0) {
                left = lease.granted.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return !waiting.contains(lease);
    }

    private void forget(Lease lease) {
        lease.standing.leases--;
        if (lease.standing.leases == 0) {
            standings.remove(lease.principal);
        }
        // Other requests may now fit or be next.
        serve();
    }

    /** Serves leases in turn until the next lease does not fit. Smaller leases must not overtake it for ever. */
    private void serve() {
        for (Optional<Lease> next = next(); next.isPresent(); next = next()) {
            Lease lease = next.orElseThrow();
            if (lease.amount > free) {
                return;
            }
            free -= lease.amount;
            lease.standing.held += lease.amount;
            lentAboveShares += lease.aboveShare();
            lease.standing.lastServed = ++served;
            waiting.remove(lease);
            lease.granted.signal();
        }
    }

    private Optional<Lease> next() {
        return waiting.stream()
                .filter(Lease::isPermitted)
                .min(Comparator.comparingLong(lease -> lease.standing.lastServed));
    }

    /** How many requests wait. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** How much is lent. */
    long used() {
        lock.lock();
        try {
            return capacity - free;
        } finally {
            lock.unlock();
        }
    }
}
