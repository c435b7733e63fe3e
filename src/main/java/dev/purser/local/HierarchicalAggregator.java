package dev.purser.local;

import dev.purser.noise.RandomBits;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Hierarchical aggregation of the reports of {@link LeveledResponse}, as in its source: a report of a level is reused
 * at the following levels, converted to the noise of each. This is post-processing of reports. It has no loss and needs
 * no secrecy.
 *
 * <p>Reuse only adds variance, and {@link #clampedContributions} is biased. {@link LeveledResponse#contributions} is
 * recommended: it is this class at reuse 1. Derivation: {@code HierarchicalAggregator.md}. It is thread-safe only if
 * its bits are. Source: Sensors 23(3) 1115, 2023.
 */
public final class HierarchicalAggregator implements ReportSums<LeveledSign> {
    private static final int DRAWN_BITS = 53;

    private final LeveledResponse response;
    private final int reuse;
    private final RandomBits bits;
    private final int levels;

    /** The probability of keeping a sign by the levels it is converted from and to, from 0, times 2^53. */
    private final long[][] keep;

    /**
     * The aggregation of the reports of a protocol.
     *
     * @param reuse how often every report counts, 1 … the number of levels
     * @param bits for conversions
     */
    public HierarchicalAggregator(LeveledResponse response, int reuse, RandomBits bits) {
        levels = response.tallies();
        if (reuse < 1 || reuse > levels) {
            throw new IllegalArgumentException("a report is reused 1 to " + levels + " times, not " + reuse);
        }
        this.response = response;
        this.reuse = reuse;
        this.bits = bits;
        keep = new long[levels][levels];
        for (int from = 0; from < levels; from++) {
            for (int to = from; to < levels; to++) {
                keep[from][to] =
                        Math.round(Math.scalb(response.conversionKeepProbability(from + 1, to + 1), DRAWN_BITS));
            }
        }
    }

    /** Two sums for each level. */
    @Override
    public int tallies() {
        return 2 * levels;
    }

    /** For each level the sum of the signs filed under it, then their number. */
    @Override
    public void add(LeveledSign report, long[] tally, int offset) {
        int own = report.level() - 1;
        int last = last(own);
        // A report that cannot reach further levels, because the list ends, counts more often at its own level.
        file(own, report.sign().factor(), reuse - (last - own), tally, offset);
        for (int level = own + 1; level <= last; level++) {
            boolean kept = bits.next(DRAWN_BITS) < keep[own][level];
            file(level, kept ? report.sign().factor() : -report.sign().factor(), 1, tally, offset);
        }
    }

    /** The last level, from 0, at which a report of a level is used. */
    private int last(int level) {
        return Math.min(levels - 1, level + reuse - 1);
    }

    private static void file(int level, int factor, int weight, long[] tally, int offset) {
        int sum = offset + 2 * level;
        tally[sum] = Math.addExact(tally[sum], factor * weight);
        tally[sum + 1] = Math.addExact(tally[sum + 1], weight);
    }

    /**
     * The sum over all reports of the mean contribution of a report's uses. Divided by the number of reports it is an
     * unbiased estimate of the mean of v.
     *
     * @param tally the sums; the sums of this aggregation begin at {@code offset}
     */
    public double contributions(long[] tally, int offset) {
        return sum(level -> debiased(level, tally, offset));
    }

    /**
     * The contributions with each level clamped: its estimated numbers of devices of v = 1 and of v = -1 are clamped to
     * 0 … the number of reports filed under the level. The source computes them in this way. Divided by the number of
     * reports they are a biased estimate.
     *
     * @param tally the sums; the sums of this aggregation begin at {@code offset}
     */
    public double clampedContributions(long[] tally, int offset) {
        // The two estimates add up to the number of reports N, so to clamp both is to clamp their difference to ±N.
        return sum(level -> {
            double filed = tally[offset + 2 * level + 1];
            return Math.clamp(debiased(level, tally, offset), -filed, filed);
        });
    }

    private double sum(IntToDoubleFunction ofLevel) {
        return IntStream.range(0, levels).mapToDouble(ofLevel).sum() / reuse;
    }

    private double debiased(int level, long[] tally, int offset) {
        return tally[offset + 2 * level] * response.magnitude(level + 1);
    }

    /**
     * The variance of a report's part of {@link #contributions}, over the randomness of the report and of its
     * conversions.
     *
     * @param level the device's level, from 1
     * @param v the device's value, -1 … 1
     */
    public double variance(int level, double v) {
        return response.expected(level, sent -> meanSquare(sent - 1)) - v * v;
    }

    /** The largest {@link #variance} of any level and value. */
    public double largestVariance() {
        return IntStream.rangeClosed(1, levels)
                .mapToDouble(level -> variance(level, 0))
                .max()
                .orElseThrow();
    }

    /**
     * The mean square of a report's part: the square of its own contribution, and the variance of its conversions'
     * errors, which are independent and have mean 0.
     */
    private double meanSquare(int sent) {
        double own = square(sent);
        double errors = 0;
        for (int level = sent + 1; level <= last(sent); level++) {
            errors += square(level) - own;
        }
        return own + errors / (reuse * reuse);
    }

    private double square(int level) {
        return Math.pow(response.magnitude(level + 1), 2);
    }
}
