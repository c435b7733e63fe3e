package dev.purser.query.quote;

import dev.purser.privacy.Epsilon;
import dev.purser.query.AllowanceFields;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Function;

/**
 * The least epsilon of one question whose alpha is at most a target, to a nano-epsilon.
 *
 * <p>Bisection keeps two tried epsilons, a lower epsilon that misses the target and a higher epsilon that meets it,
 * until they are one nano-epsilon apart. The result therefore meets the target, and one nano-epsilon less misses it,
 * for any function alpha. Alpha falls with epsilon, except where it is rounded to whole steps. There alpha can cross
 * the target several times, and the result is one of these crossings.
 */
final class LeastEpsilon {
    private LeastEpsilon() {}

    /** Finds it; empty if even the largest epsilon misses the target. */
    static Optional<Epsilon> meeting(BigDecimal targetAlpha, Function<Epsilon, BigDecimal> alpha) {
        if (alpha.apply(AllowanceFields.MOST_EPSILON).compareTo(targetAlpha) > 0) {
            return Optional.empty();
        }
        if (alpha.apply(AllowanceFields.LEAST_EPSILON).compareTo(targetAlpha) <= 0) {
            return Optional.of(AllowanceFields.LEAST_EPSILON);
        }
        long misses = AllowanceFields.LEAST_EPSILON.nanos();
        long meets = AllowanceFields.MOST_EPSILON.nanos();
        while (meets - misses > 1) {
            long middle = misses + (meets - misses) / 2;
            if (alpha.apply(new Epsilon(middle)).compareTo(targetAlpha) <= 0) {
                meets = middle;
            } else {
                misses = middle;
            }
        }
        return Optional.of(new Epsilon(meets));
    }
}
