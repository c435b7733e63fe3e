package dev.purser.collection;

import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The parts of a collection or a training that lists show. */
@Schema(name = "CollectionSummary")
public record CollectionSummary(
        @Schema(example = "commute-minutes") String id,
        @Schema(example = HybridProtocol.NAME) String protocol,

        @Schema(allowableValues = {"open", "closed"}) String state,

        @Schema(description = "In UTC.") Instant openedAt,

        @Schema(description = "The end of reports, in UTC; null without one.") @Nullable
        Instant closesAt,

        @Schema(description = "The local epsilon of one whole report.", example = "1")
        Epsilon epsilon) {}
