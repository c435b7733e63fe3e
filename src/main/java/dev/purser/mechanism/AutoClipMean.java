package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mean with a privately found clip range. The search for the range gets a fifth of epsilon, the noisy sum of the
 * values clamped to the found range three fifths, and the noisy count one fifth. Where the count is public, the sum
 * gets both.
 *
 * <p>A declared range on one side of zero keeps the bound nearer zero and searches for the other. A range that
 * straddles zero is searched from zero in both directions, with half the search share each. Guarantee:
 * epsilon-differentially private under the target's neighbouring relation and privacy unit, by composition. The found
 * bound is an answer of {@link AboveThreshold} and is released with the mean. Argument in {@code AutoClipMean.md}.
 */
public final class AutoClipMean implements MeanMechanism {
    private final Epsilon epsilon;
    private final MeanTarget target;
    private final double beta;
    private final @Nullable ClipSearch upwards;
    private final @Nullable ClipSearch downwards;
    private final Rational forSum;
    private final Rational forCount;

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
        this.forCount = fifth;
        this.forSum = fifth.times(Rational.of(target.hasPublicCount() ? 4 : 3, 1));
    }

    @Override
    public Description description() {
        return Description.discreteLaplace("auto-clip-mean")
                .with("searchEpsilonShare", "0.2")
                .with("sumEpsilonShare", target.hasPublicCount() ? "0.8" : "0.6")
                .with("countEpsilonShare", target.hasPublicCount() ? "0" : "0.2");
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

    /** Uses the noise of the declared range: a range found inside it is no wider and needs no more noise. */
    @Override
    public BigDecimal expectedAlphaSteps(long rows) {
        return NoisyRatio.plain(target, forSum, forCount).expectedAlphaSteps(rows, beta);
    }

    @Override
    public MeanAnswer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<Buckets> tables = exact.open();
        long upper = upwards == null ? target.upper() : upwards.find(tables, bits);
        long lower = downwards == null ? target.lower() : downwards.find(tables, bits);
        return NoisyRatio.plain(target.clampedTo(lower, upper), forSum, forCount)
                .release(tables, beta, bits);
    }
}
