package dev.purser.local;

/**
 * A local randomizer of one number. A value is v of [-1, 1], its {@link Position} in the public range. The mean of the
 * contributions of all reports is an unbiased estimate of the mean of v.
 *
 * <p>Contributions are doubles, because they are functions of a public report. They are not clamped, because clamping
 * would bias the mean.
 *
 * @param <R> the report
 */
public interface NumericRandomizer<R> extends LocalRandomizer<Position, R>, ReportSums<R> {
    /** A number whose expectation, over the randomness of the report, is the device's v. */
    double contribution(R report);

    /**
     * The sum of the contributions of all reports, from their sums.
     *
     * @param tally the sums; the sums of this protocol begin at {@code offset}
     * @param reports how many reports were added
     */
    double contributions(long[] tally, int offset, long reports);

    /**
     * The variance of a contribution.
     *
     * @param v the device's value, -1 … 1
     */
    double variance(double v);

    /** The largest {@link #variance} of any value, up to the rounding of values to points. */
    double largestVariance();
}
