package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * The released moments of the values c of one group, in rows. Let R be the width of the range and u = (c − lower)/R,
 * which lies in [0, 1]. The moments are the number of rows, Σu and Σu(1 − u). Everything computed from them is
 * post-processing. An interval is computed with a bound on the error, and holds if the bound holds. Argument in
 * {@code NoisyTable.md}.
 *
 * @param cross Σu(1 − u), or 0 where no variance is asked for
 */
record NoisyMoments(Measure measure, Rational rows, Rational share, Rational cross, boolean isTriple) {
    private static final Rational HALF = Rational.of(1, 2);

    /**
     * The moments of a measure from a released pair or triple, or from released cells.
     *
     * @param sum the sum of the released integers that add up to Σu, or for a triple to Σu²
     * @param products Σu(1 − u) as it was released beside a pair
     */
    static NoisyMoments of(
            Measure measure, TablePart part, BigInteger sum, List<BigInteger> released, Rational products) {
        Rational all = part.inRows(released.stream().reduce(BigInteger.ZERO, BigInteger::add));
        Rational first = part.inRows(sum);
        boolean isTriple = part.quantity() == TablePart.Quantity.TRIPLE;
        Rational cross = isTriple ? part.inRows(released.get(1)).times(HALF) : products;
        return new NoisyMoments(measure, all, isTriple ? first.plus(cross) : first, cross, isTriple);
    }

    IntervalEstimate count(Rational error) {
        return IntervalEstimate.ofWhole(rows, error, BigInteger.ZERO, BigDecimal.ONE);
    }

    IntervalEstimate sum(Rational error) {
        Rational estimate = lower().times(rows).plus(width().times(share));
        return IntervalEstimate.ofWhole(estimate, error, null, measure.grid().resolution());
    }

    IntervalEstimate mean(Rational error) {
        Portion portion = portion(error);
        return IntervalEstimate.within(
                lower(),
                Rational.of(BigInteger.valueOf(measure.upper())),
                inSteps(rows.signum() > 0 ? share.dividedBy(rows) : HALF),
                inSteps(portion.low),
                inSteps(portion.high),
                measure.grid().resolution());
    }

    /**
     * The variance, as p(1 − p) less the mean of u(1 − u), p the mean of u.
     *
     * @param error the error of the combination of integers that p is computed from
     * @param errorOfSquares the error of (1 − p)²Σu² − 2p(1 − p)Σu(1 − u) + p²Σ(1 − u)² less the variance times the
     *     rows, with p exact
     */
    IntervalEstimate variance(Rational error, Rational errorOfSquares) {
        Rational most = Rational.of(1, 4);
        Rational value = Rational.of(1, 8);
        Rational low = Rational.ZERO;
        Rational high = most;
        if (rows.signum() > 0) {
            Rational mean = share.dividedBy(rows);
            Rational spread = errorOfSquares.dividedBy(rows);
            Portion portion = portion(error);
            Rational off = mean.minus(portion.low).max(portion.high.minus(mean));
            value = mean.times(Rational.ONE.minus(mean)).minus(cross.dividedBy(rows));
            low = value.minus(spread);
            high = value.plus(spread).plus(off.times(off));
        }
        Rational square = width().times(width());
        return IntervalEstimate.within(
                Rational.ZERO,
                most.times(square),
                value.times(square),
                low.times(square),
                high.times(square),
                measure.grid().resolution().pow(2));
    }

    /** An interval of p, within [0, 1]. */
    private record Portion(Rational low, Rational high) {
        private static final Portion ANY = new Portion(Rational.ZERO, Rational.ONE);
    }

    /**
     * For a triple the weights of the noises add up to 1 + |1/2 − p|: first for all p, and then for the p that remain
     * possible.
     */
    private Portion portion(Rational error) {
        if (!isTriple) {
            return within(error);
        }
        Portion wide = within(error.times(Rational.of(3, 2)));
        Rational fromMiddle = HALF.minus(wide.low).max(wide.high.minus(HALF));
        return within(error.times(Rational.ONE.plus(fromMiddle)));
    }

    private Portion within(Rational error) {
        return rows.signum() <= 0
                ? Portion.ANY
                : new Portion(
                        share.minus(error).dividedBy(rows).clampedTo(Rational.ZERO, Rational.ONE),
                        share.plus(error).dividedBy(rows).clampedTo(Rational.ZERO, Rational.ONE));
    }

    private Rational lower() {
        return Rational.of(BigInteger.valueOf(measure.lower()));
    }

    private Rational width() {
        return Rational.of(measure.width());
    }

    private Rational inSteps(Rational portion) {
        return lower().plus(width().times(portion));
    }
}
