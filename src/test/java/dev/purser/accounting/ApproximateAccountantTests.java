package dev.purser.accounting;

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

class ApproximateAccountantTests extends AccountantContract {
    @Override
    Accountant accountant() {
        return new ApproximateAccountant();
    }

    @Override
    PrivacyEvent randomEvent(Random random) {
        Epsilon epsilon = new Epsilon(1 + random.nextLong(random.nextBoolean() ? 1_000 : 100 * Epsilon.NANOS_PER_UNIT));
        return random.nextBoolean()
                ? new PrivacyEvent.PureDifferentialPrivacy(epsilon)
                : new PrivacyEvent.ApproximateDifferentialPrivacy(
                        epsilon,
                        new Delta(1 + random.nextLong(random.nextBoolean() ? 1_000 : Delta.ATTOS_PER_UNIT / 100)));
    }

    @Override
    PrivacyAmount randomLimit(Random random) {
        return accountant()
                .limit(
                        new Epsilon(random.nextLong(
                                random.nextBoolean() ? 10_000 : Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT)),
                        new Delta(random.nextLong(random.nextBoolean() ? 10_000 : Delta.ATTOS_PER_UNIT / 100)));
    }

    @Test
    void addsEpsilonAndDeltaApart() {
        PrivacyAmount limit = accountant().limit(Epsilon.parse("1"), Delta.parse("1e-6"));
        PrivacyEvent event = new PrivacyEvent.ApproximateDifferentialPrivacy(Epsilon.parse("0.1"), Delta.parse("6e-7"));

        Decision.Admitted first = (Decision.Admitted) accountant().decide(PrivacyAmount.ZERO, event, limit);
        assertThat(first.spentAfter()).isEqualTo(new PrivacyAmount(Epsilon.parse("0.1"), Delta.parse("6e-7")));
        assertThat(accountant().decide(first.spentAfter(), event, limit)).isInstanceOf(Decision.Refused.class);
        assertThat(accountant()
                        .decide(
                                first.spentAfter(),
                                new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("0.9")),
                                limit))
                .isInstanceOf(Decision.Admitted.class);
    }

    @Test
    void allowsADeltaWhereOneIsAskedFor() {
        assertThat(accountant().allowance(Epsilon.parse("1"), Delta.ZERO))
                .isEqualTo(new PrivacyAllowance.Pure(Epsilon.parse("1")));
        assertThat(accountant().allowance(Epsilon.parse("1"), Delta.parse("1e-9")))
                .isEqualTo(new PrivacyAllowance.Approximate(Epsilon.parse("1"), Delta.parse("1e-9")));
    }

    @Test
    void hasNoPriceForRho() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> accountant().charge(new PrivacyEvent.ConcentratedDifferentialPrivacy(new Rho(1))));
    }

    @Test
    void statesAnAmountAsItIs() {
        PrivacyAmount limit = accountant().limit(Epsilon.parse("1"), Delta.parse("1e-6"));

        assertThat(accountant().stated(limit, limit))
                .isEqualTo(new StatedAmount(Epsilon.parse("1"), Delta.parse("1e-6"), null));
    }
}
