package dev.purser.store;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.store.Awaited.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Servers that must not hold a ledger, and servers that must not hold it any longer. */
@Tag("full")
class PostgresGateTests {
    @AutoClose
    private static PostgresServer server;

    @TempDir
    Path folder;

    private LedgerSettings settings;

    @BeforeAll
    static void start() {
        server = PostgresServer.startOwn();
    }

    @BeforeEach
    void create() {
        settings = server.newDatabase();
    }

    private void assertRefused(LedgerSettings refused, String reason) {
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> new Database(new PurserHome(folder), refused))
                .withMessageContaining(reason)
                .satisfies(refusal ->
                        assertThat(refusal.getMessage() + refusal.action()).doesNotContain(settings.password()));
    }

    @Test
    void aServerThatForgetsCommitsIsRefused() throws Exception {
        for (List<String> weak : List.of(
                List.of("fsync", "off"),
                List.of("full_page_writes", "off"),
                List.of("synchronous_commit", "off"),
                List.of("synchronous_commit", "local"),
                List.of("synchronous_commit", "remote_write"),
                List.of("default_transaction_read_only", "on"))) {
            String setting = weak.getFirst();
            change(setting, weak.getLast());
            assertRefused(settings, setting + " is " + weak.getLast());
            change(setting, setting.equals("default_transaction_read_only") ? "off" : "on");
        }
        new Database(new PurserHome(folder), settings).close();
    }

    @Test
    void aRoleThatDoesNotWaitForItsCommitsIsRefused() {
        server.execute("ALTER ROLE " + settings.user() + " SET synchronous_commit = off");

        assertRefused(settings, "synchronous_commit is off");
    }

    @Test
    void aDeclaredStandbyMustBeConfigured() {
        LedgerSettings declared =
                new LedgerSettings(settings.url(), settings.user(), settings.password(), new Secret(""), true);

        assertRefused(declared, "synchronous_standby_names is ''");
    }

    @Test
    void aDatabaseThatIsNotUtf8IsRefused() {
        server.execute(
                "CREATE DATABASE latin OWNER " + settings.user() + " ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        String url = settings.url().substring(0, settings.url().lastIndexOf('/')) + "/latin";

        assertRefused(
                new LedgerSettings(url, settings.user(), settings.password(), new Secret(""), false),
                "server_encoding is LATIN1");
    }

    @Test
    void anUnreachableServerIsRefused() {
        LedgerSettings nobody = new LedgerSettings(
                "jdbc:postgresql://127.0.0.1:1/ledger", "purser", settings.password(), new Secret(""), false);

        assertRefused(nobody, "cannot be opened");
    }

    @Test
    void onlyOneFormOfUrlIsTakenAndNoneIsRepeated() {
        for (String url : List.of(
                settings.url() + "?user=me&password=" + settings.password(),
                settings.url() + "?sslmode=disable",
                settings.url() + "?sslmode=verify-full",
                settings.url() + "?sslmode=verify-full&sslrootcert=/a.pem&sslmode=disable",
                "jdbc:postgresql://me:" + settings.password() + "@127.0.0.1/ledger",
                "jdbc:postgresql:ledger",
                "jdbc:postgresql://127.0.0.1:5432/",
                "jdbc:h2:mem:ledger")) {
            assertRefused(
                    new LedgerSettings(url, settings.user(), settings.password(), new Secret(""), false),
                    "PURSER_LEDGER_URL is not");
        }
        for (String url : List.of("jdbc:postgresql://db/ledger", "jdbc:postgresql://[::1]:5432/ledger")) {
            assertThat(new Postgres(new LedgerSettings(url, "", "", new Secret(""), false)).name())
                    .isEqualTo(url);
        }
        assertThat(settings.toString()).doesNotContain(settings.password());
    }

    @Test
    void aServerThatIsWeakenedLaterIsNotWrittenAnyMore() throws Exception {
        try (Database database = new Database(new PurserHome(folder), settings)) {
            change("fsync", "off");
            awaitThat(() -> !database.isWritable());

            change("fsync", "on");
            awaitThat(database::isWritable);
        }
    }

    private static void change(String setting, String value) throws InterruptedException {
        server.execute("ALTER SYSTEM SET " + setting + " = " + value);
        server.execute("SELECT pg_reload_conf()");
        awaitThat(() -> server.ask("SHOW " + setting).equals(value));
    }
}
