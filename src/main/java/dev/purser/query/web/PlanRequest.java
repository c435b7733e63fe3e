package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A plan of questions as the API describes it; {@link QuoteOperations} says what each kind's request is. */
@Schema(name = "Plan", requiredProperties = "questions")
record PlanRequest(
        @Schema(description = "1 to 1000 questions, at most 100 of them with `targetAlpha`.")
        List<ItemRequest> questions) {

    @Schema(
            name = "PlanItem",
            description = "One question of a plan.",
            requiredProperties = {"kind", "request"})
    record ItemRequest(
            @Schema(description = "The kind of question, as in its path.", example = "count")
            String kind,

            @Schema(description = "The body that would quote it by itself.", example = "{\"epsilon\": \"0.1\"}")
            Object request) {}
}
