package dev.purser.query.quote;

import dev.purser.privacy.Epsilon;
import dev.purser.query.AllowanceFields;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Function;

/**
 * The least epsilon of one question whose alpha is at most a target, to a nano-epsilon.
 *
 * <p>Halving keeps an epsilon that misses the target below one that meets it, both tried, until they are one nano-epsilon
 * apart; so the one that is found meets the target and one nano less misses it, whatever alpha does in between. Alpha does
 * not rise with epsilon but where its rounding to whole steps shows: then all that is found is one such step.
 */
final class LeastEpsilon {
    private LeastEpsilon() {}

    /** Empty if even the most epsilon misses the target. */
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
