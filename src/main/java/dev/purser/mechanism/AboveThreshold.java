package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalInt;

/**
 * The position of the first of k statistics that is found above a public threshold, or the answer that there is none.
 *
 * <p>Guarantee: epsilon-differentially private for any k, under the queries' neighbouring relation and privacy unit.
 * The threshold noise is Lap(Δ/ε1) and the comparison noise Lap(f·Δ/ε2), with ε1 : ε2 = 1 : f^(2/3) and f = 1 for a
 * monotone list, 2 otherwise. "None" is an outcome of its own. Argument in {@code AboveThreshold.md}. Source: Dwork and
 * Roth 2014, algorithm 1; Lyu, Su and Li 2017, algorithm 7.
 */
public final class AboveThreshold implements Mechanism<AboveThreshold.Answer> {
    /** The answer when no statistic was called positive. */
    public enum WhenNone {
        /** The answer says that there is none. */
        NONE,
        /** A uniform position, which looks like a found position: post-processing for callers that need a position. */
        RANDOM
    }

    private final Epsilon epsilon;
    private final ThresholdQueries queries;
    private final ThresholdScan scan;
    private final WhenNone whenNone;
    private final double beta;

    public AboveThreshold(Epsilon epsilon, ThresholdQueries queries, WhenNone whenNone, double beta) {
        this.epsilon = epsilon;
        this.queries = queries;
        this.whenNone = whenNone;
        this.scan = scanFor(ExactArithmetic.of(epsilon), queries);
        this.beta = FailureProbability.checked(beta);
    }

    static ThresholdScan scanFor(Rational epsilon, ThresholdQueries queries) {
        return ThresholdVariant.single(queries.setting(1), epsilon);
    }

    @Override
    public Description description() {
        return scan.describe(Description.discreteLaplace("above-threshold")
                .with("monotone", queries.isMonotone())
                .withSteps("l1Sensitivity", Rational.of(queries.l1Sensitivity())));
    }

    @Override
    public List<Statistic> statistics() {
        return queries.statistics();
    }

    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
    }

    /** The error bound, in steps of the queries' common grid: see {@link ThresholdAccuracy}. */
    public BigInteger alphaSteps() {
        return scan.alphaSteps(queries.size(), beta);
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<ThresholdVariant.Found> positives = scan.run(queries.exact(exact.open()), queries.thresholdSteps(), bits)
                .positives();
        if (!positives.isEmpty()) {
            return new Answer(OptionalInt.of(positives.getFirst().index()));
        }
        return new Answer(
                switch (whenNone) {
                    case NONE -> OptionalInt.empty();
                    case RANDOM -> OptionalInt.of((int) UniformInteger.below(queries.size(), bits));
                });
    }

    /**
     * The position of the first positive.
     *
     * @param index the position, or empty if no statistic was called positive
     */
    public record Answer(OptionalInt index) {}
}
