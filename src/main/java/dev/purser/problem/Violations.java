package dev.purser.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Collects the broken rules of one request, so that the response can report all of them at once. */
public final class Violations {
    /** The largest number of reported violations. */
    public static final int MAX_REPORTED = 100;

    private final List<Violation> found = new ArrayList<>();
    private int count;

    /** Adds a broken rule; beyond {@value #MAX_REPORTED} it is only counted. */
    public void add(Violation violation) {
        count++;
        if (found.size() < MAX_REPORTED) {
            found.add(violation);
        }
    }

    /** The number of added violations, reported or not. */
    public int count() {
        return count;
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** The reported violations in one line. */
    public String summary() {
        return found.stream()
                .map(violation -> violation.location() + ": " + violation.detail())
                .collect(Collectors.joining("; "));
    }

    /**
     * Throws if there is a violation.
     *
     * @throws ProblemException {@link ProblemType#VALIDATION_FAILED} with every reported violation, if there is one
     */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw ProblemException.validation(found);
        }
    }
}
