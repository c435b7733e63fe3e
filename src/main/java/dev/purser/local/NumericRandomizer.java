package dev.purser.local;

/**
 * A local randomizer of one number. Values are thought of as v of [-1, 1], the {@link Position} in the
 * public range; the mean of the contributions of all reports is an unbiased estimate of the mean of v.
 *
 * <p>Contributions are doubles: they are functions of a report that is public already. They are not clamped,
 * which would bias the mean.
 *
 * @param <R> the report
 */
public interface NumericRandomizer<R> extends LocalRandomizer<Position, R> {
    /** A number whose expectation, over the randomness of the report, is the device's v. */
    double contribution(R report);

    /**
     * The variance of a contribution.
     *
     * @param v the device's value, -1 … 1
     */
    double variance(double v);
}
