package dev.purser.mechanism;

/** The probability, beta, with which a statement about accuracy may fail. Public, and nothing about privacy depends on it. */
final class FailureProbability {
    /** Far below any use, and far enough above zero to be divided between all parts of any statement. */
    static final double LEAST = 1e-100;

    private FailureProbability() {}

    /** {@code beta}, refused when a mechanism is built: after the charge no parameter may fail any more. */
    static double checked(double beta) {
        if (!(beta >= LEAST && beta < 1)) {
            throw new IllegalArgumentException("beta must be at least " + LEAST + " and below 1");
        }
        return beta;
    }

    /**
     * With what probability each of several independent parts may fail, so that all of them hold together with probability
     * {@code 1 - beta}: {@code 1 - (1 - beta)^(1/parts)}.
     */
    static double ofEach(double beta, int parts) {
        return -Math.expm1(Math.log1p(-beta) / parts);
    }
}
