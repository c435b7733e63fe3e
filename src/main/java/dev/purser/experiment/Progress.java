package dev.purser.experiment;

import java.util.function.IntConsumer;

/** How much of an experiment is done. */
public final class Progress {
    private final long total;
    private final IntConsumer onPercent;
    private long done;

    /**
     * The progress of an experiment.
     *
     * @param onPercent gets each whole percent that is reached
     */
    public Progress(Experiment experiment, IntConsumer onPercent) {
        total = experiment.reports();
        this.onPercent = onPercent;
    }

    /** Counts reports that are about to be drawn. */
    void advance(long reports) {
        long now = done + reports;
        int percent = (int) (100 * now / total);
        if (percent > (int) (100 * done / total)) {
            onPercent.accept(percent);
        }
        done = now;
    }
}
