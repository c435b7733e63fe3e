package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * What was released about the values of one group: how many there are, and sums of them. All that follows is
 * post-processing. The intervals hold if every released number is within its error of the exact one. Argument in
 * {@code NoisyTable.md}.
 *
 * @param centeredSum in half steps
 */
record NoisyMoments(Measure measure, NoisyInteger rows, NoisyInteger centeredSum) {
    /** The estimate of a number of rows. It is unbiased, and so can be below zero, where no exact number is. */
    static IntervalEstimate count(NoisyInteger rows) {
        return IntervalEstimate.of(
                rows.value(), rows.low().max(BigInteger.ZERO), rows.high().max(BigInteger.ZERO), BigDecimal.ONE);
    }

    /** The estimate of a sum that was measured itself. */
    static IntervalEstimate sum(NoisyInteger sum, Measure measure) {
        return IntervalEstimate.of(
                sum.value(), sum.low(), sum.high(), measure.grid().resolution());
    }

    /** The sum, from the centred sum and the number of rows, rounded to the grid. */
    IntervalEstimate sum() {
        BigInteger ends = BigInteger.valueOf(measure.lower() + measure.upper());
        BigInteger fewest = rows.low().max(BigInteger.ZERO);
        BigInteger most = rows.high().max(BigInteger.ZERO);
        BigInteger least = ends.multiply(ends.signum() < 0 ? most : fewest);
        BigInteger greatest = ends.multiply(ends.signum() < 0 ? fewest : most);
        // The exact sum is a whole number of steps, so the interval is rounded inwards.
        return IntervalEstimate.of(
                centeredSum.value().add(ends.multiply(rows.value())).shiftRight(1),
                centeredSum.low().add(least).add(BigInteger.ONE).shiftRight(1),
                centeredSum.high().add(greatest).shiftRight(1),
                measure.grid().resolution());
    }

    IntervalEstimate mean() {
        Rational lower = Rational.of(BigInteger.valueOf(measure.lower()));
        Rational upper = Rational.of(BigInteger.valueOf(measure.upper()));
        Rational middle = half(lower.plus(upper));
        Rational value = middle.plus(half(new Rational(centeredSum.value(), divisor())));
        boolean mayBeEmpty = mayBeEmpty();
        return IntervalEstimate.within(
                lower,
                upper,
                value,
                mayBeEmpty ? lower : middle.plus(half(centeredSum.leastQuotient(rows))),
                mayBeEmpty ? upper : middle.plus(half(centeredSum.greatestQuotient(rows))),
                measure.grid().resolution());
    }

    /** @param squares the reduced sum of squares, in quarters of squared steps */
    IntervalEstimate variance(NoisyInteger squares) {
        Statistic.CenteredSquares statistic = new Statistic.CenteredSquares(0, true, measure.lower(), measure.upper());
        Rational reduction = Rational.of(statistic.reduction());
        Rational greatest = quarter(Rational.of(statistic.largestTerm()).plus(reduction));
        Rational distance = new Rational(centeredSum.value(), divisor());
        Rational value =
                new Rational(squares.value(), divisor()).plus(reduction).minus(distance.times(distance));
        Rational low = Rational.ZERO;
        Rational high = greatest;
        if (!mayBeEmpty()) {
            Rational least = centeredSum.leastQuotient(rows);
            Rational most = centeredSum.greatestQuotient(rows);
            Rational one = least.times(least);
            Rational other = most.times(most);
            boolean mayBeZero = least.signum() <= 0 && most.signum() >= 0;
            low = quarter(squares.leastQuotient(rows).plus(reduction).minus(one.max(other)));
            high = quarter(
                    squares.greatestQuotient(rows).plus(reduction).minus(mayBeZero ? Rational.ZERO : one.min(other)));
        }
        return IntervalEstimate.within(
                Rational.ZERO,
                greatest,
                quarter(value),
                low,
                high,
                measure.grid().resolution().pow(2));
    }

    /** An empty group has no mean and no variance: all possible ones are as good. */
    private boolean mayBeEmpty() {
        return rows.low().signum() <= 0;
    }

    private BigInteger divisor() {
        return rows.value().max(BigInteger.ONE);
    }

    private static Rational half(Rational number) {
        return number.dividedBy(Rational.of(2, 1));
    }

    private static Rational quarter(Rational number) {
        return number.dividedBy(Rational.of(4, 1));
    }
}
