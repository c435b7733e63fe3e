package dev.purser.faults;

import dev.purser.privacy.BlockWindow;

/**
 * An entry of the ledger as stored in the database, with the question it was made for. Amounts are nano-epsilon,
 * atto-delta, pico-rho. The texts of a question are null on a limit entry.
 *
 * @param allottedAnalyst null without an allotment; so are its amounts
 * @param opened the account's blocks, on its first entry; null on others, and without blocks
 * @param window the blocks that were charged; null without them
 * @param windowAfter the most that is spent of one of these; null without them
 * @param allottedAfter the same of the allotment; null without one
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
        String opened,
        BlockWindow window,
        long[] windowAfter,
        long[] allottedAfter,
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

    /** The number of the account's blocks, by its first entry. Without blocks, all rows are one. */
    int blocks() {
        return opened == null ? 1 : Integer.parseInt(opened.split(" ")[2]);
    }

    /** The blocks that were charged, from 0. */
    BlockWindow charged() {
        return window == null ? new BlockWindow(0, 0) : window;
    }

    /** What is then spent; of one of the blocks that were charged, at the most. */
    long spentNanos() {
        return windowAfter == null ? spentAfter[0] : windowAfter[0];
    }

    long chargedNanos() {
        return charge[0];
    }
}
