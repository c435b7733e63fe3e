package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The positions of up to c statistics that are found above a public threshold, and on request a value or a gap for
 * each.
 *
 * <p>Guarantee: the allowance it is built for, for any number of statistics, under the queries' neighbouring relation
 * and privacy unit. Values carry fresh noise, independent of the comparisons' noise. Gaps come from the comparisons
 * themselves, at no extra loss. They are never released together with a value. Allocations:
 *
 * <ul>
 *   <li>{@code OPTIMAL}: the requested variant, or the variant with the smallest bound; values get half of the
 *       allowance.
 *   <li>{@code TEXTBOOK}: c runs of AboveThreshold, as in Dwork and Roth 2014, algorithms 2 and 3; values get a ninth
 *       of epsilon, or with a delta 1/(√512 + 1) of it.
 * </ul>
 *
 * <p>All variants keep the same allowance: one noisy threshold for all c positives (Lyu, Su and Li 2017, algorithm 7),
 * the best under pure privacy; a restart after each positive, better for many positives where rhos add up; one-sided
 * noise (Liu et al. 2024); and the adaptive variant (Ding et al. 2019). Argument in {@code SparseVector.md}.
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

        /** The beginning of the names of all mechanisms with this release. */
        String family() {
            return family;
        }
    }

    /** How the allowance is divided. */
    public enum Allocation {
        OPTIMAL,
        TEXTBOOK
    }

    /** The variant of the comparisons. */
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

    private final ThresholdQueries queries;
    private final SparseVectorNoise noise;

    /**
     * Builds the mechanism for an allowance.
     *
     * @throws IllegalArgumentException if the textbook's split of an epsilon and a delta is not private at this
     *     epsilon: see {@link #isPrivateFor}
     */
    public SparseVector(
            PrivacyAllowance allowance, ThresholdQueries queries, int maxPositives, Form form, double beta) {
        this.queries = queries;
        this.noise = SparseVectorNoise.of(allowance, queries.setting(maxPositives), form, beta);
    }

    /** Whether the textbook's noise keeps the stated epsilon and delta. It does except for large epsilons. */
    public static boolean isPrivateFor(PrivacyAllowance allowance, int maxPositives, Form form) {
        return form.allocation() == Allocation.OPTIMAL
                || TextbookSplit.isPrivateFor(allowance, maxPositives, form.release() == Release.VALUES);
    }

    @Override
    public Description description() {
        return noise.description();
    }

    @Override
    public List<Statistic> statistics() {
        return queries.statistics();
    }

    @Override
    public PrivacyEvent event() {
        return noise.event();
    }

    /**
     * The bound on all decisions and released values, in steps of the common grid. It fails with probability at most
     * beta in all. Under {@code TEXTBOOK} it is the published bound. With a delta and values it is the corrected bound.
     */
    public BigDecimal alphaSteps() {
        return switch (noise.form().allocation()) {
            case TEXTBOOK ->
                BigDecimal.valueOf(TextbookSplit.alphaForUnitSensitivity(
                                noise.allowance(),
                                queries.size(),
                                noise.setting().maxPositives(),
                                noise.values() != null,
                                noise.beta()))
                        .multiply(new BigDecimal(noise.setting().l1Sensitivity()));
            case OPTIMAL -> new BigDecimal(noise.alphaSteps(queries.size()));
        };
    }

    /**
     * Half the width of each released value's interval. All of up to c intervals cover together with probability at
     * least 1 − beta. The values' noise is independent of the released positions, so this holds given any positions.
     * Empty where no values are released.
     */
    public Optional<BigInteger> intervalHalfWidthSteps() {
        return noise.intervalHalfWidthSteps();
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<BigInteger> values = queries.exact(exact.open());
        ThresholdVariant.Outcome outcome = noise.comparisons().run(values, queries.thresholdSteps(), bits);
        List<Positive> positives = new ArrayList<>();
        for (ThresholdVariant.Found found : outcome.positives()) {
            SparseVectorNoise.Shown shown = noise.shown(values.get(found.index()), found.gap(), bits);
            positives.add(new Positive(found.index(), shown.valueSteps(), shown.gapSteps()));
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
     * @param halted whether the last permitted positive was released: the c-th, or for the adaptive variant the
     *     positive after which epsilon covers no further positive
     */
    public record Answer(List<Positive> positives, int examined, boolean halted) {}
}
