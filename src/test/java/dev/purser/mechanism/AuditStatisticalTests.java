package dev.purser.mechanism;

import dev.purser.privacy.AuditOutcome;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every listed mechanism is audited: its bound on the loss is not above what it claims, is nearly what the audit could
 * see at all, and the frequencies are the exact ones. There are 60,000 draws on each side, or as many more as that
 * power takes. What can go wrong by chance: 2e-6 for the bound on the loss, 1.2e-6 for the frequencies, 1e-5 for the
 * power.
 */
class AuditStatisticalTests {
    private static final int DEEP_DRAWS = 1_000_000;

    /** Of epsilon, what an audit has to be able to see: least for heights where units of several rows are replaced. */
    private static final double LEAST_DETECTABLE = 0.09;

    static final List<String> OF_ROWS = AuditCases.ofRows();
    static final List<String> EVERYWHERE = AuditCases.everywhere();

    @ParameterizedTest(name = "{0}")
    @FieldSource("OF_ROWS")
    void showsNoLossAboveEpsilon(String name) {
        audit(name, 0, name.hashCode());
    }

    @Tag("deep")
    @ParameterizedTest(name = "{0}")
    @FieldSource("EVERYWHERE")
    void showsNoLossAboveEpsilonInAMillionDrawsOrMore(String name) {
        audit(name, DEEP_DRAWS, ~name.hashCode());
    }

    private static void audit(String name, int leastDraws, long seed) {
        AuditCase audited = AuditCases.of(name);
        double epsilon = audited.audit().claimedEpsilon();
        double delta = audited.audit().claimedDelta();
        AuditCase.Probabilities exact = audited.exact().get();
        int draws = Math.max(leastDraws, exact.enoughDraws(delta));
        double detectable = exact.detectable(draws, delta);
        assertThat(detectable).as("%s: what can be seen", name).isGreaterThan(LEAST_DETECTABLE * epsilon);

        AuditOutcome seen = audited.audit().run(draws, seed);
        assertThat(seen.lossLowerBound(delta))
                .as("%s: %s", name, seen)
                .isBetween(AuditCase.Probabilities.POWER * detectable, epsilon);
        // Neither less noise than stated nor more, and a harness that looks at the right thing.
        assertThat(seen.agreesWith(exact.onRows(), exact.onNeighbor()))
                .as("%s: %s, expected %s", name, seen, exact)
                .isTrue();
    }
}
