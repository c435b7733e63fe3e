package dev.purser.query;

import dev.purser.privacy.PrivacyAllowance;
import dev.purser.problem.ProblemException;

/**
 * A question that was read and held against the dataset's public facts, all but for what it may lose. A question that is
 * asked comes with that; one that is quoted may try many. Making one is cheap: whatever depends on the request alone was done
 * when the draft was made.
 */
@FunctionalInterface
public interface Draft {
    /**
     * The question that may lose this much.
     *
     * @throws ProblemException {@code mechanism-not-private}
     */
    Question<?> at(PrivacyAllowance allowance);
}
