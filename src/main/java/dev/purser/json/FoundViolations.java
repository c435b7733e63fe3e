package dev.purser.json;

import dev.purser.problem.Violation;
import dev.purser.problem.Violations;

/**
 * Collects the violations that the readers of one document find.
 *
 * @param wholeDocument whether the whole document was kept; if not, a required value may be missing without a
 *     violation, and no part is decoded
 */
record FoundViolations(Violations violations, boolean wholeDocument) {
    void add(Pointer place, String detail) {
        violations.add(Violation.atPointer(place.toString(), detail));
    }

    /** Whether further violations are only counted, so that no work should go into their text. */
    boolean areFull() {
        return count() >= Violations.MAX_REPORTED;
    }

    int count() {
        return violations.count();
    }
}
