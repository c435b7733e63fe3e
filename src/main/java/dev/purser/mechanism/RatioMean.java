package dev.purser.mechanism;

import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/**
 * The common part of the means with fixed bounds: one {@link NoisyRatio}. The note of each mean argues for its two
 * scales.
 */
abstract sealed class RatioMean implements MeanMechanism, Refinable<MeanAnswer>
        permits SumAndCountMean, CenteredMean, KnownCountMean {
    private final String name;
    private final Epsilon epsilon;
    private final double beta;
    private final NoisyRatio ratio;

    /** @param epsilon the loss of both noises of {@code ratio} together */
    RatioMean(String name, Epsilon epsilon, double beta, NoisyRatio ratio) {
        this.name = name;
        this.epsilon = epsilon;
        this.beta = FailureProbability.checked(beta);
        this.ratio = ratio;
    }

    @Override
    public final Description description() {
        return ratio.describe(Description.discreteLaplace(name));
    }

    @Override
    public final List<Statistic> statistics() {
        return ratio.statistics();
    }

    @Override
    public final PrivacyEvent event() {
        return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
    }

    @Override
    public final BigDecimal expectedAlphaSteps(long rows) {
        return ratio.expectedAlphaSteps(rows, beta);
    }

    @Override
    public final Stream<AdditiveNoise> noises() {
        return ratio.noises();
    }

    @Override
    public final MeanAnswer release(Sensitive<List<Buckets>> exact, IntegerRelease release) {
        return ratio.release(exact.open(), beta, release);
    }
}
