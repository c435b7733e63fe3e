package dev.purser.mechanism;

import dev.purser.mechanism.MechanismAuditStatisticalTests.Case;
import dev.purser.noise.DiscreteGaussianPmf;
import dev.purser.noise.NoisePmf;
import dev.purser.privacy.AuditOutcome;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Audits of Gaussian noise. It has no epsilon of its own; the claim that is held against what is seen is the
 * (epsilon, delta) that its rho converts to: P ≤ e^ε · P′ + δ.
 */
class GaussianAuditStatisticalTests {
    /** The rho of epsilon 1: 0.462. */
    private static final PrivacyAllowance.Concentrated ALLOWANCE =
            new PrivacyAllowance.Concentrated(Epsilon.parse("1"));

    private static final Delta DELTA = Delta.parse("0.001");

    /** What the rho comes to at delta 0.001: 3.3. */
    private static final Epsilon EPSILON = ConcentratedPrivacy.epsilon(ALLOWANCE.rho(), DELTA);

    private static final int DRAWS = 200_000;
    private static final double BETA = 0.05;
    private static final double RHO = Math.tanh(0.5);

    private static NoisePmf noise(double squaredL2Sensitivity) {
        return new DiscreteGaussianPmf(squaredL2Sensitivity / (2 * RHO));
    }

    // Ten rows against eleven, answers of at most 8.

    static Case count() {
        return new Case(
                value(),
                countAudit(NoisyStatistic.count(
                        ALLOWANCE, Statistic.Count.ofAll(0, false), SmallData.ADD_OR_REMOVE_ROW, BETA)),
                noise(1).atMost(-2),
                noise(1).atMost(-3));
    }

    private static Audit<NoisyStatistic.Answer> countAudit(Mechanism<NoisyStatistic.Answer> mechanism) {
        return new Audit<>(
                mechanism,
                SmallData.ONE_COLUMN,
                SmallData.repeated(10, 0),
                SmallData.repeated(11, 0),
                answer -> answer.steps().compareTo(BigInteger.valueOf(8)) <= 0,
                DRAWS);
    }

    private static double value() {
        return EPSILON.nanos() / (double) Epsilon.NANOS_PER_UNIT;
    }

    /** A sum over [0, 100]: no row, or one of 100; answers of at most −200. */
    static Case sum() {
        return new Case(
                value(),
                new Audit<>(
                        NoisyStatistic.sum(
                                ALLOWANCE,
                                new Statistic.ClampedSum(0, false, 0, 100),
                                SmallData.ADD_OR_REMOVE_ROW,
                                BETA),
                        SmallData.ONE_COLUMN,
                        List.of(),
                        SmallData.rows(100),
                        answer -> answer.steps().compareTo(BigInteger.valueOf(-200)) <= 0,
                        DRAWS),
                noise(10_000).atMost(-200),
                noise(10_000).atMost(-300));
    }

    // Two bins under replace-one: ten rows in each against one that moved from the second to the first, and both
    // answers
    // two or more on the near side. The distance is √2.

    static Case histogram() {
        NoisePmf noise = noise(2);
        return new Case(
                value(),
                new Audit<>(
                        new NoisyHistogram(ALLOWANCE, 0, false, new long[] {0, 1, 2}, SmallData.REPLACE_ROW, BETA),
                        SmallData.ONE_COLUMN,
                        SmallData.rows(0, 0, 0, 1, 1, 1),
                        SmallData.rows(0, 0, 0, 0, 1, 1),
                        answer -> answer.counts().get(0).compareTo(BigInteger.ONE) <= 0
                                && answer.counts().get(1).compareTo(BigInteger.valueOf(5)) >= 0,
                        DRAWS),
                noise.atMost(-2) * noise.atLeast(2),
                noise.atMost(-3) * noise.atLeast(3));
    }

    static List<Case> cases() {
        return List.of(count(), sum(), histogram());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void showNoMoreThanEpsilonAndDelta(Case expected) {
        AuditOutcome seen = expected.audit().run(81);
        assertThat(excess(seen)).isNotPositive();
        assertThat(seen.agreesWith(expected.probability(), expected.neighborProbability()))
                .isTrue();
    }

    private static double excess(AuditOutcome seen) {
        return seen.excessOver(value(), DELTA.attos() / (double) Delta.ATTOS_PER_UNIT);
    }

    @Test
    void refuteACountThatTakesFourRowsForOne() {
        // The one changed line: the list's units have four rows, and the sensitivity is taken to be one row.
        NoisyStatistic twin =
                new NoisyStatistic("count", ALLOWANCE, Statistic.Count.ofAll(0, false), BigInteger.ONE, BETA);
        Audit<NoisyStatistic.Answer> audit = countAudit(twin);
        AuditOutcome seen =
                new Audit<>(twin, audit.data(), audit.rows(), SmallData.repeated(14, 0), audit.event(), DRAWS).run(82);
        assertThat(excess(seen)).isPositive();
    }

    /** The exact divergence of neighbouring answers, over all events at once: at most delta, and not for nothing. */
    @ParameterizedTest
    @CsvSource({"0.1, 0.000001", "1, 0.001", "1, 0.000001", "1, 0.000000001", "4, 0.000001"})
    void keepEveryEpsilonAndDelta(String epsilon, String delta) {
        PrivacyAllowance.Concentrated allowance = new PrivacyAllowance.Concentrated(Epsilon.parse(epsilon));
        for (long rows : new long[] {1, 3}) {
            NoisyStatistic mechanism = NoisyStatistic.count(
                    allowance, Statistic.Count.ofAll(0, false), SmallData.addOrRemoveUnit((int) rows), 1e-9);
            assertThat(mechanism.event()).isEqualTo(allowance.event());
            double deviation = ExactTranscripts.scale(mechanism.description(), "scale");
            double converted = ConcentratedPrivacy.epsilon(allowance.rho(), Delta.parse(delta))
                            .nanos()
                    / (double) Epsilon.NANOS_PER_UNIT;
            double divergence = divergence(new DiscreteGaussianPmf(deviation * deviation), rows, converted, deviation);
            assertThat(divergence)
                    .isLessThanOrEqualTo(Double.parseDouble(delta))
                    .isGreaterThan(Double.parseDouble(delta) / 1_000);
        }
    }

    /** Σ max(0, p(x) − e^ε · p(x − Δ)). */
    private static double divergence(NoisePmf noise, long moved, double epsilon, double deviation) {
        long reach = (long) (40 * deviation) + moved;
        double total = 0;
        for (long x = -reach; x <= reach; x++) {
            total += Math.max(0, noise.probability(x) - Math.exp(epsilon) * noise.probability(x - moved));
        }
        return total;
    }
}
