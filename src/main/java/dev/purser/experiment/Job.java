package dev.purser.experiment;

import dev.purser.noise.SecureBits;
import dev.purser.problem.FatalErrors;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An experiment that waits, runs or has ended. */
public final class Job implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Job.class);

    /** The states of a job. */
    enum State {
        QUEUED,
        RUNNING,
        DONE,
        FAILED,
        CANCELLED
    }

    private final String id;
    private final String owner;
    private final Experiment experiment;
    private final Progress progress;
    private final Clock clock;
    private State state = State.QUEUED;
    private @Nullable ExperimentResult result;
    private @Nullable Instant endedAt;

    Job(String id, String owner, Experiment experiment, Clock clock) {
        this.id = id;
        this.owner = owner;
        this.experiment = experiment;
        this.clock = clock;
        progress = new Progress(experiment, percent -> {});
    }

    /** Identifies the job. Whoever does not own it cannot guess it. */
    public String id() {
        return id;
    }

    /** The principal who asked for it. */
    public String owner() {
        return owner;
    }

    @Override
    public void run() {
        if (!begin()) {
            return;
        }
        try {
            end(State.DONE, experiment.run(progress, new SecureBits()));
        } catch (CancellationException cancelled) {
            end(State.CANCELLED, null);
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            LOG.error("experiment {} failed with {}", id, failure.getClass().getName());
            end(State.FAILED, null);
        }
    }

    private synchronized boolean begin() {
        if (state == State.QUEUED) {
            state = State.RUNNING;
        }
        return state == State.RUNNING;
    }

    private synchronized void end(State last, @Nullable ExperimentResult found) {
        state = last;
        result = found;
        endedAt = clock.instant();
    }

    /** Ends the job, at once if it waits and within moments if it runs. A job that has ended stays as it is. */
    public synchronized void cancel() {
        progress.cancel();
        if (state == State.QUEUED) {
            end(State.CANCELLED, null);
        }
    }

    /** Whether it neither waits nor runs. */
    public synchronized boolean hasEnded() {
        return endedAt != null;
    }

    synchronized boolean endedBefore(Instant time) {
        return endedAt != null && endedAt.isBefore(time);
    }

    /** What the job shows now. */
    public synchronized JobView view() {
        double fraction = state == State.DONE ? 1 : progress.fraction();
        return new JobView(
                id,
                experiment.kind(),
                Method.word(state),
                new BigDecimal(fraction).setScale(3, RoundingMode.DOWN),
                result);
    }
}
