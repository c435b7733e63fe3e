package dev.purser.experiment;

import java.util.concurrent.CancellationException;
import java.util.function.IntConsumer;

/** How much of an experiment is done. One thread counts; others read and cancel. */
public final class Progress {
    private final long total;
    private final IntConsumer onPercent;
    private volatile long done;
    private volatile boolean isCancelled;

    /**
     * The progress of an experiment.
     *
     * @param onPercent is told each whole percent that is reached
     */
    public Progress(Experiment experiment, IntConsumer onPercent) {
        total = experiment.reports();
        this.onPercent = onPercent;
    }

    /**
     * Counts reports that are about to be drawn.
     *
     * @throws CancellationException if the experiment was cancelled
     */
    void advance(long reports) {
        if (isCancelled) {
            throw new CancellationException();
        }
        long now = done + reports;
        int percent = (int) (100 * now / total);
        if (percent > (int) (100 * done / total)) {
            onPercent.accept(percent);
        }
        done = now;
    }

    /** 0 … 1. */
    double fraction() {
        return Math.min(1, (double) done / total);
    }

    void cancel() {
        isCancelled = true;
    }
}
