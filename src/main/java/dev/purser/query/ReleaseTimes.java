package dev.purser.query;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * If enabled, sends a reply a whole number of quanta after its question was read. Its duration then reveals nothing
 * about the rows: not how many passed a filter, how large the noise was, or whether the answer was stored before. A
 * quantum depends on public facts and is chosen so that nearly every reply is ready within the first quantum.
 *
 * <p><b>Limits.</b> A reply that takes longer than one quantum leaves at the end of a later quantum, which is
 * observable. Such overruns are counted ({@code purser.release.overruns} of {@code purser.release.replies}) and logged.
 * If they exceed one in ten thousand, the quantum is too short. The duration of a question can also reveal the load of
 * another question on the machine.
 *
 * <p>After Haeberlen, Pierce, Narayan: Differential Privacy Under Fire (USENIX Security 2011), section 4.
 */
@Component
public class ReleaseTimes {
    private static final Logger LOG = LoggerFactory.getLogger(ReleaseTimes.class);

    private final ReleaseSettings settings;
    private final Counter replies;
    private final Counter overruns;

    public ReleaseTimes(ReleaseSettings settings, ChargedKinds kinds, MeterRegistry meters) {
        settings.requireKinds(kinds.all().stream().map(QuestionKind::name).toList());
        this.settings = settings;
        this.replies = meters.counter("purser.release.replies");
        this.overruns = meters.counter("purser.release.overruns");
    }

    /**
     * Starts the clock of one reply. The questions have to be validated before.
     *
     * @param kinds the kinds of the questions; a plan can have several
     * @param maxRows the number of rows that the dataset is registered for
     */
    public Departure departure(List<String> kinds, long maxRows) {
        return new Departure(
                kinds.size() == 1 ? kinds.getFirst() : "plan",
                settings.quantised() ? settings.quantum(kinds, maxRows).toNanos() : 0);
    }

    /** When one reply is sent. Not thread-safe. */
    public final class Departure implements AutoCloseable {
        private final String kind;
        private final long quantum;
        private final long begun = System.nanoTime();

        private Departure(String kind, long quantum) {
            this.kind = kind;
            this.quantum = quantum;
        }

        /** Waits for the end of a quantum, after an answer or a failure. */
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
