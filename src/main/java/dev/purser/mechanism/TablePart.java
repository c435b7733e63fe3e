package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Function;
import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * An integer that is measured once for each group of a table. Aggregates are computed of such parts, and share them.
 *
 * @param measure null for the number of rows
 */
record TablePart(Quantity quantity, @Nullable Measure measure) {
    static final TablePart ROWS = new TablePart(Quantity.COUNT, null);

    /** What is measured, in the unit that its noise is drawn in. */
    enum Quantity {
        /** The number of rows. */
        COUNT("count", 1),
        /** The sum of clamped values, in grid steps. */
        SUM("sum", 1),
        /** The sum of the distances from the middle of the range, in half grid steps. */
        CENTERED_SUM("centered-sum", 2),
        /** The reduced sum of the squares of those distances, in quarters of squared grid steps. */
        CENTERED_SQUARES("centered-squares", 4);

        private final String label;
        private final int divisor;

        Quantity(String label, int divisor) {
            this.label = label;
            this.divisor = divisor;
        }

        private TablePart of(Measure measure) {
            return new TablePart(this, measure);
        }
    }

    /** A part of what an aggregate gets, for one of the parts that it is computed of. */
    record Share(TablePart part, Rational share) {
        private static Share of(TablePart part, long numerator, long denominator) {
            return new Share(part, Rational.of(numerator, denominator));
        }
    }

    /**
     * The shares of the parts that an aggregate is computed of, in a fixed order. They add up to one.
     *
     * @param others all aggregates of the table
     */
    static List<Share> of(Aggregate aggregate, List<Aggregate> others) {
        Measure measure = aggregate.measure();
        if (measure == null) {
            return List.of(Share.of(ROWS, 1, 1));
        }
        TablePart centeredSum = Quantity.CENTERED_SUM.of(measure);
        List<Share> ofMean = List.of(Share.of(ROWS, 1, 4), Share.of(centeredSum, 3, 4));
        return switch (aggregate.function()) {
            case COUNT -> throw new IllegalStateException("a count has no measure");
            case SUM ->
                others.stream().anyMatch(other -> centers(other, measure))
                        ? ofMean
                        : List.of(Share.of(Quantity.SUM.of(measure), 1, 1));
            case MEAN -> ofMean;
            case VARIANCE, STANDARD_DEVIATION ->
                List.of(
                        Share.of(ROWS, 2, 7),
                        Share.of(centeredSum, 2, 7),
                        Share.of(Quantity.CENTERED_SQUARES.of(measure), 3, 7));
        };
    }

    private static boolean centers(Aggregate aggregate, Measure measure) {
        return aggregate.function() != Function.SUM && measure.equals(aggregate.measure());
    }

    /** @param filtered whether the table can leave out rows */
    Statistic statistic(boolean filtered) {
        if (measure == null) {
            return Statistic.Count.ofAll(0, filtered);
        }
        return switch (quantity) {
            case COUNT -> throw new IllegalStateException("rows are counted once for the whole table");
            case SUM -> new Statistic.ClampedSum(measure.table(), filtered, measure.lower(), measure.upper());
            case CENTERED_SUM -> new Statistic.CenteredSum(measure.table(), filtered, measure.lower(), measure.upper());
            case CENTERED_SQUARES ->
                new Statistic.CenteredSquares(measure.table(), filtered, measure.lower(), measure.upper());
        };
    }

    /** The least term that a row can add. */
    BigInteger leastTerm() {
        return switch (quantity) {
            case COUNT -> BigInteger.ONE;
            case SUM -> BigInteger.valueOf(Objects.requireNonNull(measure).lower());
            case CENTERED_SUM, CENTERED_SQUARES -> greatestTerm().negate();
        };
    }

    /** The greatest term that a row can add. */
    BigInteger greatestTerm() {
        return switch (statistic(true)) {
            case Statistic.ClampedSum sum -> BigInteger.valueOf(sum.upper());
            case Statistic.CenteredSum sum -> sum.largestTerm();
            case Statistic.CenteredSquares squares -> squares.largestTerm();
            default -> BigInteger.ONE;
        };
    }

    /** What is measured, as answers state it. */
    SequencedMap<String, Object> described() {
        SequencedMap<String, Object> described = new LinkedHashMap<>();
        described.put("statistic", quantity.label);
        if (measure != null) {
            described.put("column", measure.column());
            described.put("lower", measure.grid().toDecimal(measure.lower()));
            described.put("upper", measure.grid().toDecimal(measure.upper()));
        }
        return described;
    }

    /** A number in the unit that the noise is drawn in, converted to the unit of the data. */
    BigDecimal inData(BigDecimal steps) {
        if (measure == null) {
            return steps;
        }
        BigDecimal resolution = measure.grid().resolution();
        BigDecimal unit = quantity == Quantity.CENTERED_SQUARES ? resolution.pow(2) : resolution;
        // The divisor is a power of two, so the quotient is exact.
        return steps.multiply(unit).divide(BigDecimal.valueOf(quantity.divisor));
    }
}
