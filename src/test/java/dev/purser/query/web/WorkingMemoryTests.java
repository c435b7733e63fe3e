package dev.purser.query.web;

import dev.purser.problem.ProblemException;
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

class WorkingMemoryTests {
    private static final int LARGE = 1 << 20;

    @Test
    void onlySoManyLargeQuestionsRunAtATime() throws Exception {
        WorkingMemory memory = new WorkingMemory(64L << 20, 10_000);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                all.add(threads.submit(() -> memory.holding(LARGE, () -> {
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
            Future<String> first = threads.submit(() -> memory.holding(32 << 20, () -> {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                return "first";
            }));
            begun.await();
            assertThat(memory.<String>holding(WorkingMemory.SMALL_BYTES, () -> "small"))
                    .isEqualTo("small");
            assertThatThrownBy(() -> memory.holding(LARGE, () -> "second"))
                    .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                        assertThat(refusal.type().slug()).isEqualTo("temporarily-unavailable");
                        assertThat(refusal.headers()).containsKey("Retry-After");
                    });
            end.countDown();
            assertThat(first.get()).isEqualTo("first");
        }
        assertThat(memory.<String>holding(LARGE, () -> "third")).isEqualTo("third");
    }

    @Test
    void aFailureGivesItsRoomBack() {
        WorkingMemory memory = new WorkingMemory(1 << 20, 50);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> memory.holding(LARGE, () -> {
                        throw new IllegalStateException("broken");
                    }))
                    .hasMessage("broken");
        }
    }
}
