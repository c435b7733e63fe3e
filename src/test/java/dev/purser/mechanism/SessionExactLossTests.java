package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Step;
import dev.purser.mechanism.QuestionerSearch.Thresholds;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * The loss of conversations, under all strategies of an adaptive questioner, from exact probabilities at the scales
 * that the mechanism states. {@code InteractiveSparseVectorTests} shows that a conversation replies as a list is
 * answered, and {@code ThresholdTranscriptStatisticalTests} that a list's answers have these probabilities.
 */
class SessionExactLossTests {
    private static final double ROUNDING = 1 + 1e-9;
    private static final Epsilon EPSILON = Epsilon.parse("3");

    /** Far enough above or below the threshold that noise falls off at its full rate. */
    private static final long FAR = 40;

    /** One conversation to search. */
    record Session(Variant variant, boolean monotone, int maxRows, int maxPositives, boolean gaps) {
        private InteractiveSparseVector mechanism(PrivacyAllowance allowance) {
            Neighborhood neighborhood = monotone ? SmallData.addOrRemoveUnit(maxRows) : SmallData.replaceUnit(maxRows);
            return new InteractiveSparseVector(
                    allowance,
                    ThresholdFamily.ofCounts(neighborhood),
                    BigInteger.ZERO,
                    maxPositives,
                    OptionalInt.of(20),
                    PureMechanisms.optimal(gaps ? Release.GAPS : Release.INDICES, variant),
                    0.05);
        }

        Description stated() {
            InteractiveSparseVector mechanism = mechanism(new PrivacyAllowance.Pure(EPSILON));
            assertThat(mechanism.event()).isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(EPSILON));
            return mechanism.description();
        }

        /**
         * The number of negatives, far above the threshold, that push the noisy threshold to where its noise falls off
         * at the full rate. They do so against all positives, which pull it back.
         */
        private int negatives() {
            return switch (variant) {
                case ONE_SIDED -> 2;
                case ADAPTIVE -> 3;
                default -> maxPositives < 3 ? 4 : 5;
            };
        }

        private Thresholds thresholds() {
            return variant == Variant.RESTART ? Thresholds.AFTER_EACH_POSITIVE : Thresholds.ONCE;
        }

        /** The largest loss of all strategies, with {@code morePositives} more than permitted. */
        double worst(Thresholds thresholds, int morePositives, List<Long> excesses, int negatives) {
            Description stated = stated();
            int positives = maxPositives + morePositives;
            int closePositives = (int) stated.parameters().getOrDefault("closePositives", maxPositives);
            QuestionerSearch search = new QuestionerSearch(
                    stated,
                    excesses,
                    maxRows,
                    monotone,
                    gaps ? List.of(0L, 3L) : List.of(ExactTranscripts.NO_GAP),
                    thresholds,
                    positives,
                    2 * (closePositives + morePositives - 1));
            // A threshold that is drawn again after each positive sees one positive.
            return thresholds == Thresholds.ONCE
                    ? search.worst(negatives + positives, negatives + positives)
                    : search.worst(negatives + 1, (negatives + 1) * positives);
        }
    }

    /** All sessions except the sessions that take long to search. */
    static Stream<Session> sessions() {
        return allSessions().filter(session -> session.monotone() || session.maxPositives() < 3);
    }

    static Stream<Session> longestSessions() {
        return allSessions().filter(session -> !session.monotone() && session.maxPositives() == 3);
    }

    private static Stream<Session> allSessions() {
        List<Session> sessions = new ArrayList<>();
        for (Variant variant :
                List.of(Variant.SINGLE_THRESHOLD, Variant.RESTART, Variant.ONE_SIDED, Variant.ADAPTIVE)) {
            for (boolean monotone : new boolean[] {true, false}) {
                for (boolean gaps : new boolean[] {true, false}) {
                    for (int c = 1; c <= 3; c++) {
                        sessions.add(new Session(variant, monotone, 1, c, gaps));
                    }
                }
                sessions.add(new Session(variant, monotone, 2, 1, true));
            }
        }
        return sessions.stream();
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void noStrategyLosesMoreThanEpsilonAndOneLosesAllOfIt(Session session) {
        assertThat(session.worst(session.thresholds(), 0, List.of(-FAR, 0L, FAR), session.negatives()))
                .isLessThanOrEqualTo(3 * ROUNDING)
                .isGreaterThan(3 * 0.99);
        assertThat(session.worst(session.thresholds(), 0, List.of(-1L, 0L, 1L), 2))
                .isLessThanOrEqualTo(3 * ROUNDING);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("longestSessions")
    void noStrategyOfALongestSessionLosesMoreThanEpsilon(Session session) {
        noStrategyLosesMoreThanEpsilonAndOneLosesAllOfIt(session);
        if (!session.gaps()) {
            onePositiveTooManyWouldLoseMore(session);
            aThresholdDrawnAgainForEachQuestionWouldLoseMore(session);
        }
    }

    static Stream<Session> sessionsWithoutGaps() {
        return sessions().filter(session -> !session.gaps());
    }

    @ParameterizedTest
    @MethodSource("sessionsWithoutGaps")
    void onePositiveTooManyWouldLoseMore(Session session) {
        // A session that goes on from the state before its last positive.
        assertThat(session.worst(session.thresholds(), 1, List.of(-FAR, FAR), 5))
                .isGreaterThan(3 * 1.1);
    }

    @ParameterizedTest
    @MethodSource("sessionsWithoutGaps")
    void aThresholdDrawnAgainForEachQuestionWouldLoseMore(Session session) {
        assertThat(session.worst(Thresholds.FOR_EACH_QUESTION, 0, List.of(-FAR, FAR), 8))
                .isGreaterThan(3 * 2);
    }

    /** Compares the search (its order, shared products, sums of losses) with the definition, for three questions. */
    @ParameterizedTest
    @CsvSource({"SINGLE_THRESHOLD, true, 2", "SINGLE_THRESHOLD, false, 3", "RESTART, true, 2", "RESTART, false, 3"})
    void theSearchFindsWhatTheStrategiesOneByOneDo(Variant variant, boolean monotone, int maxPositives) {
        Session session = new Session(variant, monotone, 1, maxPositives, false);
        List<Long> excesses = List.of(-3L, 1L, 6L);
        QuestionerSearch search = new QuestionerSearch(
                session.stated(),
                excesses,
                1,
                monotone,
                List.of(ExactTranscripts.NO_GAP),
                session.thresholds(),
                maxPositives,
                2 * maxPositives);
        ExactTranscripts exact = ExactTranscripts.of(session.stated());
        double oneByOne = 0;
        for (long[] moves : monotone ? new long[][] {{0, 1}, {-1, 0}} : new long[][] {{-1, 0, 1}}) {
            oneByOne = Math.max(
                    oneByOne, worst(exact, excesses, moves, maxPositives, new ArrayList<>(), new ArrayList<>()));
        }
        assertThat(search.worst(3, 3)).isEqualTo(oneByOne, within(1e-9)).isGreaterThan(0.5);
    }

    private static double worst(
            ExactTranscripts exact, List<Long> excesses, long[] moves, int left, List<Step> here, List<Step> there) {
        double worst = here.isEmpty() ? 0 : exact.loss(here, there);
        if (here.size() == 3 || left == 0) {
            return worst;
        }
        for (long excess : excesses) {
            for (long move : moves) {
                for (boolean positive : new boolean[] {true, false}) {
                    here.add(new Step(excess, positive, 1));
                    there.add(new Step(excess + move, positive, 1));
                    worst = Math.max(worst, worst(exact, excesses, moves, left - (positive ? 1 : 0), here, there));
                    here.removeLast();
                    there.removeLast();
                }
            }
        }
        return worst;
    }

    /** Each run between two positives loses what randomized response loses, and the rhos of all runs add up. */
    @ParameterizedTest
    @CsvSource({"1, 2, true", "1, 2, false", "3, 3, false", "0.5, 10, true"})
    void runsLoseWhatRhoAllowsUnderEveryStrategy(String epsilon, int runs, boolean monotone) {
        PrivacyAllowance.Concentrated allowance = new PrivacyAllowance.Concentrated(Epsilon.parse(epsilon));
        InteractiveSparseVector mechanism = new Session(Variant.RESTART, monotone, 1, runs, false).mechanism(allowance);
        assertThat(mechanism.event()).isEqualTo(new PrivacyEvent.ConcentratedDifferentialPrivacy(allowance.rho()));
        Description stated = mechanism.description();
        long far = (long) Math.ceil(12 * ExactTranscripts.scale(stated, "comparisonScale"));
        double ofOne = new QuestionerSearch(
                        stated,
                        List.of(-far, 0L, far),
                        1,
                        monotone,
                        List.of(ExactTranscripts.NO_GAP),
                        Thresholds.AFTER_EACH_POSITIVE,
                        1,
                        2)
                .worst(5, 5);
        double whole = Double.parseDouble(epsilon);
        double rho = whole * Math.tanh(whole / 2);
        // Rho is rounded up to 1e-12 in the whole.
        assertThat(runs * ofOne * Math.tanh(ofOne / 2))
                .isLessThanOrEqualTo((rho + 2e-12) * ROUNDING)
                .isGreaterThan(rho * 0.99);
    }
}
