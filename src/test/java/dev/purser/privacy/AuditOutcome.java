package dev.purser.privacy;

import org.apache.commons.math3.distribution.BetaDistribution;

/**
 * How often one event happened on each of two neighbouring datasets, and what this says about the loss.
 *
 * @param hits how often the event happened on the dataset
 * @param neighborHits how often the event happened on the neighbour
 * @param draws the number of answers on each dataset
 */
public record AuditOutcome(long hits, long neighborHits, int draws) {
    /** The probability that the bound of one direction is too large. */
    public static final double FALSE_ALARM = 1e-6;

    /** Standard deviations that a frequency may be off its probability: 6e-7, two-sided. */
    private static final double SIGMAS = 5;

    private static final long FEW = 12;

    private static final double SOLVER_ACCURACY = 1e-12;

    /** The outcome that exactly these probabilities would show: what an audit can hope to see. */
    public static AuditOutcome expected(double probability, double neighborProbability, int draws) {
        return new AuditOutcome(Math.round(draws * probability), Math.round(draws * neighborProbability), draws);
    }

    /**
     * The loss is at least this, in one direction or the other: Clopper–Pearson, half of the false alarm for each of
     * the two frequencies.
     */
    public double lossLowerBound() {
        return lossLowerBound(0);
    }

    /**
     * The epsilon that P ≤ e^ε · P′ + δ needs is at least this, in one direction or the other. The bound is found in
     * the same way.
     */
    public double lossLowerBound(double delta) {
        return lossLowerBound(delta, FALSE_ALARM);
    }

    /** @param falseAlarm the probability that the bound of one direction is too large */
    public double lossLowerBound(double delta, double falseAlarm) {
        return Math.max(
                lossLowerBound(hits, neighborHits, draws, delta, falseAlarm),
                lossLowerBound(neighborHits, hits, draws, delta, falseAlarm));
    }

    /** Whether both frequencies agree with these probabilities, up to chance. */
    public boolean agreesWith(double probability, double neighborProbability) {
        return agrees(hits, probability) && agrees(neighborHits, neighborProbability);
    }

    /**
     * The standard deviation of ln(P/P'), as far as these hits show it. Fewer than twelve hits count as twelve: if
     * there are none, at most twelve are expected, except with probability 1e-5, and the bound for twelve is less than
     * four such deviations away.
     */
    public double deviation() {
        return Math.sqrt(1.0 / Math.max(FEW, hits) + 1.0 / Math.max(FEW, neighborHits) - 2.0 / draws);
    }

    private boolean agrees(long count, double probability) {
        double sigma = Math.sqrt(draws * probability * (1 - probability));
        return Math.abs(count - draws * probability) <= SIGMAS * sigma + 1;
    }

    private static double lossLowerBound(long hits, long neighborHits, int draws, double delta, double falseAlarm) {
        return Math.log(Math.max(0, lower(hits, draws, falseAlarm) - delta) / upper(neighborHits, draws, falseAlarm));
    }

    private static double lower(long hits, int draws, double falseAlarm) {
        return hits == 0 ? 0 : beta(hits, draws - hits + 1).inverseCumulativeProbability(falseAlarm / 2);
    }

    private static double upper(long hits, int draws, double falseAlarm) {
        return hits == draws ? 1 : beta(hits + 1, draws - hits).inverseCumulativeProbability(1 - falseAlarm / 2);
    }

    private static BetaDistribution beta(double alpha, double beta) {
        return new BetaDistribution(alpha, beta, SOLVER_ACCURACY);
    }
}
