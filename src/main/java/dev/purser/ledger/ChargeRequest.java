package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyEvent;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A question to be charged.
 *
 * @param account the account to debit
 * @param datasetId the dataset asked about
 * @param kind the kind of question, for example {@code mean}
 * @param event the privacy event of the answer, derived from the request alone
 * @param identity the principal, the operation and the idempotency key
 * @param requestBody the raw request body; two requests with one identity are the same if these bytes are equal
 * @param form the form by which the question is compared with other questions; null if it is not compared
 * @param reuse the largest age of an answer to the same question that is given instead, without a charge; null if no
 *     such answer may be given
 * @param writes what the request may write
 * @param blocks the blocks that each pay the charge; null for an account without blocks
 * @param refines the answer that is made better; null if the question refines no answer
 */
public record ChargeRequest(
        String account,
        String datasetId,
        String kind,
        PrivacyEvent event,
        RequestIdentity identity,
        byte[] requestBody,
        @Nullable CanonicalForm form,
        @Nullable Duration reuse,
        Writes writes,
        @Nullable BlockWindow blocks,
        @Nullable Refines refines) {
    /** The most that a request writes into the books. */
    public enum Writes {
        /** Its debit, or a note of who reused an answer. */
        DEBIT,
        /** A note of who reused an answer. Without an answer the request is refused. */
        READER,
        /**
         * A note of who reused an answer, or the answer of an earlier debit of the same request. Without an answer and
         * a debit the request is refused.
         */
        EARLIER,
        /** Nothing. Without an answer the request is refused. */
        NOTHING
    }

    /** A question that is charged to an account without blocks, unless it reuses an answer. */
    public ChargeRequest(
            String account,
            String datasetId,
            String kind,
            PrivacyEvent event,
            RequestIdentity identity,
            byte[] requestBody,
            @Nullable CanonicalForm form,
            @Nullable Duration reuse) {
        this(account, datasetId, kind, event, identity, requestBody, form, reuse, Writes.DEBIT, null, null);
    }

    /** A question that refines no answer. */
    public ChargeRequest(
            String account,
            String datasetId,
            String kind,
            PrivacyEvent event,
            RequestIdentity identity,
            byte[] requestBody,
            @Nullable CanonicalForm form,
            @Nullable Duration reuse,
            Writes writes,
            @Nullable BlockWindow blocks) {
        this(account, datasetId, kind, event, identity, requestBody, form, reuse, writes, blocks, null);
    }

    /** The same question under an idempotency key that no client chose. */
    ChargeRequest under(String key) {
        return new ChargeRequest(
                account,
                datasetId,
                kind,
                event,
                new RequestIdentity(identity.principal(), identity.operation(), key),
                requestBody,
                form,
                reuse,
                writes,
                blocks,
                refines);
    }

    /** The least window that contains the blocks of all requests; null if they have none. */
    static @Nullable BlockWindow hull(List<ChargeRequest> requests) {
        return requests.stream()
                .map(ChargeRequest::blocks)
                .filter(Objects::nonNull)
                .reduce(BlockWindow::hull)
                .orElse(null);
    }

    /** Whether the request goes on with an earlier debit of its own that has no answer yet. */
    boolean goesOn() {
        return writes == Writes.DEBIT || writes == Writes.EARLIER;
    }

    boolean isDebited() {
        return writes == Writes.DEBIT;
    }
}
