package dev.purser.local;

/**
 * A value and its privacy level. Both are private and print as redacted.
 *
 * @param level from 1
 * @param position the value in its public range
 */
public record LeveledPosition(int level, Position position) {
    @Override
    public String toString() {
        return "LeveledPosition[redacted]";
    }
}
