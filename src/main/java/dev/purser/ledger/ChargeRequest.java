package dev.purser.ledger;

import dev.purser.privacy.PrivacyEvent;

/**
 * A question that wants to be paid for.
 *
 * @param account the account to debit
 * @param datasetId the dataset asked about
 * @param kind the kind of question, for example {@code mean}
 * @param event what answering does to privacy, from the request alone
 * @param identity who asks, where, and under which idempotency key
 * @param requestBody the raw request body; two requests of one identity are the same if these bytes are
 */
public record ChargeRequest(
        String account,
        String datasetId,
        String kind,
        PrivacyEvent event,
        RequestIdentity identity,
        byte[] requestBody) {}
