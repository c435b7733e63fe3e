package dev.purser.mechanism;

/** The public probability beta with which a statement about accuracy may fail. No privacy guarantee depends on it. */
final class FailureProbability {
    /** Far below any useful probability, and far enough above zero to be divided between all parts of a statement. */
    static final double LEAST = 1e-100;

    private FailureProbability() {}

    /** Checks {@code beta} when a mechanism is built: after the charge no parameter may be refused. */
    static double checked(double beta) {
        if (!(beta >= LEAST && beta < 1)) {
            throw new IllegalArgumentException("beta must be at least " + LEAST + " and below 1");
        }
        return beta;
    }

    /**
     * The failure probability of each of several independent parts that hold together with probability
     * {@code 1 - beta}: {@code 1 - (1 - beta)^(1/parts)}.
     */
    static double ofEach(double beta, int parts) {
        return -Math.expm1(Math.log1p(-beta) / parts);
    }
}
