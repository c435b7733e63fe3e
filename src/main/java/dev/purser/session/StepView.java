package dev.purser.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.query.Accuracy;
import dev.purser.query.Interval;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The outcome of one question of a session, as it is stored. */
@Schema(name = "ThresholdSessionOutcome", description = "The outcome of one question.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StepView(
        @Schema(example = "1") long sequence,

        @Schema(allowableValues = {"ABOVE", "BELOW"}) String outcome,

        @Schema(description = "With release values, for a question found ABOVE: its value with fresh noise.") @Nullable
        BigDecimal value,

        @Schema(description = "With a value: all intervals of the session hold together.") @Nullable
        Interval interval,

        @Schema(
                description =
                        "With release gaps, for a question found ABOVE: how far its noisy value was above the noisy"
                                + " threshold. Its selection biases it upwards, so no interval is stated.")
        @Nullable
        BigDecimal gap,

        @Schema(example = "2") long positivesLeft,

        @Schema(allowableValues = {"open", "closed"}) String state,

        @Schema(allowableValues = {"positives", "maxQueries"}) @Nullable
        String closedBecause,

        @Schema(description = "When an open session is closed if nothing is asked before, in UTC.") @Nullable
        Instant expiresAt,

        @Schema(description = "Without maxQueries: the error bound of all outcomes up to this one.") @Nullable
        Accuracy accuracy) {}
