package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.mechanism.TablePart.Quantity;
import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.function.Function;

/**
 * Bounds on the errors of aggregates before the release, in groups of so many rows or more with any values. They hold
 * if every part is within its error. Argument in {@code NoisyTable.md}.
 *
 * @param rows at least 1
 * @param errors of the parts, in the units that their noise is drawn in
 */
record ExpectedError(BigInteger rows, Function<TablePart, BigInteger> errors) {
    /**
     * The bound, in the unit of the data.
     *
     * @param isAlone whether a sum is measured itself
     */
    BigDecimal of(Aggregate aggregate, boolean isAlone) {
        Measure measure = aggregate.measure();
        if (measure == null) {
            return new BigDecimal(errors.apply(TablePart.ROWS));
        }
        BigDecimal resolution = measure.grid().resolution();
        return switch (aggregate.function()) {
            case COUNT -> throw new IllegalStateException("a count has no measure");
            case SUM -> new BigDecimal(isAlone ? error(Quantity.SUM, measure) : sum(measure)).multiply(resolution);
            case MEAN -> decimal(mean(measure)).multiply(resolution);
            case VARIANCE -> decimal(variance(measure)).multiply(resolution.pow(2));
            case STANDARD_DEVIATION ->
                // |√a − √b| is at most √|a − b|.
                decimal(variance(measure))
                        .sqrt(IntervalEstimate.context(RoundingMode.CEILING))
                        .multiply(resolution);
        };
    }

    private BigInteger error(Quantity quantity, Measure measure) {
        return errors.apply(new TablePart(quantity, measure));
    }

    private static BigDecimal decimal(Rational steps) {
        return IntervalEstimate.decimal(steps, RoundingMode.CEILING);
    }

    private BigInteger sum(Measure measure) {
        BigInteger ends = BigInteger.valueOf(measure.lower() + measure.upper()).abs();
        BigInteger twice = error(Quantity.CENTERED_SUM, measure).add(ends.multiply(errors.apply(TablePart.ROWS)));
        return twice.add(BigInteger.ONE).shiftRight(1);
    }

    private Rational mean(Measure measure) {
        BigInteger width = width(measure);
        Rational halfSteps = ofQuotient(error(Quantity.CENTERED_SUM, measure), width, Rational.of(width.shiftLeft(1)));
        return halfSteps.dividedBy(Rational.of(2, 1));
    }

    private Rational variance(Measure measure) {
        BigInteger width = width(measure);
        Rational most = Rational.of(width.pow(2));
        Rational ofSquares = ofQuotient(
                error(Quantity.CENTERED_SQUARES, measure), width.pow(2).shiftRight(1), most);
        Rational ofMean = ofQuotient(error(Quantity.CENTERED_SUM, measure), width, most);
        // |a² − b²| is at most |a − b|·(2|b| + |a − b|), and no mean is farther from the middle than the ends.
        Rational ofSquaredMean = ofMean.times(Rational.of(width.shiftLeft(1)).plus(ofMean));
        return ofSquares.plus(ofSquaredMean).min(most).dividedBy(Rational.of(4, 1));
    }

    /** The bound on the error of a sum's quotient by the number of rows, at most {@code most}. */
    private Rational ofQuotient(BigInteger error, BigInteger largestTerm, Rational most) {
        return NoisyInteger.errorOfQuotient(error, largestTerm, errors.apply(TablePart.ROWS), rows)
                .map(most::min)
                .orElse(most);
    }

    private static BigInteger width(Measure measure) {
        return BigInteger.valueOf(measure.upper() - measure.lower());
    }
}
