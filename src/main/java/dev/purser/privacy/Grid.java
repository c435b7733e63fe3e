package dev.purser.privacy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The public grid of a column: every value, bound, exact statistic and noisy answer is an integer multiple of
 * {@code resolution}. From ingest to answer only these integers are used. Decimals occur again when JSON is written.
 *
 * @param resolution the distance of two adjacent grid points, in the column's own unit; greater than zero
 */
public record Grid(BigDecimal resolution) {
    /** The grid of counts. */
    public static final Grid ONE = new Grid(BigDecimal.ONE);

    /** The largest distance of a public value from zero, in grid steps. */
    public static final long MAX_MAGNITUDE = 1L << 40;

    public Grid {
        if (resolution.signum() <= 0) {
            throw new IllegalArgumentException("resolution must be above zero");
        }
        resolution = resolution.stripTrailingZeros();
    }

    /** The grid integer of {@code value}; empty between two grid points and beyond {@link #MAX_MAGNITUDE}. */
    public Optional<Long> toGrid(BigDecimal value) {
        return toSteps(value)
                .filter(steps -> steps.abs().compareTo(BigInteger.valueOf(MAX_MAGNITUDE)) <= 0)
                .map(BigInteger::longValueExact);
    }

    /** The grid integer of {@code value} at any distance from zero; empty between two grid points. */
    public Optional<BigInteger> toSteps(BigDecimal value) {
        BigDecimal[] parts = value.divideAndRemainder(resolution);
        return parts[1].signum() == 0 ? Optional.of(parts[0].toBigIntegerExact()) : Optional.empty();
    }

    /** The decimal value of a grid integer, without trailing zeros after the point. */
    public BigDecimal toDecimal(long steps) {
        return toDecimal(BigInteger.valueOf(steps));
    }

    /** The decimal value of a grid integer, without trailing zeros after the point. */
    public BigDecimal toDecimal(BigInteger steps) {
        BigDecimal value = resolution.multiply(new BigDecimal(steps)).stripTrailingZeros();
        return value.scale() < 0 ? value.setScale(0) : value;
    }

    /** The coarsest grid that contains the points of both grids. */
    public Grid common(Grid other) {
        int scale = Math.max(Math.max(resolution.scale(), other.resolution.scale()), 0);
        BigInteger mine = resolution.movePointRight(scale).toBigIntegerExact();
        BigInteger theirs = other.resolution.movePointRight(scale).toBigIntegerExact();
        return new Grid(new BigDecimal(mine.gcd(theirs), scale));
    }

    /** The number of steps of {@code finer} in one step of this grid, which must be a multiple of it. */
    public BigInteger stepsOf(Grid finer) {
        return resolution.divide(finer.resolution).toBigIntegerExact();
    }
}
