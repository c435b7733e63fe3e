package dev.purser;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Every home under {@code src/test/homes}, opened by the packaged service: what was begun in it goes on. */
@Tag("full")
class OlderHomesIntegrationTests {
    private static final Path HOMES = Path.of("src", "test", "homes");
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String VISITS = "/v1/datasets/visits";
    private static final String TRIPS = "/v1/datasets/trips";
    private static final String STAYS = "/v1/datasets/stays";
    private static final String DAYS = "/v1/datasets/days";

    @TempDir
    Path folder;

    private ServiceProcess service;
    private String ana;

    /** Homes with everything that there was before plans. */
    static List<Path> homes() throws IOException {
        try (Stream<Path> all = Files.list(HOMES)) {
            return all.filter(home -> Files.exists(home.resolve("home/datasets/visits")))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("homes")
    void whatWasBegunGoesOn(Path older) throws Exception {
        copyHome(older);
        try (ServiceProcess opened = new ServiceProcess(folder)) {
            service = opened;
            openQuestionsAreAnsweredUnderTheirCharges();
            answersAreStillStored();
            sessionsGoOn();
            whatIsSpentIsSpent();
            collectionsGoOn();
            theRecipeOfAnUpgradeIsTrue();
            service.killAndRestart();
            sessionsGoOnAfterAnotherStart();
            assertThat(service.log()).doesNotContain("ERROR");
        }
    }

    /** The line that the first start logs, and another backup after it. */
    private void theRecipeOfAnUpgradeIsTrue() throws Exception {
        String line = OperatingPage.found("`(the journal begins:[^`]+)`", OperatingPage.section("## Upgrade"));
        assertThat(OperatingPage.unnumbered(service.log())).containsOnlyOnce(OperatingPage.unnumbered(line));
        Ended backup = OperatingPage.paste(
                folder,
                Map.of("PURSER_HOME", service.home().toString()),
                OperatingPage.blocks("## Backup")
                        .getFirst()
                        .replace(
                                "/backups/2031-01-31",
                                folder.resolve("upgraded").toString()));
        assertThat(backup.status()).as(backup.output()).isZero();
    }

    /** One plan was answered, and the other was charged. */
    @Test
    void plansGoOn() throws Exception {
        copyHome(HOMES.resolve("v14"));
        String count = """
                {"kind":"count","request":{"epsilon":"0.5","reuse":true}}""";
        String sum = """
                {"kind":"sum","request":{"epsilon":"0.25","column":"age"}}""";
        try (ServiceProcess opened = new ServiceProcess(folder)) {
            service = opened;
            await(
                    "the charged plan is answered",
                    () -> !read(STAYS + "/queries").toString().contains("\"reserved\""));
            JsonNode bought = replayed("bought", count + "," + sum + "," + count);
            assertThat(bought.get(2).get("reusedFrom")).isEqualTo(bought.get(0).get("queryId"));
            JsonNode charged = replayed("charged", sum + "," + sum);
            assertThat(charged.get(0).get("queryId"))
                    .isNotEqualTo(charged.get(1).get("queryId"));
            assertThat(spent(STAYS)).isEqualTo("1.25");
            isSound(STAYS);
            assertThat(service.log()).doesNotContain("ERROR");
        }
    }

    /** One synopsis was bought and refined, and another was charged. */
    @Test
    void synopsesGoOn() throws Exception {
        copyHome(HOMES.resolve("v15"));
        try (ServiceProcess opened = new ServiceProcess(folder)) {
            service = opened;
            await(
                    "the charged synopsis is answered",
                    () -> read(STAYS + "/synopses").get("items").size() == 2);
            JsonNode bought = read(STAYS + "/synopses").get("items");
            assertThat(bought.at("/0/purchases").size()).isEqualTo(2);
            assertThat(bought.at("/1/columns/0/column").asString()).isEqualTo("ward");
            for (JsonNode each : bought) {
                JsonNode answers = ok(service.ask(
                        "/v1/synopses/" + each.get("synopsisId").asString() + "/answers",
                        ana,
                        "free",
                        "{\"questions\":[{\"count\":{}}]}"));
                JsonNode interval = answers.at("/items/0/interval");
                assertThat(3.0)
                        .isBetween(
                                interval.get("low").asDouble() - 50,
                                interval.get("high").asDouble() + 50);
            }
            isSound(STAYS);
            assertThat(service.log()).doesNotContain("ERROR");
        }
    }

    /** A count of two days was answered, and a histogram of the newest was charged. Another day comes. */
    @Test
    void blocksGoOn() throws Exception {
        copyHome(HOMES.resolve("v17"));
        try (ServiceProcess opened = new ServiceProcess(folder)) {
            service = opened;
            await(
                    "the charged histogram is answered",
                    () -> !read(DAYS + "/queries").toString().contains("\"reserved\""));
            service.putCsv("/v1/datasets/days/blocks/2026-03-05/data", service.key(), "day,age\n2026-03-05,40\n");
            JsonNode charged = ok(service.ask(
                    DAYS + "/queries/histogram",
                    ana,
                    "charged",
                    "{\"epsilon\":\"0.25\",\"column\":\"day\",\"blocks\":{\"latest\":1}}"));
            assertThat(charged.at("/answer/bins/0/block").asString()).isEqualTo("2026-03-04");
            assertThat(charged.at("/question/blocks/from").asString()).isEqualTo("2026-03-04");
            JsonNode runs = read(DAYS + "/blocks?to=2026-03-06").get("items");
            assertThat(runs)
                    .extracting(run ->
                            run.get("from").asString() + " " + run.get("state").asString() + " "
                                    + run.at("/spent/epsilon").asString() + " "
                                    + run.at("/remaining/epsilon").asString())
                    .containsExactly(
                            "2026-03-01 ready 0.5 0.25",
                            "2026-03-03 not-ready 0 0.75",
                            "2026-03-04 ready 0.25 0.5",
                            "2026-03-05 ready 0 0.75",
                            "2026-03-06 not-ready 0 0.75");
            isSound(DAYS);
            assertThat(service.log()).doesNotContain("ERROR");
        }
    }

    private JsonNode replayed(String key, String items) throws Exception {
        HttpResponse<String> reply = service.ask(STAYS + "/queries", ana, key, "{\"questions\":[" + items + "]}");
        assertThat(reply.headers().firstValue("Idempotency-Replayed")).contains("true");
        return ok(reply).get("items");
    }

    /** By somebody who has the database but not the home, while the service is stopped. */
    @ParameterizedTest
    @MethodSource("homes")
    void whatWasChangedIsNotAnsweredAndTheRestGoesOn(Path older) throws Exception {
        copyHome(older);
        change("DROP TRIGGER question_is_answered_once", "DROP TRIGGER interaction_moves_forward", """
                UPDATE question SET request = CAST('{"epsilon":"9","column":"age"}' AS BLOB) \
                WHERE dataset_id = 'trips'""", """
                UPDATE interaction SET request = CAST(replace(CAST(request AS TEXT), \
                '"epsilon":"1"', '"epsilon":"90"') AS BLOB) WHERE idempotency_key <> 'above'""");
        List<String> sessions = sessions();
        try (ServiceProcess opened = new ServiceProcess(folder)) {
            service = opened;
            resumed(VISITS, "mean", """
                    {"epsilon":"0.5","column":"age"}""");
            JsonNode changed = own(TRIPS, "local-mean");
            awaitLog("query " + changed.get("queryId").asString() + " is not used");
            assertThat(own(TRIPS, "local-mean").get("state").asString()).isEqualTo("reserved");
            for (String refused : sessions.subList(0, 2)) {
                assertThat(step(refused, 2).statusCode()).isEqualTo(500);
                assertThat(service.log().lines().filter(line -> line.contains("ERROR")))
                        .anyMatch(line -> line.contains(refused));
            }
            ok(step(sessions.get(2), 2));
            assertThat(spent(VISITS)).isEqualTo("3.5");
        }
    }

    private void change(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("home/ledger.db"));
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Ids ascend in time: upfront, below, above. */
    private List<String> sessions() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("home/ledger.db"));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT interaction_id FROM interaction ORDER BY 1")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }

    private void awaitLog(String line) throws Exception {
        await(line, () -> service.log().contains(line));
    }

    private static void await(String what, Callable<Boolean> holds) throws Exception {
        Instant deadline = Instant.now().plus(PATIENCE);
        boolean done = holds.call();
        while (!done && Instant.now().isBefore(deadline)) {
            Thread.sleep(100);
            done = holds.call();
        }
        assertThat(done).as(what).isTrue();
    }

    private void copyHome(Path older) throws IOException {
        copy(older.resolve("home"), folder.resolve("home"));
        ana = Files.readString(older.resolve("ana.key")).strip();
    }

    /** Git keeps neither empty folders nor permissions. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path copy = to.resolve(from.relativize(each).toString());
                Files.copy(each, copy);
                Files.setPosixFilePermissions(
                        copy, PosixFilePermissions.fromString(Files.isDirectory(each) ? "rwx------" : "rw-------"));
            }
        }
    }

    private JsonNode read(String path) throws Exception {
        return ok(service.get(path, ana));
    }

    private static JsonNode ok(HttpResponse<String> reply) {
        assertThat(reply.statusCode()).as(reply.body()).isBetween(200, 201);
        return JSON.readTree(reply.body());
    }

    private void openQuestionsAreAnsweredUnderTheirCharges() throws Exception {
        JsonNode mean = resumed(VISITS, "mean", """
                {"epsilon":"0.5","column":"age"}""");
        assertThat(mean.at("/charge/epsilon").asString()).isEqualTo("0.5");
        assertThat(mean.at("/answer/mean").isNumber()).isTrue();
        JsonNode local = resumed(TRIPS, "local-mean", """
                {"epsilon":"0.2","column":"age"}""");
        assertThat(local.at("/answer/mean").isNumber()).isTrue();
        assertThat(spent(VISITS)).isEqualTo("3");
    }

    /** The answer that the service gives by itself, which a retry then gets too. */
    private JsonNode resumed(String dataset, String kind, String body) throws Exception {
        await(
                "the charged question is answered",
                () -> own(dataset, kind).get("state").asString().equals("answered"));
        JsonNode open = own(dataset, kind);
        HttpResponse<String> retry = service.ask(dataset + "/queries/" + kind, ana, "open", body);
        assertThat(retry.headers().firstValue("Idempotency-Replayed")).contains("true");
        JsonNode answer = ok(retry);
        assertThat(answer.get("queryId")).isEqualTo(open.get("queryId"));
        return answer;
    }

    private JsonNode own(String dataset, String kind) throws Exception {
        JsonNode items = read(dataset + "/queries?kind=" + kind).get("items");
        assertThat(items).hasSize(1);
        return items.get(0);
    }

    private void answersAreStillStored() throws Exception {
        HttpResponse<String> retry = service.ask(VISITS + "/queries/count", ana, "answered", """
                {"epsilon":"0.5"}""");
        assertThat(retry.headers().firstValue("Idempotency-Replayed")).contains("true");
        String id = ok(retry).get("queryId").asString();
        assertThat(service.get("/v1/queries/" + id, ana).body()).isEqualTo(retry.body());
        assertThat(read("/v1/queries/" + id + "/receipt").get("queryId").asString())
                .isEqualTo(id);
    }

    private void sessionsGoOn() throws Exception {
        JsonNode sessions = read(VISITS + "/threshold-sessions").get("items");
        assertThat(sessions).hasSize(3);
        for (JsonNode session : sessions) {
            assertThat(session.get("state").asString()).isEqualTo("open");
            String before = spent(VISITS);
            boolean isPaid = session.get("positivesLeft").asInt() == 2;
            HttpResponse<String> known = step(session, 1);
            assertThat(known.headers().firstValue("Idempotency-Replayed")).contains("true");
            HttpResponse<String> next = step(session, 2);

            assertThat(ok(next).get("outcome").asString())
                    .isEqualTo(ok(known).get("outcome").asString());
            assertThat(next.headers().firstValue("Idempotency-Replayed")).isEmpty();
            assertThat(spent(VISITS).equals(before)).as(next.body()).isEqualTo(isPaid);
        }
    }

    /** The last of them had its last positive. */
    private void sessionsGoOnAfterAnotherStart() throws Exception {
        JsonNode sessions = read(VISITS + "/threshold-sessions").get("items");
        assertThat(ok(step(sessions.get(0), 3)).get("outcome").asString()).isEqualTo("BELOW");
        assertThat(ok(step(sessions.get(1), 3)).get("outcome").asString()).isEqualTo("BELOW");
        assertThat(sessions.get(2).get("closedBecause").asString()).isEqualTo("positives");
    }

    private HttpResponse<String> step(JsonNode session, int sequence) throws Exception {
        return step(session.get("sessionId").asString(), sequence);
    }

    private HttpResponse<String> step(String session, int sequence) throws Exception {
        return service.post("/v1/threshold-sessions/" + session + "/queries", ana, """
                {"sequence":%d,"query":{"count":{}}}""".formatted(sequence));
    }

    private void whatIsSpentIsSpent() throws Exception {
        assertThat(spent(VISITS)).isEqualTo("3.5");
        HttpResponse<String> refused = service.post(TRIPS + "/queries/local-mean", ana, """
                        {"epsilon":"0.2","column":"age"}""");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
        assertThat(JSON.readTree(refused.body()).get("type").asString()).isEqualTo("/problems/budget-exhausted");
        for (String dataset : List.of(VISITS, TRIPS)) {
            isSound(dataset);
        }
    }

    private void isSound(String dataset) throws Exception {
        service.verifiedLedger(dataset.substring("/v1/datasets/".length()), service.key());
    }

    private String spent(String dataset) throws Exception {
        return read(dataset + "/budget").at("/spent/epsilon").asString();
    }

    private void collectionsGoOn() throws Exception {
        assertThat(read("/v1/collections/commute/estimate").get("reports").asInt())
                .isEqualTo(2);
        JsonNode more = ok(service.post("/v1/collections/commute/reports", service.key(), """
                                {"reports":[{"reportId":"a","category":"bus"},{"reportId":"c","category":"foot"}]}"""));
        assertThat(more.get("accepted").asInt()).isEqualTo(1);
        assertThat(more.get("duplicates").asInt()).isEqualTo(1);
        assertThat(read("/v1/collections/commute/estimate").get("reports").asInt())
                .isEqualTo(3);
    }
}
