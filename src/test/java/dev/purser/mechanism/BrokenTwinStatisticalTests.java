package dev.purser.mechanism;

import dev.purser.privacy.AuditOutcome;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Each twin differs from the served code by one line of the real source, compiled anew. The audit that the twin names
 * refutes it. The audit does not refute the right line with the same harness, pair, event and seed. A twin names its
 * largest number of draws. In every build the audit stops at the look that refutes the twin, and right lines are run
 * for as many draws. The first tier refutes one twin of each line. The second tier runs the right lines and the other
 * twins of each line. In a deep run all draws are made, and they refute the twin clearly: at another seed they would
 * fail to refute it with probability below 1e-5. Right lines fail with probability 2e-6 each time.
 */
class BrokenTwinStatisticalTests {
    static final List<BrokenTwin> ALL = BrokenTwins.ALL;

    /** For each line that is broken, the twin with the fewest draws. */
    static final List<BrokenTwin> ONE_OF_EACH_LINE = ALL.stream()
            .collect(Collectors.toMap(
                    twin -> twin.type() + twin.line(),
                    twin -> twin,
                    BinaryOperator.minBy(Comparator.comparingInt(BrokenTwin::draws)),
                    LinkedHashMap::new))
            .values()
            .stream()
            .toList();

    /** Standard deviations that leave 1e-5 on one side. */
    private static final double SIGMAS = 4.27;

    /** The twins of audits that the second tier makes of the served code. */
    static final List<BrokenTwin> AUDITED = ALL.stream()
            .filter(twin -> AuditStatisticalTests.OF_ROWS.contains(twin.audit()))
            .toList();

    private record Drawn(String audit, int draws) {}

    private static final Map<Drawn, AuditOutcome> PUT_RIGHT = new HashMap<>();

    private static Recompiled right;

    /** Compiles every class that has a twin anew, without a change. */
    @BeforeAll
    static void compileWhatIsRight() throws IOException {
        Map<Class<?>, String> sources = new HashMap<>();
        for (BrokenTwin twin : ALL) {
            sources.put(twin.type(), twin.rightSource());
        }
        right = Recompiled.with(sources);
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("ONE_OF_EACH_LINE")
    void isRefuted(BrokenTwin twin) throws Exception {
        refuted(twin);
    }

    @Tag("full")
    @ParameterizedTest(name = "{0}")
    @FieldSource("ALL")
    void isRefutedUntilItsLineIsPutRight(BrokenTwin twin) throws Exception {
        assertNotRefutedWhereItIsRight(twin, refuted(twin).draws());
    }

    private static AuditOutcome refuted(BrokenTwin twin) throws Exception {
        Recompiled broken = broken(twin);
        AuditOutcome seen = broken.runUntilRefuted(twin.audit(), twin.draws(), seed(twin));
        double claimed = broken.claimedEpsilon(twin.audit());
        double loss = seen.lossLowerBound(broken.claimedDelta(twin.audit()), Audit.FALSE_ALARM_OF_A_LOOK);
        assertThat(loss)
                .as("%s: %s shows a loss of %s where %s is claimed", twin, seen, loss, claimed)
                .isGreaterThan(claimed);
        return seen;
    }

    @Tag("deep")
    @ParameterizedTest(name = "{0}")
    @FieldSource("ALL")
    void isRefutedByFarInAllItsDraws(BrokenTwin twin) throws Exception {
        Recompiled broken = broken(twin);
        AuditOutcome seen = broken.run(twin.audit(), twin.draws(), seed(twin));
        double claimed = broken.claimedEpsilon(twin.audit());
        double loss = seen.lossLowerBound(broken.claimedDelta(twin.audit()));
        assertThat(loss - claimed)
                .as("%s: %s shows a loss of %s where %s is claimed", twin, seen, loss, claimed)
                .isGreaterThan(SIGMAS * seen.deviation());
        assertNotRefutedWhereItIsRight(twin, twin.draws());
    }

    @Tag("deep")
    @ParameterizedTest(name = "{0}")
    @FieldSource("AUDITED")
    void failsTheAuditOfTheSecondTier(BrokenTwin twin) throws Exception {
        AuditCase audited = AuditCases.of(twin.audit());
        int draws = AuditStatisticalTests.drawsOfTheSecondTier(audited);
        AuditOutcome seen = broken(twin).run(twin.audit(), draws, seed(twin));
        assertThat(AuditStatisticalTests.isAsClaimed(twin.audit(), audited, seen))
                .as("%s: %s", twin, seen)
                .isFalse();
    }

    private static Recompiled broken(BrokenTwin twin) throws IOException {
        return Recompiled.with(Map.of(twin.type(), twin.brokenSource()));
    }

    private static long seed(BrokenTwin twin) {
        return twin.audit().hashCode();
    }

    private static void assertNotRefutedWhereItIsRight(BrokenTwin twin, int draws) throws Exception {
        if (AuditCases.REFUSED.containsKey(twin.audit())) {
            assertThatThrownBy(() -> right.run(twin.audit(), draws, seed(twin)))
                    .isInstanceOf(InvocationTargetException.class)
                    .hasRootCauseInstanceOf(IllegalArgumentException.class)
                    .rootCause()
                    .message()
                    .isIn("the number of rows is private here", "the statistic is not one of the declared family");
        } else {
            Drawn drawn = new Drawn(twin.audit(), draws);
            AuditOutcome seen = PUT_RIGHT.get(drawn);
            if (seen == null) {
                seen = right.run(twin.audit(), draws, seed(twin));
                PUT_RIGHT.put(drawn, seen);
            }
            assertThat(seen.lossLowerBound(right.claimedDelta(twin.audit())))
                    .as("%s: put right", twin)
                    .isLessThanOrEqualTo(right.claimedEpsilon(twin.audit()));
        }
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
    void looksChangeNothingWhereNothingIsRefuted() {
        Audit<?> audit = AuditCases.of(ALL.getFirst().audit()).audit();
        assertThat(audit.runUntilRefuted(20_000, 1)).isEqualTo(audit.run(20_000, 1));
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
