package dev.purser.synopsis;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.purser.privacy.StatedAmount;
import dev.purser.query.Guarantee;
import dev.purser.query.ShownDecimals;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A synopsis as it is shown. */
@Schema(name = "Synopsis", description = "A purchased summary of some columns. What it answers is free.")
public record SynopsisView(
        @Schema(example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q") String synopsisId,
        @Schema(example = "visits") String datasetId,

        @Schema(description = "Its columns with their cells.")
        List<ColumnView> columns,

        @Schema(
                description = "Its tables have at most this many columns; null for one table of all columns.",
                example = "2")
        @Nullable
        Integer marginals,

        @Schema(description = "The column whose values are added up; null where rows are counted.", example = "minutes")
        @Nullable
        String measure,

        @Schema(description = "What was asked when it was bought, in canonical form.", implementation = Object.class)
        @JsonRawValue
        String question,

        @Schema(description = "How many tables can be read.", example = "1")
        long tables,

        @Schema(description = "How many cells these have.", example = "111")
        long cells,

        @Schema(description = "Of all purchases together.") SynopsisQuery.ErrorOfAll error,

        @Schema(description = "The first one first. The charges add up.")
        List<PurchaseView> purchases) {
    /** A column of a synopsis. */
    @Schema(name = "SynopsisColumn", description = "A column of a synopsis.")
    public record ColumnView(
            @Schema(example = "age") String column,

            @Schema(description = "How many cells it has.", example = "111")
            int cells) {}

    /** One purchase. */
    @Schema(name = "SynopsisPurchase", description = "A purchase of a synopsis, or one that refined it.")
    public record PurchaseView(
            @Schema(
                    description = "Its answer and its receipt are read under this id.",
                    example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q")
            String queryId,

            @Schema(implementation = StatedAmount.class) JsonNode charge,

            @Schema(implementation = Guarantee.class) JsonNode guarantee) {}

    /** Shows a synopsis. */
    public static SynopsisView of(Synopsis synopsis) {
        Purchase first = synopsis.purchases().getFirst();
        Integer together = synopsis.cells().together();
        return new SynopsisView(
                synopsis.id(),
                synopsis.dataset().id(),
                IntStream.range(0, synopsis.columns().size())
                        .mapToObj(column -> new ColumnView(
                                synopsis.names().get(column),
                                synopsis.columns().get(column).cells()))
                        .toList(),
                together,
                synopsis.cells().measure() == null
                        ? null
                        : synopsis.cells().measure().name(),
                synopsis.question(),
                first.answer("tables").asLong(),
                first.answer("cells").asLong(),
                new SynopsisQuery.ErrorOfAll(together(synopsis, "rms"), together(synopsis, "worst")),
                synopsis.purchases().stream()
                        .map(purchase -> new PurchaseView(
                                purchase.queryId(),
                                purchase.stated().get("charge"),
                                purchase.stated().get("guarantee")))
                        .toList());
    }

    /** The purchases have the same tables with the same shares, so the inverses of their squared errors add up. */
    private static BigDecimal together(Synopsis synopsis, String error) {
        double precision = synopsis.counted().stream()
                .mapToDouble(
                        purchase -> Math.pow(purchase.answer("error").get(error).asDouble(), -2))
                .sum();
        return ShownDecimals.plain(new BigDecimal(1 / Math.sqrt(precision), new MathContext(6, RoundingMode.CEILING)));
    }
}
