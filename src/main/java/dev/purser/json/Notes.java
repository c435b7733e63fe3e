package dev.purser.json;

import dev.purser.problem.Violation;
import dev.purser.problem.Violations;

/**
 * Where the readers of one document note what is wrong.
 *
 * @param wholeDocument whether all of the document was kept; if not, a required value may be missing without a note of its
 *     own, and nothing is made of any part
 */
record Notes(Violations violations, boolean wholeDocument) {
    void add(Pointer place, String detail) {
        violations.add(Violation.atPointer(place.toString(), detail));
    }

    int count() {
        return violations.count();
    }
}
