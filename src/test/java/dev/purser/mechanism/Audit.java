package dev.purser.mechanism;

import dev.purser.noise.SeededBits;
import dev.purser.privacy.AuditOutcome;
import java.util.List;
import java.util.function.Predicate;

/**
 * A black-box audit of a claimed epsilon: how often one event happens on each of two neighbouring datasets.
 *
 * <p>The event, the pair and the number of draws are fixed before anything is drawn. If the mechanism is
 * epsilon-differentially private, ln(P/P') is at most epsilon in both directions; the audit states a lower
 * bound of that number, of which each direction is too large with probability at most 1e-6
 * ({@link AuditOutcome}). A bound above epsilon therefore refutes the claim; one below it proves nothing by
 * itself, which is why the frequencies are also held against their exact probabilities, and broken twins
 * have to fail.
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

    /** The same audit of another mechanism that gives the same kind of answer: a twin. */
    Audit<A> of(Mechanism<A> twin) {
        return new Audit<>(twin, data, rows, neighbor, event, draws);
    }

    AuditOutcome run(long seed) {
        return new AuditOutcome(hits(rows, seed), hits(neighbor, ~seed), draws);
    }

    /** The bound that exactly these probabilities would show: what the audit can hope to see. */
    double detectable(double probability, double neighborProbability) {
        return AuditOutcome.expected(probability, neighborProbability, draws).lossLowerBound();
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
