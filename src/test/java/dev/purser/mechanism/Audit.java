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
 * <p>The event, the pair and the numbers of draws are fixed before anything is drawn. If the mechanism is
 * epsilon-differentially private, ln(P/P') is at most epsilon in both directions. The audit states a lower bound of
 * that number. In each direction, the bound is too large with probability at most {@value AuditOutcome#FALSE_ALARM}. A
 * bound above epsilon therefore refutes the claim. A bound below epsilon proves nothing by itself. So the frequencies
 * are also compared with their exact probabilities, the bound with what it could have been, and broken twins have to
 * fail.
 *
 * <p>{@link #runUntilRefuted} looks {@value #LOOKS} times: after a sixteenth, an eighth, a quarter, half and all of the
 * draws. It stops at the first look whose bound is above epsilon. One look at the end would seldom refute a right
 * mechanism, and several looks must not do so more often. So each look has its part of the false alarm,
 * {@link #FALSE_ALARM_OF_A_LOOK}. By Bonferroni's inequality, at least one look is wrong in one direction with
 * probability at most {@value AuditOutcome#FALSE_ALARM}, however the looks depend on each other.
 *
 * @param mechanism what is audited, through {@link Mechanism#release} alone
 * @param data how the mechanism's tables are made of rows
 * @param pair one dataset, and a neighbour of it under the mechanism's own relation
 * @param event what is counted among the answers
 */
record Audit<A>(Mechanism<A> mechanism, SmallData data, Pair pair, Predicate<A> event) {
    private static final int LOOKS = 5;

    /** The probability that the bound of one look is too large, in one direction. */
    static final double FALSE_ALARM_OF_A_LOOK = AuditOutcome.FALSE_ALARM / LOOKS;

    /** The delta at which a rho is converted to the claimed epsilon. */
    private static final Delta DELTA = Delta.parse("0.001");

    /** The epsilon that the mechanism claims for one release. */
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

    /** The delta that belongs to {@link #claimedEpsilon}. */
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
        return outcome(new Side(pair.rows(), seed), new Side(pair.neighbor(), ~seed), draws);
    }

    /**
     * Draws what {@link #run} draws, up to the first look that refutes the claim.
     *
     * @param draws releases from each dataset, if no look refutes the claim
     */
    AuditOutcome runUntilRefuted(int draws, long seed) {
        Side onRows = new Side(pair.rows(), seed);
        Side onNeighbor = new Side(pair.neighbor(), ~seed);
        int left = LOOKS - 1;
        AuditOutcome seen = outcome(onRows, onNeighbor, draws >> left);
        while (left > 0 && seen.lossLowerBound(claimedDelta(), FALSE_ALARM_OF_A_LOOK) <= claimedEpsilon()) {
            left--;
            seen = outcome(onRows, onNeighbor, draws >> left);
        }
        return seen;
    }

    private static AuditOutcome outcome(Audit<?>.Side onRows, Audit<?>.Side onNeighbor, int draws) {
        // Both sides run at once. Each side has its own bits.
        CompletableFuture<Long> neighborHits = CompletableFuture.supplyAsync(() -> onNeighbor.hits(draws));
        return new AuditOutcome(onRows.hits(draws), neighborHits.join(), draws);
    }

    /** The answers on one dataset that are drawn so far. */
    private final class Side {
        private final Sensitive<List<Buckets>> exact;
        private final SeededBits bits;
        private int drawn;
        private long hits;

        Side(List<long[]> rows, long seed) {
            exact = data.sensitive(mechanism, rows);
            bits = new SeededBits(seed);
        }

        /** The number of hits among the first {@code draws} answers. */
        long hits(int draws) {
            for (; drawn < draws; drawn++) {
                hits += event.test(mechanism.release(exact, bits)) ? 1 : 0;
            }
            return hits;
        }
    }
}
