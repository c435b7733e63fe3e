package dev.purser;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.function.Executable;

import static org.assertj.core.api.Assertions.assertThat;

/** The processor time of a test's own thread. Other work on the machine does not change it. */
public final class ProcessorTime {
    private ProcessorTime() {}

    /** Requires that the work takes less than this. */
    public static void isBelow(Duration limit, Executable work) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try {
            work.execute();
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable failure) {
            throw new AssertionError(failure);
        }
        long taken = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        assertThat(Duration.ofNanos(taken)).isLessThan(limit);
    }
}
