package dev.purser.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class BodyBytesTests {
    private static boolean growsAtOnce(BodyBytes.Lease lease, long bytes) {
        return lease.grow(bytes, Duration.ZERO);
    }

    @Test
    void onePrincipalLeavesHalfToOthers() {
        BodyBytes bytes = new BodyBytes(100, 1_000);
        BodyBytes.Lease oldest = bytes.lease("greedy");
        List<BodyBytes.Lease> greedy = new ArrayList<>();
        assertThat(growsAtOnce(oldest, 10)).isTrue();
        for (int i = 0; i < 5; i++) {
            greedy.add(bytes.lease("greedy"));
            assertThat(growsAtOnce(greedy.get(i), 10)).as("%s", i).isEqualTo(i < 4);
        }
        try (BodyBytes.Lease honest = bytes.lease("honest")) {
            assertThat(growsAtOnce(honest, 50)).isTrue();
            assertThat(growsAtOnce(honest, 1)).isFalse();
        }
        oldest.close();
        greedy.forEach(BodyBytes.Lease::close);
        assertThat(bytes.used()).isZero();
    }

    @Test
    void theOldestAlwaysFits() {
        BodyBytes bytes = new BodyBytes(100, 1_000);
        try (BodyBytes.Lease unused = bytes.lease("zoe");
                BodyBytes.Lease oldest = bytes.lease("ana");
                BodyBytes.Lease ben = bytes.lease("ben");
                BodyBytes.Lease cem = bytes.lease("cem")) {
            assertThat(growsAtOnce(oldest, 1)).isTrue();
            assertThat(growsAtOnce(ben, 50)).isTrue();
            assertThat(growsAtOnce(cem, 50)).isTrue();
            assertThat(growsAtOnce(oldest, 999)).isTrue();
            assertThat(growsAtOnce(oldest, 1)).isFalse();
        }
        assertThat(bytes.used()).isZero();
    }

    /** Forty bodies arrive together and need ten times the memory. In the end all of them arrive. */
    @Test
    void bodiesThatWaitForEachOtherGoOn() throws Exception {
        BodyBytes bytes = new BodyBytes(100, 1_000);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String principal = "analyst-" + i % 3;
                all.add(threads.submit(() -> {
                    try (BodyBytes.Lease lease = bytes.lease(principal)) {
                        boolean complete = true;
                        for (int chunk = 0; chunk < 100; chunk++) {
                            complete &= lease.grow(10, Duration.ofSeconds(20));
                            Thread.yield();
                        }
                        return complete;
                    }
                }));
            }
            for (Future<Boolean> each : all) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(bytes.used()).isZero();
    }
}
