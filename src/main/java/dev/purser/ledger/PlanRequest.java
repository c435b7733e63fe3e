package dev.purser.ledger;

import java.util.List;

/**
 * Questions that are charged together or not at all.
 *
 * @param account the account to debit
 * @param datasetId the dataset asked about
 * @param identity the identity of the whole plan
 * @param requestBody the raw request body of the whole plan
 * @param questions in order, each with the request that asks this question alone; the ledger makes the keys under which
 *     the questions are kept
 */
public record PlanRequest(
        String account, String datasetId, RequestIdentity identity, byte[] requestBody, List<ChargeRequest> questions) {
    public PlanRequest {
        questions = List.copyOf(questions);
    }
}
