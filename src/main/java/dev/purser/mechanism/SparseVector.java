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
 * The positions of up to c statistics that are above a public threshold, and on request a value or a gap for each.
 *
 * <p>Guarantee: the allowance it is built for, whatever the number of statistics, under the queries' neighbourhood. Values carry
 * fresh noise, drawn apart from the comparison's. Gaps are those of the comparison itself, for nothing more, and never together
 * with a value. Allocations:
 *
 * <ul>
 *   <li>{@code OPTIMAL}: the variant asked for, or the one with the least bound; values get half of the allowance.
 *   <li>{@code TEXTBOOK}: c runs of AboveThreshold, as in Dwork and Roth 2014, algorithms 2 and 3; values get a ninth of
 *       epsilon, or with a delta 1/(√512 + 1) of it.
 * </ul>
 *
 * <p>Variants, all within the same allowance: one noisy threshold for all c positives (Lyu, Su and Li 2017, algorithm 7), the
 * best under pure privacy; a restart after each positive, better for many positives where rhos add up; one-sided noise (Liu
 * et al. 2024); and the adaptive one (Ding et al. 2019). Argument in {@code SparseVector.md}.
 */
public final class SparseVector implements Mechanism<SparseVector.Answer> {
    /** What is released of a positive besides its position. */
    public enum Release {
        /** Nothing: all of the allowance goes into the comparisons. */
        INDICES("sparse"),
        /** A value with fresh noise, for a share of the allowance. */
        VALUES("numeric-sparse"),
        /** How far the noisy comparison was above the noisy threshold, which costs nothing more. */
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

    /** Which member of the family compares. */
    public enum Variant {
        /** The one with the least bound of single threshold and restart. */
        AUTOMATIC,
        SINGLE_THRESHOLD,
        RESTART,
        ONE_SIDED,
        /** Without values: it has positives of two prices. */
        ADAPTIVE
    }

    /** What is wanted: with the textbook's allocation, of the automatic variant only. */
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
     * The mechanism for an allowance.
     *
     * @throws IllegalArgumentException if the textbook's split of an epsilon and a delta is not private at this epsilon: see
     *     {@link #isPrivateFor}
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
                // Under rho the two halves may each have more than half of epsilon, and are pure at no stated one.
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

    /** Whether the textbook's noise for this epsilon and delta keeps what it states; it does for all but large epsilons. */
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
                    // At basic composition the restarts have the larger noise, whatever c and k.
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

    /** For up to c values, each of which one unit moves by up to Δ: by c·Δ together in L1, by √c·Δ in L2. */
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
     * The bound on every decision, and on every released value, that fails with probability at most beta in all; in steps of
     * the common grid. Under {@code TEXTBOOK} it is the published one, with a delta and values the corrected one.
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
     * Half the width of each released value's interval: all of up to c intervals cover together with probability at least
     * 1 − beta. The values' noise is independent of which positions were released, so this holds given any of them. Empty
     * where no values are released.
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
     * What was found.
     *
     * @param positives by ascending position, at most c
     * @param examined how many statistics were looked at: up to the last permitted positive, else all
     * @param halted whether the last permitted positive was released: the c-th, or of the adaptive variant the one after which
     *     no further one could be paid for
     */
    public record Answer(List<Positive> positives, int examined, boolean halted) {}
}
