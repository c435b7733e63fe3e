package dev.purser.ledger;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tens of thousands of simulated operations; a million in deep runs. The lab runs the simulation for hours. */
class LedgerSimulationTests {
    private static final long STEPS = 4_000;

    @Test
    void tensOfThousandsOfOperationsLoseAndDoubleNothing() {
        loseAndDoubleNothing(6);
    }

    @Tag("full")
    @Test
    void aQuarterOfAMillionOperationsLoseAndDoubleNothing() {
        loseAndDoubleNothing(63);
    }

    @Tag("deep")
    @Test
    void aMillionOperationsLoseAndDoubleNothing() {
        loseAndDoubleNothing(250);
    }

    private static void loseAndDoubleNothing(int seeds) {
        Map<String, Long> counts = new HashMap<>();
        Map<FaultPoint, Integer> fired = new EnumMap<>(FaultPoint.class);
        for (long seed = 1; seed <= seeds; seed++) {
            LedgerSimulation simulation = new LedgerSimulation(seed, SimulatedStore.Bug.NONE);
            simulation.run(STEPS).forEach((what, times) -> counts.merge(what, times, Long::sum));
            simulation.fired().forEach((point, times) -> fired.merge(point, times, Integer::sum));
        }

        assertThat(fired).containsOnlyKeys(FaultPoint.values());
        assertThat(counts)
                .containsKeys(
                        "refined",
                        "admitted",
                        "released",
                        "budget_exhausted",
                        "idempotency_key_reused",
                        "unknown and charged",
                        "answer unknown",
                        "swept",
                        "paid by another",
                        "awaited",
                        "plans bought",
                        "plans refused",
                        "shared",
                        "answers of a plan unknown",
                        "limits moved",
                        "limits refused",
                        "attachments read",
                        "blocks named",
                        "audits of blocks");
        assertThat(counts.get("steps")).isGreaterThanOrEqualTo(seeds * STEPS);
    }

    @Test
    void aSeedRepeatsItsHistory() {
        assertThat(new LedgerSimulation(7, SimulatedStore.Bug.NONE).run(STEPS))
                .isEqualTo(new LedgerSimulation(7, SimulatedStore.Bug.NONE).run(STEPS));
    }

    @ParameterizedTest
    @EnumSource(value = SimulatedStore.Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void seesABrokenStore(SimulatedStore.Bug bug) {
        assertThatThrownBy(() -> {
                    for (long seed = 1; seed <= 20; seed++) {
                        new LedgerSimulation(seed, bug).run(STEPS);
                    }
                })
                .isInstanceOf(LedgerSimulation.Violation.class);
    }
}
