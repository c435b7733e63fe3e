package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;

/**
 * {@link LeveledResponse} of a device whose level is known to it alone. A collector needs no level: the contribution of
 * a report depends on the level that was sent.
 *
 * @param level from 1, private
 */
record LeveledNumber(LeveledResponse response, int level) implements NumericRandomizer<LeveledSign> {
    @Override
    public Epsilon epsilon() {
        return response.epsilon();
    }

    @Override
    public LeveledSign report(Position value, RandomBits bits) {
        return response.report(new LeveledPosition(level, value), bits);
    }

    @Override
    public boolean isPossible(LeveledSign report) {
        return response.isPossible(report);
    }

    @Override
    public double contribution(LeveledSign report) {
        return response.contribution(report);
    }

    @Override
    public int tallies() {
        return response.tallies();
    }

    @Override
    public void add(LeveledSign report, long[] tally, int offset) {
        response.add(report, tally, offset);
    }

    @Override
    public double contributions(long[] tally, int offset, long reports) {
        return response.contributions(tally, offset, reports);
    }

    /** {@inheritDoc} It is the largest variance of any level, because a device's level is private. */
    @Override
    public double variance(double v) {
        return response.largestVariance() - v * v;
    }

    @Override
    public double largestVariance() {
        return response.largestVariance();
    }

    @Override
    public String toString() {
        return "LeveledNumber[redacted]";
    }
}
