package dev.purser.store;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The conditions that accept-restored-ledger checks before it creates anything. */
class StoreSettingsTests {
    @TempDir
    Path folder;

    private void assertRequired(LedgerSettings ledger) throws SQLException {
        Path home = folder.resolve("home");
        StoreSettings settings = new StoreSettings(home.toString(), ledger);
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> new PurserHome(settings, true))
                .withMessageStartingWith("There is no ledger in ")
                .satisfies(refusal -> assertThat(refusal.action()).contains("PURSER_HOME", "PURSER_LEDGER_URL"));
        assertThat(home).doesNotExist();

        new Database(new PurserHome(settings, false), settings).close();

        assertThat(new PurserHome(settings, true).path()).isEqualTo(home);
    }

    @Test
    void aLedgerInTheHomeIsThereOnceAServiceHasStarted() throws SQLException {
        assertRequired(LedgerSettings.embedded());
    }

    @Test
    void aLedgerInPostgresqlIsThereOnceAServiceHasStarted() throws SQLException {
        assertRequired(PostgresServer.shared().emptyDatabase());
    }

    @Test
    void aServerThatCannotBeReachedHasNone() {
        LedgerSettings nobody =
                new LedgerSettings("jdbc:postgresql://127.0.0.1:1/none", "u", "p", new Secret(""), false);
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> new StoreSettings("home", nobody).requireLedger())
                .withMessageContaining("cannot be opened");
    }
}
