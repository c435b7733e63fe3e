package dev.purser.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Collects the broken rules of one request, so that its sender sees all of them at once. */
public final class Violations {
    /** More than this many are not reported. */
    public static final int MAX_REPORTED = 100;

    private final List<Violation> found = new ArrayList<>();
    private int count;

    /** Notes a broken rule; beyond {@value #MAX_REPORTED} it is only counted. */
    public void add(Violation violation) {
        count++;
        if (found.size() < MAX_REPORTED) {
            found.add(violation);
        }
    }

    /** How many were noted, reported or not. */
    public int count() {
        return count;
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** The noted violations in one line. */
    public String summary() {
        return found.stream()
                .map(violation -> violation.location() + ": " + violation.detail())
                .collect(Collectors.joining("; "));
    }

    /**
     * Ends reading.
     *
     * @throws ProblemException {@link ProblemType#VALIDATION_FAILED} with every noted violation, if there is one
     */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw ProblemException.validation(found);
        }
    }
}
