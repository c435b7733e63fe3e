package dev.purser.ledger;

import dev.purser.interactive.Interaction;
import dev.purser.interactive.OpenInteractions;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StepChainTests {
    private static final String ACCOUNT = OpenLedger.ACCOUNT;
    private static final String STEPS = ACCOUNT + "/steps";

    @TempDir
    Path folder;

    private OpenLedger open;
    private final Map<String, String> witnessed = new TreeMap<>();

    @BeforeEach
    void openLedger() {
        open = new OpenLedger(folder.resolve("home")).withAccount(ACCOUNT, "1").withAccount("other", "1");
        open.database.witness(witnessed::putAll);
    }

    @AfterEach
    void closeLedger() throws SQLException {
        open.close();
    }

    private static void append(OpenLedger ledger, String account, String step) {
        ledger.database.write(Database.NO_ACCOUNT, connection -> {
            new StepChain(connection).append(account, step);
            return null;
        });
    }

    private boolean closedAfterLoss(Head confirmed) {
        return open.database.write(
                Database.NO_ACCOUNT,
                connection -> new StepChain(connection)
                        .closedAfterLoss(ACCOUNT, confirmed)
                        .isPresent());
    }

    private Map<String, Head> heads() {
        return open.database.read(connection -> new StepChain(connection).heads());
    }

    private Head head() {
        return head(STEPS);
    }

    private Head head(String anchored) {
        return Objects.requireNonNull(heads().get(anchored));
    }

    private static List<Long> links(OpenLedger ledger) {
        return ledger.database.read(connection ->
                connection.all("SELECT sequence FROM step_link ORDER BY sequence", row -> row.getLong(1)));
    }

    @Test
    void theNamesOfItsHeadsAreNoAccounts() {
        assertThat(StepChain.anchored(ACCOUNT)).isEqualTo(STEPS);
        assertThat(StepChain.accountOf(STEPS)).isEqualTo(ACCOUNT);
        assertThat(StepChain.accountOf(ACCOUNT)).isNull();
        assertThat(StepChain.accountOf("steps")).isNull();
    }

    @Test
    void everyStepMovesTheHeadAndIsWitnessed() {
        assertThat(heads()).isEmpty();
        append(open, ACCOUNT, "one");
        Head first = head();
        append(open, ACCOUNT, "two");
        append(open, "other", "one");

        assertThat(first.sequence()).isEqualTo(2);
        assertThat(head().sequence()).isEqualTo(3);
        assertThat(head("other/steps").sequence()).isEqualTo(2);
        assertThat(head("other/steps").hash()).isNotEqualTo(first.hash());
        assertThat(witnessed)
                .isEqualTo(Map.of(
                        STEPS, head().text(), "other/steps", head("other/steps").text()));
    }

    /** Written down again, so that no release changes what an anchor confirmed. */
    @Test
    void aLinkHashesTheOneBeforeTheAccountTheNumberAndTheStep() {
        append(open, ACCOUNT, "one");
        append(open, ACCOUNT, "two");
        String first = hash("0".repeat(64), 2, "one");

        assertThat(head()).isEqualTo(new Head(3, hash(first, 3, "two")));
    }

    private static String hash(String before, long sequence, String step) {
        return new CanonicalBytes()
                .text(before)
                .text("purser-step-1")
                .text(ACCOUNT)
                .number(sequence)
                .text(step)
                .sha256();
    }

    @Test
    void aStepThatIsUndoneLeavesNothing() {
        append(open, ACCOUNT, "one");
        Head before = head();
        witnessed.clear();
        assertThatThrownBy(() -> open.database.write(Database.NO_ACCOUNT, connection -> {
                    new StepChain(connection).append(ACCOUNT, "two");
                    throw new IllegalStateException("undone");
                }))
                .hasMessage("undone");

        assertThat(head()).isEqualTo(before);
        assertThat(links(open)).containsExactly(2L);
        assertThat(witnessed).isEmpty();
    }

    @Test
    void whatContainsTheConfirmedStepIsLeftAlone() {
        Interaction session = new OpenInteractions(open.database, Clock.systemUTC()).opened("k");
        append(open, ACCOUNT, "one");
        Head confirmed = head();
        append(open, ACCOUNT, "two");
        Head ahead = head();

        assertThat(closedAfterLoss(confirmed)).isFalse();
        assertThat(closedAfterLoss(ahead)).isFalse();
        assertThat(head()).isEqualTo(ahead);
        assertThat(new OpenInteractions(open.database, Clock.systemUTC())
                        .find(session)
                        .interaction()
                        .isOpen())
                .isTrue();
    }

    @Test
    void whatLacksTheConfirmedStepIsClosedAndGoesOnAfterIt() {
        OpenInteractions interactions = new OpenInteractions(open.database, Clock.systemUTC());
        Interaction session = interactions.opened("k");
        append(open, ACCOUNT, "one");

        assertThat(closedAfterLoss(new Head(9, "f".repeat(64)))).isTrue();

        assertThat(interactions.find(session).interaction().closedBecause()).isEqualTo("restored");
        assertThat(interactions.find(session).interaction().sealedState()).isNull();
        assertThat(head().sequence()).isEqualTo(10);
        assertThat(witnessed).containsEntry(STEPS, head().text());
        assertThat(closedAfterLoss(head())).isFalse();
        // Of the same length, and not the one that was confirmed.
        assertThat(closedAfterLoss(new Head(2, "f".repeat(64)))).isTrue();
        assertThat(head().sequence()).isEqualTo(11);
    }

    @Test
    void stepsOfTwoInstancesHaveOneOrder() throws Exception {
        LedgerSettings database = PostgresServer.shared().newDatabase();
        try (OpenLedger one = new OpenLedger(folder.resolve("one"), database);
                OpenLedger two = new OpenLedger(folder.resolve("two"), database)) {
            one.withAccount(ACCOUNT, "1");
            List<Future<?>> all = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 100; i++) {
                    String step = "step " + i;
                    OpenLedger instance = i % 2 == 0 ? one : two;
                    all.add(threads.submit(() -> append(instance, ACCOUNT, step)));
                }
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(links(one))
                    .isEqualTo(LongStream.rangeClosed(2, 101).boxed().toList());
        }
    }
}
