package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Grid;

/**
 * The exact position of a value in its public range: {@code part} of {@code width} grid steps above the lower bound. As
 * a number of [-1, 1] it is {@code v = 2·part/width - 1}. It is private and prints as redacted.
 *
 * @param part 0 … width
 * @param width of the range in grid steps, public, 1 … 2^41
 */
public record Position(long part, long width) {
    /** The widest range: from the lowest to the highest integer of a grid. */
    public static final long MAX_WIDTH = 2 * Grid.MAX_MAGNITUDE;

    // Keeps steps times part below 2^62.
    private static final long MAX_STEPS = 1L << 21;

    public Position {
        if (width < 1 || width > MAX_WIDTH) {
            throw new IllegalArgumentException("a range must be 1 to " + MAX_WIDTH + " grid steps wide");
        }
        if (part < 0 || part > width) {
            throw new IllegalArgumentException("a value must be within its range");
        }
    }

    /**
     * The position of a value after clamping to its public bounds, all in grid steps.
     *
     * @param lower below {@code upper}
     */
    public static Position clamped(long value, long lower, long upper) {
        return new Position(Math.clamp(value, lower, upper) - lower, Math.subtractExact(upper, lower));
    }

    /**
     * {@code steps·part/width}, rounded at random to one of the two integers around it, with exact expectation.
     *
     * @param steps 1 … 2^21
     */
    long stochasticallyRounded(long steps, RandomBits bits) {
        if (steps < 1 || steps > MAX_STEPS) {
            throw new IllegalArgumentException("1 to " + MAX_STEPS + " steps, not " + steps);
        }
        long product = part * steps;
        long above = UniformInteger.below(width, bits) < product % width ? 1 : 0;
        return product / width + above;
    }

    @Override
    public String toString() {
        return "Position[redacted]";
    }
}
