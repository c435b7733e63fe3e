package dev.purser.faults;

import java.util.LongSummaryStatistics;

/** How long it took from starting a killed service to its first correct answer, in milliseconds. */
final class Restarts {
    private final LongSummaryStatistics millis = new LongSummaryStatistics();

    void took(long time) {
        millis.accept(time);
    }

    long count() {
        return millis.getCount();
    }

    long max() {
        return count() == 0 ? 0 : millis.getMax();
    }

    long mean() {
        return Math.round(millis.getAverage());
    }
}
