package dev.purser.mechanism;

import dev.purser.privacy.AuditOutcome;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Each twin differs from what is served by one line of the real source, compiled anew. The audit that it names refutes
 * it, and no longer does where the line is right and nothing else is changed: the same harness, pair, event and seed.
 * The number of draws is the twin's. Right lines are run once for each audit, with the most draws that one of its twins
 * has; each fails with probability 2e-6. A twin is refuted by so much that at another seed it would not be with
 * probability below 1e-5.
 */
class BrokenTwinStatisticalTests {
    static final List<BrokenTwin> ALL = BrokenTwins.ALL;

    /** Standard deviations that leave 1e-5 on one side. */
    private static final double SIGMAS = 4.27;

    private static final Map<String, AuditOutcome> PUT_RIGHT = new HashMap<>();

    private static Recompiled right;

    /** Every class that has a twin, compiled anew as it is. */
    @BeforeAll
    static void compileWhatIsRight() throws IOException {
        Map<Class<?>, String> sources = new HashMap<>();
        for (BrokenTwin twin : ALL) {
            sources.put(twin.type(), twin.rightSource());
        }
        right = Recompiled.with(sources);
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("ALL")
    void isRefutedUntilItsLineIsPutRight(BrokenTwin twin) throws Exception {
        long seed = twin.audit().hashCode();
        Recompiled broken = Recompiled.with(Map.of(twin.type(), twin.brokenSource()));
        AuditOutcome seen = broken.run(twin.audit(), twin.draws(), seed);
        double claimed = broken.claimedEpsilon(twin.audit());
        double delta = broken.claimedDelta(twin.audit());
        assertThat(seen.lossLowerBound(delta) - claimed)
                .as("%s: %s shows a loss of %s where %s is claimed", twin, seen, seen.lossLowerBound(delta), claimed)
                .isGreaterThan(SIGMAS * seen.deviation());

        if (AuditCases.REFUSED.containsKey(twin.audit())) {
            assertThatThrownBy(() -> right.run(twin.audit(), twin.draws(), seed))
                    .isInstanceOf(InvocationTargetException.class)
                    .hasRootCauseInstanceOf(IllegalArgumentException.class)
                    .rootCause()
                    .message()
                    .isIn("the number of rows is private here", "the statistic is not one of the declared family");
        } else {
            assertThat(putRight(twin.audit(), seed).lossLowerBound(delta))
                    .as("%s: put right", twin)
                    .isLessThanOrEqualTo(right.claimedEpsilon(twin.audit()));
        }
    }

    private static AuditOutcome putRight(String audit, long seed) throws Exception {
        AuditOutcome known = PUT_RIGHT.get(audit);
        if (known == null) {
            int draws = ALL.stream()
                    .filter(twin -> twin.audit().equals(audit))
                    .mapToInt(BrokenTwin::draws)
                    .max()
                    .orElseThrow();
            known = right.run(audit, draws, seed);
            PUT_RIGHT.put(audit, known);
        }
        return known;
    }

    @Test
    void everyServedMechanismHasOne() {
        Set<String> mechanisms = ALL.stream()
                .filter(twin -> !AuditCases.REFUSED.containsKey(twin.audit()))
                .map(twin -> AuditCases.of(twin.audit()).mechanism())
                .collect(Collectors.toSet());
        assertThat(mechanisms)
                .containsAll(
                        Mechanisms.ALL.stream().map(Mechanisms.Listing::name).toList());
    }

    @Test
    void saysWhichTwinHasLostItsLine() {
        for (String line : List.of("BigInteger scale = Δ;", "}")) {
            BrokenTwin lost = new BrokenTwin("some slip", NoisyMax.class, line, "", "none", 1);
            assertThatIllegalStateException()
                    .isThrownBy(lost::brokenSource)
                    .withMessageContainingAll("some slip", line, "NoisyMax.java", "times");
        }
    }

    @Test
    void breaksNothingOutsideItself() throws Exception {
        BrokenTwin twin = ALL.getFirst();
        Recompiled broken = Recompiled.with(Map.of(twin.type(), twin.brokenSource()));
        Audit<?> here = AuditCases.of(twin.audit()).audit();
        AuditOutcome before = here.run(twin.draws(), 1);
        assertThat(broken.run(twin.audit(), twin.draws(), 1)).isNotEqualTo(before);
        assertThat(right.run(twin.audit(), twin.draws(), 1)).isEqualTo(before);
        assertThat(here.run(twin.draws(), 1)).isEqualTo(before);
    }
}
