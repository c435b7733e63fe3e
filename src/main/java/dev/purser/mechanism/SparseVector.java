package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
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
 * <p>Guarantee: epsilon-differentially private, whatever the number of statistics, under the queries' neighbourhood. Values
 * carry fresh noise of scale c·Δ/ε_values, drawn apart from the comparison's. Gaps are those of the comparison itself, for no
 * more epsilon, and never together with a value. Allocations:
 *
 * <ul>
 *   <li>{@code OPTIMAL}: one noisy threshold for all c positives, Lap(Δ/ε1) and Lap(f·c·Δ/ε2), ε1 : ε2 = 1 : (f·c)^(2/3) (Lyu,
 *       Su and Li 2017, algorithm 7); values get half of epsilon.
 *   <li>{@code TEXTBOOK}: c runs of AboveThreshold at ε/c each, a new noisy threshold after every positive, Lap(2cΔ/ε) and
 *       Lap(4cΔ/ε) (Dwork and Roth 2014, algorithms 2 and 3); values get a ninth of epsilon.
 * </ul>
 *
 * Argument in {@code SparseVector.md}.
 */
public final class SparseVector implements Mechanism<SparseVector.Answer> {
    /** What is released of a positive besides its position. */
    public enum Release {
        /** Nothing: all of epsilon goes into the comparisons. */
        INDICES,
        /** A value with fresh noise, for a share of epsilon. */
        VALUES,
        /** How far the noisy comparison was above the noisy threshold, which costs nothing more. */
        GAPS
    }

    /** How epsilon is divided. */
    public enum Allocation {
        OPTIMAL,
        TEXTBOOK
    }

    private final Epsilon epsilon;
    private final ThresholdQueries queries;
    private final Allocation allocation;
    private final Release release;
    private final double beta;
    private final ThresholdScan scan;
    private final @Nullable DiscreteLaplace valueNoise;

    private SparseVector(
            Epsilon epsilon,
            ThresholdQueries queries,
            Allocation allocation,
            Release release,
            double beta,
            ThresholdScan scan,
            @Nullable DiscreteLaplace valueNoise) {
        this.epsilon = epsilon;
        this.queries = queries;
        this.allocation = allocation;
        this.release = release;
        this.beta = FailureProbability.checked(beta);
        this.scan = scan;
        this.valueNoise = valueNoise;
    }

    /** The mechanism for a release. */
    public static SparseVector releasing(
            Release release,
            Epsilon epsilon,
            ThresholdQueries queries,
            int maxPositives,
            Allocation allocation,
            double beta) {
        return switch (release) {
            case INDICES, GAPS -> comparing(release, epsilon, queries, maxPositives, allocation, beta);
            case VALUES -> values(epsilon, queries, maxPositives, allocation, beta);
        };
    }

    /** Positions only: all of epsilon goes into the comparisons. */
    public static SparseVector indices(
            Epsilon epsilon, ThresholdQueries queries, int maxPositives, Allocation allocation, double beta) {
        return comparing(Release.INDICES, epsilon, queries, maxPositives, allocation, beta);
    }

    /** Positions and gaps: all of epsilon goes into the comparisons, and the gaps come with them. */
    public static SparseVector gaps(
            Epsilon epsilon, ThresholdQueries queries, int maxPositives, Allocation allocation, double beta) {
        return comparing(Release.GAPS, epsilon, queries, maxPositives, allocation, beta);
    }

    private static SparseVector comparing(
            Release release,
            Epsilon epsilon,
            ThresholdQueries queries,
            int maxPositives,
            Allocation allocation,
            double beta) {
        ThresholdScan scan = scan(Exact.of(epsilon), queries, maxPositives, allocation);
        return new SparseVector(epsilon, queries, allocation, release, beta, scan, null);
    }

    /** Positions and values. */
    public static SparseVector values(
            Epsilon epsilon, ThresholdQueries queries, int maxPositives, Allocation allocation, double beta) {
        Rational whole = Exact.of(epsilon);
        Rational forValues = whole.dividedBy(
                switch (allocation) {
                    case OPTIMAL -> Rational.of(2, 1);
                    case TEXTBOOK -> Rational.of(9, 1);
                });
        return new SparseVector(
                epsilon,
                queries,
                allocation,
                Release.VALUES,
                beta,
                scan(whole.minus(forValues), queries, maxPositives, allocation),
                // At most c values are released, each at ε_values/c.
                DiscreteLaplace.calibrated(
                        queries.l1Sensitivity().multiply(BigInteger.valueOf(maxPositives)), forValues));
    }

    private static ThresholdScan scan(
            Rational epsilon, ThresholdQueries queries, int maxPositives, Allocation allocation) {
        BigInteger l1Sensitivity = queries.l1Sensitivity();
        return switch (allocation) {
            case OPTIMAL -> {
                int factor = queries.isMonotone() ? 1 : 2;
                ThresholdSplit split = ThresholdSplit.optimal(epsilon, factor, maxPositives);
                yield new ThresholdScan(
                        split.thresholdNoise(l1Sensitivity),
                        split.comparisonNoise(l1Sensitivity, factor, maxPositives),
                        maxPositives,
                        false);
            }
            case TEXTBOOK -> {
                ThresholdSplit split = ThresholdSplit.even(epsilon.dividedBy(Rational.of(maxPositives, 1)));
                yield new ThresholdScan(
                        split.thresholdNoise(l1Sensitivity),
                        split.comparisonNoise(l1Sensitivity, 2, 1),
                        maxPositives,
                        true);
            }
        };
    }

    @Override
    public Description description() {
        String family = switch (release) {
            case INDICES -> "sparse";
            case VALUES -> "numeric-sparse";
            case GAPS -> "sparse-gaps";
        };
        String name = family + (allocation == Allocation.TEXTBOOK ? "-textbook" : "");
        Description description = Description.discreteLaplace(name)
                .with("maxPositives", scan.maxPositives())
                .with("monotone", queries.isMonotone())
                .withSteps("l1Sensitivity", Rational.of(queries.l1Sensitivity()))
                .withSteps("thresholdScale", scan.thresholdNoise().scale())
                .withSteps("comparisonScale", scan.comparisonNoise().scale());
        return valueNoise == null ? description : description.withSteps("valueScale", valueNoise.scale());
    }

    @Override
    public List<Statistic> statistics() {
        return queries.statistics();
    }

    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
    }

    /**
     * The bound on every decision, and on every released value, that fails with probability at most beta in all; in steps of
     * the common grid. Under {@code TEXTBOOK} it is the published one.
     */
    public BigDecimal alphaSteps() {
        return switch (allocation) {
            case TEXTBOOK -> publishedAlphaSteps();
            case OPTIMAL -> new BigDecimal(optimalAlphaSteps());
        };
    }

    private BigDecimal publishedAlphaSteps() {
        int k = queries.size();
        int c = scan.maxPositives();
        double eps = Exact.of(epsilon).doubleValue();
        double forUnitSensitivity = valueNoise == null
                ? ThresholdAccuracy.publishedSparse(k, c, beta, eps)
                : ThresholdAccuracy.publishedNumericSparse(k, c, beta, eps);
        return BigDecimal.valueOf(forUnitSensitivity).multiply(new BigDecimal(queries.l1Sensitivity()));
    }

    private BigInteger optimalAlphaSteps() {
        if (valueNoise == null) {
            return decisionAlphaSteps(beta);
        }
        return decisionAlphaSteps(beta / 2).max(valueNoise.twoSidedQuantile(perPositive(beta / 2)));
    }

    private BigInteger decisionAlphaSteps(double probability) {
        return ThresholdAccuracy.alphaSteps(scan.thresholdNoise(), scan.comparisonNoise(), queries.size(), probability);
    }

    /**
     * Half the width of each released value's interval: all of up to c intervals cover together with probability at least
     * 1 − beta. The values' noise is independent of which positions were released, so this holds given any of them. Empty
     * where no values are released.
     */
    public Optional<BigInteger> intervalHalfWidthSteps() {
        return Optional.ofNullable(valueNoise).map(noise -> noise.twoSidedQuantile(perPositive(beta)));
    }

    private double perPositive(double probability) {
        return FailureProbability.ofEach(probability, scan.maxPositives());
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<BigInteger> values = queries.exact(exact.open());
        ThresholdScan.Outcome outcome = scan.run(values, queries.thresholdSteps(), bits);
        List<Positive> positives = new ArrayList<>();
        for (ThresholdScan.Found found : outcome.positives()) {
            positives.add(
                    switch (release) {
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
     * @param halted whether the last permitted positive was released
     */
    public record Answer(List<Positive> positives, int examined, boolean halted) {}
}
