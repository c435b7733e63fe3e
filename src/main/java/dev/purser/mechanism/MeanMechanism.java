package dev.purser.mechanism;

import java.math.BigDecimal;

/** A mechanism that releases a mean. How near that comes depends on how many rows there are, which is private. */
public interface MeanMechanism extends Mechanism<MeanAnswer> {
    /**
     * What the error of the stated mean is at most, except with probability beta, if this many rows pass, whatever their
     * values: from public facts alone, in grid steps, and at most the width of the range. As in {@link MeanAnswer}, the error
     * is against the mean of values clamped to the range that the answer states, and that range is not known before.
     *
     * @param rows at least 1
     */
    BigDecimal expectedAlphaSteps(long rows);
}
