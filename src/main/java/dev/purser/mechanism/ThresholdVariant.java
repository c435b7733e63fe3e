package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Rho;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A member of the sparse vector family, with its noise: one way to compare exact values, one after the other, with a
 * noisy threshold. It shows which values are called positive and each positive's distance above the noisy threshold. It
 * never shows that threshold or a noisy value that was compared: such a value would show where the threshold was, and
 * the loss would grow with every earlier negative, without bound.
 *
 * <p>What it shows is safe to release at the share it was built for. Argument in {@code SparseVector.md}.
 */
sealed interface ThresholdVariant permits ThresholdScan, OneSidedScan, AdaptiveScan {
    /** Draws how far a noisy threshold lies above the threshold. */
    BigInteger drawThreshold(RandomBits bits);

    /**
     * Compares one value with the noisy threshold, with fresh noise.
     *
     * @param above the exact value minus the noisy threshold
     */
    Optional<Positive> compare(BigInteger above, RandomBits bits);

    /** Whether a new noisy threshold is drawn after each positive. */
    boolean freshThresholdAfterPositive();

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

    /**
     * A value called positive.
     *
     * @param gap the noisy value minus the noisy threshold, at least zero
     * @param spent what it used up, in the variant's own measure
     */
    record Positive(BigInteger gap, int spent) {}

    /** What one comparison showed, and the state for the next. */
    record Examined(Optional<BigInteger> gap, ScanState next) {}

    /** One value of a list that was called positive. */
    record Found(int index, BigInteger gap) {}

    /**
     * The outcome of a run.
     *
     * @param positives by ascending position
     * @param examined the number of examined values
     * @param halted whether the last permitted positive, or the last positive that epsilon covers, ended the run
     */
    record Outcome(List<Found> positives, int examined, boolean halted) {}

    /** The most positives that may still follow; 0 once the scan has ended. */
    default int positivesLeft(ScanState state) {
        return state.hasEnded() ? 0 : Math.max(0, maxPositives() - state.positives());
    }

    /** The state before the first comparison. */
    default ScanState begin(RandomBits bits) {
        return ScanState.begun(drawThreshold(bits));
    }

    /**
     * Compares one value.
     *
     * @param excess the exact value minus the public threshold
     * @throws IllegalStateException if the scan has ended
     */
    default Examined examine(ScanState state, BigInteger excess, RandomBits bits) {
        if (positivesLeft(state) == 0) {
            throw new IllegalStateException("the scan has ended");
        }
        Optional<Positive> found = compare(excess.subtract(state.thresholdOffset()), bits);
        if (found.isEmpty()) {
            return new Examined(Optional.empty(), state);
        }
        ScanState next = state.afterPositive(found.get().spent());
        if (positivesLeft(next) == 0) {
            next = next.ended();
        } else if (freshThresholdAfterPositive()) {
            next = next.withThreshold(drawThreshold(bits));
        }
        return new Examined(Optional.of(found.get().gap()), next);
    }

    /** Compares the values of a list in order, and stops at the last permitted positive. */
    default Outcome run(List<BigInteger> exact, BigInteger threshold, RandomBits bits) {
        List<Found> positives = new ArrayList<>();
        ScanState state = begin(bits);
        int examined = 0;
        while (examined < exact.size() && !state.hasEnded()) {
            Examined one = examine(state, exact.get(examined).subtract(threshold), bits);
            if (one.gap().isPresent()) {
                positives.add(new Found(examined, one.gap().get()));
            }
            state = one.next();
            examined++;
        }
        return new Outcome(positives, examined, state.hasEnded());
    }

    /**
     * What a variant is built for.
     *
     * @param l1Sensitivity of each value
     * @param monotone whether between neighbours all values move in one direction
     * @param queries the largest number of examined values, for accuracy only
     */
    record Setting(BigInteger l1Sensitivity, boolean monotone, int queries, int maxPositives) {
        public Setting {
            // With a limit of zero, a comparison would get no noise.
            if (maxPositives < 1) {
                throw new IllegalArgumentException("at least one positive must be permitted");
            }
            if (queries < 1) {
                throw new IllegalArgumentException("at least one statistic must be permitted");
            }
        }

        /** f: the number of sensitivities that the noise of a positive's comparison may have to cover. */
        int factor() {
            return monotone ? 1 : 2;
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

    /**
     * The epsilon of each of {@code runs} runs that compose to a share. They compose by rho where that gives each run
     * more.
     */
    static Rational ofEachRun(PrivacyShare share, int runs) {
        Rational basic = share.epsilon().dividedBy(Rational.of(runs, 1));
        if (share.rho().equals(Rho.ZERO)) {
            return basic;
        }
        Rational byRho = ExactArithmetic.of(ConcentratedPrivacy.pureWithin(share.rho(), runs));
        return byRho.compareTo(basic) > 0 ? byRho : basic;
    }
}
