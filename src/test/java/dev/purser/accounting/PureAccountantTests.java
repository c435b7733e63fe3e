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

class PureAccountantTests extends AccountantContract {
    @Override
    Accountant accountant() {
        return new PureAccountant();
    }

    @Override
    PrivacyEvent randomEvent(Random random) {
        return event(1 + random.nextLong(random.nextBoolean() ? 1_000 : 100 * Epsilon.NANOS_PER_UNIT));
    }

    @Override
    PrivacyAmount randomLimit(Random random) {
        return PrivacyAmount.pure(new Epsilon(
                random.nextLong(random.nextBoolean() ? 10_000 : Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT)));
    }

    private static PrivacyEvent event(long nanos) {
        return new PrivacyEvent.PureDifferentialPrivacy(new Epsilon(nanos));
    }

    @Test
    void hasNoPriceForDeltaAndRho() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> accountant()
                        .charge(new PrivacyEvent.ApproximateDifferentialPrivacy(new Epsilon(1), new Delta(1))))
                .withMessageContaining("the accountant pure has no charge for");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> accountant().charge(new PrivacyEvent.ConcentratedDifferentialPrivacy(new Rho(1))));
    }

    @Test
    void takesTheEpsilonThatIsAskedForAndStatesItAsItIs() {
        PrivacyAmount limit = accountant().limit(new Epsilon(3), Delta.ZERO);

        assertThat(limit).isEqualTo(PrivacyAmount.pure(new Epsilon(3)));
        assertThat(accountant().allowance(new Epsilon(2), Delta.ZERO))
                .isEqualTo(new PrivacyAllowance.Pure(new Epsilon(2)));
        assertThat(accountant().stated(limit, limit)).isEqualTo(new StatedAmount(new Epsilon(3), Delta.ZERO, null));
    }
}
