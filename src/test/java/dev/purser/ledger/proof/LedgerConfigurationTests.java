package dev.purser.ledger.proof;

import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.OpenLedger;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import dev.purser.store.Secret;
import dev.purser.store.StartupRefusal;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The ledger as the service puts it together. */
class LedgerConfigurationTests {
    private static final ApplicationArguments NOTHING_STATED = new DefaultApplicationArguments();
    private static final LedgerConfiguration CONFIGURATION = new LedgerConfiguration();

    @TempDir
    Path folder;

    private PurserHome home;
    private Path anchor;

    @BeforeEach
    void aLedgerWithAnAccount() throws SQLException {
        home = new PurserHome(folder);
        anchor = folder.resolve("ledger.anchor");
        start(false, ledger -> {});
        try (OpenLedger open = new OpenLedger(folder).withAccount(OpenLedger.ACCOUNT, "1")) {
            open.reserve("k", "0.4");
        }
        start(false, ledger -> {});
    }

    private void start(boolean accept, Consumer<BudgetLedger> use) throws SQLException {
        start(accept, NOTHING_STATED, use);
    }

    private void start(boolean accept, ApplicationArguments arguments, Consumer<BudgetLedger> use) throws SQLException {
        try (Database database = new Database(home)) {
            SigningKeys keys = CONFIGURATION.signingKeys(new SigningSettings(new Secret("")), home, database);
            use.accept(CONFIGURATION.budgetLedger(
                    database, home, keys, new SimpleMeterRegistry(), GuardedDatabase.journal(), accept, arguments));
            assertThat(CONFIGURATION.receipts(database, keys).receipt("none")).isEmpty();
        }
    }

    private static void assertRemaining(BudgetLedger ledger, String epsilon) {
        assertThat(ledger.budget(OpenLedger.ACCOUNT).remaining().epsilon()).hasToString(epsilon);
    }

    @Test
    void opensTheLedgerOfAHomeAndConfirmsWhatItHas() throws SQLException {
        start(false, ledger -> assertRemaining(ledger, "0.6"));

        assertThat(GuardedDatabase.anchor(home).heads())
                .hasEntrySatisfying(
                        OpenLedger.ACCOUNT, head -> assertThat(head.sequence()).isEqualTo(2));
    }

    /** A ledger in the home has its anchor beside it; one elsewhere may be met by a home that is new. */
    @Test
    void refusesALedgerInTheHomeWithoutItsAnchor() throws IOException {
        Files.delete(anchor);

        assertThatThrownBy(() -> start(false, ledger -> {}))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("missing from the home");
    }

    @Test
    void meetsALedgerElsewhereWithoutAnAnchor() throws IOException, SQLException {
        PurserHome other = new PurserHome(folder.resolve("other"));
        try (Database database = new Database(home)) {
            SigningKeys keys = CONFIGURATION.signingKeys(new SigningSettings(new Secret("")), other, database);
            assertRemaining(
                    CONFIGURATION.budgetLedger(
                            database,
                            other,
                            keys,
                            new SimpleMeterRegistry(),
                            GuardedDatabase.journal(),
                            false,
                            NOTHING_STATED),
                    "0.6");
        }
        assertThat(other.path().resolve("ledger.anchor")).exists();
    }

    @Test
    void acceptsALedgerWithoutAnAnchorAndLeavesItNothing() throws IOException, SQLException {
        Files.delete(anchor);

        start(true, ledger -> assertRemaining(ledger, "0"));
        start(false, ledger -> assertRemaining(ledger, "0"));
    }

    @Test
    void acceptsALedgerWhoseAnchorCannotBeReadAndLeavesItNothing() throws IOException, SQLException {
        Files.writeString(anchor, "not an anchor\n");

        start(true, ledger -> assertRemaining(ledger, "0"));
    }

    @Test
    void readsWhatTheOperatorStatesOfTheLastBlock() {
        ApplicationArguments stated = new DefaultApplicationArguments("--last-block=adult=2026-03-01");

        assertThatThrownBy(() -> start(true, stated, ledger -> {}))
                .hasMessageContaining("--last-block names the account adult, which has no blocks.");
    }

    @Test
    void acceptingALedgerThatHasEverythingChangesNothing() throws SQLException {
        start(true, ledger -> assertRemaining(ledger, "0.6"));
    }
}
