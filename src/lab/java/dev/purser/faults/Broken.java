package dev.purser.faults;

/**
 * An invariant that did not hold.
 *
 * @param invariant its name, such as I1
 * @param key the key of the question on which it was seen, or empty
 */
record Broken(String invariant, String what, String key) {}
