package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Rho;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/** Exact arithmetic shared by the mechanisms. */
final class Exact {
    private static final MathContext DISPLAY = new MathContext(12);
    private static final int ROOT_BITS = 40;

    private Exact() {}

    /** The rational that the ledger's integer stands for: what is debited is what drives the noise. */
    static Rational of(Epsilon epsilon) {
        return Rational.of(epsilon.nanos(), Epsilon.NANOS_PER_UNIT);
    }

    /** The rational that the ledger's integer stands for. */
    static Rational of(Rho rho) {
        return Rational.of(rho.picos(), Rho.PICOS_PER_UNIT);
    }

    /** For a description; twelve digits. */
    static BigDecimal display(Rational value) {
        BigDecimal decimal = value.toDecimal(DISPLAY).stripTrailingZeros();
        return decimal.scale() < 0 ? decimal.setScale(0) : decimal;
    }

    /**
     * {@code value^(2/3)} to 2^-40, from below, by integer arithmetic: a public weight, so its rounding costs no privacy, and
     * of accuracy less than is ever shown.
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
