package dev.purser.local;

/**
 * The report of one coordinate.
 *
 * @param coordinate its index, from 0
 * @param report the report drawn for it
 */
public record CoordinateReport<R>(int coordinate, R report) {}
