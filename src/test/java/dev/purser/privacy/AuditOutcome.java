package dev.purser.privacy;

import org.apache.commons.math3.distribution.BetaDistribution;

/**
 * What a black-box audit saw: how often one event happened on each of two neighbours. The event, the pair
 * and the number of draws are fixed before anything is drawn.
 *
 * @param hits of the event, on one
 * @param neighborHits of the event, on its neighbour
 * @param draws on each
 */
public record AuditOutcome(long hits, long neighborHits, int draws) {
    /** Of one direction; half of it for each of the two frequencies. */
    static final double FALSE_ALARM = 1e-6;

    /** Standard deviations that a frequency may be off its probability: 6e-7, two-sided. */
    private static final double SIGMAS = 5;

    private static final double SOLVER_ACCURACY = 1e-12;

    /** What exactly these probabilities would show: what the audit can hope to see. */
    public static AuditOutcome expected(double probability, double neighborProbability, int draws) {
        return new AuditOutcome(Math.round(draws * probability), Math.round(draws * neighborProbability), draws);
    }

    /**
     * The loss is at least this, in one direction or the other (Clopper–Pearson). Each direction is too
     * large with probability at most {@value #FALSE_ALARM}.
     */
    public double lossLowerBound() {
        return Math.max(lossLowerBound(hits, neighborHits, draws), lossLowerBound(neighborHits, hits, draws));
    }

    /**
     * How far P is above e^ε · P′ + δ at the least, in one direction or the other, as {@link #lossLowerBound}: above zero, it
     * refutes the two of them.
     */
    public double excessOver(double epsilon, double delta) {
        double factor = Math.exp(epsilon);
        return Math.max(
                        lower(hits, draws) - factor * upper(neighborHits, draws),
                        lower(neighborHits, draws) - factor * upper(hits, draws))
                - delta;
    }

    /** Whether both frequencies are what these probabilities would give, up to chance. */
    public boolean agreesWith(double probability, double neighborProbability) {
        return agrees(hits, probability) && agrees(neighborHits, neighborProbability);
    }

    private boolean agrees(long count, double probability) {
        double sigma = Math.sqrt(draws * probability * (1 - probability));
        return Math.abs(count - draws * probability) <= SIGMAS * sigma + 1;
    }

    private static double lossLowerBound(long hits, long neighborHits, int draws) {
        return Math.log(lower(hits, draws) / upper(neighborHits, draws));
    }

    private static double lower(long hits, int draws) {
        return hits == 0 ? 0 : beta(hits, draws - hits + 1).inverseCumulativeProbability(FALSE_ALARM / 2);
    }

    private static double upper(long hits, int draws) {
        return hits == draws ? 1 : beta(hits + 1, draws - hits).inverseCumulativeProbability(1 - FALSE_ALARM / 2);
    }

    private static BetaDistribution beta(double alpha, double beta) {
        return new BetaDistribution(alpha, beta, SOLVER_ACCURACY);
    }
}
