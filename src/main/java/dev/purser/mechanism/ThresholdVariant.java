package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Rho;
import java.math.BigInteger;
import java.util.List;

/**
 * A member of the sparse vector family, with its noise: one way to compare a list of exact values with a noisy
 * threshold. Its outcome is safe to release at the share it was built for. Argument in {@code SparseVector.md}.
 */
sealed interface ThresholdVariant permits ThresholdScan, OneSidedScan, AdaptiveScan {
    /** Compares the values in order, and stops at the last permitted positive. */
    ThresholdScan.Outcome run(List<BigInteger> exact, BigInteger threshold, RandomBits bits);

    /** The largest number of positives. */
    int maxPositives();

    /**
     * The bound on all decisions, in the values' steps, which fails with probability at most {@code beta}. Every value
     * called positive is at least threshold − bound. Every other examined value is at most threshold + bound.
     *
     * @param queries the largest number of examined values
     */
    BigInteger alphaSteps(int queries, double beta);

    /** The suffix of the mechanism's name in answers; empty for the default variant. */
    String suffix();

    /** Adds this variant's scales to the description. */
    Description describe(Description description);

    /** The list and the limit that a variant is built for. */
    record Setting(ThresholdQueries queries, int maxPositives) {
        public Setting {
            // With a limit of zero, a comparison would get no noise, and a scan would never reach its last positive.
            if (maxPositives < 1) {
                throw new IllegalArgumentException("at least one positive must be permitted");
            }
        }

        BigInteger l1Sensitivity() {
            return queries.l1Sensitivity();
        }

        /** f: the number of sensitivities that the noise of a positive's comparison may have to cover. */
        int factor() {
            return queries.isMonotone() ? 1 : 2;
        }
    }

    /** One noisy threshold for all positives: the best variant under pure privacy. */
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
     * A new noisy threshold after every positive: one run of {@link AboveThreshold} for each permitted positive.
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

    /** The epsilon of each of {@code runs} runs that compose to a share; by rho where that gives each run more. */
    static Rational ofEachRun(PrivacyShare share, int runs) {
        Rational basic = share.epsilon().dividedBy(Rational.of(runs, 1));
        if (share.rho().equals(Rho.ZERO)) {
            return basic;
        }
        Rational byRho = Exact.of(ConcentratedPrivacy.pureWithin(share.rho(), runs));
        return byRho.compareTo(basic) > 0 ? byRho : basic;
    }
}
