package dev.purser.mechanism;

import dev.purser.mechanism.Conversation.Questioner;
import dev.purser.mechanism.InteractiveSparseVector.Reply;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.mechanism.ThresholdAudits.Counts;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongFunction;

/**
 * Audits of conversations, with questioners who look at the replies. Exact values are written as in
 * {@link ThresholdAudits}.
 */
final class SessionAudits {
    private static final double BETA = 0.05;

    private SessionAudits() {}

    private static InteractiveSparseVector vector(
            String epsilon,
            ThresholdFamily family,
            long threshold,
            int maxPositives,
            Release release,
            Variant variant) {
        return new InteractiveSparseVector(
                new PrivacyAllowance.Pure(Epsilon.parse(epsilon)),
                family,
                BigInteger.valueOf(threshold),
                maxPositives,
                OptionalInt.of(20),
                PureMechanisms.optimal(release, variant),
                BETA);
    }

    /**
     * Asks for one statistic until it was negative {@code negatives} times, and then for another until it was positive
     * {@code positives} times. Gives up at the first reply that is not as hoped for.
     */
    private static Questioner hopesFor(int negatives, int positives) {
        return replies -> {
            boolean asHoped = true;
            for (int i = 0; i < replies.size(); i++) {
                asHoped &= replies.get(i).above() == (i >= negatives);
            }
            if (!asHoped || replies.size() == negatives + positives) {
                return OptionalInt.empty();
            }
            return OptionalInt.of(replies.size() < negatives ? 0 : 1);
        };
    }

    private static boolean isAsHoped(List<Reply> replies, int negatives, int positives) {
        return replies.size() == negatives + positives
                && replies.stream().filter(Reply::above).count() == positives
                && replies.getLast().above();
    }

    /**
     * Counts of rows of 0 that are hoped to be negative, and then counts of rows of 1 that are hoped to be positive.
     *
     * @param declared the neighborhood that the family is for
     */
    private static AuditCase counts(
            Counts counts, Neighborhood declared, String epsilon, int maxPositives, Variant variant) {
        LongFunction<InteractiveSparseVector> lowered = shift -> vector(
                epsilon,
                ThresholdFamily.ofCounts(declared),
                (long) Counts.THRESHOLD * counts.m() - shift,
                maxPositives,
                Release.INDICES,
                variant);
        InteractiveSparseVector vector =
                lowered.apply(ThresholdAudits.shiftOf(lowered.apply(0).description()));
        return new AuditCase(
                new Audit<>(
                        new Conversation(
                                vector,
                                List.of(new Statistic.Count(0, false, 0, 1), new Statistic.Count(0, false, 1, 2)),
                                counts.neighborhood(),
                                hopesFor(counts.zeros(), counts.ones())),
                        SmallData.ONE_COLUMN,
                        counts.pair(),
                        replies -> isAsHoped(replies, counts.zeros(), counts.ones())),
                () -> counts.probabilities(vector.description()));
    }

    private static AuditCase counts(Counts counts, String epsilon, int maxPositives, Variant variant) {
        return counts(counts, counts.neighborhood(), epsilon, maxPositives, variant);
    }

    /** c = 1, epsilon 1: (−1 × 10, 1) against (0 × 10, 0). */
    static AuditCase tenCountsAndOne(Neighborhood neighborhood) {
        return counts(new Counts(neighborhood, 10, 1, -1, 1), "1", 1, Variant.AUTOMATIC);
    }

    /** c = 1, epsilon 1: (−1 × 10, 0) against (0 × 10, −1). */
    static AuditCase falling() {
        return counts(new Counts(SmallData.REPLACE_ROW, 10, 1, -1, 0), "1", 1, Variant.AUTOMATIC);
    }

    /** c = 1, epsilon 1: (0 × 10, 1) against (1 × 10, 0). */
    static AuditCase rising() {
        return counts(new Counts(SmallData.REPLACE_ROW, 10, 1, 0, 1), "1", 1, Variant.AUTOMATIC);
    }

    /** As {@link #falling}, but the counts are declared for added rows, with which all counts would rise. */
    static AuditCase fallingAsIfRowsWereAdded() {
        Counts counts = new Counts(SmallData.REPLACE_ROW, 10, 1, -1, 0);
        return counts(counts, SmallData.ADD_OR_REMOVE_ROW, "1", 1, Variant.AUTOMATIC);
    }

    /**
     * A variant, c = 3: (−2 × 5, 0 × 2) against (−1 × 5, −1 × 2). Restarts have so large a noise that an epsilon below
     * 4 shows nothing.
     */
    static AuditCase variant(Variant variant) {
        return counts(
                new Counts(SmallData.REPLACE_ROW, 5, 2, -2, 0), variant == Variant.RESTART ? "4" : "1", 3, variant);
    }

    /** c = 1, epsilon 2: ten counts, (−2 × 10, 0) against (−1 × 10, −1). */
    static AuditCase manyUnderOneThreshold() {
        return counts(new Counts(SmallData.REPLACE_ROW, 10, 1, -2, 0), "2", 1, Variant.AUTOMATIC);
    }

    /**
     * c = 1, epsilon 2: (−1 × 3, 0 × 2) against (0 × 3, −1 × 2), and the event is a second positive, which there should
     * not be.
     */
    static AuditCase aSecondPositive() {
        AuditCase impossible = counts(new Counts(SmallData.REPLACE_ROW, 3, 2, -1, 0), "2", 1, Variant.AUTOMATIC);
        return new AuditCase(impossible.audit(), () -> new AuditCase.Probabilities(0, 0));
    }

    /**
     * Sums over [0, 4], epsilon 2: (0 × 6, 1.25) against (1 × 6, 2.25), six negatives and then a positive whose value
     * or gap is at most 1.25.
     */
    static AuditCase sixSumsAndOne(Release release) {
        return sixSumsAndOne(release, 4);
    }

    /** The same, where sums are declared to move by one step. */
    static AuditCase moreSensitiveThanDeclared() {
        return sixSumsAndOne(Release.VALUES, 1);
    }

    private static AuditCase sixSumsAndOne(Release release, long declared) {
        Neighborhood neighborhood = SmallData.ADD_OR_REMOVE_ROW;
        InteractiveSparseVector vector =
                vector("2", ThresholdFamily.ofSums(BigInteger.valueOf(declared)), 0, 1, release, Variant.AUTOMATIC);
        BigInteger most = BigInteger.valueOf(5);
        return new AuditCase(
                new Audit<>(
                        new Conversation(
                                vector,
                                List.of(
                                        new Statistic.ClampedSum(0, true, 0, 4),
                                        new Statistic.ClampedSum(1, true, 0, 4)),
                                neighborhood,
                                hopesFor(6, 1)),
                        ThresholdAudits.SUMS,
                        Pair.of(
                                neighborhood,
                                List.of(new long[] {4, 1}, new long[] {1, 1}),
                                new long[] {0, 0},
                                new long[] {4, 0}),
                        replies -> isAsHoped(replies, 6, 1) && isAtMost(most, replies.getLast())),
                () -> new AuditCase.Probabilities(
                        ThresholdAudits.lastIsLow(vector.description(), 1, 0),
                        ThresholdAudits.lastIsLow(vector.description(), 1, 4)));
    }

    private static boolean isAtMost(BigInteger most, Reply reply) {
        return reply.valueSteps().or(reply::gapSteps).orElseThrow().compareTo(most) <= 0;
    }
}
