package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Rho;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/** Exact arithmetic shared by the mechanisms. */
final class ExactArithmetic {
    private static final MathContext DISPLAY = new MathContext(12);

    private static final int ROOT_BITS = 40;

    private ExactArithmetic() {}

    /** The exact rational of the ledger's integer: the debited amount determines the noise. */
    static Rational of(Epsilon epsilon) {
        return Rational.of(epsilon.nanos(), Epsilon.NANOS_PER_UNIT);
    }

    /** The exact rational of the ledger's integer. */
    static Rational of(Rho rho) {
        return Rational.of(rho.picos(), Rho.PICOS_PER_UNIT);
    }

    /** The value to twelve digits, for a description. */
    static BigDecimal display(Rational value) {
        return display(value.toDecimal(DISPLAY));
    }

    /** The value to twelve digits, for a description. */
    static BigDecimal display(BigDecimal value) {
        BigDecimal decimal = value.round(DISPLAY).stripTrailingZeros();
        return decimal.scale() < 0 ? decimal.setScale(0) : decimal;
    }

    /** A bound, rounded up to a whole number. */
    static BigInteger up(double bound) {
        return new BigDecimal(Math.ceil(bound)).toBigInteger();
    }

    /**
     * {@code value^(2/3)} rounded down to 2^-40, in integer arithmetic. The result is a public weight, so rounding
     * loses no privacy. It loses less accuracy than any answer shows.
     */
    static Rational twoThirdsPower(long value) {
        BigInteger target = BigInteger.valueOf(value).pow(2).shiftLeft(3 * ROOT_BITS);
        return new Rational(floorCubeRoot(target), BigInteger.ONE.shiftLeft(ROOT_BITS));
    }

    private static BigInteger floorCubeRoot(BigInteger target) {
        BigInteger root = BigInteger.ZERO;
        for (int bit = target.bitLength() / 3 + 1; bit >= 0; bit--) {
            BigInteger candidate = root.setBit(bit);
            if (candidate.pow(3).compareTo(target) <= 0) {
                root = candidate;
            }
        }
        return root;
    }
}
