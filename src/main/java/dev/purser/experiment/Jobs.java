package dev.purser.experiment;

import dev.purser.noise.SecureBits;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * The experiments that were asked for, in memory only: a restart forgets them. One runs at a time, on a platform thread
 * of the lowest priority, which exists only while there is work. Questions use other threads.
 */
@Component
public final class Jobs implements DisposableBean {
    static final int MOST_KEPT = 50;
    static final int MOST_OPEN = 20;
    static final int MOST_OPEN_OF_ONE = 10;
    static final Duration KEPT = Duration.ofHours(1);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

    private final Clock clock;
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final ThreadPoolExecutor thread;

    Jobs(Clock clock) {
        this.clock = clock;
        thread = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform()
                        .daemon()
                        .name("experiments")
                        .priority(Thread.MIN_PRIORITY)
                        .factory());
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Takes an experiment.
     *
     * @throws ProblemException {@code too-many-requests} if too many wait or run
     */
    public synchronized Job submit(String owner, Experiment experiment) {
        forgetOld();
        long open = jobs.values().stream().filter(job -> !job.hasEnded()).count();
        long own = jobs.values().stream()
                .filter(job -> !job.hasEnded() && job.owner().equals(owner))
                .count();
        if (own >= MOST_OPEN_OF_ONE || open >= MOST_OPEN) {
            throw ProblemException.of(
                            ProblemType.TOO_MANY_REQUESTS,
                            "at most " + MOST_OPEN_OF_ONE + " experiments of one principal and " + MOST_OPEN
                                    + " of all may wait or run")
                    .retryAfter(RETRY_AFTER);
        }
        if (jobs.size() >= MOST_KEPT) {
            jobs.values().stream().filter(Job::hasEnded).findFirst().ifPresent(first -> jobs.remove(first.id()));
        }
        SecureBits bits = new SecureBits();
        Job job = new Job(String.format("%015x%015x", bits.next(60), bits.next(60)), owner, experiment, clock);
        jobs.put(job.id(), job);
        thread.execute(job);
        return job;
    }

    /** The job with this id; empty if there is none, or not any more. */
    public synchronized Optional<Job> named(String id) {
        forgetOld();
        return Optional.ofNullable(jobs.get(id));
    }

    private void forgetOld() {
        jobs.values().removeIf(job -> job.endedBefore(clock.instant().minus(KEPT)));
    }

    @Override
    public synchronized void destroy() {
        jobs.values().forEach(Job::cancel);
        thread.shutdown();
    }
}
