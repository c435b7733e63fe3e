package dev.purser.faults;

/**
 * An invariant that did not hold.
 *
 * @param invariant its name, I1 to I15
 * @param key the question it was seen on, or empty
 */
record Broken(String invariant, String what, String key) {}
