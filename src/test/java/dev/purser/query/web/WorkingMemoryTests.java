package dev.purser.query.web;

import dev.purser.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
        WorkingMemory memory = new WorkingMemory(64L << 20, 50);
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        Callable<String> question = () -> memory.reading(request(LARGE), MOST, body -> {
            begun.countDown();
            await(end);
            return "answered";
        });
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> two = List.of(threads.submit(question), threads.submit(question));
            try {
                assertThat(begun.await(30, TimeUnit.SECONDS))
                        .as("two at a time")
                        .isTrue();
                assertThatThrownBy(() -> memory.reading(request(LARGE), MOST, body -> "third"))
                        .isInstanceOf(ProblemException.class);
            } finally {
                end.countDown();
            }
            for (Future<String> each : two) {
                assertThat(each.get()).isEqualTo("answered");
            }
        }
        assertThat(memory.<String>reading(request(LARGE), MOST, body -> "third"))
                .isEqualTo("third");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
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
                await(end);
                return "first";
            }));
            begun.await();
            try {
                assertThat(memory.<String>reading(request(WorkingMemory.SMALL_BYTES), MOST, body -> "small"))
                        .isEqualTo("small");
                assertThatThrownBy(() -> memory.reading(request(LARGE), MOST, body -> "second"))
                        .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                            assertThat(refusal.type().slug()).isEqualTo("temporarily-unavailable");
                            assertThat(refusal.headers()).containsKey("Retry-After");
                        });
            } finally {
                end.countDown();
            }
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
