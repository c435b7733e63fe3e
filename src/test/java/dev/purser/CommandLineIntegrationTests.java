package dev.purser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The packaged jar as its user types it, in an empty folder. Tests that have to start most of the service run from the
 * extracted jar.
 */
class CommandLineIntegrationTests {
    @TempDir
    private Path folder;

    private Ended run(Map<String, String> environment, List<String> program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PURSER_"));
        builder.environment().put("SERVER_PORT", "0");
        builder.environment().putAll(environment);
        return Ended.of(builder);
    }

    /** Runs the jar, which ends by itself and leaves nothing behind. */
    private String refused(int status, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Ended ended = run(environment, ServiceProcess.jar(), arguments);
        assertThat(ended.status()).as(ended.output()).isEqualTo(status);
        assertThat(folder).isEmptyDirectory();
        assertThat(ended.output()).doesNotContain("\tat ", "Listening on");
        return ended.output();
    }

    @Test
    void helpAndTheVersionCreateNothing() throws Exception {
        assertThat(refused(0, Map.of(), "--help")).contains("Usage: java -jar purser.jar", "verify-receipt");
        assertThat(refused(0, Map.of(), "help")).contains("Usage: java -jar purser.jar", "verify-receipt");
        assertThat(refused(0, Map.of(), "--version")).startsWith("Purser 0.").contains("Java 2");
    }

    @Test
    void aMistypedCommandNamesTheNearestAndCreatesNothing() throws Exception {
        assertThat(refused(2, Map.of(), "accept-restored-leger"))
                .contains("There is no command accept-restored-leger; the nearest is \"accept-restored-ledger\".");
    }

    @Test
    void aMistypedSettingStopsTheStartAndNamesTheNearest() throws Exception {
        assertThat(refused(
                        1,
                        Map.of("PURSER_ENGINE_TIMEOT", "1s", "PURSER_CONNECTIONS_BOOKS_TSL", "off"),
                        "--purser.release.quantized=true"))
                .contains("purser.release.quantized (the nearest is purser.release.quantised)")
                .contains("PURSER_ENGINE_TIMEOT (the nearest is PURSER_ENGINE_TIMEOUT)")
                .contains("PURSER_CONNECTIONS_BOOKS_TSL (the nearest is PURSER_CONNECTIONS_BOOKS_TLS)");
    }

    @ParameterizedTest
    @CsvSource({
        "PURSER_ENGINE_MAX_OPEN, 0, 'purser.engine.max-open must be greater than or equal to 1, was 0.'",
        "SERVER_PORT, 99999, 'server.port must be from 0 to 65535, was 99999.'"
    })
    void aValueOutOfRangeStopsTheStartWithItsRule(String variable, String value, String rule) throws Exception {
        Ended ended = run(Map.of(variable, value), ServiceProcess.extracted());
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output()).doesNotContain("\tat ").contains(rule, "docs/operating.md");
    }

    /** Variables that the README's shell and a container platform set, and every form of a setting's name. */
    @Test
    void whatOthersSetDoesNotStopTheStart() throws Exception {
        Map<String, String> environment = Map.of(
                "PURSER", "http://127.0.0.1:8080",
                "PURSER_PORT", "tcp://10.0.0.1:8080",
                "PURSER_PORT_8080_TCP_ADDR", "10.0.0.1",
                "PURSER_SERVICE_HOST", "10.0.0.1",
                "PURSER_SERVICE_PORT_HTTP", "8080",
                "PURSER_ENGINE_MAX_OPEN", "3",
                "PURSER_ENGINE_MAXOPEN", "3",
                "PURSER_RELEASE_KINDS_COUNT", "1s",
                "PURSER_WEB_ALLOWED_ORIGINS_0", "http://localhost:3000");
        try (ServiceProcess service = new ServiceProcess(folder, environment)) {
            assertThat(service.log())
                    .contains("Protection off: pages of other sites are kept out (purser.web.allowed-origins)");
        }
    }

    @Tag("full")
    @Test
    void thereIsNoRestoredLedgerToAcceptWhereThereIsNone() throws Exception {
        assertThat(refused(1, Map.of("PURSER_HOME", "nothing"), "accept-restored-ledger"))
                .contains("There is no ledger in " + folder.toRealPath().resolve("nothing/ledger.db"));
    }

    @Tag("full")
    @Test
    void acceptingARestoredLedgerSaysWhatItClosedAndCountedAsSpent() throws Exception {
        Path home;
        Path copy = folder.resolve("ledger.copy");
        try (ServiceProcess service = new ServiceProcess(folder, Map.of())) {
            home = service.home();
            service.ofAges("visits", service.key(), 5, "", "1\n2\n");
            service.killAndRestart();
            Files.copy(home.resolve("ledger.db"), copy);
            String count = """
                    {"epsilon": "1"}""";
            assertThat(service.ask("/v1/datasets/visits/queries/count", service.key(), "k", count)
                            .statusCode())
                    .isEqualTo(200);
        }
        Files.move(copy, home.resolve("ledger.db"), StandardCopyOption.REPLACE_EXISTING);
        Files.deleteIfExists(home.resolve("ledger.db-wal"));
        Files.deleteIfExists(home.resolve("ledger.db-shm"));

        Ended accepted = OperatingPage.paste(
                folder,
                Map.of("PURSER_HOME", home.toString(), "SERVER_PORT", "0"),
                OperatingPage.blocks("### An older database in its home").getFirst());

        assertThat(accepted.status()).as(accepted.output()).isZero();
        assertThat(accepted.output())
                .contains("account visits lost entries: epsilon 5 and delta 0 remained, counted as spent;"
                        + " open sessions closed: 0")
                .contains("the ledger is accepted");
    }

    @Test
    void anOlderJavaIsToldWhatIsNeeded() throws Exception {
        Path java17 = Path.of("/usr/lib/jvm/java-17-openjdk-amd64/bin/java");
        assumeTrue(Files.isExecutable(java17), "there is no " + java17);

        Ended ended = run(Map.of(), List.of(java17.toString(), "-jar", System.getProperty("purser.jar")));

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.output().lines())
                .singleElement()
                .asString()
                .startsWith("Purser needs Java 25 or later, and this is Java 17")
                .endsWith(": start it with the java of a newer one.");
        assertThat(folder).isEmptyDirectory();
    }
}
