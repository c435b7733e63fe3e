package dev.purser.mechanism;

import dev.purser.noise.DiscreteGaussian;
import dev.purser.noise.Rational;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Which noise is added, from public facts alone, and how it is calibrated. */
class AdditiveNoiseTests {
    private static final BigInteger THREE = BigInteger.valueOf(3);

    private static AdditiveNoise best(PrivacyAllowance allowance, double probability) {
        return AdditiveNoise.best(PrivacyShare.of(allowance), THREE, THREE.pow(2), probability);
    }

    @ParameterizedTest
    @CsvSource({"1, 0.05, true", "1, 0.9, false", "0.1, 0.05, true", "20, 0.05, false", "4, 0.00001, true"})
    void isTheOneThatErrsLessWhereRhoIsCounted(String epsilon, double probability, boolean gaussian) {
        PrivacyAllowance.Concentrated allowance = new PrivacyAllowance.Concentrated(Epsilon.parse(epsilon));
        AdditiveNoise noise = best(allowance, probability);
        AdditiveNoise laplace = AdditiveNoise.laplace(THREE, ExactArithmetic.of(allowance.epsilon()));
        DiscreteGaussian normal = DiscreteGaussian.calibrated(THREE.pow(2), ExactArithmetic.of(allowance.rho()));
        assertThat(noise.isPure()).isEqualTo(!gaussian);
        assertThat(noise.quantile(probability))
                .isEqualTo(laplace.quantile(probability).min(normal.twoSidedQuantile(probability)));
    }

    @Test
    void isGaussianOfTheVarianceThatRhoAsksFor() {
        PrivacyAllowance.Concentrated counted = new PrivacyAllowance.Concentrated(Epsilon.parse("1"));
        assertVariance(best(counted, 0.05), counted.rho());
        PrivacyAllowance.Approximate small =
                new PrivacyAllowance.Approximate(Epsilon.parse("0.001"), Delta.parse("0.005"));
        assertVariance(best(small, 0.05), ConcentratedPrivacy.within(small.epsilon(), small.delta()));
    }

    private static void assertVariance(AdditiveNoise noise, Rho rho) {
        assertThat(noise)
                .isInstanceOfSatisfying(
                        AdditiveNoise.Gaussian.class,
                        gaussian -> assertThat(gaussian.distribution()
                                        .variance()
                                        .times(ExactArithmetic.of(rho))
                                        .times(Rational.of(2, 1)))
                                .isEqualTo(Rational.of(9, 1)));
    }

    @Test
    void isLaplaceWhereNoRhoIsKnownOrNothingCanMove() {
        assertThat(best(new PrivacyAllowance.Pure(Epsilon.parse("1")), 0.05).isPure())
                .isTrue();
        PrivacyShare share = PrivacyShare.of(new PrivacyAllowance.Concentrated(Epsilon.parse("1")));
        AdditiveNoise none = AdditiveNoise.best(share, BigInteger.ZERO, BigInteger.ZERO, 0.05);
        assertThat(none.isPure()).isTrue();
        assertThat(none.quantile(0.05)).isZero();
    }

    @Test
    void decidesWhatIsCharged() {
        Statistic.Count all = Statistic.Count.ofAll(0, false);
        Epsilon one = Epsilon.parse("1");
        PrivacyAllowance.Concentrated counted = new PrivacyAllowance.Concentrated(one);
        PrivacyAllowance.Approximate approximate = new PrivacyAllowance.Approximate(one, Delta.parse("0.000001"));
        assertThat(NoisyStatistic.count(counted, all, SmallData.ADD_OR_REMOVE_ROW, 0.05)
                        .event())
                .isEqualTo(counted.event());
        // Laplace noise has the smaller error here. Then the delta is not spent.
        assertThat(NoisyStatistic.count(approximate, all, SmallData.ADD_OR_REMOVE_ROW, 0.05)
                        .event())
                .isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(one));
    }

    @ParameterizedTest
    @CsvSource({"SINGLE_THRESHOLD", "RESTART", "ONE_SIDED"})
    void ofReleasedValuesHasTheirTogetherInL2(SparseVector.Variant variant) {
        // c = 5 values of sensitivity 2 in half of rho: variance 5 · 2² / (2 · rho / 2).
        PrivacyAllowance.Concentrated allowance = new PrivacyAllowance.Concentrated(Epsilon.parse("1"));
        ThresholdQueries queries = ThresholdQueries.ofCounts(
                List.of(new Statistic.Count(0, false, 0, 1)), 0, SmallData.addOrRemoveUnit(2));
        SparseVector mechanism = new SparseVector(
                allowance, queries, 5, PureMechanisms.optimal(SparseVector.Release.VALUES, variant), 0.05);
        double deviation = ExactTranscripts.scale(mechanism.description(), "valueScale");
        double half = allowance.rho().picos() / 2 / (double) Rho.PICOS_PER_UNIT;
        assertThat(mechanism.description().parameters()).containsEntry("valueNoise", Description.DISCRETE_GAUSSIAN);
        assertThat(deviation * deviation).isEqualTo(20 / (2 * half), within(1e-9));
        assertThat(mechanism.event()).isEqualTo(allowance.event());
    }
}
