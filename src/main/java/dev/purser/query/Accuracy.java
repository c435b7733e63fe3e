package dev.purser.query;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;

/**
 * The error bound of an answer, from public facts and the released answer alone.
 *
 * @param alpha a bound on the error that holds with probability at least 1 − beta
 * @param unit the unit of alpha
 * @param statement the bound as a sentence
 */
@Schema(description = "The error bound of the answer, from public facts and the released answer alone.")
public record Accuracy(
        @Schema(description = "The error is at most this, with probability at least 1 − beta.", example = "0.41")
        BigDecimal alpha,

        @Schema(description = "The probability with which alpha may fail.", example = "0.05")
        BigDecimal beta,

        @Schema(
                description = "The unit of alpha: `value`, the unit of the answer, or `rank`, a number of rows.",
                example = "value")
        String unit,

        @Schema(description = "The same in a sentence.") String statement) {
    static Accuracy ofRank(BigDecimal alpha, BigDecimal beta, String statement) {
        return new Accuracy(alpha, beta, "rank", statement);
    }

    /** A bound in the unit of the answer. */
    public static Accuracy ofValue(BigDecimal alpha, BigDecimal beta, String statement) {
        return new Accuracy(alpha, beta, "value", statement);
    }
}
