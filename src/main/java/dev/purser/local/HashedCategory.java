package dev.purser.local;

/**
 * A report of {@link OptimizedLocalHashing}: a hash function, drawn without looking at the category, and a hashed
 * value.
 *
 * @param multiplier 0 … 2^31 - 2
 * @param shift 0 … 2^31 - 2
 * @param value from 0
 */
public record HashedCategory(int multiplier, int shift, int value) {}
