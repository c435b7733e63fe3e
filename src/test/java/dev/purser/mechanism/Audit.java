package dev.purser.mechanism;

import dev.purser.noise.SeededBits;
import java.util.List;
import java.util.function.Predicate;
import org.apache.commons.math3.distribution.BetaDistribution;

/**
 * A black-box audit of a claimed epsilon: how often one event happens on each of two neighbouring datasets.
 *
 * <p>The event, the pair and the number of draws are fixed before anything is drawn. If the mechanism is
 * epsilon-differentially private, ln(P/P') is at most epsilon in both directions; the audit states a lower bound of that
 * number, of which each direction is too large with probability at most {@value #FALSE_ALARM} (Clopper–Pearson, half of it
 * for each of the two frequencies). A bound above epsilon therefore refutes the claim; one below it proves nothing by
 * itself, which is why the frequencies are also held against their exact probabilities, and broken twins have to fail.
 *
 * @param mechanism what is audited, through {@link Mechanism#release} alone
 * @param data what its tables are taken of
 * @param rows one dataset
 * @param neighbor a neighbour of it under the mechanism's own relation
 * @param event what is counted among the answers
 * @param draws releases from each dataset
 */
record Audit<A>(
        Mechanism<A> mechanism,
        SmallData data,
        List<long[]> rows,
        List<long[]> neighbor,
        Predicate<A> event,
        int draws) {
    /** Of one direction. */
    static final double FALSE_ALARM = 1e-6;

    /** Standard deviations that a frequency may be off its probability: 6e-7, two-sided. */
    private static final double SIGMAS = 5;

    private static final double SOLVER_ACCURACY = 1e-12;

    /**
     * What was seen.
     *
     * @param hits of the event, on the dataset
     * @param neighborHits of the event, on its neighbour
     */
    record Outcome(long hits, long neighborHits, int draws) {
        /** The loss is at least this, in one direction or the other. */
        double lossLowerBound() {
            return Math.max(lossLowerBound(hits, neighborHits, draws), lossLowerBound(neighborHits, hits, draws));
        }

        /** Whether both frequencies are what these probabilities would give, up to chance. */
        boolean agreesWith(double probability, double neighborProbability) {
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

    /** The same audit of another mechanism that gives the same kind of answer: a twin. */
    Audit<A> of(Mechanism<A> twin) {
        return new Audit<>(twin, data, rows, neighbor, event, draws);
    }

    Outcome run(long seed) {
        return new Outcome(hits(rows, seed), hits(neighbor, ~seed), draws);
    }

    /** The bound that exactly these probabilities would show: what the audit can hope to see. */
    double detectable(double probability, double neighborProbability) {
        return new Outcome(Math.round(draws * probability), Math.round(draws * neighborProbability), draws)
                .lossLowerBound();
    }

    private long hits(List<long[]> someRows, long seed) {
        Sensitive<List<Buckets>> exact = data.sensitive(mechanism, someRows);
        SeededBits bits = new SeededBits(seed);
        long hits = 0;
        for (int i = 0; i < draws; i++) {
            hits += event.test(mechanism.release(exact, bits)) ? 1 : 0;
        }
        return hits;
    }
}
