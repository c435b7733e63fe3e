package dev.purser.accounting;

import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The rules that every accountant keeps to be a privacy filter. */
abstract class AccountantContract {
    /** The accountant under test. */
    abstract Accountant accountant();

    /** A random event that the accountant can charge, often a small event. */
    abstract PrivacyEvent randomEvent(Random random);

    /** A random limit that a dataset with this accountant could have. */
    abstract PrivacyAmount randomLimit(Random random);

    @Test
    void isListedUnderItsName() {
        assertThat(Accountants.named(accountant().name())).get().hasSameClassAs(accountant());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void neverAdmitsMoreThanTheLimitAndNeverRefusesWhatFits(long seed) {
        Random random = new Random(seed);
        for (int account = 0; account < 200; account++) {
            PrivacyAmount limit = randomLimit(random);
            PrivacyAmount spent = PrivacyAmount.ZERO;
            List<PrivacyAmount> charges = new ArrayList<>();
            for (int question = 0; question < 50; question++) {
                PrivacyEvent event = randomEvent(random);
                PrivacyAmount before = spent;
                spent = switch (accountant().decide(spent, event, limit)) {
                    case Decision.Admitted admitted -> {
                        assertThat(admitted.charge()).isEqualTo(accountant().charge(event));
                        assertThat(admitted.spentAfter()).isEqualTo(before.plus(admitted.charge()));
                        charges.add(admitted.charge());
                        yield admitted.spentAfter();
                    }
                    case Decision.Refused refused -> {
                        checkRefusal(refused, before, event, limit);
                        yield before;
                    }
                };
                assertThat(spent.fitsWithin(limit)).isTrue();
                assertThat(before.fitsWithin(spent)).as("spent never falls").isTrue();
            }
            assertThat(charges.stream().reduce(PrivacyAmount.ZERO, PrivacyAmount::plus))
                    .isEqualTo(spent);
        }
    }

    private void checkRefusal(Decision.Refused refused, PrivacyAmount spent, PrivacyEvent event, PrivacyAmount limit) {
        PrivacyAmount charge = accountant().charge(event);
        assertThat(refused.requested()).isEqualTo(charge);
        assertThat(refused.remaining().plus(spent)).isEqualTo(limit);
        assertThat(charge.fitsWithin(refused.remaining())).isFalse();
        assertThat(refused.shortfall()).isNotEqualTo(PrivacyAmount.ZERO);
        assertThat(charge.fitsWithin(refused.remaining().plus(refused.shortfall())))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyReleaseIsCharged(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            assertThat(accountant().charge(randomEvent(random))).isNotEqualTo(PrivacyAmount.ZERO);
        }
    }

    @Test
    void admitsWhatSpendsTheLimitExactlyAndNothingAfterIt() {
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            PrivacyEvent event = randomEvent(random);
            PrivacyAmount limit = accountant().charge(event);

            assertThat(accountant().decide(PrivacyAmount.ZERO, event, limit))
                    .isEqualTo(new Decision.Admitted(limit, limit));
            assertThat(accountant().decide(limit, randomEvent(random), limit)).isInstanceOf(Decision.Refused.class);
        }
    }
}
