package dev.purser.noise;

/** A distribution on the integers written down directly. A sampler only draws; this can be computed with. */
public interface NoisePmf {
    /** P(X = x). */
    double probability(long x);

    /** P(X &gt;= x). */
    double atLeast(double x);

    /** P(X &lt;= x), precise where it is small. */
    double atMost(double x);
}
