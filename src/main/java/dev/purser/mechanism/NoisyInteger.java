package dev.purser.mechanism;

import dev.purser.noise.Rational;
import java.math.BigInteger;
import java.util.Optional;

/**
 * A released integer.
 *
 * @param error a bound on its distance from the exact integer
 */
record NoisyInteger(BigInteger value, BigInteger error) {
    BigInteger low() {
        return value.subtract(error);
    }

    BigInteger high() {
        return value.add(error);
    }

    // The quotient of an interval by a positive interval has its ends at corners.

    /** The least possible quotient by a number of rows, which is at least 1. */
    Rational leastQuotient(NoisyInteger rows) {
        return new Rational(low(), (low().signum() < 0 ? rows.low() : rows.high()).max(BigInteger.ONE));
    }

    /** The greatest possible quotient by a number of rows, which is at least 1. */
    Rational greatestQuotient(NoisyInteger rows) {
        return new Rational(high(), (high().signum() < 0 ? rows.high() : rows.low()).max(BigInteger.ONE));
    }

    /**
     * A bound on the error of the quotient of a noisy sum by a noisy number of rows, before either is released: (t +
     * M·t_n) / (n − t_n). The argument is in {@code SumAndCountMean.md}.
     *
     * @param ofSum t, the bound on the sum's error
     * @param largestTerm M, the largest size of a term that a row adds to the sum
     * @param ofRows t_n, the bound on the error of the number of rows
     * @param rows n, the exact number or less
     * @return empty if nothing is known of the quotient
     */
    static Optional<Rational> errorOfQuotient(
            BigInteger ofSum, BigInteger largestTerm, BigInteger ofRows, BigInteger rows) {
        BigInteger fewest = rows.subtract(ofRows);
        return fewest.signum() <= 0
                ? Optional.empty()
                : Optional.of(new Rational(ofSum.add(largestTerm.multiply(ofRows)), fewest));
    }
}
