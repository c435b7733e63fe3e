package dev.purser.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A step that is to be stored, with the state after it.
 *
 * @param requestDigest SHA-256 of the request
 * @param body the answer
 * @param secret the state after the step; null if the step closes the interaction
 * @param costlyStepsLeft the number of costly steps left after the step
 * @param endsPayment whether the charge that paid for the step pays for no further step
 * @param expiresAt when the interaction expires if no further step is taken
 * @param closedBecause why the step closes the interaction; null if the interaction stays open
 */
public record NextStep(
        byte[] requestDigest,
        byte[] body,
        byte @Nullable [] secret,
        long costlyStepsLeft,
        boolean endsPayment,
        Instant expiresAt,
        @Nullable String closedBecause) {}
