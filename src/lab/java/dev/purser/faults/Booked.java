package dev.purser.faults;

import dev.purser.privacy.BlockWindow;

/**
 * An entry of the ledger as stored in the database, with the question it was made for. Amounts are nano-epsilon,
 * atto-delta, pico-rho. The texts of a question are null on a limit entry.
 *
 * @param allottedAnalyst null without an allotment; so are its amounts
 * @param opened the account's blocks, on its first entry; null on others, and without blocks
 * @param window the blocks that were charged; null without blocks
 * @param windowAfter the most that is then spent of one of these blocks; null without blocks
 * @param allottedAfter the same for the allotment; null without an allotment
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

    /**
     * A question of a plan, whose key the service makes. Charges of sessions can have the same end of the operation.
     */
    boolean isOfPlan() {
        return isCharge() && !isSession() && operation.endsWith("/queries");
    }

    /** The number of the account's blocks, by its first entry. Without blocks, all rows are one block. */
    int blocks() {
        return opened == null ? 1 : Integer.parseInt(opened.split(" ")[2]);
    }

    /** The blocks that were charged, from 0. */
    BlockWindow charged() {
        return window == null ? new BlockWindow(0, 0) : window;
    }

    /** The amount that is spent after the entry; with blocks, the most that is spent of one of the charged blocks. */
    long spentNanos() {
        return windowAfter == null ? spentAfter[0] : windowAfter[0];
    }

    long chargedNanos() {
        return charge[0];
    }
}
