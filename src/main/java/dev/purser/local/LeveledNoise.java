package dev.purser.local;

import java.math.BigInteger;

/**
 * A report of {@link MultilevelLaplace}.
 *
 * @param level public, from 1
 * @param steps the noisy value, in grid steps above the range's lower bound
 */
public record LeveledNoise(int level, BigInteger steps) {}
