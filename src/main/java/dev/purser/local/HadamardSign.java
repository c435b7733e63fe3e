package dev.purser.local;

/**
 * A report of {@link HadamardResponse}.
 *
 * @param row of the Hadamard matrix, from 0, drawn without looking at the category
 * @param sign the category's entry in that row, or its opposite
 */
public record HadamardSign(int row, Sign sign) {}
