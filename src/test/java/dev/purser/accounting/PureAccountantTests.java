package dev.purser.accounting;

import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

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
    void chargesTheEpsilonItselfAndNoDelta() {
        assertThat(accountant().charge(event(123))).isEqualTo(PrivacyAmount.pure(new Epsilon(123)));
    }

    /** Every limit of up to six units, every amount spent of it, every charge up to eight. */
    @Test
    void agreesWithAdditionOnEverySmallCase() {
        for (int limit = 0; limit <= 6; limit++) {
            for (int spent = 0; spent <= limit; spent++) {
                for (int charge = 1; charge <= 8; charge++) {
                    Decision decision = accountant().decide(pure(spent), event(charge), pure(limit));

                    assertThat(decision)
                            .isEqualTo(
                                    spent + charge <= limit
                                            ? new Decision.Admitted(pure(charge), pure(spent + charge))
                                            : new Decision.Refused(
                                                    pure(charge), pure(limit - spent), pure(charge - (limit - spent))));
                }
            }
        }
    }

    private static PrivacyAmount pure(long nanos) {
        return PrivacyAmount.pure(new Epsilon(nanos));
    }
}
