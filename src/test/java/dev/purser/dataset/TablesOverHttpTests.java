package dev.purser.dataset;

import dev.purser.PurserApplication;
import dev.purser.store.StartupRefusal;
import dev.purser.tables.PostgresWarehouse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tables of a real PostgreSQL as datasets, over HTTP. The service has a connection {@code warehouse} to it, and a
 * connection {@code closed} to an address where nobody listens.
 */
@ExtendWith(OutputCaptureExtension.class)
class TablesOverHttpTests {
    private static final String KEY = "a-key-that-the-test-knows";
    private static final PostgresWarehouse WAREHOUSE = PostgresWarehouse.create();
    private static final String AGE = "{'name':'age','type':'integer','lower':0,'upper':100,'missing':0}";
    private static final String SEX = "{'name':'sex','type':'category','categories':['F','M'],'missing':'F'}";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private static Path folder;

    @AutoClose
    private static ConfigurableApplicationContext service;

    private static int port;
    private static int datasets;

    @BeforeAll
    static void start() throws IOException {
        for (String table : List.of(
                "people",
                "shared",
                "public_rows",
                "deleted",
                "renewed",
                "unreadable",
                "divided",
                "monthly",
                "summed")) {
            WAREHOUSE.execute("CREATE TABLE census." + table
                    + " (age integer, wage numeric(12,2), sex text, who text, day date, note text)");
            WAREHOUSE.execute("INSERT INTO census." + table
                    + " SELECT i % 100, i * 0.5, CASE i % 2 WHEN 0 THEN 'F' ELSE 'M' END, 'u' || i % 50, now(), 'n'"
                    + " FROM generate_series(0, 999) AS i");
        }
        WAREHOUSE.execute("REVOKE SELECT ON census.unreadable FROM " + WAREHOUSE.reader());
        WAREHOUSE.execute("CREATE VIEW census.everybody AS SELECT * FROM census.people");
        service = run(folder.resolve("home"), WAREHOUSE.reader(), "reads");
        port = Objects.requireNonNull(service.getEnvironment().getProperty("local.server.port", Integer.class));
    }

    private static ConfigurableApplicationContext run(Path home, String user, String password) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--server.port=0", "--purser.home=" + home, "--purser.admin-key=" + KEY));
        connection(arguments, "warehouse", WAREHOUSE.port(), user, password);
        connection(arguments, "closed", freePort(), user, password);
        return new SpringApplicationBuilder(PurserApplication.class).run(arguments.toArray(String[]::new));
    }

    private static void connection(List<String> arguments, String name, int port, String user, String password) {
        String prefix = "--purser.connections." + name + ".";
        arguments.addAll(List.of(
                prefix + "type=postgresql",
                prefix + "host=127.0.0.1",
                prefix + "port=" + port,
                prefix + "database=" + WAREHOUSE.database(),
                prefix + "user=" + user,
                prefix + "password=" + password,
                prefix + "tls=off"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static HttpResponse<String> send(String method, String path, String body, String type) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Authorization", "Bearer " + KEY)
                        .header("Content-Type", type)
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(String path, String body) throws Exception {
        return send("POST", path, quoted(body), "application/json");
    }

    private static String newId() {
        return "t" + ++datasets;
    }

    private static String registration(String id, String columns, String source, String changes) {
        return "{'id':'" + id + "','columns':[" + columns + "],'privacyUnit':{'type':'row'},"
                + "'neighboringRelation':'add-or-remove-one','maxRows':100,'budget':{'epsilon':'1000'},'source':"
                + source
                + changes + "}";
    }

    private static String table(String table) {
        return "{'type':'table','connection':'warehouse','table':'" + table + "'}";
    }

    private static JsonNode expect(int status, HttpResponse<String> reply) {
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(status);
        return JsonMapper.shared().readTree(reply.body());
    }

    private static String register(String table, String changes) throws Exception {
        String id = newId();
        expect(201, post("/v1/datasets", registration(id, AGE + "," + SEX, table(table), changes)));
        return id;
    }

    /** At epsilon 100 there is no noise to speak of. */
    private static long count(String id, String where) throws Exception {
        String body = "{'epsilon':'100','where':[" + where + "]}";
        return expect(200, post("/v1/datasets/" + id + "/queries/count", body))
                .at("/answer/count")
                .asLong();
    }

    @Test
    void answersFromATable() throws Exception {
        String id = newId();
        JsonNode created =
                expect(201, post("/v1/datasets", registration(id, AGE + "," + SEX, table("census.people"), "")));
        assertThat(created.get("state").asString()).isEqualTo("ready");
        assertThat(created.get("source")).hasToString("""
                        {"type":"table","connection":"warehouse","table":"census.people"}""");
        assertThat(count(id, "")).isEqualTo(1000);
        assertThat(count(id, "{'column':'age','below':30},{'column':'sex','in':['M']}"))
                .isEqualTo(150);
        JsonNode mean = expect(
                200,
                post(
                        "/v1/datasets/" + id + "/queries/mean",
                        "{'epsilon':'100','column':'age','method':'sum-and-count'}"));
        assertThat(mean.at("/answer/mean").asDouble()).isBetween(49.4, 49.6);
        JsonNode refused = expect(409, send("PUT", "/v1/datasets/" + id + "/data", "age,sex\n1,F\n", "text/csv"));
        assertThat(refused.get("type").asString()).isEqualTo("/problems/already-exists");
        assertThat(refused.get("detail").asString()).contains("the rows of a table");
    }

    @Test
    void readsTheTableAsItStandsAndKeepsItsBudget(CapturedOutput log) throws Exception {
        String id = register("census.renewed", "");
        assertThat(count(id, "")).isEqualTo(1000);
        WAREHOUSE.execute("TRUNCATE census.renewed");
        WAREHOUSE.execute("INSERT INTO census.renewed (age, sex) VALUES (NULL, NULL), (7, 'x')");
        assertThat(count(id, "{'column':'sex','in':['F']}")).isEqualTo(2);
        assertThat(count(id, "{'column':'age','atMost':0}")).isEqualTo(1);
        JsonNode budget = expect(200, send("GET", "/v1/datasets/" + id + "/budget", "", "application/json"));
        assertThat(budget.at("/spent/epsilon").asString()).isEqualTo("300");

        WAREHOUSE.execute("DROP TABLE census.renewed");
        JsonNode failed = expect(503, post("/v1/datasets/" + id + "/queries/count", "{'epsilon':'100'}"));
        assertThat(failed.get("type").asString()).isEqualTo("/problems/temporarily-unavailable");
        assertThat(failed.get("detail").asString())
                .startsWith("the question is charged")
                .doesNotContain("renewed");
        assertThat(log)
                .contains("the table census.renewed of connection warehouse is not what was registered:"
                        + " /columns/0/name: the table has no column \"age\" that may be read; /columns/1/name:");
        budget = expect(200, send("GET", "/v1/datasets/" + id + "/budget", "", "application/json"));
        assertThat(budget.at("/spent/epsilon").asString()).isEqualTo("400");
    }

    @Test
    void aTableIsOneAccountForEver() throws Exception {
        String id = register("census.shared", "");
        String again = registration(newId(), AGE, table("census.shared"), "");
        JsonNode refused = expect(409, post("/v1/datasets", again));
        assertThat(refused.get("type").asString()).isEqualTo("/problems/already-exists");
        assertThat(refused.get("detail").asString()).doesNotContain(id);
        String others = registration(newId(), AGE, table("census.shared"), ",'declaredOtherPeople':true");
        assertThat(expect(422, post("/v1/datasets", others))
                        .at("/errors/0/pointer")
                        .asString())
                .isEqualTo("/declaredOtherPeople");

        String sharing = register("census.shared", ",'sharesAccountWith':'" + id + "'");
        count(sharing, "");
        JsonNode budget = expect(200, send("GET", "/v1/datasets/" + id + "/budget", "", "application/json"));
        assertThat(budget.at("/spent/epsilon").asString()).isEqualTo("100");
        assertThat(count(register("census.shared", ",'declaredPublic':true"), ""))
                .isEqualTo(1000);

        for (String dataset : List.of(id, sharing)) {
            assertThat(send("DELETE", "/v1/datasets/" + dataset, "", "application/json")
                            .statusCode())
                    .isEqualTo(204);
        }
        expect(409, post("/v1/datasets", again));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'table'} | /source/connection,/source/table",
                "{'type':'table','connection':'warehouse'} | /source/table",
                "{'type':'table','connection':'warehouse','table':'people'} | /source/table",
                "{'type':'table','connection':'warehouse','table':'a.b.c'} | /source/table",
                "{'type':'table','connection':'warehouse','table':'.people'} | /source/table",
                "{'type':'table','connection':'warehouse','table':5} | /source/table",
                "{'type':'table','connection':'warehouse','table':'census.people','url':'jdbc:x'} | /source/url",
                "{'type':'table','connection':'elsewhere','table':'census.people'} | /source/connection",
                "{'type':'table','connection':'warehouse','table':'census.nobody'} | /source/table",
                "{'type':'table','connection':'warehouse','table':'Census.People'} | /source/table",
                "{'type':'table','connection':'warehouse','table':'census.everybody'} | /source/table",
                "{'type':'table','connection':'warehouse','table':'census.unreadable'} | /source/table",
                "{'type':'upload','connection':'warehouse'} | /source/connection"
            })
    void refusesASourceThatIsNotThere(String source, String pointers) throws Exception {
        assertThat(pointers(post("/v1/datasets", registration(newId(), AGE, source, ""))))
                .isEqualTo(pointers);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name':'Age','type':'integer','lower':0,'upper':9,'missing':0} | /columns/0/name",
                "{'name':'age','type':'integer','lower':0,'upper':9} | /columns/0/missing",
                "{'name':'sex','type':'category','categories':['F']} | /columns/0/missing",
                "{'name':'wage','type':'integer','lower':0,'upper':9,'missing':0} | /columns/0/type",
                "{'name':'sex','type':'integer','lower':0,'upper':9,'missing':0} | /columns/0/type",
                "{'name':'note','type':'decimal','lower':0,'upper':9,'resolution':1,'missing':0} | /columns/0/type",
                "{'name':'day','type':'category','categories':['a'],'missing':'a'} | /columns/0/type",
                "{'name':'wage','type':'category','categories':['a'],'missing':'a'} | /columns/0/type",
                "{'name':'wage','type':'boolean','missing':true} | /columns/0/type",
                "{'name':'sex','type':'date','lower':'2000-01-01','upper':'2030-01-01','missing':'2000-01-01'}"
                        + " | /columns/0/type",
                "{'name':'age','type':'timestamp','lower':'2000-01-01T00:00:00Z','upper':'2030-01-01T00:00:00Z',"
                        + "'missing':'2000-01-01T00:00:00Z'} | /columns/0/type",
                "{'name':'wage','type':'decimal','lower':0,'upper':0,'resolution':1e-19,'missing':0}"
                        + " | /columns/0/resolution",
                "{'name':'wage','type':'decimal','lower':0,'upper':1001e15,'resolution':1e15,'missing':0}"
                        + " | /columns/0/resolution"
            })
    void refusesAColumnThatCannotBeReadAsItIsRegistered(String column, String pointers) throws Exception {
        assertThat(pointers(post("/v1/datasets", registration(newId(), column, table("census.people"), ""))))
                .isEqualTo(pointers);
    }

    /** Its rows may have changed since. */
    @Test
    void aSynopsisOfATableIsNotRefined() throws Exception {
        String id = newId();
        String registration =
                registration(id, AGE, table("census.summed"), ",'accountant':'zcdp','declaredPublic':true");
        expect(
                201,
                post(
                        "/v1/datasets",
                        registration.replace("{'epsilon':'1000'}", "{'epsilon':'1000','delta':'0.000001'}")));
        String bought = expect(
                        201, post("/v1/datasets/" + id + "/synopses", "{'epsilon':'1','columns':[{'column':'age'}]}"))
                .at("/answer/synopsisId")
                .asString();
        String budget = "/v1/datasets/" + id + "/budget";
        String before = send("GET", budget, "", "application/json").body();
        JsonNode refused = expect(422, post("/v1/synopses/" + bought + "/refinements", "{'epsilon':'1'}"));
        assertThat(refused.toString()).contains("a synopsis of a table cannot be refined: its rows may have changed");
        assertThat(send("GET", budget, "", "application/json").body()).isEqualTo(before);
    }

    @Test
    void blocksOfATableAreAskedAboutOnceTheyAreOver() throws Exception {
        String day = "{'name':'day','type':'date','lower':'2000-01-01','upper':'2100-12-31','missing':'2000-02-01'}";
        String blocks = ",'blocks':{'column':'day','width':'month','rowsKeepTheirBlock':true}";
        String id = newId();
        expect(201, post("/v1/datasets", registration(id, day, table("census.monthly"), blocks)));
        WAREHOUSE.execute("INSERT INTO census.monthly (day) VALUES ('1999-05-05'), (NULL), ('2000-02-29')");
        assertThat(countOf(id, "2000-01")).as("clamped to the first block").isEqualTo(1);
        assertThat(countOf(id, "2000-02"))
                .as("the leap day, and what is missing")
                .isEqualTo(2);
        assertThat(countOf(id, "2000-03")).isZero();
        JsonNode early = expect(
                409,
                post(
                        "/v1/datasets/" + id + "/queries/count",
                        "{'epsilon':'1','blocks':{'from':'2100-11','to':'2100-12'}}"));
        assertThat(early.get("type").asString()).isEqualTo("/problems/dataset-not-ready");
        assertThat(early.get("blocks")).hasToString("[{\"from\":\"2100-11\",\"to\":\"2100-12\"}]");
    }

    private static long countOf(String id, String block) throws Exception {
        String body = "{'epsilon':'100','blocks':{'from':'" + block + "'}}";
        return expect(200, post("/v1/datasets/" + id + "/queries/count", body))
                .at("/answer/count")
                .asLong();
    }

    @Test
    void aTableIsDividedBeforeItHasAnAccountOrNever() throws Exception {
        String day = "{'name':'day','type':'date','lower':'2000-01-01','upper':'2026-12-31','missing':'2000-01-01'}";
        String blocks = ",'blocks':{'column':'day','width':'day','rowsKeepTheirBlock':true,'delayDays':1}";
        String id = newId();
        JsonNode created = expect(201, post("/v1/datasets", registration(id, day, table("census.divided"), blocks)));
        assertThat(created.get("state").asString()).isEqualTo("ready");
        JsonNode first = expect(
                200, send("GET", "/v1/datasets/" + id + "/blocks?from=2000-01-01&to=2000-01-03", "", "text/csv"));
        assertThat(first.at("/items/0/state").asString()).isEqualTo("ready");
        assertThat(first.get("items")).hasSize(1);
        String put = "/v1/datasets/" + id + "/blocks/2000-01-01/data";
        assertThat(expect(409, send("PUT", put, "day\n2000-01-01\n", "text/csv"))
                        .get("type")
                        .asString())
                .isEqualTo("/problems/already-exists");

        register("census.divided", ",'declaredPublic':true");
        JsonNode refused = expect(
                409,
                post(
                        "/v1/datasets",
                        registration(newId(), day, table("census.divided"), blocks + ",'declaredPublic':true")));
        assertThat(refused.get("detail").asString())
                .isEqualTo("the table has an account: a table is registered with blocks first or never");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'name':'age','type':'boolean','missing':true}",
                "{'name':'day','type':'date','lower':'2000-01-01','upper':'2030-01-01','missing':'2000-01-01'}",
                "{'name':'day','type':'timestamp','lower':'2000-01-01T00:00:00Z','upper':'2030-01-01T00:00:00Z',"
                        + "'missing':'2000-01-01T00:00:00Z'}",
                "{'name':'wage','type':'decimal','lower':0,'upper':0,'resolution':1e-18,'missing':0}"
            })
    void takesAColumnThatCanBeRead(String column) throws Exception {
        String id = newId();
        expect(201, post("/v1/datasets", registration(id, column, table("census.people"), ",'declaredPublic':true")));
        assertThat(count(id, "")).isEqualTo(1000);
    }

    @Test
    void refusesOtherRelationsAndUnitsThatAreNotThere() throws Exception {
        String registration = registration(newId(), AGE, table("census.people"), "");
        assertThat(pointers(post("/v1/datasets", registration.replace("add-or-remove-one", "replace-one"))))
                .isEqualTo("/neighboringRelation");
        for (String column : List.of("nobody", "day", "wage")) {
            String unit = "{'type':'column','column':'" + column + "','maxRows':2}";
            assertThat(pointers(post("/v1/datasets", registration.replace("{'type':'row'}", unit))))
                    .isEqualTo("/privacyUnit/column");
        }
        String integers = "{'type':'column','column':'who','maxRows':2,'idType':'integer'}";
        assertThat(pointers(post("/v1/datasets", registration.replace("{'type':'row'}", integers))))
                .isEqualTo("/privacyUnit/idType");
    }

    @Test
    void unitsOfATableAreIntegersIfItsColumnIs() throws Exception {
        String id = newId();
        String sex = "{'name':'sex','type':'category','categories':['F','M'],'missing':'F'}";
        String registration = registration(id, sex, table("census.people"), ",'declaredPublic':true");
        String unit = "{'type':'column','column':'age','maxRows':2,'idType':'integer'}";
        expect(201, post("/v1/datasets", registration.replace("{'type':'row'}", unit)));
        assertThat(count(id, "")).isEqualTo(200);
    }

    private static String pointers(HttpResponse<String> reply) {
        List<String> pointers = new ArrayList<>();
        JsonNode problem = expect(422, reply);
        problem.get("errors").forEach(error -> pointers.add(error.get("pointer").asString()));
        return String.join(",", pointers);
    }

    @Test
    void aConnectionThatDoesNotWorkRegistersNothing() throws Exception {
        String id = newId();
        String source = "{'type':'table','connection':'closed','table':'census.people'}";
        expect(503, post("/v1/datasets", registration(id, AGE, source, "")));
        expect(404, send("GET", "/v1/datasets/" + id, "", "application/json"));
    }

    @Test
    void noTextOfARegistrationIsEverAnAddress() throws Exception {
        Random random = new Random(26);
        try (ServerSocket canary = new ServerSocket(0)) {
            canary.setSoTimeout(1);
            List<String> payloads = payloads(canary.getLocalPort());
            for (int i = 0; i < 500; i++) {
                String payload = payloads.get(random.nextInt(payloads.size())).formatted(random.nextInt(1000));
                String connection = i % 2 == 0 ? payload : "warehouse";
                String source = "{'type':'table','connection':'" + connection + "','table':'" + payload + "'}";
                String pointers = pointers(post("/v1/datasets", registration(newId(), AGE, source, "")));
                assertThat(pointers).contains("/source/");
            }
            assertThatThrownBy(canary::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    private static List<String> payloads(int port) {
        return List.of(
                "jdbc:postgresql://127.0.0.1:" + port + "/a%d",
                "jdbc:sqlite:http://127.0.0.1:" + port + "/%d.db",
                "http://127.0.0.1:" + port + "/%d",
                "warehouse?host=127.0.0.1&port=" + port + "&n=%d",
                "warehouse?socketFactory=org.springframework.context.support.ClassPathXmlApplicationContext"
                        + "&socketFactoryArg=http://127.0.0.1:" + port + "/%d.xml",
                "census.people?loggerLevel=TRACE&loggerFile=/tmp/purser-%d",
                "census.people; COPY people TO PROGRAM %d",
                "127.0.0.1:" + port + ".people%d",
                "file:///etc/passwd.%d",
                "169.254.169.254.%d");
    }

    @Test
    void theLogSaysWhyAConnectionIsNotUsedAnyMore(CapturedOutput log) throws Exception {
        WAREHOUSE.execute("CREATE TABLE census.later (age integer, sex text)");
        String id = register("census.later", "");
        WAREHOUSE.execute("GRANT INSERT ON census.later TO " + WAREHOUSE.reader());
        try {
            expect(503, post("/v1/datasets/" + id + "/queries/count", "{'epsilon':'100'}"));
            String refused = registration(newId(), AGE, table("census.people"), "");
            JsonNode problem = expect(503, post("/v1/datasets", refused));
            assertThat(problem.get("detail").asString()).doesNotContain("role");
        } finally {
            WAREHOUSE.execute("REVOKE INSERT ON census.later FROM " + WAREHOUSE.reader());
        }
        String why = "The connection warehouse is not used: its role can do more than read";
        assertThat(log)
                .contains("reading dataset " + id + " failed: " + why)
                .contains("the catalogue of connection warehouse cannot be read: " + why);
    }

    @Test
    void aPropertyThatThereIsNotIsNamedAndItsValueIsNot() {
        String property = "purser.connections.warehouse.url";
        assertThatThrownBy(() -> new SpringApplicationBuilder(PurserApplication.class)
                        .run(
                                "--server.port=0",
                                "--purser.home=" + folder.resolve("third"),
                                "--" + property + "=s3cret"))
                .hasStackTraceContaining("Nothing reads " + property)
                .satisfies(refusal -> assertThat(stackTrace(refusal)).doesNotContain("s3cret"));
    }

    private static String stackTrace(Throwable refusal) {
        StringWriter text = new StringWriter();
        refusal.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void aRoleThatMayWriteStopsTheStart() {
        WAREHOUSE.server().execute("CREATE ROLE tables_writer LOGIN PASSWORD 'writes'");
        WAREHOUSE.execute("GRANT USAGE ON SCHEMA census TO tables_writer");
        WAREHOUSE.execute("GRANT SELECT, UPDATE (age) ON census.people TO tables_writer");
        assertThatThrownBy(() -> run(folder.resolve("other"), "tables_writer", "writes"))
                .isInstanceOf(Exception.class)
                .hasRootCauseInstanceOf(SQLException.class)
                .hasStackTraceContaining(StartupRefusal.class.getName())
                .hasStackTraceContaining("its role can do more than read");
    }
}
