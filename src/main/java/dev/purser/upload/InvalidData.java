package dev.purser.upload;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;

/** Refusals of an upload. They tell its custodian the line, the column and the rule, never a value. */
final class InvalidData {
    private InvalidData() {}

    /** @param line the physical line on which the record starts; the first is 1 */
    static ProblemException at(long line, String rule) {
        return ProblemException.of(ProblemType.INVALID_DATA, "line " + line + ": " + rule)
                .with("line", line);
    }

    /** @param column a registered column, or the column of the privacy unit */
    static ProblemException at(long line, String column, String rule) {
        return ProblemException.of(ProblemType.INVALID_DATA, "line " + line + ", column " + column + ": " + rule)
                .with("line", line)
                .with("column", column);
    }

    static ProblemException ofWhole(String rule) {
        return ProblemException.of(ProblemType.INVALID_DATA, rule);
    }
}
