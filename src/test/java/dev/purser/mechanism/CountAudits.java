package dev.purser.mechanism;

import dev.purser.noise.DiscreteGaussianPmf;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.NoisePmf;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Audits of counts, sums and histograms. A unit has m rows. */
final class CountAudits {
    /** Rows of value 0 only. */
    private static final SmallData ZEROS = new SmallData(List.of(new SmallData.View(0, row -> row[0] == 0)));

    private CountAudits() {}

    /** A filtered count of 10 against 10 + m, epsilon 1, answers of at most 10. */
    static AuditCase count(Neighborhood neighborhood) {
        return count(
                neighborhood,
                ServedMechanisms.count("1", Statistic.Count.ofAll(0, true), neighborhood),
                new DiscreteLaplacePmf(SmallData.maxRows(neighborhood)),
                0);
    }

    /** The same count with Gaussian noise of rho 0.462, answers of at most 10 − m. */
    static AuditCase gaussianCount(Neighborhood neighborhood) {
        int m = SmallData.maxRows(neighborhood);
        return count(
                neighborhood,
                ServedMechanisms.gaussianCount(Statistic.Count.ofAll(0, true), neighborhood),
                gaussian((double) m * m),
                m);
    }

    private static AuditCase count(
            Neighborhood neighborhood, Mechanism<NoisyStatistic.Answer> mechanism, NoisePmf noise, int below) {
        BigInteger most = BigInteger.valueOf(10 - below);
        return new AuditCase(
                new Audit<>(
                        mechanism,
                        ZEROS,
                        Pair.of(neighborhood, SmallData.repeated(10, 0), new long[] {1}, new long[] {0}),
                        answer -> answer.steps().compareTo(most) <= 0),
                () -> new AuditCase.Probabilities(
                        noise.atMost(-below), noise.atMost(-below - SmallData.maxRows(neighborhood))));
    }

    /** Gaussian noise of variance Δ²/(2·rho), with the rho of epsilon 1. */
    private static NoisePmf gaussian(double squaredL2Sensitivity) {
        return new DiscreteGaussianPmf(squaredL2Sensitivity / (2 * Math.tanh(0.5)));
    }

    /** A sum over [0, 100], epsilon 1: 0 against 100·m, answers of at most 0. */
    static AuditCase sum(Neighborhood neighborhood) {
        return sum(
                neighborhood,
                ServedMechanisms.sum("1", new Statistic.ClampedSum(0, false, 0, 100), neighborhood),
                new DiscreteLaplacePmf(100 * SmallData.maxRows(neighborhood)),
                0);
    }

    /** The same sum with Gaussian noise of rho 0.462, answers of at most −100·m. */
    static AuditCase gaussianSum(Neighborhood neighborhood) {
        int m = SmallData.maxRows(neighborhood);
        return sum(
                neighborhood,
                ServedMechanisms.gaussianSum(new Statistic.ClampedSum(0, false, 0, 100), neighborhood),
                gaussian(10_000.0 * m * m),
                100 * m);
    }

    private static AuditCase sum(
            Neighborhood neighborhood, Mechanism<NoisyStatistic.Answer> mechanism, NoisePmf noise, int below) {
        BigInteger most = BigInteger.valueOf(-below);
        return new AuditCase(
                new Audit<>(
                        mechanism,
                        SmallData.ONE_COLUMN,
                        Pair.of(neighborhood, List.of(), new long[] {-5}, new long[] {5_000}),
                        answer -> answer.steps().compareTo(most) <= 0),
                () -> new AuditCase.Probabilities(
                        noise.atMost(-below), noise.atMost(-below - 100L * SmallData.maxRows(neighborhood))));
    }

    /**
     * Two bins, epsilon 1. Where units are replaced, m rows move from the second bin to the first. The event is that
     * both answers are on the near side. Each bin shows half of the loss.
     */
    static AuditCase histogram(Neighborhood neighborhood) {
        return histogram(
                neighborhood,
                ServedMechanisms.histogram("1", 0, false, new long[] {0, 1, 2}, neighborhood),
                new DiscreteLaplacePmf(SmallData.maxRows(neighborhood) + SmallData.moved(neighborhood)),
                0);
    }

    /** The same bins with Gaussian noise of rho 0.462. Both answers are further out by what a unit moves. */
    static AuditCase gaussianHistogram(Neighborhood neighborhood) {
        int m = SmallData.maxRows(neighborhood);
        return histogram(
                neighborhood,
                ServedMechanisms.gaussianHistogram(0, false, new long[] {0, 1, 2}, neighborhood),
                gaussian((double) m * m + SmallData.moved(neighborhood) * SmallData.moved(neighborhood)),
                1);
    }

    /** @param units how far out of the bin's exact count each answer is, in multiples of what a unit moves the bin */
    private static AuditCase histogram(
            Neighborhood neighborhood, Mechanism<NoisyHistogram.Answer> mechanism, NoisePmf noise, int units) {
        int m = SmallData.maxRows(neighborhood);
        int moved = SmallData.moved(neighborhood);
        List<long[]> others = new ArrayList<>(SmallData.repeated(10, 0));
        others.addAll(SmallData.repeated(10, 1));
        BigInteger first = BigInteger.valueOf(10L - units * m);
        BigInteger second = BigInteger.valueOf(10L + moved + units * moved);
        return new AuditCase(
                new Audit<>(
                        mechanism,
                        SmallData.ONE_COLUMN,
                        Pair.of(neighborhood, others, new long[] {1}, new long[] {0}),
                        answer -> answer.counts().get(0).compareTo(first) <= 0
                                && answer.counts().get(1).compareTo(second) >= 0),
                () -> new AuditCase.Probabilities(
                        noise.atMost(-units * m) * noise.atLeast(units * moved),
                        noise.atMost(-units * m - m) * noise.atLeast(units * moved + moved)));
    }

    /**
     * A sum of up to 2^20 rows of up to 2^40 each, epsilon 1, so that the noise is of the order 2^60. There is no row,
     * or one row of 1. The event is an answer whose last three bits are 0. Noise has all last bits equally often. A
     * {@code double} of that size has no such bits.
     */
    static AuditCase lowBitsOfASum() {
        Neighborhood neighborhood = SmallData.addOrRemoveUnit(1 << 20);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.sum("1", new Statistic.ClampedSum(0, false, 0, 1L << 40), neighborhood),
                        SmallData.ONE_COLUMN,
                        new Pair(List.of(), SmallData.rows(1)),
                        answer -> answer.steps().getLowestSetBit() >= 3),
                () -> new AuditCase.Probabilities(0.125, 0.125));
    }
}
