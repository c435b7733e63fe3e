package dev.purser.query;

import dev.purser.privacy.PrivacyAllowance;
import dev.purser.problem.ProblemException;

/**
 * A question that was read and checked against the dataset's public facts, but has no allowance yet. A question that is
 * asked has one allowance; a quote may try many. {@link #at} is cheap: everything that depends on the request alone was
 * computed before.
 */
@FunctionalInterface
public interface Draft {
    /**
     * The question with this allowance.
     *
     * @throws ProblemException {@code mechanism-not-private}; {@code validation-failed} for an epsilon or a dataset
     *     that the question does not take
     */
    Question<?> at(PrivacyAllowance allowance);
}
