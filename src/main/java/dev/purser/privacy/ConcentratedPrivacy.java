package dev.purser.privacy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.apache.commons.math3.dfp.Dfp;
import org.apache.commons.math3.dfp.DfpField;
import org.apache.commons.math3.dfp.DfpMath;

/**
 * Conversions between zero-concentrated, pure and approximate differential privacy. Each is rounded in the safe
 * direction: a loss up, a limit down. They are computed with {@value #DIGITS} decimal digits and without binary
 * fractions. The derivations are in {@code ConcentratedPrivacy.md}.
 *
 * <p>Source: Bun and Steinke 2016; Canonne, Kamath and Steinke 2020, proposition 12; Steinke 2024 for the sharp rho of
 * pure privacy.
 */
public final class ConcentratedPrivacy {
    private static final int DIGITS = 36;
    private static final int ROUGH_DIGITS = 20;

    /** Above the error of a computation with {@value #DIGITS} digits, and far below one unit of an amount. */
    private static final BigDecimal SLACK = new BigDecimal("1e-20");

    private static final int MOST_ROUNDS = 100;
    private static final int BISECTIONS = 50;

    /** Above this epsilon, tanh(epsilon/2) is 1 in all {@value #DIGITS} digits, so exp is not computed. */
    private static final Epsilon TANH_IS_ONE = Epsilon.parse("200");

    private ConcentratedPrivacy() {}

    /** The rho of an epsilon-differentially private release: {@code epsilon · tanh(epsilon / 2)}, rounded up. */
    public static Rho ofPure(Epsilon epsilon) {
        if (epsilon.compareTo(TANH_IS_ONE) > 0) {
            return new Rho(Math.multiplyExact(epsilon.nanos(), Rho.PICOS_PER_UNIT / Epsilon.NANOS_PER_UNIT));
        }
        DfpField field = new DfpField(DIGITS);
        Dfp exact = of(epsilon, field);
        Dfp exp = DfpMath.exp(exact);
        Dfp rho = exact.multiply(exp.subtract(field.getOne())).divide(exp.add(field.getOne()));
        // tanh is below 1, so the rho with the slack is limited to epsilon.
        BigDecimal most = decimal(rho).add(SLACK).min(decimal(exact));
        return new Rho(units(most, Rho.FRACTION_DIGITS, RoundingMode.CEILING));
    }

    /** The largest epsilon, to a nano-epsilon, for which {@code times} pure releases lose at most {@code rho}. */
    public static Epsilon pureWithin(Rho rho, int times) {
        long most = rho.picos() / times;
        // x/√(1 + x²) <= tanh(x) <= x, so the root lies between √(2·rho) and √(2·rho + rho²): here in nano-epsilon.
        BigInteger picos = BigInteger.valueOf(most);
        BigInteger square = picos.multiply(BigInteger.valueOf(2_000_000));
        BigInteger more = picos.multiply(picos).divide(BigInteger.valueOf(1_000_000));
        long greatest = Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT;
        long high = Math.min(square.add(more).sqrt().longValueExact() + 1, greatest);
        // The rho of an epsilon is rounded up, so the lower end has to be checked.
        long likely = Math.min(Math.max(0, square.sqrt().longValueExact() - 1), greatest);
        long low = ofPure(new Epsilon(likely)).picos() <= most ? likely : 0;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            long each = ofPure(new Epsilon(middle)).picos();
            if (each <= most) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new Epsilon(low);
    }

    /**
     * The largest rho for which releases that sum to it are {@code (epsilon, delta)}-differentially private together,
     * by the conversion of {@link #epsilon}, rounded down.
     *
     * @param delta above zero
     */
    public static Rho within(Epsilon epsilon, Delta delta) {
        DfpField field = new DfpField(DIGITS);
        Dfp target = of(epsilon, field);
        Dfp lnDelta = DfpMath.log(of(delta, field));
        // The limit is valid for any order, so the best order is computed with fewer digits.
        Dfp x = field.newDfp(bestOrderLessOne(epsilon, delta).toString());
        Dfp order = x.add(field.getOne());
        Dfp rho = lnDelta.add(DfpMath.log(x))
                .subtract(order.multiply(DfpMath.log(x.divide(order))))
                .divide(x)
                .add(target)
                .divide(order);
        BigDecimal least = decimal(rho).subtract(SLACK).max(BigDecimal.ZERO);
        return new Rho(Math.min(units(least, Rho.FRACTION_DIGITS, RoundingMode.FLOOR), Rho.MAX.picos()));
    }

    /**
     * At the best order a = 1 + x, rho·x² = ln(1/delta) − ln a. Epsilon is then a function of x alone and falls as x
     * grows. This finds the x at which the formula gives the given epsilon.
     */
    private static Dfp bestOrderLessOne(Epsilon epsilon, Delta delta) {
        DfpField field = new DfpField(ROUGH_DIGITS);
        Dfp target = of(epsilon, field);
        Dfp lnDelta = DfpMath.log(of(delta, field));
        Dfp low = field.newDfp("1e-12");
        Dfp high = DfpMath.exp(lnDelta.negate());
        for (int round = 0; round < BISECTIONS; round++) {
            Dfp middle = low.multiply(high).sqrt();
            if (epsilonAtBestOrder(middle, lnDelta, field).greaterThan(target)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static Dfp epsilonAtBestOrder(Dfp x, Dfp lnDelta, DfpField field) {
        Dfp order = x.add(field.getOne());
        Dfp rho = lnDelta.add(DfpMath.log(order)).negate().divide(x.multiply(x));
        return order.add(x).multiply(rho).add(DfpMath.log(x.divide(order)));
    }

    /**
     * The least epsilon at which {@code rho} is {@code (epsilon, delta)}-differentially private, rounded up: the
     * minimum over the orders a &gt; 1 of {@code a·rho + ln(1 − 1/a) + (ln(1/delta) − ln a) / (a − 1)}.
     *
     * @param delta above zero
     */
    public static Epsilon epsilon(Rho rho, Delta delta) {
        if (rho.picos() == 0) {
            return Epsilon.ZERO;
        }
        DfpField field = new DfpField(DIGITS);
        // Any order is valid, so the best order is computed with fewer digits.
        Dfp x = field.newDfp(bestOrderLessOne(rho, delta).toString());
        Dfp order = x.add(field.getOne());
        Dfp epsilon = order.multiply(of(rho, field))
                .add(DfpMath.log(x.divide(order)))
                .subtract(DfpMath.log(order.multiply(of(delta, field))).divide(x));
        BigDecimal most = decimal(epsilon).add(SLACK).max(BigDecimal.ZERO);
        long nanos = units(most, Epsilon.FRACTION_DIGITS, RoundingMode.CEILING);
        return new Epsilon(Math.min(nanos, Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT));
    }

    /**
     * The root x of rho·x² + ln(1 + x) = ln(1/delta), where the derivative by the order is zero. The tangent at the
     * last x replaces the logarithm and lies above it, so the roots of the quadratics rise to x from below.
     */
    private static Dfp bestOrderLessOne(Rho rho, Delta delta) {
        DfpField field = new DfpField(ROUGH_DIGITS);
        Dfp factor = of(rho, field);
        Dfp lnDelta = DfpMath.log(of(delta, field));
        Dfp tolerance = field.newDfp("1e-6");
        Dfp x = field.getZero();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Dfp slope = field.getOne().divide(x.add(field.getOne()));
            Dfp constant = DfpMath.log(x.add(field.getOne()))
                    .subtract(slope.multiply(x))
                    .add(lnDelta);
            Dfp root = slope.multiply(slope)
                    .subtract(factor.multiply(constant).multiply(4))
                    .sqrt();
            // The larger root of factor·x² + slope·x + constant, in the form without cancellation.
            Dfp next = constant.multiply(-2).divide(root.add(slope));
            if (next.subtract(x).lessThan(tolerance.multiply(next))) {
                return next;
            }
            x = next;
        }
        return x;
    }

    private static Dfp of(Epsilon epsilon, DfpField field) {
        return field.newDfp(epsilon.nanos()).divide(field.newDfp(Epsilon.NANOS_PER_UNIT));
    }

    private static Dfp of(Rho rho, DfpField field) {
        return field.newDfp(rho.picos()).divide(field.newDfp(Rho.PICOS_PER_UNIT));
    }

    private static Dfp of(Delta delta, DfpField field) {
        if (delta.attos() == 0) {
            throw new IllegalArgumentException("a conversion needs a delta above zero");
        }
        return field.newDfp(delta.attos()).divide(field.newDfp(Delta.ATTOS_PER_UNIT));
    }

    private static BigDecimal decimal(Dfp value) {
        return new BigDecimal(value.toString());
    }

    private static long units(BigDecimal value, int fractionDigits, RoundingMode rounding) {
        return value.movePointRight(fractionDigits).setScale(0, rounding).longValueExact();
    }
}
