package dev.purser.noise;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * An exact fraction in lowest terms. Epsilons, their splits and noise scales are rationals from the request to the
 * sampler. No step rounds.
 *
 * @param numerator any sign
 * @param denominator above zero
 */
public record Rational(BigInteger numerator, BigInteger denominator) implements Comparable<Rational> {
    public static final Rational ZERO = of(0, 1);
    public static final Rational ONE = of(1, 1);

    public Rational {
        if (denominator.signum() <= 0) {
            throw new IllegalArgumentException("the denominator must be above zero");
        }
        BigInteger common = numerator.gcd(denominator);
        numerator = numerator.divide(common);
        denominator = denominator.divide(common);
    }

    public static Rational of(long numerator, long denominator) {
        return new Rational(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
    }

    public static Rational of(BigInteger whole) {
        return new Rational(whole, BigInteger.ONE);
    }

    public Rational plus(Rational other) {
        return new Rational(
                numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
                denominator.multiply(other.denominator));
    }

    public Rational minus(Rational other) {
        return plus(new Rational(other.numerator.negate(), other.denominator));
    }

    public Rational times(Rational other) {
        return new Rational(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
    }

    /**
     * The exact quotient.
     *
     * @param divisor above zero
     */
    public Rational dividedBy(Rational divisor) {
        return new Rational(numerator.multiply(divisor.denominator), denominator.multiply(divisor.numerator));
    }

    /** The smaller of two numbers. */
    public Rational min(Rational other) {
        return compareTo(other) <= 0 ? this : other;
    }

    /** The larger of two numbers. */
    public Rational max(Rational other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** The nearest number within a range. */
    public Rational clampedTo(Rational least, Rational greatest) {
        return max(least).min(greatest);
    }

    public int signum() {
        return numerator.signum();
    }

    /** The least integer at or above this. */
    public BigInteger ceiling() {
        BigInteger[] parts = numerator.divideAndRemainder(denominator);
        return parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
    }

    /** The greatest integer at or below this. */
    public BigInteger floor() {
        BigInteger[] parts = numerator.divideAndRemainder(denominator);
        return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    /** The nearest decimal under {@code context}. */
    public BigDecimal toDecimal(MathContext context) {
        return new BigDecimal(numerator).divide(new BigDecimal(denominator), context);
    }

    /** The nearest double, for accuracy statements and never for noise. */
    public double doubleValue() {
        // 34 digits: the 16 digits of DECIMAL64 are one too few to identify every double.
        return toDecimal(MathContext.DECIMAL128).doubleValue();
    }

    @Override
    public int compareTo(Rational other) {
        return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
    }

    @Override
    public String toString() {
        return numerator + "/" + denominator;
    }
}
