package dev.purser.session;

import dev.purser.digest.Sha256;
import dev.purser.ledger.RequestIdentity;
import dev.purser.privacy.PrivacyAmount;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An opened interactive mechanism, as it is stored. Its secret state is sealed.
 *
 * @param id 26 characters, ascending in time
 * @param kind the kind of mechanism, for example {@code threshold-session}
 * @param account the account that it is charged to
 * @param identity who opened it, and with which key
 * @param request the body that opened it
 * @param reply the reply to the opening, byte for byte
 * @param expiresAt when it is closed if no step is taken before
 * @param charges the number of its charges
 * @param charged the sum of its charges
 * @param queryId the charge that pays for the next step; null if the next step has to be paid first
 * @param version grows with every change; the sealed state is bound to it
 * @param steps how many steps were stored
 * @param costlyStepsLeft how many more steps may have an outcome that uses up budget; 0 if it is closed by the last
 * @param sealedState the sealed state; null before the first state and after the last
 * @param closedBecause why it is closed; null while it is open
 */
public record Interaction(
        String id,
        String kind,
        String account,
        String datasetId,
        RequestIdentity identity,
        byte[] request,
        byte[] reply,
        Instant openedAt,
        Instant expiresAt,
        long charges,
        PrivacyAmount charged,
        @Nullable String queryId,
        long version,
        long steps,
        long costlyStepsLeft,
        byte @Nullable [] sealedState,
        @Nullable String closedBecause) {
    public String principal() {
        return identity.principal();
    }

    /** The same interaction, with its reply. */
    Interaction replied(byte[] bytes) {
        return changed(bytes, expiresAt, charges, charged, queryId, version, steps, costlyStepsLeft, sealedState, null);
    }

    /** The interaction after it was closed: its state is gone. */
    Interaction closed(String because) {
        return changed(reply, expiresAt, charges, charged, queryId, version + 1, steps, costlyStepsLeft, null, because);
    }

    /** The interaction after a charge, which pays for the next step. */
    Interaction paid(PrivacyAmount charge, String by, Instant expires) {
        PrivacyAmount sum = charged.plus(charge);
        return changed(reply, expires, charges + 1, sum, by, version + 1, steps, costlyStepsLeft, sealedState, null);
    }

    /** The interaction after a step, without the state after the step. */
    Interaction stepped(NextStep step) {
        String paidBy = step.endsPayment() ? null : queryId;
        long left = step.costlyStepsLeft();
        String because = step.closedBecause();
        return changed(reply, step.expiresAt(), charges, charged, paidBy, version + 1, steps + 1, left, null, because);
    }

    /** The same interaction, with its state. */
    Interaction sealed(byte @Nullable [] state) {
        return changed(
                reply, expiresAt, charges, charged, queryId, version, steps, costlyStepsLeft, state, closedBecause);
    }

    /**
     * The text that its sealed state is bound to: its owner, what opened it, what pays for the next step, and its
     * progress. No part contains a line feed.
     */
    String seal() {
        return String.join(
                "\n",
                "purser-interaction-2",
                id,
                kind,
                account,
                datasetId,
                principal(),
                Sha256.hexOf(request),
                String.valueOf(queryId),
                String.valueOf(version),
                String.valueOf(steps));
    }

    /** Whether it has a state, or should have a state. */
    public boolean hasBegun() {
        return sealedState != null || queryId != null;
    }

    private Interaction changed(
            byte[] bytes,
            Instant expires,
            long made,
            PrivacyAmount sum,
            @Nullable String paidBy,
            long next,
            long taken,
            long left,
            byte @Nullable [] state,
            @Nullable String because) {
        return new Interaction(
                id, kind, account, datasetId, identity, request, bytes, openedAt, expires, made, sum, paidBy, next,
                taken, left, state, because);
    }

    public boolean isOpen() {
        return closedBecause == null;
    }
}
