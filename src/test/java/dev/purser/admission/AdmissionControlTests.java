package dev.purser.admission;

import dev.purser.problem.ProblemException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.DelegatingServletInputStream;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class AdmissionControlTests {
    private static final int MOST = 32 << 20;
    private static final int LARGE = AdmissionControl.SMALL_BYTES + 1;

    private static HttpServletRequest request(int bytes) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setContent(new byte[bytes]);
        return request;
    }

    private static AdmissionControl admission(long patienceMillis) {
        return new AdmissionControl(256L << 20, 8, MOST, Duration.ofMillis(patienceMillis));
    }

    private static void assertBusy(org.assertj.core.api.ThrowableAssert.ThrowingCallable work) {
        assertThatThrownBy(work).isInstanceOfSatisfying(ProblemException.class, refusal -> {
            assertThat(refusal.type().slug()).isEqualTo("temporarily-unavailable");
            assertThat(refusal.retryAfter()).isPresent();
        });
    }

    @Test
    void aBodyIsReadAsItIs() throws IOException {
        for (int bytes : new int[] {0, 1, 8_191, 8_192, 8_193, LARGE, 1 << 20}) {
            assertThat(admission(10_000)
                            .<Integer, RuntimeException>read(request(bytes), "ana", 1 << 20, body -> body.length))
                    .isEqualTo(bytes);
        }
        assertThatThrownBy(() -> admission(50).read(request(1_001), "ana", 1_000, body -> "read"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.type().slug()).isEqualTo("payload-too-large"));
    }

    /** A body that arrives byte by byte does not keep its place for ever. */
    @Test
    void aBodyThatTricklesIsRefused() {
        MockHttpServletRequest request = new MockHttpServletRequest() {
            @Override
            public ServletInputStream getInputStream() {
                return new DelegatingServletInputStream(new InputStream() {
                    @Override
                    public int read() {
                        LockSupport.parkNanos(100_000);
                        return ' ';
                    }
                });
            }
        };
        assertThatThrownBy(() -> admission(200).read(request, "ana", 100_000, body -> "read"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.type().slug()).isEqualTo("request-timeout"));
    }

    /** At 256 MB of heap there is room for one heavy work. */
    @Test
    void heavyWorkOfManyRequestsRunsOnOneThread() throws Exception {
        AdmissionControl admission = admission(50_000);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String principal = "analyst-" + i % 3;
                int bytes = i % 2 == 0 ? LARGE : 10;
                all.add(threads.submit(() -> admission.read(
                        request(bytes),
                        principal,
                        MOST,
                        body -> admission.heavily(principal, () -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            Thread.yield();
                            running.decrementAndGet();
                            return Thread.currentThread().isVirtual();
                        }))));
            }
            for (Future<Boolean> each : all) {
                assertThat(each.get()).isFalse();
            }
        }
        assertThat(most.get()).isEqualTo(1);
    }

    /**
     * All looks together have a sixteenth of the heap, and each takes 16 MB of it. Heavy work that looks does not wait
     * for its own turn.
     */
    @Test
    void aPrincipalLooksOnceAtATime() throws Exception {
        AdmissionControl admission = new AdmissionControl(512L << 20, 8, MOST, Duration.ofSeconds(50));
        AtomicInteger[] running = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger mostOfOne = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                int own = i % 3;
                all.add(threads.submit(() -> admission.looking("analyst-" + own, () -> {
                    mostOfOne.accumulateAndGet(running[own].incrementAndGet(), Math::max);
                    most.accumulateAndGet(together.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(1_000_000);
                    together.decrementAndGet();
                    running[own].decrementAndGet();
                    return true;
                })));
            }
            for (Future<Boolean> each : all) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(mostOfOne.get()).isEqualTo(1);
        assertThat(most.get()).isEqualTo(2);
        assertThat(admission.<String, RuntimeException>heavily(
                        "ana", () -> admission.looking("ana", () -> admission.looking("ana", () -> "looked"))))
                .isEqualTo("looked");
    }

    @Test
    void smallWorkGoesOnBesideHeavyWorkAndWaitingEnds() throws Exception {
        AdmissionControl admission = admission(2_000);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable ending = end::countDown) {
            Future<String> first = threads.submit(() -> admission.read(request(LARGE), "greedy", MOST, body -> {
                begun.countDown();
                await(end);
                return "first";
            }));
            begun.await();
            assertThat(admission.<String, RuntimeException>read(request(10), "honest", MOST, body -> "small"))
                    .isEqualTo("small");
            assertBusy(() -> admission.read(request(LARGE), "honest", MOST, body -> "second"));
            end.countDown();
            assertThat(first.get()).isEqualTo("first");
        }
        assertThat(admission.<String, RuntimeException>read(request(LARGE), "honest", MOST, body -> "third"))
                .isEqualTo("third");
    }

    /** Many small requests count like a large request: what is made of 64 KB of body is counted as 2 MB. */
    @Test
    void smallRequestsAreCounted() throws Exception {
        AdmissionControl admission = admission(1_000);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                AutoCloseable ending = end::countDown) {
            for (int i = 0; i < 100; i++) {
                threads.submit(() -> {
                    try {
                        return admission.read(request(AdmissionControl.SMALL_BYTES), "ana", MOST, body -> {
                            running.incrementAndGet();
                            await(end);
                            return "done";
                        });
                    } catch (ProblemException busy) {
                        refused.incrementAndGet();
                        return "refused";
                    }
                });
            }
            while (refused.get() + running.get() < 100) {
                Thread.onSpinWait();
            }
            // One principal has a sixteenth of the heap, with or without other principals.
            assertThat(running.get()).isBetween(1, 8);
            assertThat(admission.<String, RuntimeException>read(
                            request(AdmissionControl.SMALL_BYTES), "ben", MOST, body -> "done"))
                    .isEqualTo("done");
        }
    }

    @Test
    void aFailureGivesItsRoomBack() {
        AdmissionControl admission = admission(10_000);
        for (int i = 0; i < 20; i++) {
            int bytes = i % 2 == 0 ? LARGE : AdmissionControl.SMALL_BYTES;
            assertThatThrownBy(() -> admission.read(request(bytes), "ana", MOST, body -> {
                        throw new IllegalStateException("broken");
                    }))
                    .hasMessage("broken");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Replies that are read slowly keep only their reader waiting. */
    @Test
    void aPrincipalHasItsShareOfReplies() {
        AdmissionControl admission = admission(50);
        Turns.Lease first = admission.replying("slow", AdmissionControl.ANSWER_BYTES);
        admission.replying("slow", AdmissionControl.ANSWER_BYTES);
        assertBusy(() -> admission.replying("slow", AdmissionControl.ANSWER_BYTES));
        assertThatThrownBy(() -> admission.replying("slow", AdmissionControl.LARGE_REPLY_BYTES))
                .hasMessageContaining("not charged again");
        admission.replying("slow", AdmissionControl.REPLY_BYTES).close();
        admission.replying("other", AdmissionControl.LARGE_REPLY_BYTES).close();
        first.close();
        admission.replying("slow", AdmissionControl.ANSWER_BYTES).close();
    }

    /**
     * However slowly such a reply is read, it leaves room for the replies of four others. The next such reply waits.
     */
    @Test
    void aReplyThatIsHeldAsAWholeIsCountedAsAWhole() {
        AdmissionControl admission = new AdmissionControl(1L << 30, 2, MOST, Duration.ofMillis(50));
        int held = admission.maxHeldBytes();
        assertThat(held).isEqualTo(64 << 20);
        Turns.Lease first = admission.replying("slow", held);
        assertBusy(() -> admission.replying("slow", AdmissionControl.REPLY_BYTES));
        assertBusy(() -> admission.replying("other", held));
        for (int i = 0; i < 4; i++) {
            admission.replying("reader" + i, AdmissionControl.REPLIES_BYTES);
        }
        assertBusy(() -> admission.replying("fifth", AdmissionControl.REPLIES_BYTES));
        first.close();
        admission.replying("other", held).close();

        assertThat(admission(50).maxHeldBytes()).isEqualTo(16 << 20);
        assertThat(new AdmissionControl(8L << 30, 2, MOST, Duration.ZERO).maxHeldBytes())
                .isEqualTo(64 << 20);
    }

    @Test
    void aPrincipalHasItsShareOfStreams() {
        AdmissionControl admission = admission(50);
        for (int i = 0; i < 32; i++) {
            admission.streaming("watcher");
        }
        assertBusy(() -> admission.streaming("watcher"));
        admission.streaming("other").close();
    }
}
