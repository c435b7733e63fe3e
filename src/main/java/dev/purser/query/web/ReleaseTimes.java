package dev.purser.query.web;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Lets a reply leave a whole number of quanta after its question was read, so that the time it took says nothing about the
 * rows: not how many passed a filter, nor how large the noise was, nor whether the answer was stored before. A quantum is made
 * of public facts, and is chosen so that next to every reply is ready within the first one.
 *
 * <p><b>Limits.</b> A reply that needs more than one quantum leaves after two, and that can be seen: such overruns are counted
 * ({@code purser.release.overruns} of {@code purser.release.replies}) and logged. Should they be more than one in ten thousand,
 * the quantum is too short. Load that one question puts on the machine can be felt by another.
 *
 * <p>After Haeberlen, Pierce, Narayan: Differential Privacy Under Fire (USENIX Security 2011), section 4.
 */
@Component
class ReleaseTimes {
    private static final Logger LOG = LoggerFactory.getLogger(ReleaseTimes.class);

    private final ReleaseSettings settings;
    private final Counter replies;
    private final Counter overruns;

    ReleaseTimes(ReleaseSettings settings, MeterRegistry meters) {
        this.settings = settings;
        this.replies = meters.counter("purser.release.replies");
        this.overruns = meters.counter("purser.release.overruns");
    }

    /** For one reply; it waits for nothing until {@link Departure#begin}. */
    Departure departure() {
        return new Departure();
    }

    /** When one reply leaves. Used by one thread. */
    final class Departure implements AutoCloseable {
        private String kind = "";
        private long begun;
        private long quantum;

        /**
         * Begins to count now. From here on nothing may be refused for what the request says.
         *
         * @param maxRows that the dataset is registered for
         */
        void begin(String questionKind, long maxRows) {
            if (settings.quantised()) {
                kind = questionKind;
                begun = System.nanoTime();
                quantum = settings.quantum(questionKind, maxRows).toNanos();
            }
        }

        /** Waits for the end of a quantum, whether there is an answer or a failure. */
        @Override
        public void close() {
            if (quantum == 0) {
                return;
            }
            long quanta = Math.ceilDiv(Math.max(1, System.nanoTime() - begun), quantum);
            awaitNanos(quanta * quantum);
            replies.increment();
            if (quanta > 1) {
                overruns.increment();
                LOG.warn(
                        "a reply to a {} question left after {} quanta of {}", kind, quanta, Duration.ofNanos(quantum));
            }
        }

        private long left(long after) {
            return after - (System.nanoTime() - begun);
        }

        private void awaitNanos(long after) {
            boolean interrupted = false;
            for (long left = left(after); left > 0; left = left(after)) {
                LockSupport.parkNanos(left);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
