package dev.purser.local;

import dev.purser.noise.ExponentialBernoulli;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import java.math.BigInteger;

/**
 * The exact epsilon of one randomizer, which may be a share of a whole report's epsilon.
 *
 * @param amount above zero, at most {@value #MAX_WHOLE}
 */
record LocalEpsilon(Rational amount) {
    /** Above it, the debiasing constants are 1 as doubles, and randomized response practically changes no category. */
    static final long MAX_WHOLE = 100;

    private static final BigInteger NANOS = BigInteger.valueOf(Epsilon.NANOS_PER_UNIT);

    LocalEpsilon {
        if (amount.signum() <= 0 || amount.compareTo(Rational.of(MAX_WHOLE, 1)) > 0) {
            throw new IllegalArgumentException("a local epsilon must be above 0 and at most " + MAX_WHOLE);
        }
    }

    static LocalEpsilon of(Epsilon epsilon) {
        return new LocalEpsilon(Rational.of(epsilon.nanos(), Epsilon.NANOS_PER_UNIT));
    }

    LocalEpsilon dividedBy(int parts) {
        return new LocalEpsilon(amount.dividedBy(Rational.of(parts, 1)));
    }

    Epsilon roundedUp() {
        return new Epsilon(amount.times(Rational.of(NANOS)).ceiling().longValueExact());
    }

    /** The coin that is true with probability {@code exp(-epsilon)}. */
    ExponentialBernoulli coin() {
        return new ExponentialBernoulli(amount);
    }

    /** As a double, for debiasing constants and variances. */
    double value() {
        return amount.doubleValue();
    }
}
