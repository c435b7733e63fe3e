package dev.purser.accounting;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether a charge fits {@code limit - spent}, for every accountant. All small amounts, near zero and near the maximum,
 * are compared with arithmetic that cannot overflow.
 */
class DecisionTests {
    private static final int SMALL = 6;
    private static final long EPSILON_CEILING = Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT;
    private static final long DELTA_CEILING = Delta.ATTOS_PER_UNIT;
    private static final long RHO_CEILING = Epsilon.MAX_WHOLE * Rho.PICOS_PER_UNIT;

    private static PrivacyAmount pure(long nanos) {
        return PrivacyAmount.pure(new Epsilon(nanos));
    }

    private static PrivacyAmount concentrated(long picos) {
        return PrivacyAmount.concentrated(new Rho(picos));
    }

    private static PrivacyAmount approximate(long nanos, long attos) {
        return new PrivacyAmount(new Epsilon(nanos), new Delta(attos));
    }

    /**
     * Limits of {@code base} to {@code base + SMALL}: at the ceiling the last limits are left out, as there are none.
     */
    @ParameterizedTest
    @ValueSource(longs = {0, EPSILON_CEILING - SMALL})
    void pureAgreesWithSubtractionOnEveryCase(long base) {
        PureAccountant accountant = new PureAccountant();
        for (long limit = base; limit <= base + SMALL; limit++) {
            for (long spent = limit; spent >= Math.max(0, limit - SMALL); spent--) {
                for (long charge = 1; charge <= SMALL + 2; charge++) {
                    check(
                            accountant.decide(
                                    pure(spent),
                                    new PrivacyEvent.PureDifferentialPrivacy(new Epsilon(charge)),
                                    pure(limit)),
                            charge <= limit - spent,
                            pure(charge),
                            charge <= limit - spent ? pure(spent + charge) : pure(limit - spent),
                            pure(Math.max(0, charge - (limit - spent))));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, RHO_CEILING - SMALL})
    void concentratedAgreesWithSubtractionOnEveryCase(long base) {
        ConcentratedAccountant accountant = new ConcentratedAccountant();
        for (long limit = base; limit <= base + SMALL; limit++) {
            // The epsilon and the delta that a limit of rho keeps are not what is compared.
            PrivacyAmount kept = new PrivacyAmount(new Epsilon(3), new Delta(2), new Rho(limit));
            for (long spent = limit; spent >= Math.max(0, limit - SMALL); spent--) {
                for (long charge = 1; charge <= SMALL + 2; charge++) {
                    boolean fits = charge <= limit - spent;
                    check(
                            accountant.decide(
                                    concentrated(spent),
                                    new PrivacyEvent.ConcentratedDifferentialPrivacy(new Rho(charge)),
                                    kept),
                            fits,
                            concentrated(charge),
                            fits
                                    ? concentrated(spent + charge)
                                    : new PrivacyAmount(new Epsilon(3), new Delta(2), new Rho(limit - spent)),
                            concentrated(Math.max(0, charge - (limit - spent))));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void approximateAgreesWithSubtractionInBothPartsOnEveryCase(boolean atTheCeilings) {
        ApproximateAccountant accountant = new ApproximateAccountant();
        int small = 4;
        long epsilonLimit = atTheCeilings ? EPSILON_CEILING : small;
        long deltaLimit = atTheCeilings ? DELTA_CEILING : small;
        for (int left = 0; left <= small; left++) {
            for (int leftOfDelta = 0; leftOfDelta <= small; leftOfDelta++) {
                for (int charge = 1; charge <= small + 1; charge++) {
                    for (int chargeOfDelta = 0; chargeOfDelta <= small + 1; chargeOfDelta++) {
                        boolean fits = charge <= left && chargeOfDelta <= leftOfDelta;
                        PrivacyAmount spent = approximate(epsilonLimit - left, deltaLimit - leftOfDelta);
                        PrivacyAmount amount = approximate(charge, chargeOfDelta);
                        check(
                                accountant.decide(
                                        spent, event(charge, chargeOfDelta), approximate(epsilonLimit, deltaLimit)),
                                fits,
                                amount,
                                fits
                                        ? approximate(
                                                epsilonLimit - left + charge, deltaLimit - leftOfDelta + chargeOfDelta)
                                        : approximate(left, leftOfDelta),
                                approximate(Math.max(0, charge - left), Math.max(0, chargeOfDelta - leftOfDelta)));
                    }
                }
            }
        }
    }

    private static PrivacyEvent event(long nanos, long attos) {
        return attos == 0
                ? new PrivacyEvent.PureDifferentialPrivacy(new Epsilon(nanos))
                : new PrivacyEvent.ApproximateDifferentialPrivacy(new Epsilon(nanos), new Delta(attos));
    }

    private static void check(
            Decision decision, boolean fits, PrivacyAmount charge, PrivacyAmount after, PrivacyAmount shortfall) {
        Decision expected =
                fits ? new Decision.Admitted(charge, after) : new Decision.Refused(charge, after, shortfall);
        if (!decision.equals(expected)) {
            Assertions.fail("expected " + expected + ", was " + decision);
        }
    }

    /** The largest charges, on accounts that are empty, half empty, full, and with a limit below what is spent. */
    @Test
    void theLargestAmountsOverflowNowhere() {
        PrivacyAmount ceiling = new PrivacyAmount(new Epsilon(EPSILON_CEILING), new Delta(DELTA_CEILING), Rho.MAX);
        PrivacyAmount half = new PrivacyAmount(
                new Epsilon(EPSILON_CEILING / 2), new Delta(DELTA_CEILING / 2), new Rho(RHO_CEILING / 2));
        for (Accountant accountant : Accountants.ALL) {
            PrivacyEvent dearest = accountant instanceof ConcentratedAccountant
                    ? new PrivacyEvent.ConcentratedDifferentialPrivacy(Rho.MAX)
                    : accountant.deltaOfLimit() == DeltaRule.ANY
                            ? event(EPSILON_CEILING, DELTA_CEILING)
                            : event(EPSILON_CEILING, 0);
            PrivacyAmount charge = accountant.charge(dearest);

            assertThat(accountant.decide(PrivacyAmount.ZERO, dearest, ceiling))
                    .isEqualTo(new Decision.Admitted(charge, charge));
            assertThat(accountant.decide(half, dearest, ceiling)).isInstanceOf(Decision.Refused.class);
            assertThat(accountant.decide(ceiling, dearest, ceiling)).isInstanceOf(Decision.Refused.class);
            assertThat(accountant.decide(ceiling, dearest, PrivacyAmount.ZERO))
                    .isEqualTo(new Decision.Refused(charge, PrivacyAmount.ZERO, charge));
        }
    }
}
