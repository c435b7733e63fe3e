package dev.purser.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A step to be stored with the state that it leaves.
 *
 * @param requestDigest SHA-256 of the request
 * @param body its answer
 * @param secret the state after it; null if it closes the interaction
 * @param costlyStepsLeft after it
 * @param endsPayment whether the charge that paid for it pays for no further step
 * @param expiresAt when the interaction expires after it
 * @param closedBecause why it closes the interaction; null if the interaction stays open
 */
public record NextStep(
        byte[] requestDigest,
        byte[] body,
        byte @Nullable [] secret,
        long costlyStepsLeft,
        boolean endsPayment,
        Instant expiresAt,
        @Nullable String closedBecause) {}
