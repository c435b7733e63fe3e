package dev.purser;

import dev.purser.digest.Sha256;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The commands backup and restore of the packaged jar, beside a service that runs. Commands that succeed are those of
 * {@code docs/operating.md}.
 */
@Tag("full")
class BackupIntegrationTests {
    private static final String ADMIN = "a-key-that-every-one-of-the-homes-has";
    private static final String COUNT = "/v1/datasets/visits/queries/count";
    private static final String SMALL = """
            {"epsilon":"0.001"}""";
    private static final int BACKUPS = 2;
    private static final String PAGES_BACKUP = "/backups/2031-01-31";
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private Path folder;

    private Map<String, String> environment = Map.of("PURSER_ADMIN_KEY", ADMIN);
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();

    private ProcessBuilder command(Path home, String... arguments) {
        List<String> command = new ArrayList<>(ServiceProcess.extracted());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.environment().put("PURSER_HOME", home.toString());
        return builder;
    }

    private String done(Path home, String... arguments) throws IOException, InterruptedException {
        return ended(0, Ended.of(command(home, arguments)));
    }

    private String refused(Path home, String... arguments) throws IOException, InterruptedException {
        return ended(1, Ended.of(command(home, arguments)));
    }

    private static String ended(int status, Ended ended) {
        assertThat(ended.status()).as(ended.output()).isEqualTo(status);
        assertThat(ended.output()).doesNotContain("\tat ");
        return ended.output();
    }

    /** The backup {@code name} as a new home, with the service on it. */
    private ServiceProcess restored(String name, String... options) throws IOException, InterruptedException {
        Path place = folder.resolve("restored-" + name + options.length);
        String command = OperatingPage.blocks("### Restore").getFirst();
        assertThat(command).startsWith("PURSER_HOME=/var/lib/purser ").doesNotContain("\n");
        String output = pasted(
                command.replace("/var/lib/purser", place.resolve("home").toString())
                        + String.join(
                                "",
                                Arrays.stream(options)
                                        .map(option -> " " + option)
                                        .toList()),
                name);
        assertThat(output).contains("The home is complete. Start the service.");
        assertThat(output.contains("counted as spent; open sessions closed:")).isEqualTo(options.length == 0);
        return new ServiceProcess(place, environment);
    }

    /** Runs commands of the page with a backup of this name, and {@code PURSER_HOME} as the service has it. */
    private String pasted(String commands, String name) throws IOException, InterruptedException {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("PURSER_HOME", folder.resolve("home").toString());
        assertThat(commands).contains(PAGES_BACKUP);
        String here = commands.replace(PAGES_BACKUP, folder.resolve(name).toString());
        return ended(0, OperatingPage.paste(folder, variables, here));
    }

    /** Makes the page's backup. It prints what the page shows, and names the datasets that are deleted meanwhile. */
    private void backup(String name) throws IOException, InterruptedException {
        List<String> page = OperatingPage.blocks("## Backup");
        String output =
                pasted(page.get(0), name).replaceAll("(?m)^The dataset brief-.* was deleted meanwhile: .*\\R", "");
        assertThat(OperatingPage.unnumbered(output.replace(folder.resolve(name).toString(), PAGES_BACKUP)))
                .isEqualToIgnoringNewLines(OperatingPage.unnumbered(page.get(1)));
    }

    private static void register(ServiceProcess service, String id, String rows) throws Exception {
        service.ofAges(id, ADMIN, 1000, ",\"declaredPublic\": true", rows);
    }

    private void ask(ServiceProcess service, String key) throws IOException, InterruptedException {
        HttpResponse<String> reply = service.ask(COUNT, ADMIN, key, SMALL);
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        acknowledged.put(key, reply.body());
    }

    /** Sends questions from several threads, and makes and deletes datasets, until it is closed. */
    private final class Load implements AutoCloseable {
        private final List<Thread> threads = new ArrayList<>();
        private final List<Throwable> failures = new ArrayList<>();
        private volatile boolean ends;

        Load(ServiceProcess service) {
            for (int i = 0; i < 3; i++) {
                String asker = "asker-" + i + "-";
                AtomicInteger next = new AtomicInteger();
                start(() -> ask(service, asker + next.incrementAndGet()));
            }
            AtomicInteger next = new AtomicInteger();
            start(() -> {
                String id = "brief-" + next.incrementAndGet();
                register(service, id, "7\n".repeat(20_000));
                assertThat(service.delete("/v1/datasets/" + id, ADMIN).statusCode())
                        .isLessThan(300);
            });
        }

        private interface Round {
            void run() throws Exception;
        }

        private void start(Round round) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    while (!ends) {
                        round.run();
                    }
                } catch (Throwable failure) {
                    synchronized (failures) {
                        failures.add(failure);
                    }
                }
            }));
        }

        @Override
        public void close() throws InterruptedException {
            ends = true;
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void everyBackupUnderLoadHasWhatWasAnsweredBeforeAndNothingIsPaidTwice() throws Exception {
        List<Map<String, String>> before = new ArrayList<>();
        String session;
        String refined;
        try (ServiceProcess service = new ServiceProcess(folder, environment)) {
            register(service, "visits", "1\n2\n3\n".repeat(1000));
            ask(service, "refined");
            refined = JSON.readTree(acknowledged.get("refined")).get("queryId").asString();
            session = JSON.readTree(service.post("/v1/datasets/visits/threshold-sessions", ADMIN, """
                            {"epsilon":"1","threshold":1000000,"maxPositives":1,"queries":"counts"}""")
                            .body())
                    .get("sessionId")
                    .asString();
            try (Load load = new Load(service)) {
                for (int i = 0; i < BACKUPS; i++) {
                    int least = acknowledged.size() + 50;
                    while (acknowledged.size() < least) {
                        Thread.sleep(20);
                    }
                    before.add(Map.copyOf(acknowledged));
                    backup("backup" + i);
                }
            }
            // No copy has this refinement. Without the refusal, each copy would refine the answer again.
            assertThat(refine(service, refined).statusCode()).isEqualTo(200);
            assertThat(service.log()).doesNotContain("ERROR");
        }
        assertThat(folder.resolve("home/native")).doesNotExist();
        for (int i = 0; i < BACKUPS; i++) {
            String name = "backup" + i;
            requirePrivate(folder.resolve(name));
            try (ServiceProcess service = restored(name)) {
                hasAnswers(service, before.get(i));
                isExhausted(service);
                HttpResponse<String> again = refine(service, refined);
                assertThat(again.statusCode()).as(again.body()).isEqualTo(422);
                assertThat(again.body()).contains("/problems/not-refinable", "restored from a copy");
                assertThat(step(service, session).statusCode()).isEqualTo(409);
            }
        }
        try (ServiceProcess service = restored("backup" + (BACKUPS - 1), "--nothing-lost")) {
            hasAnswers(service, before.getLast());
            ask(service, "goes-on");
            assertThat(step(service, session).statusCode()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> refine(ServiceProcess service, String answer) throws Exception {
        return service.post("/v1/queries/" + answer + "/refinements", ADMIN, SMALL);
    }

    private static HttpResponse<String> step(ServiceProcess service, String session) throws Exception {
        return service.post("/v1/threshold-sessions/" + session + "/queries", ADMIN, """
                {"sequence":1,"query":{"count":{}}}""");
    }

    private static void hasAnswers(ServiceProcess service, Map<String, String> answers) throws Exception {
        assertThat(answers).isNotEmpty();
        for (Map.Entry<String, String> answer : answers.entrySet()) {
            HttpResponse<String> replay = service.ask(COUNT, ADMIN, answer.getKey(), SMALL);
            assertThat(replay.headers().firstValue("Idempotency-Replayed")).contains("true");
            assertThat(replay.body()).isEqualTo(answer.getValue());
        }
        service.verifiedLedger("visits", ADMIN);
    }

    private static void isExhausted(ServiceProcess service) throws Exception {
        HttpResponse<String> more = service.ask(COUNT, ADMIN, "one-more", SMALL);
        assertThat(more.statusCode()).as(more.body()).isEqualTo(409);
        JsonNode budget =
                JSON.readTree(service.get("/v1/datasets/visits/budget", ADMIN).body());
        assertThat(budget.at("/remaining/epsilon").asString()).isEqualTo("0");
        assertThat(budget.at("/spent/epsilon").asString()).isEqualTo("1000");
    }

    private static void requirePrivate(Path backup) throws IOException {
        try (Stream<Path> all = Files.walk(backup)) {
            for (Path each : all.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .as(each.toString())
                        .isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------");
            }
        }
        assertThat(backup.resolve("ledger.db.lock")).doesNotExist();
        assertThat(backup.resolve("ledger.db-wal")).doesNotExist();
    }

    @Test
    void whatIsNoWholeBackupOfAnEmptyHomeIsRefused() throws Exception {
        Path older = folder.resolve("older");
        Path newer = folder.resolve("newer");
        Path home;
        Path empty = folder.resolve("empty");
        try (ServiceProcess service = new ServiceProcess(folder, environment)) {
            home = service.home();
            register(service, "visits", "1\n2\n");
            JsonNode ana = JSON.readTree(service.post("/v1/keys", ADMIN, "{\"name\": \"ana\", \"role\": \"analyst\"}")
                    .body());
            ask(service, "first");
            done(home, "backup", older.toString());
            ask(service, "second");
            done(home, "backup", newer.toString());
            assertThat(refused(home, "backup", newer.toString()))
                    .isEqualToIgnoringNewLines("The folder " + newer
                            + " is not empty. Name a new folder: a backup is never written over another.");
            assertThat(refused(home, "restore", newer.toString()))
                    .startsWith("The folder " + home + " is not empty. Set PURSER_HOME to an empty folder");
            assertThat(refused(empty, "backup", folder.resolve("never").toString()))
                    .startsWith("There is no ledger in " + empty.resolve("ledger.db"));
            assertThat(refused(empty, "backup", folder.resolve("never").toString(), "--purser.hoem=x"))
                    .contains("Nothing reads purser.hoem");
            assertThat(done(empty, "restore", newer.toString()))
                    .contains(
                            "The books of 1 accounts are sound and agree with the anchor.",
                            "account visits lost entries: epsilon 999.998 and delta 0 remained, counted as spent;"
                                    + " open sessions closed: 0",
                            "key " + ana.get("keyId").asString() + " of ana, analyst");
        }
        Path place = folder.resolve("place");

        Path changed = copyOf(newer);
        Files.write(changed.resolve("datasets/visits/rows.columns"), new byte[] {1}, StandardOpenOption.APPEND);
        assertThat(refused(place, "restore", changed.toString()))
                .startsWith("The folder " + changed
                        + " is damaged: the file datasets/visits/rows.columns was changed. Use another backup.");

        Path unanchored = copyOf(newer);
        Files.delete(unanchored.resolve("ledger.anchor"));
        assertThat(refused(place, "restore", unanchored.toString()))
                .startsWith("The folder " + unanchored + " lacks the file ledger.anchor.");
        rewriteManifest(unanchored);
        assertThat(refused(place, "restore", unanchored.toString()))
                .startsWith("The backup " + unanchored + " has no anchor.");

        Path incomplete = copyOf(newer);
        Files.delete(incomplete.resolve("manifest.sha256"));
        assertThat(refused(place, "restore", incomplete.toString()))
                .contains("has no manifest.sha256: it is no backup, or was not completed");
        assertThat(place).doesNotExist();

        Path mixed = copyOf(newer);
        Files.copy(older.resolve("ledger.db"), mixed.resolve("ledger.db"), StandardCopyOption.REPLACE_EXISTING);
        rewriteManifest(mixed);
        for (String option : List.of("", " --nothing-lost")) {
            assertThat(refused(place, ("restore " + mixed + option).split(" ")))
                    .contains("The ledger of account visits ends at entry 2; entry 3 was confirmed.");
            assertThat(place).isEmptyDirectory();
        }

        Files.createFile(place.resolve("restore.unfinished"));
        assertThat(Ended.of(command(place, "--server.port=0")).output())
                .contains("A restore into " + place + " was not completed.", "Empty the folder");
        assertThat(refused(place, "backup", folder.resolve("never").toString()))
                .startsWith("A restore into " + place + " was not completed.");
        assertThat(folder.resolve("never")).doesNotExist();
    }

    private Path copyOf(Path backup) throws IOException {
        Path copy = Files.createTempDirectory(folder, "copy");
        try (Stream<Path> all = Files.walk(backup)) {
            for (Path each : all.skip(1).toList()) {
                Files.copy(each, copy.resolve(backup.relativize(each).toString()));
            }
        }
        return copy;
    }

    /** Rewrites the manifest as somebody would who changes a backup and hides the change. */
    private static void rewriteManifest(Path backup) throws Exception {
        Path manifest = backup.resolve("manifest.sha256");
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(manifest)) {
            Path file = backup.resolve(line.substring(line.lastIndexOf(' ') + 1));
            if (line.startsWith("#")) {
                lines.add(line);
            } else if (Files.exists(file)) {
                lines.add(Sha256.hexOf(Files.readAllBytes(file)) + "  " + backup.relativize(file));
            }
        }
        Files.write(manifest, lines);
    }

    /** The question may have been answered after the backup, and its charge pays for one answer. */
    @Test
    void aQuestionThatWasChargedAndNotAnsweredIsAnsweredOnlyIfNothingWasLost() throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder, environment)) {
            register(service, "visits", "1\n2\n3\n".repeat(1000));
            Path rows = service.home().resolve("datasets/visits/rows.columns");
            byte[] whole = Files.readAllBytes(rows);
            byte[] damaged = whole.clone();
            Arrays.fill(damaged, (byte) 7);
            Files.write(rows, damaged);
            assertThat(service.ask(COUNT, ADMIN, "open", SMALL).statusCode()).isEqualTo(503);
            Files.write(rows, whole);
            backup("open");
        }
        try (ServiceProcess service = restored("open")) {
            HttpResponse<String> retry = service.ask(COUNT, ADMIN, "open", SMALL);
            assertThat(retry.statusCode()).as(retry.body()).isEqualTo(422);
            assertThat(retry.body()).contains("may have been answered after the copy was made");
            JsonNode own = JSON.readTree(
                    service.get("/v1/datasets/visits/queries", ADMIN).body());
            assertThat(own.at("/items/0/state").asString()).isEqualTo("reserved");
            String id = own.at("/items/0/queryId").asString();
            assertThat(service.get("/v1/queries/" + id, ADMIN).statusCode()).isEqualTo(404);
            assertThat(service.get("/v1/queries/" + id + "/receipt", ADMIN).statusCode())
                    .isEqualTo(200);
            assertThat(service.log()).doesNotContain("ERROR");
        }
        try (ServiceProcess service = restored("open", "--nothing-lost")) {
            ask(service, "open");
        }
    }

    @Test
    void aKilledBackupIsNoBackupAndTheServiceGoesOn() throws Exception {
        Path torn = folder.resolve("torn");
        try (ServiceProcess service = new ServiceProcess(folder, environment)) {
            register(service, "visits", "1\n2\n");
            ask(service, "before");
            Process backup = command(service.home(), "backup", torn.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            while (!Files.exists(torn.resolve("ledger.anchor")) && backup.isAlive()) {
                Thread.onSpinWait();
            }
            backup.destroyForcibly().waitFor();
            assertThat(torn.resolve("manifest.sha256")).doesNotExist();

            ask(service, "after");
            backup("second");
            assertThat(refused(folder.resolve("empty"), "restore", torn.toString()))
                    .contains("was not completed");
            service.killAndRestart();
            hasAnswers(service, acknowledged);
            assertThat(service.log()).doesNotContain("ERROR");
        }
    }

    @Test
    void aHomeOnPostgresIsRestoredBesideACopyOfItsDatabase() throws Exception {
        LedgerSettings database = PostgresServer.shared().newDatabase();
        environment = postgres(database.url(), database);
        Path home;
        try (ServiceProcess service = new ServiceProcess(folder, environment)) {
            home = service.home();
            register(service, "visits", "1\n2\n");
            ask(service, "first");
            assertThat(done(home, "backup", folder.resolve("first").toString()))
                    .contains("copy its database now, after this backup");
        }
        String copy = copyOf(database, "newer");
        String untouched = copyOf(database, "untouched");
        String older = copyOf(database, "older");
        try (ServiceProcess service = new ServiceProcess(folder, environment)) {
            ask(service, "lost");
            done(home, "backup", folder.resolve("second").toString());
        }

        environment = postgres(older, database);
        assertThat(refused(
                        folder.resolve("restored-older/home"),
                        "restore",
                        folder.resolve("second").toString()))
                .contains("The ledger of account visits ends at entry 2; entry 3 was confirmed.");
        acknowledged.remove("lost");
        environment = postgres(untouched, database);
        try (ServiceProcess service = restored("first", "--nothing-lost")) {
            hasAnswers(service, acknowledged);
            ask(service, "goes-on");
        }
        acknowledged.remove("goes-on");
        environment = postgres(copy, database);
        try (ServiceProcess service = restored("first")) {
            hasAnswers(service, acknowledged);
            isExhausted(service);
        }
        environment = Map.of("PURSER_ADMIN_KEY", ADMIN);
        assertThat(refused(
                        folder.resolve("empty"),
                        "restore",
                        folder.resolve("first").toString()))
                .contains("Set PURSER_LEDGER_URL as the service had it.");
    }

    /** The server is an installed one: the server on the class path has no tools such as pg_dump. */
    @Test
    void aHomeOnPostgresIsRestoredBesideADump() throws Exception {
        assumeTrue(PostgresServer.hasTools(), "pg_dump and its server are not in /usr/lib/postgresql");
        try (PostgresServer server = PostgresServer.startInstalled()) {
            LedgerSettings database = server.newDatabase();
            environment = postgres(database.url(), database);
            environment.putAll(server.tools(database));
            String backup = OperatingPage.blocks("## Backup").get(2);
            try (ServiceProcess service = new ServiceProcess(folder, environment)) {
                register(service, "visits", "1\n2\n");
                ask(service, "first");
                assertThat(pasted(backup.replaceAll("purser$", database.user()), "dumped"))
                        .contains("copy its database now, after this backup");
            }
            String empty = database.user() + "restored";
            server.execute("CREATE DATABASE " + empty + " OWNER " + database.user());
            environment.put("PURSER_LEDGER_URL", database.url().replaceAll("[^/]+$", empty));
            String restore = OperatingPage.found("`(pg_restore [^`]+)`", OperatingPage.section("### Restore"));
            pasted(restore.replace(" purser ", " " + empty + " ").replace(" 2031", " /backups/2031"), "dumped");
            try (ServiceProcess service = restored("dumped")) {
                hasAnswers(service, acknowledged);
                isExhausted(service);
            }
        }
    }

    private static Map<String, String> postgres(String url, LedgerSettings database) {
        Map<String, String> all = new HashMap<>(Map.of(
                "PURSER_LEDGER_URL", url,
                "PURSER_LEDGER_USER", database.user(),
                "PURSER_LEDGER_PASSWORD", database.password()));
        all.put("PURSER_ADMIN_KEY", ADMIN);
        return all;
    }

    /** The address of a copy that the server makes. Nobody may use the database meanwhile. */
    private static String copyOf(LedgerSettings database, String name) {
        String copy = database.user() + name;
        PostgresServer.shared()
                .execute("CREATE DATABASE " + copy + " TEMPLATE " + database.user() + " OWNER " + database.user());
        return database.url().replaceAll("[^/]+$", copy);
    }

    @Test
    void noLibraryIsLeftInTheTemporaryFolderAfterAKill() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        List<String> command =
                ServiceProcess.java("-Djava.io.tmpdir=" + temporary, "-jar", System.getProperty("purser.jar"));
        try (ServiceProcess service = new ServiceProcess(folder, environment, command)) {
            register(service, "visits", "1\n2\n");
            ServiceProcess.assertStatus(201, service.registerAges("people", ADMIN, 1, ""));
            Path parquet = Path.of("src/test/resources/parquet/read/people.zstd.parquet");
            assertThat(service.send(
                            "PUT",
                            "/v1/datasets/people/data",
                            ADMIN,
                            "application/vnd.apache.parquet",
                            parquet,
                            Duration.ofMinutes(1)))
                    .isEqualTo(200);
            // As a process leaves it that is killed while it loads the library.
            Path left = Files.createDirectory(service.home().resolve("native"));
            Files.createFile(left.resolve("left.so"));
            service.killAndRestart();
            for (Path each : List.of(temporary, service.home())) {
                try (Stream<Path> all = Files.walk(each)) {
                    assertThat(all).noneMatch(file -> file.toString().contains(".so"));
                }
            }
        }
    }
}
