package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Rho;
import java.math.BigInteger;
import java.util.List;

/**
 * One way to compare a list of exact values with a noisy threshold: a member of the sparse vector family, with its noise. What
 * leaves it is safe to release at the share of privacy it was built for; argument in {@code SparseVector.md}.
 */
sealed interface ThresholdVariant permits ThresholdScan, OneSidedScan, AdaptiveScan {
    /** Compares the values in order, at most until the last permitted positive. */
    ThresholdScan.Outcome run(List<BigInteger> exact, BigInteger threshold, RandomBits bits);

    /** The most positives there can be. */
    int maxPositives();

    /**
     * The bound on every decision that fails with probability at most {@code beta}, in the values' steps: every value called
     * positive is at least threshold − bound, every other one that was looked at at most threshold + bound.
     *
     * @param queries the most values that can be examined
     */
    BigInteger alphaSteps(int queries, double beta);

    /** What the answer's mechanism name ends in; empty for the usual variant. */
    String suffix();

    /** The description with this variant's scales. */
    Description describe(Description description);

    /** What a variant is built for. */
    record Setting(ThresholdQueries queries, int maxPositives) {
        public Setting {
            // With none, a comparison would get no noise, and a scan would never reach its last positive.
            if (maxPositives < 1) {
                throw new IllegalArgumentException("at least one positive must be permitted");
            }
        }

        BigInteger l1Sensitivity() {
            return queries.l1Sensitivity();
        }

        /** f: how many sensitivities a positive's comparison may have to make up for. */
        int factor() {
            return queries.isMonotone() ? 1 : 2;
        }
    }

    /** One noisy threshold for all positives: the best of the family under pure privacy. */
    static ThresholdScan single(Setting setting, Rational epsilon) {
        int factor = setting.factor();
        int positives = setting.maxPositives();
        ThresholdSplit split = ThresholdSplit.optimal(epsilon, factor, positives);
        return new ThresholdScan(
                split.thresholdNoise(setting.l1Sensitivity()),
                split.comparisonNoise(setting.l1Sensitivity(), factor, positives),
                positives,
                false);
    }

    /**
     * A new noisy threshold after every positive: as many runs of {@link AboveThreshold} as positives are permitted.
     *
     * @param each the epsilon of one run
     */
    static ThresholdScan restart(Setting setting, Rational each) {
        int factor = setting.factor();
        ThresholdSplit split = ThresholdSplit.optimal(each, factor, 1);
        return new ThresholdScan(
                split.thresholdNoise(setting.l1Sensitivity()),
                split.comparisonNoise(setting.l1Sensitivity(), factor, 1),
                setting.maxPositives(),
                true);
    }

    /** The epsilon of one of {@code runs} runs that compose to a share: by rho where that gives each of them more. */
    static Rational ofEachRun(PrivacyShare share, int runs) {
        Rational basic = share.epsilon().dividedBy(Rational.of(runs, 1));
        if (share.rho().equals(Rho.ZERO)) {
            return basic;
        }
        Rational byRho = Exact.of(ConcentratedPrivacy.pureWithin(share.rho(), runs));
        return byRho.compareTo(basic) > 0 ? byRho : basic;
    }
}
