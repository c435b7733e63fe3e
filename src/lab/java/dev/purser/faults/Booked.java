package dev.purser.faults;

/**
 * An entry of the ledger as stored in the database, with the question it was made for. Amounts are nano-epsilon,
 * atto-delta, pico-rho. The texts of a question are null on a limit entry.
 *
 * @param allottedAnalyst null without an allotment; so are its amounts
 * @param bodyDigest SHA-256 of the stored answer; null if there is none yet
 */
record Booked(
        String account,
        long sequence,
        long atMillis,
        String type,
        String analyst,
        String queryId,
        String kind,
        String requestHash,
        long[] charge,
        long[] limitAfter,
        long[] spentAfter,
        String allottedAnalyst,
        long[] allottedLimit,
        long[] allottedSpent,
        String previousHash,
        String hash,
        String principal,
        String dataset,
        String operation,
        String key,
        String requestDigest,
        String bodyDigest) {
    boolean isCharge() {
        return type.equals("charge");
    }

    /** A charge of a threshold session, whose keys are unique within one session only. */
    boolean isSession() {
        return isCharge() && kind.equals("threshold-session");
    }

    /** A question of a plan, whose key the service makes. The charges of a session for a positive end alike. */
    boolean isOfPlan() {
        return isCharge() && !isSession() && operation.endsWith("/queries");
    }

    long chargedNanos() {
        return charge[0];
    }
}
