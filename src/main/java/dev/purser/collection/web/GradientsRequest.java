package dev.purser.collection.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes a batch of gradients; {@code Trainings} reads it. */
@Schema(
        name = "GradientBatch",
        requiredProperties = {"round", "reports"})
record GradientsRequest(
        @Schema(description = "The round whose parameters the gradients were taken at.", example = "3")
        long round,

        @Schema(description = "1 to 100,000.") List<Gradient> reports) {
    static final String ONE = """
            {
              "round": 1,
              "reports": [{"ticket": "5f2a9c0e1b7d4a365f2a9c0e1b7d4a", "coordinate": 0, "sign": 1}]
            }""";

    /** A randomized gradient. */
    @Schema(name = "GradientReport", description = "The fields depend on the protocol.", requiredProperties = "ticket")
    record Gradient(
            @Schema(description = "Used once.", example = "5f2a9c0e1b7d4a365f2a9c0e1b7d4a")
            String ticket,

            @Schema(description = "Of {coordinate}: from 0.") @Nullable
            Integer coordinate,

            @Schema(description = "-1 or 1.") @Nullable Integer sign,

            @Schema(description = "Of {level}: from 1.") @Nullable
            Integer level,

            @Schema(description = "Of {coordinates}, ascending.", example = "[]") @Nullable
            List<ReportsRequest.CoordinateReport> coordinates) {}
}
