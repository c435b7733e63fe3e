package dev.purser.local;

/**
 * The report of one coordinate.
 *
 * @param coordinate its index, from 0
 * @param report what was drawn for it
 */
public record CoordinateReport<R>(int coordinate, R report) {}
