package dev.purser.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class TurnsTests {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static Turns.Lease taken(Turns turns, String principal, long amount) {
        return turns.take(principal, amount, Duration.ZERO).orElseThrow();
    }

    private static void awaitWaiting(Turns turns, int requests) {
        while (turns.waiting() < requests) {
            Thread.onSpinWait();
        }
    }

    @Test
    void noPrincipalHasMoreThanItsShare() {
        Turns turns = new Turns(10, 6);
        Turns.Lease first = taken(turns, "ana", 4);

        assertThat(turns.take("ana", 3, Duration.ofMillis(1))).isEmpty();
        Turns.Lease second = taken(turns, "ben", 6);
        assertThat(turns.take("cem", 1, Duration.ofMillis(1))).isEmpty();

        first.close();
        second.close();
        assertThat(turns.used()).isZero();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void moreThanAShareIsLentToAPrincipalThatHasNothing() {
        Turns turns = new Turns(20, 6);

        try (Turns.Lease small = taken(turns, "ana", 1)) {
            assertThat(turns.take("ana", 8, Duration.ofMillis(1))).isEmpty();
            assertThat(turns.used()).isEqualTo(1);
        }
        try (Turns.Lease large = taken(turns, "ana", 8)) {
            assertThat(turns.used()).isEqualTo(8);
            assertThat(turns.take("ana", 1, Duration.ofMillis(1))).isEmpty();
        }
        try (Turns.Lease half = taken(turns, "ana", 1_000)) {
            assertThat(turns.used()).isEqualTo(10);
        }
        assertThat(turns.used()).isZero();
    }

    @Test
    void amountsAboveAShareLeaveHalfToOthers() throws Exception {
        Turns turns = new Turns(20, 6);
        Turns.Lease large = taken(turns, "ana", 7);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Turns.Lease>> next = threads.submit(() -> turns.take("ben", 7, LONG));
            awaitWaiting(turns, 1);

            taken(turns, "cem", 6).close();
            taken(turns, "dora", 6).close();

            large.close();
            next.get().orElseThrow().close();
        }
        assertThat(turns.used()).isZero();
    }

    /** A share can be the whole. */
    @Test
    void moreThanAllCountsAsAShareThatIsAll() {
        Turns turns = new Turns(6, 6);
        taken(turns, "ana", 1_000).close();
        assertThat(turns.used()).isZero();
    }

    /** Twenty requests of one principal wait when another principal's request arrives. It is served next, not last. */
    @Test
    void principalsAreServedInTurn() throws Exception {
        Turns turns = new Turns(1, 1);
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        Turns.Lease first = taken(turns, "greedy", 1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 21; i++) {
                String principal = i == 20 ? "honest" : "greedy";
                all.add(threads.submit(() -> {
                    try (Turns.Lease lease = turns.take(principal, 1, LONG).orElseThrow()) {
                        order.add(principal);
                    }
                }));
                awaitWaiting(turns, i + 1);
            }
            first.close();
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertThat(order.indexOf("honest")).isZero();
        assertThat(order).hasSize(21);
        assertThat(turns.used()).isZero();
    }

    /** A large request is not overtaken by small ones for ever. */
    @Test
    void theNextInTurnIsNotOvertaken() throws Exception {
        Turns turns = new Turns(10, 10);
        Turns.Lease first = taken(turns, "ana", 5);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Turns.Lease>> large = threads.submit(() -> turns.take("ben", 8, LONG));
            awaitWaiting(turns, 1);

            assertThat(turns.take("cem", 1, Duration.ofMillis(1))).isEmpty();

            first.close();
            large.get().orElseThrow().close();
        }
        assertThat(turns.used()).isZero();
    }

    /** A request that gives up no longer blocks requests that fit. */
    @Test
    void othersAreServedWhenTheNextGivesUp() throws Exception {
        Turns turns = new Turns(10, 10);
        try (Turns.Lease first = taken(turns, "ana", 5);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Optional<Turns.Lease>> large = threads.submit(() -> turns.take("ben", 8, Duration.ofSeconds(1)));
            awaitWaiting(turns, 1);
            Future<Optional<Turns.Lease>> small = threads.submit(() -> turns.take("cem", 1, LONG));

            assertThat(large.get()).isEmpty();
            small.get().orElseThrow().close();
            assertThat(turns.used()).isEqualTo(5);
        }
    }
}
