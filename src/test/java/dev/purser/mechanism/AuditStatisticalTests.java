package dev.purser.mechanism;

import dev.purser.privacy.AuditOutcome;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every listed mechanism is audited. The bound on its loss is at most what it claims and nearly what the audit could
 * see at all, and the frequencies agree with the exact probabilities. The first tier audits each mechanism under one
 * relation, and one case of each other group. It draws 4,000 times on each side, the second tier 20,000 times, a deep
 * run a million times. Each draws more often where it takes more to see {@value #FIRST_POWER}, {@value #POWER} and
 * {@value #DEEP_POWER} of what the audit could see. With the draws of the second tier, every broken twin of an audit of
 * that tier fails it: {@link BrokenTwinStatisticalTests} show that in a deep run. The probabilities of failing by
 * chance are 2e-6 for the bound on the loss, 1.2e-6 for the frequencies, and 1e-5 for the power.
 */
class AuditStatisticalTests {
    private static final int FIRST_DRAWS = 4_000;
    private static final double FIRST_POWER = 0.5;
    private static final int LEAST_DRAWS = 20_000;
    private static final double POWER = 0.7;
    private static final int DEEP_DRAWS = 1_000_000;
    private static final double DEEP_POWER = 0.9;

    /**
     * The share of epsilon that each audit must be able to see: least for heights of replaced units of several rows.
     */
    private static final double LEAST_DETECTABLE = 0.09;

    static final List<String> ONE_OF_EACH = AuditCases.oneOfEach();
    static final List<String> OF_ROWS = AuditCases.ofRows();
    static final List<String> EVERYWHERE = AuditCases.everywhere();

    @ParameterizedTest(name = "{0}")
    @FieldSource("ONE_OF_EACH")
    void showsNoLossAboveEpsilonInFewDraws(String name) {
        AuditCase audited = AuditCases.of(name);
        int draws = draws(audited, FIRST_DRAWS, FIRST_POWER);
        assertAsClaimed(name, audited, audited.audit().run(draws, name.hashCode()), FIRST_POWER);
    }

    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @FieldSource("OF_ROWS")
    void showsNoLossAboveEpsilon(String name) {
        AuditCase audited = AuditCases.of(name);
        AuditOutcome seen = audited.audit().run(drawsOfTheSecondTier(audited), name.hashCode());
        assertAsClaimed(name, audited, seen, POWER);
    }

    @Tag("deep")
    @ParameterizedTest(name = "{0}")
    @FieldSource("EVERYWHERE")
    void showsNoLossAboveEpsilonInAMillionDrawsOrMore(String name) {
        AuditCase audited = AuditCases.of(name);
        int draws = draws(audited, DEEP_DRAWS, DEEP_POWER);
        assertAsClaimed(name, audited, audited.audit().run(draws, ~name.hashCode()), DEEP_POWER);
    }

    static int drawsOfTheSecondTier(AuditCase audited) {
        return draws(audited, LEAST_DRAWS, POWER);
    }

    private static int draws(AuditCase audited, int leastDraws, double power) {
        return audited.exact().get().enoughDraws(audited.audit().claimedDelta(), leastDraws, power);
    }

    /** Whether what is seen passes the audit of the second tier. */
    static boolean isAsClaimed(String name, AuditCase audited, AuditOutcome seen) {
        try {
            assertAsClaimed(name, audited, seen, POWER);
            return true;
        } catch (AssertionError refuted) {
            return false;
        }
    }

    private static void assertAsClaimed(String name, AuditCase audited, AuditOutcome seen, double power) {
        double epsilon = audited.audit().claimedEpsilon();
        double delta = audited.audit().claimedDelta();
        AuditCase.Probabilities exact = audited.exact().get();
        double detectable = exact.detectable(seen.draws(), delta);
        assertThat(detectable).as("%s: what can be seen", name).isGreaterThan(LEAST_DETECTABLE * epsilon);

        assertThat(seen.lossLowerBound(delta)).as("%s: %s", name, seen).isBetween(power * detectable, epsilon);
        // The noise is not less and not more than stated, and the harness looks at the right thing.
        assertThat(seen.agreesWith(exact.onRows(), exact.onNeighbor()))
                .as("%s: %s, expected %s", name, seen, exact)
                .isTrue();
    }
}
