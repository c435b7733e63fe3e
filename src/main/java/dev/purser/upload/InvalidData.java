package dev.purser.upload;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Collects the rules that an upload breaks, for its custodian: line, column and rule, never a value. The first error of
 * each column and rule comes before all repetitions. Memory is bounded: beyond {@value Violations#MAX_REPORTED}, errors
 * are only counted.
 */
final class InvalidData {
    private static final int MAX_LISTED = Violations.MAX_REPORTED;

    private final Map<Rule, DataError> firsts = new LinkedHashMap<>();
    private final List<DataError> repetitions = new ArrayList<>();
    private long count;

    private record Rule(@Nullable String column, String detail) {}

    /**
     * Adds an error.
     *
     * @param line as in {@link DataError}
     * @param column a registered column, or the column of the privacy unit
     * @param detail the rule, always in the same text
     */
    void add(@Nullable Long line, @Nullable String column, String detail) {
        count++;
        if (firsts.size() == MAX_LISTED) {
            return;
        }
        Rule rule = new Rule(column, detail);
        if (!firsts.containsKey(rule)) {
            firsts.put(rule, new DataError(line, column, detail));
        } else if (repetitions.size() < MAX_LISTED) {
            repetitions.add(new DataError(line, column, detail));
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Whether a further error would only be counted. */
    boolean isFull() {
        return firsts.size() == MAX_LISTED;
    }

    List<DataError> listed() {
        return Stream.concat(firsts.values().stream(), repetitions.stream())
                .limit(MAX_LISTED)
                .toList();
    }

    /** How many errors are not listed. */
    long more() {
        return count - listed().size();
    }

    /** @throws ProblemException {@code invalid-data} with all errors, if there is one */
    void throwIfAny() {
        if (isEmpty()) {
            return;
        }
        List<DataError> listed = listed();
        String others = count == 1 ? "" : " (the first of " + count + " errors; see errors)";
        throw ProblemException.of(ProblemType.INVALID_DATA, listed.getFirst().sentence() + others)
                .with("errors", listed)
                .with("moreErrors", more());
    }
}
