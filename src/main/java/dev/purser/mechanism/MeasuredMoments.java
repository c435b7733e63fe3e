package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.mechanism.TablePart.Quantity;
import dev.purser.noise.Rational;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The part of a table that determines the moments of a column's values, and bounds on the errors. Each bound fails with
 * the stated probability at most. Arguments in {@code NoisyTable.md}.
 *
 * @param part a pair, a triple or cells
 * @param products the second part of a variance where the number of rows is public
 * @param first the places of the part's integers that add up to Σu, or for a triple to Σu²
 */
record MeasuredMoments(
        Measure measure, MeasuredPart part, @Nullable MeasuredPart products, List<Integer> first) {
    private static final Rational HALF = Rational.of(1, 2);

    private boolean isTriple() {
        return part.part().quantity() == Quantity.TRIPLE;
    }

    private boolean hasPublicRows() {
        return part.part().quantity() == Quantity.PAIR_OF_PUBLIC_ROWS;
    }

    /** A bound on the noises, with their weights in the equation of the mean, in rows. */
    private Rational error(double failure) {
        int larger = Math.max(first.size(), part.part().draws() - first.size());
        return part.part().cells() == null || larger == 1 ? part.error(failure) : part.errorOfSum(larger, failure);
    }

    /** @param cross Σu(1 − u) as it was released beside a pair */
    NoisyMoments moments(List<BigInteger> released, Rational cross) {
        BigInteger sum = first.stream().map(released::get).reduce(BigInteger.ZERO, BigInteger::add);
        return NoisyMoments.of(measure, part.part(), sum, released, cross);
    }

    /**
     * A bound on the error of a sum, in grid steps: the weights of the noises in its estimate, times the bound on the
     * noises.
     */
    private Rational errorOfSum(double failure) {
        BigInteger lower = BigInteger.valueOf(measure().lower());
        BigInteger upper = BigInteger.valueOf(measure().upper());
        Rational weights = hasPublicRows()
                ? Rational.of(measure().width())
                : Rational.of(lower.abs().add(upper.abs()));
        Rational ofCross = isTriple() ? Rational.of(lower.add(upper).abs()).times(HALF) : Rational.ZERO;
        return weights.plus(ofCross).times(part.error(failure));
    }

    /** A bound on the error of the numerator of a variance, in rows. */
    private Rational errorOfSquares(double failure) {
        Rational ofProducts = products == null ? Rational.ZERO : products.error(failure);
        return part.error(failure).plus(ofProducts);
    }

    /** The largest sum of the weights of the noises in the equation of the mean: 3/2 for a triple, else 1. */
    private Rational mostWeight() {
        return isTriple() ? Rational.of(3, 2) : Rational.ONE;
    }

    /**
     * How an aggregate is computed from a group's moments, with an interval that fails with this probability at most.
     */
    Function<NoisyMoments, IntervalEstimate> reading(Aggregate.Function function, double failure) {
        return switch (function) {
            case COUNT -> {
                Rational error = part.errorOfRows(failure);
                yield noisy -> noisy.count(error);
            }
            case UNITS -> throw notOfRows();
            case SUM -> {
                Rational error = errorOfSum(failure);
                yield noisy -> noisy.sum(error);
            }
            case MEAN -> {
                Rational error = error(failure);
                yield noisy -> noisy.mean(error);
            }
            case VARIANCE -> {
                Rational error = part.error(failure / 2);
                Rational ofSquares = errorOfSquares(failure / 2);
                yield noisy -> noisy.variance(error, ofSquares);
            }
            case STANDARD_DEVIATION ->
                reading(Aggregate.Function.VARIANCE, failure).andThen(IntervalEstimate::squareRoot);
        };
    }

    /**
     * A bound, before the release, on an aggregate's error in groups of {@code rows} rows or more with any values. It
     * is in steps. For a variance, and for a standard deviation before the root is taken, it is in squared steps.
     */
    Rational expected(Aggregate.Function function, long rows, double failure) {
        Rational width = Rational.of(measure().width());
        return switch (function) {
            case COUNT -> whole(part.errorOfRows(failure));
            case UNITS -> throw notOfRows();
            case SUM -> whole(errorOfSum(failure));
            case MEAN -> {
                double ofEach = hasPublicRows() ? failure : failure / 2;
                yield ofFewest(mostWeight().times(error(ofEach)), rows, ofEach)
                        .min(Rational.ONE)
                        .times(width);
            }
            case VARIANCE, STANDARD_DEVIATION -> {
                Rational ofMean = ofFewest(mostWeight().times(part.error(failure / 3)), rows, failure / 3);
                yield ofFewest(errorOfSquares(failure / 3), rows, failure / 3)
                        .plus(ofMean.times(ofMean))
                        .min(Rational.of(1, 4))
                        .times(width)
                        .times(width);
            }
        };
    }

    private static IllegalArgumentException notOfRows() {
        return new IllegalArgumentException("the number of units does not follow from rows");
    }

    /** An error divided by the fewest rows that may be stated, or 1 if that number is not above 0. */
    private Rational ofFewest(Rational error, long rows, double failure) {
        Rational fewest = Rational.of(rows, 1).minus(part.errorOfRows(failure));
        return fewest.signum() > 0 ? error.dividedBy(fewest) : Rational.ONE;
    }

    /** The error of a whole number whose estimate has this error and is rounded. */
    private static Rational whole(Rational error) {
        return Rational.of(error.plus(HALF).floor());
    }

    /** About how many rows a group needs before the interval of its mean is shorter than the range of the values. */
    BigInteger rowsForAShorterInterval(double failure) {
        return error(failure).times(Rational.of(3, 1)).ceiling().add(BigInteger.ONE);
    }
}
