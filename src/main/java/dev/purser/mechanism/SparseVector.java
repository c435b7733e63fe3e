package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * The positions of up to c statistics that are found above a public threshold, and on request a value or a gap for
 * each.
 *
 * <p>Guarantee: the allowance it is built for, for any number of statistics, under the queries' neighbouring relation
 * and privacy unit. Values carry fresh noise, independent of the comparisons'. Gaps are those of the comparisons
 * themselves, at no extra loss, and are never released together with a value. Allocations:
 *
 * <ul>
 *   <li>{@code OPTIMAL}: the requested variant, or the one with the smallest bound; values get half of the allowance.
 *   <li>{@code TEXTBOOK}: c runs of AboveThreshold, as in Dwork and Roth 2014, algorithms 2 and 3; values get a ninth
 *       of epsilon, or with a delta 1/(√512 + 1) of it.
 * </ul>
 *
 * <p>All variants keep the same allowance: one noisy threshold for all c positives (Lyu, Su and Li 2017, algorithm 7),
 * the best under pure privacy; a restart after each positive, better for many positives where rhos add up; one-sided
 * noise (Liu et al. 2024); and the adaptive one (Ding et al. 2019). Argument in {@code SparseVector.md}.
 */
public final class SparseVector implements Mechanism<SparseVector.Answer> {
    /** What is released for a positive besides its position. */
    public enum Release {
        /** Nothing more: all of the allowance goes into the comparisons. */
        INDICES("sparse"),
        /** A value with fresh noise, for a share of the allowance. */
        VALUES("numeric-sparse"),
        /** The distance of the noisy comparison above the noisy threshold, at no extra loss. */
        GAPS("sparse-gaps");

        private final String family;

        Release(String family) {
            this.family = family;
        }
    }

    /** How the allowance is divided. */
    public enum Allocation {
        OPTIMAL,
        TEXTBOOK
    }

    /** The member of the family that compares. */
    public enum Variant {
        /** Single threshold or restart, whichever has the smaller bound. */
        AUTOMATIC,
        SINGLE_THRESHOLD,
        RESTART,
        ONE_SIDED,
        /** This variant releases no values: its positives have two different losses. */
        ADAPTIVE
    }

    /** The requested form. {@code TEXTBOOK} has only the automatic variant, and {@code ADAPTIVE} releases no values. */
    public record Form(Release release, Allocation allocation, Variant variant) {
        public Form {
            if (allocation == Allocation.TEXTBOOK && variant != Variant.AUTOMATIC) {
                throw new IllegalArgumentException("the textbook has one variant");
            }
            if (release == Release.VALUES && variant == Variant.ADAPTIVE) {
                throw new IllegalArgumentException("the adaptive variant releases no values");
            }
        }
    }

    private final PrivacyAllowance allowance;
    private final ThresholdQueries queries;
    private final Form form;
    private final double beta;
    private final ThresholdVariant comparisons;
    private final @Nullable AdditiveNoise valueNoise;
    private final boolean isPure;

    /**
     * Builds the mechanism for an allowance.
     *
     * @throws IllegalArgumentException if the textbook's split of an epsilon and a delta is not private at this
     *     epsilon: see {@link #isPrivateFor}
     */
    public SparseVector(
            PrivacyAllowance allowance, ThresholdQueries queries, int maxPositives, Form form, double beta) {
        this.allowance = allowance;
        this.queries = queries;
        this.form = form;
        this.beta = FailureProbability.checked(beta);
        ThresholdVariant.Setting setting = new ThresholdVariant.Setting(queries, maxPositives);
        boolean withValues = form.release() == Release.VALUES;
        switch (form.allocation()) {
            case OPTIMAL -> {
                PrivacyShare share = withValues ? PrivacyShare.halfOf(allowance) : PrivacyShare.of(allowance);
                Chosen chosen = chosen(share, setting);
                comparisons = chosen.comparisons();
                valueNoise = withValues ? valueNoise(share, setting) : null;
                // Under rho, each half may have more than half of epsilon, so the whole is pure at no stated epsilon.
                isPure = chosen.isPure()
                        && (valueNoise == null
                                || valueNoise.isPure() && !(allowance instanceof PrivacyAllowance.Concentrated));
            }
            case TEXTBOOK -> {
                TextbookSplit split = TextbookSplit.of(allowance, setting, withValues);
                comparisons = split.comparisons();
                valueNoise = withValues ? split.valueNoise() : null;
                isPure = split.isPure();
            }
            default -> throw new IllegalStateException();
        }
    }

    /** Whether the textbook's noise keeps the stated epsilon and delta; it does for all but large epsilons. */
    public static boolean isPrivateFor(PrivacyAllowance allowance, int maxPositives, Form form) {
        return form.allocation() == Allocation.OPTIMAL
                || TextbookSplit.isPrivateFor(allowance, maxPositives, form.release() == Release.VALUES);
    }

    private record Chosen(ThresholdVariant comparisons, boolean isPure) {}

    private Chosen chosen(PrivacyShare share, ThresholdVariant.Setting setting) {
        return switch (form.variant()) {
            case SINGLE_THRESHOLD -> new Chosen(ThresholdVariant.single(setting, share.epsilon()), true);
            case RESTART -> restart(share, setting);
            case ONE_SIDED -> new Chosen(OneSidedScan.single(setting, share.epsilon(), decisionBeta()), true);
            case ADAPTIVE -> new Chosen(AdaptiveScan.of(setting, share.epsilon()), true);
            case AUTOMATIC -> {
                Chosen single = new Chosen(ThresholdVariant.single(setting, share.epsilon()), true);
                if (share.rho().equals(Rho.ZERO)) {
                    // Under basic composition restarts have the larger noise, for every c and k.
                    yield single;
                }
                Chosen restart = restart(share, setting);
                yield bound(restart).compareTo(bound(single)) < 0 ? restart : single;
            }
        };
    }

    private static Chosen restart(PrivacyShare share, ThresholdVariant.Setting setting) {
        int runs = setting.maxPositives();
        Rational each = ThresholdVariant.ofEachRun(share, runs);
        boolean isPure = each.times(Rational.of(runs, 1)).compareTo(share.epsilon()) <= 0;
        return new Chosen(ThresholdVariant.restart(setting, each), isPure);
    }

    private BigInteger bound(Chosen chosen) {
        return chosen.comparisons().alphaSteps(queries.size(), decisionBeta());
    }

    /** With values, decisions and values may each fail with half of beta. */
    private double decisionBeta() {
        return form.release() == Release.VALUES ? beta / 2 : beta;
    }

    /** The noise of up to c values. One unit changes each by up to Δ, and all together by c·Δ in L1 and √c·Δ in L2. */
    private AdditiveNoise valueNoise(PrivacyShare share, ThresholdVariant.Setting setting) {
        BigInteger positives = BigInteger.valueOf(setting.maxPositives());
        BigInteger l1Sensitivity = setting.l1Sensitivity();
        return AdditiveNoise.best(
                share,
                l1Sensitivity.multiply(positives),
                l1Sensitivity.pow(2).multiply(positives),
                FailureProbability.ofEach(beta / 2, setting.maxPositives()));
    }

    @Override
    public Description description() {
        String suffix = form.allocation() == Allocation.TEXTBOOK ? "-textbook" : comparisons.suffix();
        Description description = comparisons.describe(Description.discreteLaplace(form.release().family + suffix)
                .with("maxPositives", comparisons.maxPositives())
                .with("monotone", queries.isMonotone())
                .withSteps("l1Sensitivity", Rational.of(queries.l1Sensitivity())));
        return valueNoise == null
                ? description
                : valueNoise.describe(description.with("valueNoise", valueNoise.name()), "valueScale");
    }

    @Override
    public List<Statistic> statistics() {
        return queries.statistics();
    }

    @Override
    public PrivacyEvent event() {
        return PrivacyShare.event(allowance, isPure);
    }

    /**
     * The bound on all decisions and released values, in steps of the common grid. It fails with probability at most
     * beta in all. Under {@code TEXTBOOK} it is the published bound; with a delta and values it is the corrected one.
     */
    public BigDecimal alphaSteps() {
        return switch (form.allocation()) {
            case TEXTBOOK ->
                BigDecimal.valueOf(TextbookSplit.alphaForUnitSensitivity(
                                allowance, queries.size(), comparisons.maxPositives(), valueNoise != null, beta))
                        .multiply(new BigDecimal(queries.l1Sensitivity()));
            case OPTIMAL -> new BigDecimal(optimalAlphaSteps());
        };
    }

    private BigInteger optimalAlphaSteps() {
        BigInteger decisions = comparisons.alphaSteps(queries.size(), decisionBeta());
        return valueNoise == null ? decisions : decisions.max(valueNoise.quantile(perPositive(beta / 2)));
    }

    /**
     * Half the width of each released value's interval. All of up to c intervals cover together with probability at
     * least 1 − beta. The values' noise is independent of the released positions, so this holds given any positions.
     * Empty where no values are released.
     */
    public Optional<BigInteger> intervalHalfWidthSteps() {
        return Optional.ofNullable(valueNoise).map(noise -> noise.quantile(perPositive(beta)));
    }

    private double perPositive(double probability) {
        return FailureProbability.ofEach(probability, comparisons.maxPositives());
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<BigInteger> values = queries.exact(exact.open());
        ThresholdScan.Outcome outcome = comparisons.run(values, queries.thresholdSteps(), bits);
        List<Positive> positives = new ArrayList<>();
        for (ThresholdScan.Found found : outcome.positives()) {
            positives.add(
                    switch (form.release()) {
                        case INDICES -> new Positive(found.index(), Optional.empty(), Optional.empty());
                        case GAPS -> new Positive(found.index(), Optional.empty(), Optional.of(found.gap()));
                        case VALUES ->
                            new Positive(
                                    found.index(),
                                    Optional.of(values.get(found.index())
                                            .add(requireNonNull(valueNoise).sample(bits))),
                                    Optional.empty());
                    });
        }
        return new Answer(positives, outcome.examined(), outcome.halted());
    }

    /**
     * One statistic called positive.
     *
     * @param index its position
     * @param valueSteps its value with fresh noise, in common steps, if values are released
     * @param gapSteps how far its comparison was above the noisy threshold, in common steps, if gaps are released
     */
    public record Positive(int index, Optional<BigInteger> valueSteps, Optional<BigInteger> gapSteps) {}

    /**
     * The outcome of a run.
     *
     * @param positives by ascending position, at most c
     * @param examined the number of examined statistics: up to the last permitted positive, else all
     * @param halted whether the last permitted positive was released: the c-th, or for the adaptive variant the one
     *     after which epsilon covers no further positive
     */
    public record Answer(List<Positive> positives, int examined, boolean halted) {}
}
