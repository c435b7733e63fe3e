package dev.purser.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The certificate of a real PostgreSQL is checked where the URL of the ledger asks for it. */
@Tag("full")
class PostgresTlsTests {
    @TempDir
    private static Path folder;

    private static PostgresServer server;
    private static LedgerSettings settings;
    private static Path trusted;
    private static Path other;

    @BeforeAll
    static void starts() throws Exception {
        server = PostgresServer.startOwn();
        TestCertificate own = TestCertificate.make(folder, "ip:127.0.0.1");
        server.startAgainWith(own);
        settings = server.emptyDatabase();
        trusted = Files.writeString(folder.resolve("trusted.pem"), own.chain());
        other = Files.writeString(
                folder.resolve("other.pem"),
                TestCertificate.make(folder, "ip:127.0.0.1").chain());
    }

    @AfterAll
    static void stops() {
        if (server != null) {
            server.close();
        }
    }

    private static LedgerSettings at(String url) {
        return new LedgerSettings(
                url, settings.user(), settings.password(), settings.journalKey(), settings.synchronousStandby());
    }

    private static Database opened(String url) throws IOException {
        return new Database(new PurserHome(Files.createTempDirectory(folder, "home")), at(url));
    }

    private static String verifying(String url, Path root) {
        return url + "?sslmode=verify-full&sslrootcert=" + root;
    }

    @Test
    void aServerWithTheTrustedCertificateIsConnectedToWithTls() throws Exception {
        try (Database database = opened(verifying(settings.url(), trusted))) {
            assertThat(database.<Boolean>read(connection -> connection
                            .first("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", row -> row.getBoolean(1))
                            .orElseThrow()))
                    .isTrue();
        }
    }

    @Test
    void anotherCertificateOrAnotherNameIsRefused() {
        assertThatThrownBy(() -> opened(verifying(settings.url(), other)))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("cannot be opened");
        String byName = settings.url().replace("127.0.0.1", "localhost");
        assertThatThrownBy(() -> opened(verifying(byName, trusted)))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("cannot be opened");
    }
}
