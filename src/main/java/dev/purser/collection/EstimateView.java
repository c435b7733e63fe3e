package dev.purser.collection;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the reports of a collection so far. Without reports, everything that depends on reports is null.
 */
@Schema(name = "CollectionEstimate")
public record EstimateView(
        @Schema(description = "How many reports were counted.", example = "100000")
        long reports,

        @Schema(
                description = "The estimated mean, moved into the range if it lay outside: a number, or one for each"
                        + " dimension if there are several. Null for categories.",
                example = "31.4")
        @Nullable
        Object mean,

        @Schema(description = "As `mean`, unbiased: it may lie outside the range.", example = "31.4") @Nullable
        Object unbiasedMean,

        @Schema(description = "Around `mean`. The intervals of all dimensions hold together.") @Nullable
        MeanInterval interval,

        @Schema(description = "The share of each category, in their order; null for numbers.") @Nullable
        List<Share> frequencies,

        @Schema(
                example = "With probability 0.95 the means of all dimensions over the devices that reported lie within"
                        + " their intervals, whatever the devices' values are: " + Estimate.APPROXIMATE + ".",
                description = "What the intervals promise.")
        String statement) {
    /** Where the mean lies. */
    @Schema(name = "MeanInterval")
    public record MeanInterval(
            @Schema(description = "A number, or one for each dimension.", example = "30.9")
            Object low,

            @Schema(description = "A number, or one for each dimension.", example = "31.9")
            Object high) {}

    /** The share of devices in a category. */
    @Schema(name = "EstimatedShare")
    public record Share(
            @Schema(example = "bicycle") String category,

            @Schema(description = "Unbiased: it may be below 0 or above 1.", example = "0.213")
            double frequency,

            @Schema(
                    description = "The nearest shares that are at least 0 and have the sum 1. They are biased.",
                    example = "0.213")
            double projected,

            @Schema(
                    description =
                            "Where the share lies, for any number of reports. The intervals of all categories hold"
                                    + " together.")
            ShareInterval interval) {}

    /** Where a share lies. */
    @Schema(name = "ShareInterval")
    public record ShareInterval(
            @Schema(example = "0.208") double low,
            @Schema(example = "0.218") double high) {}

    static EstimateView of(long reports, Declared declared, @Nullable Estimate estimate, BigDecimal beta) {
        Bounds range = declared.range();
        String statement = "With probability " + BigDecimal.ONE.subtract(beta).toPlainString() + " "
                + (range == null ? "the shares of all categories among" : "the means of all dimensions over")
                + " the devices that reported lie within their intervals, whatever the devices' values are: "
                + declared.protocol().basis() + ".";
        if (estimate == null) {
            return new EstimateView(reports, null, null, null, null, statement);
        }
        if (range == null) {
            return new EstimateView(reports, null, null, null, shares(declared.categories(), estimate), statement);
        }
        double[] values = estimate.values();
        return new EstimateView(
                reports,
                each(values, mean -> range.inUnits(Math.clamp(mean, -1.0, 1.0))),
                each(values, range::inUnits),
                new MeanInterval(ends(estimate.lows(), range), ends(estimate.highs(), range)),
                null,
                statement);
    }

    private static Object ends(double[] ends, Bounds range) {
        return each(ends, end -> range.inUnits(Math.clamp(end, -1.0, 1.0)));
    }

    private static Object each(double[] values, DoubleUnaryOperator unit) {
        double[] shown = Arrays.stream(values).map(unit).toArray();
        return shown.length == 1 ? (Object) shown[0] : shown;
    }

    private static List<Share> shares(List<String> categories, Estimate estimate) {
        double[] projected = estimate.onSimplex();
        return IntStream.range(0, categories.size())
                .mapToObj(i -> new Share(
                        categories.get(i),
                        estimate.values()[i],
                        projected[i],
                        new ShareInterval(
                                Math.clamp(estimate.lows()[i], 0.0, 1.0), Math.clamp(estimate.highs()[i], 0.0, 1.0))))
                .toList();
    }
}
