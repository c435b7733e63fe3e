package dev.purser.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The error bound of an answer, from public facts and the released answer alone.
 *
 * @param alpha a bound on the error that holds with probability at least 1 − beta
 * @param unit the unit of alpha
 * @param statement the bound as a sentence
 * @param each the bounds of a table's aggregates, whose first bound is alpha; null if the answer is not a table
 */
@Schema(description = "The error bound of the answer, from public facts and the released answer alone.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Accuracy(
        @Schema(description = "The error is at most this, with probability at least 1 − beta.", example = "0.41")
        BigDecimal alpha,

        @Schema(description = "The probability with which alpha may fail.", example = "0.05")
        BigDecimal beta,

        @Schema(
                description = "The unit of alpha: `value`, the unit of the answer, or `rank`, a number of rows.",
                example = "value")
        String unit,

        @Schema(description = "The same in a sentence.") String statement,

        @Schema(description = "In a table: the bound of each aggregate. `alpha` is the first of them.") @Nullable
        List<OfAggregate> each) {
    /**
     * The bound of one aggregate of a table.
     *
     * @param name the aggregate's name in the answer
     */
    @Schema(name = "AggregateAccuracy", description = "The error bound of one aggregate, in all groups.")
    public record OfAggregate(
            @Schema(example = "mean(minutes)") String name,
            @Schema(example = "0.41") BigDecimal alpha) {}

    static Accuracy ofRank(BigDecimal alpha, BigDecimal beta, String statement) {
        return new Accuracy(alpha, beta, "rank", statement, null);
    }

    /** The bounds of a table, one or more. */
    static Accuracy ofTable(List<OfAggregate> each, BigDecimal beta, String statement) {
        return new Accuracy(each.getFirst().alpha(), beta, "value", statement, each);
    }

    /** A bound in the unit of the answer. */
    public static Accuracy ofValue(BigDecimal alpha, BigDecimal beta, String statement) {
        return new Accuracy(alpha, beta, "value", statement, null);
    }
}
