package dev.purser.faults;

import java.util.List;

/**
 * A session as it lies in the database.
 *
 * @param charges how many charges it made
 * @param chargedNanos their sum
 * @param stepCount how many steps the session's row says it has
 */
record StoredSession(
        String id,
        String operation,
        String key,
        String requestDigest,
        String replyDigest,
        long charges,
        long chargedNanos,
        long stepCount,
        long left,
        boolean hasState,
        String closedBecause,
        List<Step> steps) {
    record Step(long sequence, String requestDigest, String body) {
        String bodyDigest() {
            return SessionPlan.digest(body);
        }
    }
}
