package dev.purser.query;

import dev.purser.ledger.RequestIdentity;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Runs one request per identity at a time. A second request waits for the first and finds its answer stored, so that
 * noise is drawn only once. The ledger alone already ensures one debit and one stored answer.
 */
@Component
public class InFlight {
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final class Turn {
        final ReentrantLock lock = new ReentrantLock();
        int takers;
    }

    private final ConcurrentHashMap<RequestIdentity, Turn> turns = new ConcurrentHashMap<>();

    /**
     * Runs {@code work} while no other request of this identity runs.
     *
     * @throws ProblemException {@code request-in-flight} if the wait takes too long
     */
    public <T> T alone(RequestIdentity identity, Supplier<T> work) {
        Turn turn = join(identity);
        try {
            if (!awaits(turn.lock)) {
                throw ProblemException.of(
                                ProblemType.REQUEST_IN_FLIGHT,
                                "a request with this Idempotency-Key is still being answered; try again")
                        .retryAfter(Duration.ofSeconds(1));
            }
            try {
                return work.get();
            } finally {
                turn.lock.unlock();
            }
        } finally {
            leave(identity);
        }
    }

    private Turn join(RequestIdentity identity) {
        return turns.compute(identity, (key, known) -> {
            Turn turn = known == null ? new Turn() : known;
            turn.takers++;
            return turn;
        });
    }

    private void leave(RequestIdentity identity) {
        turns.computeIfPresent(identity, (key, turn) -> {
            turn.takers--;
            return turn.takers == 0 ? null : turn;
        });
    }

    private static boolean awaits(ReentrantLock lock) {
        try {
            return lock.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
