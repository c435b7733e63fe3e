package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.Rho;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Two halves, each in either of its forms, fit into the whole, whatever rounding does. */
class PrivacyShareTests {
    private static final Rational TWO = Rational.of(2, 1);

    @ParameterizedTest
    @ValueSource(strings = {"0.000001", "0.000001001", "0.3", "100"})
    void halvesOfPureEpsilonAreExact(String text) {
        Epsilon epsilon = Epsilon.parse(text);
        PrivacyShare half = PrivacyShare.halfOf(new PrivacyAllowance.Pure(epsilon));
        assertThat(half.epsilon().times(TWO)).isEqualTo(ExactArithmetic.of(epsilon));
        assertThat(half.rho()).isEqualTo(Rho.ZERO);
        assertThat(PrivacyShare.of(new PrivacyAllowance.Pure(epsilon)))
                .isEqualTo(new PrivacyShare(ExactArithmetic.of(epsilon), Rho.ZERO));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0.000001",
        "1, 0.000000000000000001",
        "1, 0.000000000000000003",
        "0.000001, 0.01",
        "0.000001001, 0.000000001",
        "0.3, 0.000000000000000002",
        "100, 0.01"
    })
    void halvesOfAnEpsilonAndADeltaHaveHalfOfEach(String text, String smallDelta) {
        Epsilon epsilon = Epsilon.parse(text);
        Delta delta = Delta.parse(smallDelta);
        PrivacyAllowance allowance = new PrivacyAllowance.Approximate(epsilon, delta);
        PrivacyShare half = PrivacyShare.halfOf(allowance);
        assertThat(half.epsilon().times(TWO)).isEqualTo(ExactArithmetic.of(epsilon));
        if (delta.attos() < 2) {
            assertThat(half.rho()).isEqualTo(Rho.ZERO);
        } else {
            assertWithin(half.rho(), new Epsilon(epsilon.nanos() / 2), new Delta(delta.attos() / 2));
        }
        PrivacyShare whole = PrivacyShare.of(allowance);
        assertThat(whole.epsilon()).isEqualTo(ExactArithmetic.of(epsilon));
        assertWithin(whole.rho(), epsilon, delta);
        assertThat(half.rho()).isLessThanOrEqualTo(whole.rho());
    }

    private static void assertWithin(Rho rho, Epsilon epsilon, Delta delta) {
        // The conversion back is rounded up to a nano-epsilon.
        assertThat(ConcentratedPrivacy.epsilon(rho, delta).nanos()).isLessThanOrEqualTo(epsilon.nanos() + 1);
    }

    @Test
    void halvesOfARhoAreHalvesInRhoOrInPureEpsilon() {
        // Every epsilon near the least one, where a half of rho is a few units or none, and some larger ones.
        for (long nanos = 1_000; nanos <= 6_000; nanos += 7) {
            assertHalvesFit(new Epsilon(nanos));
        }
        for (String text : new String[] {"0.000123457", "0.01", "0.7", "1", "3.000000001", "100"}) {
            assertHalvesFit(Epsilon.parse(text));
        }
    }

    private static void assertHalvesFit(Epsilon epsilon) {
        PrivacyAllowance.Concentrated allowance = new PrivacyAllowance.Concentrated(epsilon);
        PrivacyShare half = PrivacyShare.halfOf(allowance);
        if (half.rho().equals(Rho.ZERO)) {
            // Then no rho is used. The pure parts are within the epsilon that the rho was made from.
            assertThat(half.epsilon().times(TWO)).isLessThanOrEqualTo(ExactArithmetic.of(epsilon));
            return;
        }
        assertThat(2 * half.rho().picos()).isLessThanOrEqualTo(allowance.rho().picos());
        Rational nanos = half.epsilon().times(Rational.of(Epsilon.NANOS_PER_UNIT, 1));
        assertThat(nanos.denominator()).isEqualTo(BigInteger.ONE);
        Epsilon pure = new Epsilon(nanos.numerator().longValueExact());
        assertThat(ConcentratedPrivacy.ofPure(pure))
                .as("the rho of a pure half of %s", epsilon)
                .isLessThanOrEqualTo(half.rho());
        assertThat(half.epsilon().times(TWO).plus(Rational.of(1, Epsilon.NANOS_PER_UNIT)))
                .isGreaterThanOrEqualTo(ExactArithmetic.of(epsilon));
    }
}
