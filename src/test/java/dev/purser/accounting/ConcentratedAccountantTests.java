package dev.purser.accounting;

import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ConcentratedAccountantTests extends AccountantContract {
    private static final Delta DELTA = Delta.parse("1e-6");

    @Override
    Accountant accountant() {
        return new ConcentratedAccountant();
    }

    @Override
    PrivacyEvent randomEvent(Random random) {
        // Each price of a pure release takes a logarithm, so a few are enough.
        return random.nextInt(20) == 0
                ? new PrivacyEvent.PureDifferentialPrivacy(new Epsilon(1 + random.nextLong(1_000_000_000)))
                : new PrivacyEvent.ConcentratedDifferentialPrivacy(
                        new Rho(1 + random.nextLong(random.nextBoolean() ? 1_000 : Rho.PICOS_PER_UNIT)));
    }

    @Override
    PrivacyAmount randomLimit(Random random) {
        return new PrivacyAmount(
                Epsilon.parse("1"), DELTA, new Rho(random.nextLong(random.nextBoolean() ? 10_000 : Rho.MAX.picos())));
    }

    /** How much a budget of (1, 1e-6) buys: 100 such counts when epsilons are added, 487 when rhos are. */
    @Test
    void admits487CountsOfAHundredth() {
        PrivacyAmount limit = accountant().limit(Epsilon.parse("1"), DELTA);
        PrivacyEvent count = new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("0.01"));

        assertThat(accountant().charge(count).timesWithin(limit)).isEqualTo(487);
        assertThat(new PureAccountant()
                        .charge(count)
                        .timesWithin(new PureAccountant().limit(Epsilon.parse("1"), Delta.ZERO)))
                .isEqualTo(100);
    }

    @Test
    void statesTheEpsilonOfARhoAtTheLimitsDelta() {
        PrivacyAmount limit = accountant().limit(Epsilon.parse("1"), DELTA);
        Rho half = new Rho(limit.rho().picos() / 2);

        assertThat(accountant().stated(limit, limit))
                .isEqualTo(new StatedAmount(Epsilon.parse("1"), DELTA, limit.rho()));
        assertThat(accountant().stated(PrivacyAmount.ZERO, limit))
                .isEqualTo(new StatedAmount(Epsilon.ZERO, Delta.ZERO, Rho.ZERO));
        StatedAmount ofHalf = accountant().stated(PrivacyAmount.concentrated(half), limit);
        assertThat(ofHalf.rho()).isEqualTo(half);
        assertThat(ofHalf.epsilon()).isBetween(Epsilon.parse("0.6"), Epsilon.parse("0.8"));
    }

    /** Rounding against the spender never shows more than the limit. */
    @Test
    void statesNothingWithinTheLimitAboveIt() {
        for (String epsilon : new String[] {"0.1", "1", "3", "12.345678", "1000000"}) {
            PrivacyAmount limit = accountant().limit(Epsilon.parse(epsilon), DELTA);
            PrivacyAmount almost =
                    PrivacyAmount.concentrated(new Rho(limit.rho().picos() - 1));

            assertThat(accountant().stated(almost, limit).epsilon()).isLessThanOrEqualTo(Epsilon.parse(epsilon));
        }
    }

    @Test
    void hasNoPriceForDelta() {
        PrivacyEvent event = new PrivacyEvent.ApproximateDifferentialPrivacy(Epsilon.parse("1"), DELTA);

        assertThatIllegalArgumentException().isThrownBy(() -> accountant().charge(event));
    }

    @Test
    void takesTheEpsilonThatIsAskedForAsRho() {
        assertThat(accountant().allowance(Epsilon.parse("1"), Delta.ZERO))
                .isEqualTo(new PrivacyAllowance.Concentrated(Epsilon.parse("1")));
        assertThat(accountant().limit(Epsilon.parse("1"), DELTA))
                .isEqualTo(new PrivacyAmount(
                        Epsilon.parse("1"), DELTA, ConcentratedPrivacy.within(Epsilon.parse("1"), DELTA)));
        assertThat(accountant().charge(new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("1"))))
                .isEqualTo(PrivacyAmount.concentrated(ConcentratedPrivacy.ofPure(Epsilon.parse("1"))));
    }
}
