package dev.purser.mechanism;

import dev.purser.noise.DiscreteGaussianPmf;
import dev.purser.noise.NoisePmf;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What Gaussian noise loses, over all events at once, against every epsilon and delta that its rho converts to. */
class GaussianExactLossTests {
    /** The exact divergence of neighbouring answers over all events at once: at most delta, above delta / 1,000. */
    @ParameterizedTest
    @CsvSource({"0.1, 0.000001", "1, 0.001", "1, 0.000001", "1, 0.000000001", "4, 0.000001"})
    void keepEveryEpsilonAndDelta(String epsilon, String delta) {
        PrivacyAllowance.Concentrated allowance = new PrivacyAllowance.Concentrated(Epsilon.parse(epsilon));
        for (long rows : new long[] {1, 3}) {
            NoisyStatistic mechanism = NoisyStatistic.count(
                    allowance, Statistic.Count.ofAll(0, false), SmallData.addOrRemoveUnit((int) rows), 1e-9);
            assertThat(mechanism.event()).isEqualTo(allowance.event());
            double deviation = ExactTranscripts.scale(mechanism.description(), "scale");
            double converted = ConcentratedPrivacy.epsilon(allowance.rho(), Delta.parse(delta))
                            .nanos()
                    / (double) Epsilon.NANOS_PER_UNIT;
            double divergence = divergence(new DiscreteGaussianPmf(deviation * deviation), rows, converted, deviation);
            assertThat(divergence)
                    .isLessThanOrEqualTo(Double.parseDouble(delta))
                    .isGreaterThan(Double.parseDouble(delta) / 1_000);
        }
    }

    /** Σ max(0, p(x) − e^ε · p(x − Δ)). */
    private static double divergence(NoisePmf noise, long moved, double epsilon, double deviation) {
        long reach = (long) (40 * deviation) + moved;
        double total = 0;
        for (long x = -reach; x <= reach; x++) {
            total += Math.max(0, noise.probability(x) - Math.exp(epsilon) * noise.probability(x - moved));
        }
        return total;
    }
}
