package dev.purser.collection.web;

import dev.purser.collection.Bounds;
import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the body that opens a collection; {@code Declaration} reads it, {@code ProtocolNames} fills in names. */
@Schema(
        name = "OpenCollection",
        requiredProperties = {"id", "protocol"})
record OpenCollectionRequest(
        @Schema(pattern = "[a-z][a-z0-9-]{0,62}", example = "commute-minutes")
        String id,

        String protocol,

        @Schema(description = "Of numbers, which devices clamp to it.") @Nullable
        Bounds range,

        @Schema(description = "Of one whole report, 0.001 to 100; without levels.", example = "1") @Nullable
        Epsilon epsilon,

        @Schema(description = "Of the levels, in descending order.", example = "[]") @Nullable
        List<Epsilon> epsilons,

        @Schema(description = "With {levelEpsilon}: of the report of the level itself.") @Nullable
        Epsilon levelEpsilon,

        @Schema(
                description = "With {divisions}: the ends of the intervals of the range that the levels belong to,"
                        + " ascending, one more than levels. Without them, devices choose their level"
                        + " otherwise.",
                example = "[]")
        @Nullable
        List<BigDecimal> divisions,

        @Schema(
                description = "With {reuse}: at how many levels a report is used. Above 1 the variance grows.",
                example = "1")
        @Nullable
        Integer reuse,

        @Schema(description = "How many numbers of the range a value has, with {dimensions}.", example = "1") @Nullable
        Integer dimensions,

        @Schema(example = "[]") @Nullable List<String> categories,

        @Schema(
                description =
                        "With {maxReportBits}: how many bits a packed report may take, at most 4096, the default.",
                example = "4096")
        @Nullable
        Integer maxReportBits,

        @Schema(description = "The end of reports, RFC 3339. Without it, reports come until the collection is closed.")
        @Nullable
        Instant closesAt) {
    static final String MINUTES = """
            {"id": "commute-minutes", "protocol": "harmony", "range": {"lower": 0, "upper": 120}, "epsilon": "1"}""";

    static final String BY = """
            {"id": "commute-by", "protocol": "grr", "categories": ["bicycle", "bus", "car", "foot"], "epsilon": "1"}""";
}
