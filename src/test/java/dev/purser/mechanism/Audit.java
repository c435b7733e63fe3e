package dev.purser.mechanism;

import dev.purser.noise.SeededBits;
import dev.purser.privacy.AuditOutcome;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.PrivacyEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * A black-box audit of a claimed epsilon: how often one event happens on each of two neighbouring datasets.
 *
 * <p>The event, the pair and the number of draws are fixed before anything is drawn. If the mechanism is
 * epsilon-differentially private, ln(P/P') is at most epsilon in both directions; the audit states a lower bound of
 * that number, of which each direction is too large with probability at most {@value AuditOutcome#FALSE_ALARM}. A bound
 * above epsilon therefore refutes the claim; one below it proves nothing by itself, which is why the frequencies are
 * also held against their exact probabilities, the bound against what it could have been, and broken twins have to
 * fail.
 *
 * @param mechanism what is audited, through {@link Mechanism#release} alone
 * @param data what its tables are taken of
 * @param pair one dataset, and a neighbour of it under the mechanism's own relation
 * @param event what is counted among the answers
 */
record Audit<A>(Mechanism<A> mechanism, SmallData data, Pair pair, Predicate<A> event) {
    /** At which delta a rho is converted to the epsilon that is held against what is seen. */
    private static final Delta DELTA = Delta.parse("0.001");

    /** What the mechanism says that one release loses. */
    double claimedEpsilon() {
        return switch (mechanism.event()) {
            case PrivacyEvent.PureDifferentialPrivacy(var epsilon) ->
                ExactArithmetic.of(epsilon).doubleValue();
            case PrivacyEvent.ApproximateDifferentialPrivacy(var epsilon, var delta) ->
                ExactArithmetic.of(epsilon).doubleValue();
            case PrivacyEvent.ConcentratedDifferentialPrivacy(var rho) ->
                ExactArithmetic.of(ConcentratedPrivacy.epsilon(rho, DELTA)).doubleValue();
        };
    }

    /** The delta that {@link #claimedEpsilon} goes with. */
    double claimedDelta() {
        return switch (mechanism.event()) {
            case PrivacyEvent.PureDifferentialPrivacy pure -> 0;
            case PrivacyEvent.ApproximateDifferentialPrivacy(var epsilon, var delta) ->
                (double) delta.attos() / Delta.ATTOS_PER_UNIT;
            case PrivacyEvent.ConcentratedDifferentialPrivacy concentrated ->
                (double) DELTA.attos() / Delta.ATTOS_PER_UNIT;
        };
    }

    /** @param draws releases from each dataset */
    AuditOutcome run(int draws, long seed) {
        // Both sides at once: the bits of each are its own.
        CompletableFuture<Long> onNeighbor = CompletableFuture.supplyAsync(() -> hits(pair.neighbor(), draws, ~seed));
        return new AuditOutcome(hits(pair.rows(), draws, seed), onNeighbor.join(), draws);
    }

    private long hits(List<long[]> rows, int draws, long seed) {
        Sensitive<List<Buckets>> exact = data.sensitive(mechanism, rows);
        SeededBits bits = new SeededBits(seed);
        long hits = 0;
        for (int i = 0; i < draws; i++) {
            hits += event.test(mechanism.release(exact, bits)) ? 1 : 0;
        }
        return hits;
    }
}
