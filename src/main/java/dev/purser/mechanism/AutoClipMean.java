package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mean with a privately found clip range. The search for the range gets a fifth of epsilon. The {@link TwoSidedMean}
 * of the values clamped to the found range gets four fifths.
 *
 * <p>If the declared range lies on one side of zero, the bound nearer zero is kept and the other bound is searched. If
 * zero lies inside the range, both bounds are searched from zero outwards, each with half of the search's share.
 * Guarantee: epsilon-differentially private under the target's neighbouring relation and privacy unit, by composition.
 * The found bound is an answer of {@link AboveThreshold} and is released with the mean. Argument in
 * {@code AutoClipMean.md}.
 */
public final class AutoClipMean implements MeanMechanism {
    private static final int ROUNDING = 4;

    private final Epsilon epsilon;
    private final MeanTarget target;
    private final double beta;
    private final @Nullable ClipSearch upwards;
    private final @Nullable ClipSearch downwards;
    private final PrivacyAllowance forMean;

    public AutoClipMean(Epsilon epsilon, MeanTarget target, double beta) {
        this.epsilon = epsilon;
        this.target = target;
        this.beta = FailureProbability.checked(beta);
        Rational whole = ExactArithmetic.of(epsilon);
        Rational fifth = whole.dividedBy(Rational.of(5, 1));
        boolean straddlesZero = target.lower() < 0 && target.upper() > 0;
        Rational perSearch = straddlesZero ? fifth.dividedBy(Rational.of(2, 1)) : fifth;
        boolean isOnePoint = target.lower() == target.upper();
        this.upwards = target.upper() > 0 && !isOnePoint
                ? ClipSearch.upwards(target, Math.max(0, target.lower()), perSearch, whole)
                : null;
        this.downwards = target.lower() < 0 && !isOnePoint
                ? ClipSearch.downwards(target, Math.min(0, target.upper()), perSearch, whole)
                : null;
        this.forMean = new PrivacyAllowance.Pure(new Epsilon(4 * epsilon.nanos() / 5));
    }

    @Override
    public Description description() {
        return Description.discreteLaplace("auto-clip-mean")
                .with("searchEpsilonShare", "0.2")
                .with("meanEpsilonShare", "0.8");
    }

    @Override
    public List<Statistic> statistics() {
        List<Statistic> statistics = new ArrayList<>();
        statistics.add(target.sum());
        statistics.add(target.count());
        if (upwards != null) {
            statistics.addAll(upwards.queries().statistics());
            upwards.candidates()
                    .forEach(upper -> statistics.add(
                            target.clampedTo(Math.max(0, target.lower()), upper).sum()));
        }
        if (downwards != null) {
            statistics.addAll(downwards.queries().statistics());
            downwards
                    .candidates()
                    .forEach(lower -> statistics.add(
                            target.clampedTo(lower, Math.min(0, target.upper())).sum()));
        }
        return statistics;
    }

    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
    }

    /**
     * Uses the noise of the declared range. A range that is found inside it needs no more noise. Only the rounding up
     * of its bounds on the noise can be larger: by fewer than {@value #ROUNDING} rows.
     */
    @Override
    public BigDecimal expectedAlphaSteps(long rows) {
        if (rows >= 1 && rows <= ROUNDING) {
            return BigDecimal.valueOf(target.upper() - target.lower());
        }
        return in(target).expectedAlphaSteps(rows - ROUNDING);
    }

    @Override
    public MeanAnswer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<Buckets> tables = exact.open();
        long upper = upwards == null ? target.upper() : upwards.find(tables, bits);
        long lower = downwards == null ? target.lower() : downwards.find(tables, bits);
        return in(target.clampedTo(lower, upper)).release(exact, bits);
    }

    private TwoSidedMean in(MeanTarget range) {
        return new TwoSidedMean(forMean, range, beta);
    }
}
