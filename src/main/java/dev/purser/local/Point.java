package dev.purser.local;

/**
 * A report of one of the equally spaced points of {@link Piecewise}.
 *
 * @param index 0 … 65535
 */
public record Point(int index) implements SignOrPoint {
    public Point {
        if (index < 0 || index >= Piecewise.POINTS) {
            throw new IllegalArgumentException("a point must be 0 to " + (Piecewise.POINTS - 1) + ", was " + index);
        }
    }
}
