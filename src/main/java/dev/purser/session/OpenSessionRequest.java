package dev.purser.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** The body that opens a session, for its description and to be shown; {@link Declaration} reads it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
        name = "OpenThresholdSession",
        requiredProperties = {"epsilon", "threshold", "maxPositives", "queries"})
public record OpenSessionRequest(
        @Schema(description = "The most that the session is charged in all.", example = "1")
        Epsilon epsilon,

        @Schema(
                description = "Rows for counts; for sums a multiple of the finest grid of the dataset's numbers.",
                example = "1000")
        BigDecimal threshold,

        @Schema(description = "How many outcomes may be ABOVE, 1 to 1000.", example = "3")
        int maxPositives,

        @Schema(
                allowableValues = {"indices", "gaps", "values"},
                description = "What an ABOVE comes with: nothing, its distance above the noisy threshold for no more"
                        + " epsilon, or a value with fresh noise for half of epsilon. By default indices.")
        @Nullable
        String release,

        @Schema(
                allowableValues = {"upfront", "per-positive"},
                description = "`per-positive`: epsilon/maxPositives, rounded down to a nano-epsilon, before the first"
                        + " question and after each ABOVE before the next one. By default upfront.")
        @Nullable
        String payment,

        @Schema(
                allowableValues = {"counts", "sums"},
                description = "What is asked. `sums` are sums and clip losses.")
        String queries,

        @Schema(description = "With sums: how much one privacy unit may change any of them, at most.", example = "1000")
        @Nullable
        BigDecimal sumBound,

        @Schema(
                description = "The most questions, 1 to 1 000 000. The session is closed after the last of them."
                        + " Without it, the error bound grows with the number asked.",
                example = "100")
        @Nullable
        Integer maxQueries,

        @Schema(
                allowableValues = {"automatic", "single-threshold", "restart", "one-sided", "adaptive"},
                description =
                        "As in askSparseRange. `one-sided` needs maxQueries; `per-positive` has `restart` alone. By"
                                + " default automatic.")
        @Nullable
        String variant,

        @Schema(description = "The probability with which the error bound may fail. By default 0.05.") @Nullable
        BigDecimal beta) {
    /** An example. */
    public static final String VISITS = """
            {"epsilon": "0.5", "threshold": 500, "maxPositives": 2, "queries": "counts", "maxQueries": 100}""";
}
