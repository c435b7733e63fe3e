package dev.purser.query;

import dev.purser.ledger.RequestIdentity;
import dev.purser.problem.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class InFlightTests {
    private static final RequestIdentity ONE = new RequestIdentity("ana", "POST /x", "k");
    private static final RequestIdentity OTHER = new RequestIdentity("ana", "POST /x", "K");

    private final InFlight inFlight = new InFlight();

    @Test
    void ofOneIdentityOneRunsAtATime() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(threads.submit(() -> inFlight.alone(ONE, () -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.yield();
                    return running.decrementAndGet();
                })));
            }
            for (Future<Integer> each : all) {
                assertThat(each.get()).isZero();
            }
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void otherIdentitiesDoNotWait() {
        assertThat(inFlight.<String>alone(ONE, () -> inFlight.alone(OTHER, () -> "inner")))
                .isEqualTo("inner");
    }

    @Test
    void aFailureEndsItsTurn() {
        assertThatThrownBy(() -> inFlight.alone(ONE, () -> {
                    throw new IllegalStateException("first");
                }))
                .hasMessage("first");
        assertThat(inFlight.<String>alone(ONE, () -> "second")).isEqualTo("second");
    }

    @Test
    void whoIsInterruptedWhileWaitingIsToldToComeBack() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<String> first = threads.submit(() -> inFlight.alone(ONE, () -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                return "first";
            }));
            begun.await();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> inFlight.alone(ONE, () -> "second"))
                    .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                        assertThat(refusal.type().slug()).isEqualTo("request-in-flight");
                        assertThat(refusal.retryAfter()).hasValue(Duration.ofSeconds(1));
                    });
            assertThat(Thread.interrupted()).isTrue();
            end.countDown();
            assertThat(first.get()).isEqualTo("first");
        }
        assertThat(inFlight.<String>alone(ONE, () -> "third")).isEqualTo("third");
    }
}
