package dev.purser.query;

import dev.purser.mechanism.IntervalEstimate;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;

/** An interval that contains the exact number with probability at least 1 − beta. */
@Schema(description = "Holds the exact number with probability at least 1 − beta.")
public record Interval(
        @Schema(description = "The lower end, in the unit of the value.", example = "14380")
        BigDecimal low,

        @Schema(description = "The upper end.", example = "14440")
        BigDecimal high) {
    static Interval of(IntervalEstimate estimate) {
        return new Interval(ShownDecimals.plain(estimate.low()), ShownDecimals.plain(estimate.high()));
    }

    /** An interval centred at a count. */
    static Interval around(BigInteger count, BigInteger halfWidth) {
        return new Interval(new BigDecimal(count.subtract(halfWidth)), new BigDecimal(count.add(halfWidth)));
    }
}
