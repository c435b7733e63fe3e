package dev.purser.local;

/**
 * A report of {@link LeveledResponse}.
 *
 * @param level from 1
 * @param sign kept with the probability of that level
 */
public record LeveledSign(int level, Sign sign) {}
