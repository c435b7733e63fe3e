package dev.purser.mechanism;

import java.math.BigDecimal;

/** A mechanism that releases a mean. Its error depends on the number of rows, which is private in general. */
public interface MeanMechanism extends Mechanism<MeanAnswer> {
    /**
     * A bound on the error of the stated mean if {@code rows} rows pass the filter, whatever their values. It fails
     * with probability at most beta, uses public facts alone, is in grid steps, and is at most the range's width. The
     * error is against the mean of values clamped to the range that the answer states. This range can be unknown before
     * the release.
     *
     * @param rows at least 1
     */
    BigDecimal expectedAlphaSteps(long rows);
}
