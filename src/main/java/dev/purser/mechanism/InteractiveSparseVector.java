package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The sparse vector technique as a conversation: statistics are compared with a public threshold one at a time. Each
 * may be chosen by the replies so far. A reply says whether the statistic was found above the threshold. On request it
 * adds a value or a gap, for up to c positives.
 *
 * <p>Guarantee: the allowance it is built for, for the whole conversation and any number of statistics of its family,
 * under the neighbouring relation and privacy unit of the family. It also holds if questions to other mechanisms are
 * asked between its own questions. The noises are the noises of {@link SparseVector}, in every variant. Argument in
 * {@code InteractiveSparseVector.md}.
 *
 * <p>Conditions, which the caller keeps:
 *
 * <ul>
 *   <li>The whole allowance is charged before {@link #begin}, and {@link #begin} is called once.
 *   <li>The {@link ScanState} stays secret. Each comparison gets the state that the comparison before returned. Its
 *       reply is published only if the new state replaces that state. After a failure, either the state of the last
 *       published reply is used again, or the conversation is over.
 * </ul>
 */
public final class InteractiveSparseVector {
    /** The number of statistics at which the bounds are compared if the number of statistics is not limited. */
    private static final int QUERIES_IF_UNLIMITED = 1_000;

    private final ThresholdFamily family;
    private final BigInteger thresholdSteps;
    private final SparseVectorNoise noise;

    /**
     * Builds the mechanism for an allowance.
     *
     * @param thresholdSteps the threshold, in the family's common steps
     * @param maxPositives c
     * @param maxQueries the largest number of statistics. The stated accuracy depends on it; privacy does not. The
     *     caller enforces it. {@code AUTOMATIC} picks the variant that has the smaller bound at this number, or at 1000
     *     if the number is not limited. {@code ONE_SIDED} requires it, because its public shift of the threshold
     *     depends on it.
     * @param form a form with the allocation {@code OPTIMAL}
     */
    public InteractiveSparseVector(
            PrivacyAllowance allowance,
            ThresholdFamily family,
            BigInteger thresholdSteps,
            int maxPositives,
            OptionalInt maxQueries,
            SparseVector.Form form,
            double beta) {
        if (form.allocation() != SparseVector.Allocation.OPTIMAL) {
            throw new IllegalArgumentException("a conversation has the optimal allocation");
        }
        if (form.variant() == SparseVector.Variant.ONE_SIDED && maxQueries.isEmpty()) {
            throw new IllegalArgumentException("the one-sided variant requires a largest number of statistics");
        }
        this.family = family;
        this.thresholdSteps = thresholdSteps;
        ThresholdVariant.Setting setting = new ThresholdVariant.Setting(
                family.l1Sensitivity(), family.monotone(), maxQueries.orElse(QUERIES_IF_UNLIMITED), maxPositives);
        this.noise = SparseVectorNoise.of(allowance, setting, form, beta);
    }

    /** The description has the name of the {@link SparseVector} with the same noises. */
    public Description description() {
        return noise.description();
    }

    /** The privacy event of the whole conversation. */
    public PrivacyEvent event() {
        return noise.event();
    }

    /**
     * The bound on all decisions and released values, in common steps. It fails with probability at most beta in all.
     *
     * @param queries the number of statistics asked, at least 1
     */
    public BigDecimal alphaSteps(int queries) {
        if (queries < 1) {
            throw new IllegalArgumentException("the bound is for at least one statistic");
        }
        return new BigDecimal(noise.alphaSteps(queries));
    }

    /** Half the width of each released value's interval, as {@link SparseVector#intervalHalfWidthSteps}. */
    public Optional<BigInteger> intervalHalfWidthSteps() {
        return noise.intervalHalfWidthSteps();
    }

    /** The state before the first comparison, with the first noisy threshold's noise. */
    public ScanState begin(RandomBits bits) {
        return noise.comparisons().begin(bits);
    }

    /**
     * The most positives that may still follow: 0 if and only if the conversation is over. This number may be
     * published. In the adaptive variant it can reveal which comparison found a positive. The argument counts that as
     * released.
     */
    public int positivesLeft(ScanState state) {
        return noise.comparisons().positivesLeft(state);
    }

    /**
     * Compares one statistic.
     *
     * @param state the state that the comparison before returned
     * @param stepFactor the number of common steps in one step of the statistic
     * @param exact the bucket tables that the statistic refers to
     * @throws IllegalStateException if the conversation is over
     * @throws IllegalArgumentException if the family does not admit the statistic
     */
    public Reply ask(
            ScanState state,
            Statistic statistic,
            BigInteger stepFactor,
            Neighborhood neighborhood,
            Sensitive<List<Buckets>> exact,
            RandomBits bits) {
        if (!family.admits(statistic, stepFactor, neighborhood)) {
            throw new IllegalArgumentException("the statistic is not one of the declared family");
        }
        BigInteger value = statistic.of(exact.open()).multiply(stepFactor);
        ThresholdVariant.Examined examined = noise.comparisons().examine(state, value.subtract(thresholdSteps), bits);
        Optional<SparseVectorNoise.Shown> shown = examined.gap().map(gap -> noise.shown(value, gap, bits));
        return new Reply(
                shown.isPresent(),
                shown.flatMap(SparseVectorNoise.Shown::valueSteps),
                shown.flatMap(SparseVectorNoise.Shown::gapSteps),
                examined.next());
    }

    /**
     * One reply. Everything but the state is public.
     *
     * @param above whether the statistic was called positive
     * @param valueSteps a positive's value with fresh noise, in common steps, if values are released
     * @param gapSteps how far a positive's comparison was above the noisy threshold, if gaps are released
     * @param next secret: the state for the next comparison
     */
    public record Reply(
            boolean above, Optional<BigInteger> valueSteps, Optional<BigInteger> gapSteps, ScanState next) {}
}
