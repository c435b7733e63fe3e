package dev.purser.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A test that speaks HTTP to the whole service, which has its own port and a home folder on the disk. All such classes
 * share one running service, so each test makes its own datasets.
 *
 * <p>At epsilon 100 a count has noise with probability below 2e-43, so that a count can be asserted exactly.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
public abstract class RunningService {
    protected static final String AGE = quoted("{'name':'age','type':'integer','lower':0,'upper':125}");
    protected static final String HOURS = """
                    {"name":"hours","type":"decimal","lower":0,"upper":100,"resolution":0.25,"missing":40}""";
    protected static final String SEX = quoted("{'name':'sex','type':'category','categories':['Female','Male','']}");
    protected static final String COLUMNS = "[" + AGE + "," + HOURS + "," + SEX + "]";

    /** The site whose pages may call the service. */
    protected static final String DASHBOARD = "https://dashboard.example";

    /** The setting of the running service's operator for how deep a request may be nested. */
    protected static final int MAX_DEPTH = 15;

    private static final Path HOME = homeFolder();
    private static final AtomicInteger DATASETS = new AtomicInteger(1_000);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @LocalServerPort
    protected int port;

    @DynamicPropertySource
    static void settings(DynamicPropertyRegistry properties) {
        properties.add("purser.home", HOME::toString);
        properties.add("purser.web.allowed-origins", () -> DASHBOARD);
        properties.add("purser.requests.max-depth", () -> MAX_DEPTH);
        properties.add("purser.identity.issuer", TestIssuer::address);
        properties.add("purser.web.forwarders", () -> "127.0.0.1");
        properties.add("purser.identity.audience", () -> TestIssuer.AUDIENCE);
    }

    private static Path homeFolder() {
        try {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target", "homes")), "home")
                    .toAbsolutePath();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    protected static String key() throws IOException {
        return Files.readString(HOME.resolve("admin.key")).strip();
    }

    /** The service's home. */
    protected static Path home() {
        return HOME;
    }

    /** The folder of a dataset's rows, which exists once an upload was begun. */
    protected static Path folder(String dataset) {
        return HOME.resolve("datasets").resolve(dataset);
    }

    /** Every file below the folder of a dataset's rows. */
    protected static List<Path> filesOf(String dataset) throws IOException {
        Path folder = folder(dataset);
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /** An id that no other test uses. */
    protected static String newId() {
        return "d" + DATASETS.incrementAndGet();
    }

    /** A registration; {@code changes} are members in single quotes that come last, each starting with a comma. */
    protected static String registration(String id, String columns, String epsilon, String relation, String changes) {
        String members = quoted(changes);
        return """
                {"id":"%s","columns":%s,"privacyUnit":{"type":"row"},"neighboringRelation":"%s","maxRows":1000,\
                "budget":{"epsilon":"%s","delta":"0"}%s}""".formatted(id, columns, relation, epsilon, members);
    }

    /** The registration, for this many rows. */
    protected static String withMaxRows(String registration, int maxRows) {
        return registration.replace("\"maxRows\":1000,", "\"maxRows\":" + maxRows + ",");
    }

    /** A dataset without rows, from a {@link #registration}. */
    protected String registered(String columns, String epsilon, String relation, String changes) throws Exception {
        String id = newId();
        assertStatus(201, register(registration(id, columns, epsilon, relation, changes)));
        return id;
    }

    /** A dataset without rows whose account has this accountant. */
    protected String unready(String accountant, String epsilon, String delta, String relation) throws Exception {
        String id = newId();
        String registration = registration(id, COLUMNS, epsilon, relation, ",'accountant':'" + accountant + "'");
        assertStatus(201, register(registration.replace("\"delta\":\"0\"", "\"delta\":\"" + delta + "\"")));
        return id;
    }

    /** A dataset of two rows whose account has this accountant, with add-or-remove-one. */
    protected String dataset(String accountant, String epsilon, String delta) throws Exception {
        String id = unready(accountant, epsilon, delta, "add-or-remove-one");
        assertStatus(200, upload(id, ofItsOwn(id, "age,hours,sex\n1,1,Male\n2,2,Female\n")));
        return id;
    }

    /**
     * A dataset with private data, add-or-remove-one. One more column, which is not listed, makes its rows differ from
     * the rows of every other dataset.
     */
    protected String dataset(String epsilon, String csv) throws Exception {
        return dataset(epsilon, csv, COLUMNS, "add-or-remove-one");
    }

    protected String dataset(String epsilon, String csv, String columns, String relation) throws Exception {
        String id = registered(columns, epsilon, relation, "");
        assertStatus(
                200,
                send(
                        "PUT",
                        "/v1/datasets/" + id + "/data?allowEmpty=true",
                        ofItsOwn(id, csv),
                        "Content-Type",
                        "text/csv"));
        return id;
    }

    /**
     * The rows with one more column, which is not listed and makes them differ from the rows of every other dataset.
     */
    protected static String ofItsOwn(String id, String csv) {
        String rows = csv.lines().skip(1).map(row -> row + "," + id + "\n").collect(Collectors.joining());
        return csv.lines().findFirst().orElseThrow() + ",of\n" + rows;
    }

    /** The registration with this privacy unit: JSON in single quotes. */
    protected static String withUnit(String registration, String unit) {
        return registration.replace(quoted("{'type':'row'}"), quoted(unit));
    }

    protected HttpResponse<String> register(String registration) throws Exception {
        return post("/v1/datasets", registration);
    }

    /** Moves the file of a dataset's rows aside, and puts in its place another file that nobody can read. */
    protected static void takeRowsAway(String id) throws IOException {
        Path rows = folder(id).resolve("rows.columns");
        Files.move(rows, rows.resolveSibling("away"));
        Files.writeString(rows, "no rows");
    }

    /** Moves the rows back that {@link #takeRowsAway} moved aside. */
    protected static void putRowsBack(String id) throws IOException {
        Path rows = folder(id).resolve("rows.columns");
        Files.move(rows.resolveSibling("away"), rows, StandardCopyOption.REPLACE_EXISTING);
    }

    protected HttpResponse<String> upload(String id, String csv, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of(headers));
        if (!all.contains("Content-Type")) {
            all.addAll(List.of("Content-Type", "text/csv"));
        }
        return send("PUT", "/v1/datasets/" + id + "/data", csv, all.toArray(String[]::new));
    }

    protected HttpResponse<String> uploadAs(String key, String id, String csv) throws Exception {
        String path = "/v1/datasets/" + id + "/data";
        return sendAs(key, "PUT", path, BodyPublishers.ofString(csv), "Content-Type", "text/csv");
    }

    /** Asks a question. */
    protected HttpResponse<String> ask(String id, String kind, String body, String... headers) throws Exception {
        return ask(id, kind, BodyPublishers.ofString(body), headers);
    }

    protected HttpResponse<String> ask(String id, String kind, BodyPublisher body, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Content-Type", "application/json"));
        return send("POST", "/v1/datasets/" + id + "/queries/" + kind, body, all.toArray(String[]::new));
    }

    /** The whole reply to a question that is answered, with its answer. */
    protected JsonNode answered(String id, String kind, String body, String... headers) throws Exception {
        return json(assertStatus(200, ask(id, kind, body, headers)));
    }

    /** The value of the answer to a question that is answered. */
    protected JsonNode answer(String id, String kind, String body) throws Exception {
        return answered(id, kind, body).get("answer");
    }

    /** The number of rows that pass these conditions, as text. */
    protected String counted(String id, String conditions) throws Exception {
        return answer(id, "count", """
                {"epsilon":100,"where":[%s]}""".formatted(conditions)).get("count").toString();
    }

    /** A question for a histogram whose edges are all whole numbers from the first to the last. */
    protected static String histogram(String epsilon, String column, int first, int last) {
        String edges =
                IntStream.rangeClosed(first, last).mapToObj(Integer::toString).collect(Collectors.joining(","));
        return quoted("{'epsilon':%s,'column':'%s','edges':[%s]}").formatted(epsilon, column, edges);
    }

    /** The responses to a question that is asked this many times, eight times at once, and answered each time. */
    protected List<JsonNode> askOften(int times, String id, String kind, String body) throws Exception {
        List<Future<JsonNode>> asked = new ArrayList<>();
        try (ExecutorService askers = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < times; i++) {
                asked.add(askers.submit(() -> json(assertStatus(200, ask(id, kind, body)))));
            }
        }
        List<JsonNode> responses = new ArrayList<>();
        for (Future<JsonNode> each : asked) {
            responses.add(each.get());
        }
        return responses;
    }

    protected HttpResponse<String> get(String path, String... headers) throws Exception {
        return send("GET", path, BodyPublishers.noBody(), headers);
    }

    protected HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        return send(method, path, BodyPublishers.ofString(body), headers);
    }

    /** Sends a request with the administrator's key. */
    protected HttpResponse<String> send(String method, String path, BodyPublisher body, String... headers)
            throws Exception {
        return sendAs(key(), method, path, body, headers);
    }

    /** Sends a request with this key; none if it is empty. */
    protected HttpResponse<String> sendAs(String key, String method, String path, BodyPublisher body, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, body);
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Posts JSON with the administrator's key. */
    protected HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        return postAs(key(), path, body, headers);
    }

    /** What this path shows to the administrator. */
    protected JsonNode shown(String path, String... headers) throws Exception {
        return json(assertStatus(200, get(path, headers)));
    }

    /** What this path shows to the holder of this key. */
    protected JsonNode shownTo(String key, String path) throws Exception {
        return json(assertStatus(200, getAs(key, path)));
    }

    protected HttpResponse<String> getAs(String key, String path, String... headers) throws Exception {
        return sendAs(key, "GET", path, BodyPublishers.noBody(), headers);
    }

    protected HttpResponse<String> postAs(String key, String path, String body, String... headers) throws Exception {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Content-Type", "application/json"));
        return sendAs(key, "POST", path, BodyPublishers.ofString(body), all.toArray(String[]::new));
    }

    /** A principal's name that no other test uses. */
    protected static String newName() {
        return "p" + DATASETS.incrementAndGet();
    }

    /**
     * Makes a key; {@code datasets} and {@code changes} are JSON in single quotes, and the changes are members that
     * come last, each starting with a comma.
     */
    protected HttpResponse<String> makeKey(String name, String role, String datasets, String changes) throws Exception {
        String granted = quoted(datasets + changes);
        return postAs(key(), "/v1/keys", """
                        {"name":"%s","role":"%s","datasets":%s}""".formatted(name, role, granted));
    }

    /** A new key of a new principal. */
    protected String keyFor(String role, String datasets) throws Exception {
        return keyFor(newName(), role, datasets);
    }

    /** A new key of this principal. */
    protected String keyFor(String name, String role, String datasets) throws Exception {
        return json(assertStatus(201, makeKey(name, role, datasets, "")))
                .get("key")
                .asString();
    }

    /** The amount that is spent of a dataset's budget. */
    protected String spent(String id) throws Exception {
        return shown("/v1/datasets/" + id + "/budget").at("/spent/epsilon").asString();
    }

    /** The number of entries of the dataset's ledger, with the entry that opened it. */
    protected int entries(String id) throws Exception {
        return shown("/v1/datasets/" + id + "/ledger?limit=1000").get("items").size();
    }

    protected static JsonNode json(HttpResponse<String> response) {
        return JsonMapper.shared().readTree(response.body());
    }

    protected static <T> HttpResponse<T> assertStatus(int status, HttpResponse<T> response) {
        assertThat(response.statusCode()).as(String.valueOf(response.body())).isEqualTo(status);
        return response;
    }

    /** Requires that the response is a problem of this type. */
    protected static JsonNode assertProblem(int status, String slug, HttpResponse<String> response) {
        assertStatus(status, response);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        JsonNode problem = json(response);
        assertThat(problem.get("type").asString()).isEqualTo("/problems/" + slug);
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        return problem;
    }

    /** The places of the rules that a refused request breaks. */
    protected static List<String> invalidPlaces(HttpResponse<String> response) {
        return places(assertProblem(422, "validation-failed", response));
    }

    /** The pointers, parameters or headers of a validation problem, in its order. */
    protected static List<String> places(JsonNode problem) {
        List<String> places = new ArrayList<>();
        problem.get("errors").forEach(error -> {
            assertThat(error.size()).isEqualTo(2);
            for (String name : List.of("pointer", "parameter", "header")) {
                if (error.has(name)) {
                    places.add(error.get(name).asString());
                }
            }
        });
        return places;
    }
}
