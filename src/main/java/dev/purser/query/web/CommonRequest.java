package dev.purser.query.web;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** The fields of every question, as the API describes them; {@link SpendingOperations} puts them into each kind's schema. */
@Schema(requiredProperties = "epsilon")
record CommonRequest(
        @Schema(description = "What the answer costs: 0.000001 to 100.", example = "0.5")
        Epsilon epsilon,

        @Schema(
                description =
                        "Under the accountant `approximate` up to 0.01, and charged as asked; 0 under the others.",
                defaultValue = "0",
                example = "0")
        Delta delta,

        @Schema(
                description = "The probability with which the accuracy statement may fail.",
                defaultValue = "0.05",
                minimum = "0.000000001",
                maximum = "0.999999999",
                example = "0.05")
        BigDecimal beta,

        @Schema(description = "A conjunction of conditions; empty means every row.")
        List<ConditionRequest> where) {}
