package dev.purser.synopsis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.purser.dataset.ColumnValue;
import dev.purser.query.AggregateKey;
import dev.purser.query.Interval;
import dev.purser.query.QuantileQuery;
import dev.purser.query.ShownDecimals;
import dev.purser.synopsis.Estimates.Estimate;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one question about a synopsis.
 *
 * @param alpha the largest error of its numbers, in the unit of a quote's alpha; not shown
 */
@Schema(description = "The answer to one question about a synopsis. What is not meant is null.")
public record FreeAnswer(
        @Schema(description = "Of a count, sum, mean, variance or correlation.", example = "1201.5") @Nullable
        BigDecimal value,

        @Schema(description = "Of the value.") @Nullable Interval interval,

        @Schema(
                description = "Of a histogram, in the order of its edges or cells; of a cumulative distribution, the"
                        + " number of rows below each bin's `upper`.")
        @Nullable
        List<Bin> bins,

        @Schema(description = "Of a table: all cells, those of the last column fastest.") @Nullable
        List<Cell> cells,

        @Schema(description = "Of quantiles, in the order of the request.") @Nullable
        List<QuantileQuery.Quantile> quantiles,

        @JsonIgnore double alpha) {
    private static final int DIGITS = 12;

    /** A bin of a histogram. */
    @Schema(name = "SynopsisBin", description = "The estimated number of rows in a bin.")
    public record Bin(
            @Schema(description = "Values of at least this; null of a category.", example = "20") @Nullable
            ColumnValue lower,

            @Schema(description = "Values less than this; null of a category.", example = "30") @Nullable
            ColumnValue upper,

            @Schema(description = "Null of a range.", example = "Female") @Nullable
            String category,

            @Schema(description = "It is unbiased, and can be below zero.", example = "5820.25")
            BigDecimal count,

            Interval interval) {
        static Bin of(AggregateKey.Value place, Estimate estimate, boolean nonNegative) {
            return new Bin(
                    place.lower(), place.upper(), place.category(), shown(estimate, nonNegative), around(estimate));
        }
    }

    /** A cell of a table. */
    @Schema(name = "SynopsisCell", description = "The estimated number, or sum, of the rows in a cell.")
    public record Cell(
            @Schema(description = "Its place in each column of the table.")
            List<AggregateKey.Value> key,

            @Schema(description = "It is unbiased, and can be below zero.", example = "5820.25")
            BigDecimal count,

            Interval interval) {
        static Cell of(List<AggregateKey.Value> key, Estimate estimate, boolean nonNegative) {
            return new Cell(key, shown(estimate, nonNegative), around(estimate));
        }
    }

    static FreeAnswer ofNumber(Estimate estimate, boolean nonNegative) {
        return new FreeAnswer(shown(estimate, nonNegative), around(estimate), null, null, null, estimate.bound());
    }

    /** A number that is not a sum of cells, with the ends of its interval. */
    static FreeAnswer ofNumber(double value, double low, double high) {
        return new FreeAnswer(
                shown(value, largest(low, high), RoundingMode.HALF_EVEN),
                interval(low, high),
                null,
                null,
                null,
                Math.max(value - low, high - value));
    }

    static FreeAnswer ofBins(List<Bin> bins, double alpha) {
        return new FreeAnswer(null, null, bins, null, null, alpha);
    }

    static FreeAnswer ofCells(List<Cell> cells) {
        return new FreeAnswer(null, null, null, cells, null, 0);
    }

    static FreeAnswer ofQuantiles(List<QuantileQuery.Quantile> quantiles, double alpha) {
        return new FreeAnswer(null, null, null, null, quantiles, alpha);
    }

    private static BigDecimal shown(Estimate estimate, boolean nonNegative) {
        return shown(
                nonNegative ? Math.max(0, estimate.value()) : estimate.value(),
                largest(estimate.low(), estimate.high()),
                RoundingMode.HALF_EVEN);
    }

    private static Interval around(Estimate estimate) {
        return interval(estimate.low(), estimate.high());
    }

    private static Interval interval(double low, double high) {
        double largest = largest(low, high);
        return new Interval(shown(low, largest, RoundingMode.FLOOR), shown(high, largest, RoundingMode.CEILING));
    }

    private static double largest(double low, double high) {
        return Math.max(Math.abs(low), Math.abs(high));
    }

    /**
     * Rounds to as many decimals as the interval's end farther from zero has in twelve digits. Further decimals are
     * arithmetic error.
     */
    private static BigDecimal shown(double number, double largest, RoundingMode rounding) {
        return largest == 0
                ? BigDecimal.ZERO
                : ShownDecimals.plain(
                        new BigDecimal(number).setScale(DIGITS - 1 - (int) Math.floor(Math.log10(largest)), rounding));
    }
}
