package dev.purser.query.web;

import dev.purser.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkingMemoryTests {
    private static final int LARGE = 1 << 20;
    private static final int MOST = 32 << 20;

    private static HttpServletRequest request(int bytes) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setContent(new byte[bytes]);
        return request;
    }

    /** Whoever waits for room has not read its body yet, however long it announced it to be. */
    @Test
    void roomIsFoundBeforeALargeBodyIsRead() throws Exception {
        WorkingMemory memory = new WorkingMemory(1 << 20, 50);
        HttpServletRequest waiting = request(MOST);
        memory.reading(request(LARGE), MOST, body -> {
            assertThat(body).hasSize(LARGE);
            assertThatThrownBy(() -> memory.reading(waiting, MOST, large -> "read"))
                    .isInstanceOf(ProblemException.class);
            return "alone";
        });
        assertThat(waiting.getInputStream().readAllBytes()).hasSize(MOST - WorkingMemory.SMALL_BYTES - 1);
    }

    @Test
    void onlySoManyLargeQuestionsRunAtATime() throws Exception {
        WorkingMemory memory = new WorkingMemory(64L << 20, 10_000);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                all.add(threads.submit(() -> memory.reading(request(LARGE), MOST, body -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.yield();
                    return running.decrementAndGet();
                })));
            }
            for (Future<Integer> each : all) {
                each.get();
            }
        }
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void smallOnesNeverWaitAndLargeOnesNotForEver() throws Exception {
        WorkingMemory memory = new WorkingMemory(1 << 20, 50);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // Larger than all there is: it runs, alone.
            Future<String> first = threads.submit(() -> memory.reading(request(MOST), MOST, body -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                return "first";
            }));
            begun.await();
            assertThat(memory.<String>reading(request(WorkingMemory.SMALL_BYTES), MOST, body -> "small"))
                    .isEqualTo("small");
            assertThatThrownBy(() -> memory.reading(request(LARGE), MOST, body -> "second"))
                    .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                        assertThat(refusal.type().slug()).isEqualTo("temporarily-unavailable");
                        assertThat(refusal.headers()).containsKey("Retry-After");
                    });
            end.countDown();
            assertThat(first.get()).isEqualTo("first");
        }
        assertThat(memory.<String>reading(request(LARGE), MOST, body -> "third"))
                .isEqualTo("third");
    }

    @Test
    void aFailureGivesItsRoomBack() {
        WorkingMemory memory = new WorkingMemory(1 << 20, 50);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> memory.reading(request(LARGE), MOST, body -> {
                        throw new IllegalStateException("broken");
                    }))
                    .hasMessage("broken");
        }
    }
}
