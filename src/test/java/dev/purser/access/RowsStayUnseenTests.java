package dev.purser.access;

import dev.purser.access.AccessMatrixTests.Line;
import dev.purser.digest.Sha256;
import dev.purser.web.RunningService;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Only the custodian of a dataset and administrators learn from an operation why the dataset is not ready, or what rows
 * a successful upload had. The operations are those that the application serves, so a new operation is tested too.
 */
@ExtendWith(OutputCaptureExtension.class)
class RowsStayUnseenTests extends RunningService {
    private static final String HEADER = "user,age,of\n";
    private static final Pattern CREATION = Pattern.compile("POST /v1/(datasets|collections|trainings)");
    private static final String UNIT = quoted("{'type':'column','column':'user','maxRows':1}");

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    private RequestMappingHandlerMapping mapping;

    /**
     * A dataset and everybody who may look at it.
     *
     * @param owner the key of its custodian
     * @param watchers the keys of all others; the empty key stands for no key
     * @param words words that differ between datasets, each with the text that replaces it
     */
    private record Watched(String id, String owner, Map<String, String> watchers, Map<String, String> words) {}

    private Watched registered(int maxRows) throws Exception {
        String id = newId() + "-unseen";
        Map<String, String> words = new TreeMap<>(Map.of(id, "{id}"));
        String owner = key(Role.CUSTODIAN, "[]", words);
        String ages = withMaxRows(registration(id, "[" + AGE + "]", "1", "add-or-remove-one", ""), maxRows);
        assertStatus(201, postAs(owner, "/v1/datasets", withUnit(ages, UNIT)));
        Map<String, String> watchers = new TreeMap<>(Map.of("nobody", ""));
        for (Role role : Role.values()) {
            if (role != Role.ADMINISTRATOR) {
                watchers.put(role.label(), key(role, "['" + id + "']", words));
            }
        }
        watchers.put("stranger", key(Role.ANALYST, "[]", words));
        return new Watched(id, owner, watchers, words);
    }

    private String key(Role role, String datasets, Map<String, String> words) throws Exception {
        String name = newName() + "-watcher";
        JsonNode made = json(assertStatus(201, makeKey(name, role.label(), datasets, "")));
        words.put(name, "{name}");
        words.put(made.get("keyId").asString(), "{keyId}");
        return made.get("key").asString();
    }

    private HttpResponse<String> put(Watched watched, String rows) throws Exception {
        return put(watched, "", rows);
    }

    private HttpResponse<String> put(Watched watched, String query, String rows) throws Exception {
        return sendAs(
                watched.owner(),
                "PUT",
                "/v1/datasets/" + watched.id() + "/data" + query,
                BodyPublishers.ofString(HEADER + rows.replace("ID", watched.id())),
                "Content-Type",
                "text/csv");
    }

    private String stateForOwner(Watched watched) throws Exception {
        return shownTo(watched.owner(), "/v1/datasets/" + watched.id())
                .get("state")
                .asString();
    }

    /** All that the watchers see of a dataset, by watcher and operation. */
    private Map<String, String> seen(Watched watched, Predicate<String> operations) throws Exception {
        Map<String, String> seen = new TreeMap<>();
        for (String operation : AccessMatrixTests.served(mapping).keySet()) {
            if (operations.test(operation)) {
                for (Map.Entry<String, String> watcher : watched.watchers().entrySet()) {
                    seen.put(watcher.getKey() + " " + operation, call(operation, watcher.getValue(), watched));
                }
            }
        }
        return seen;
    }

    private String call(String operation, String key, Watched watched) throws Exception {
        Line line = Objects.requireNonNull(AccessMatrixTests.TABLE.get(operation), operation);
        String[] parts = operation.split(" ");
        String path = parts[1].replace("{id}", watched.id())
                .replaceAll("\\{(queryId|keyId|sessionId|synopsisId|statementId)}", "Z".repeat(26))
                .replace("{label}", "2026-03-01")
                .replace("{kind}", "count")
                .replace("{analyst}", "zoe");
        String made = newId() + "-made";
        HttpResponse<String> reply = sendAs(
                key,
                parts[0],
                path,
                BodyPublishers.ofString(line.body().replace("ID", made)),
                line.type().isEmpty() ? new String[0] : new String[] {"Content-Type", line.type()});
        if (CREATION.matcher(operation).matches() && reply.statusCode() == 201) {
            assertStatus(204, sendAs(key, "DELETE", path + "/" + made, BodyPublishers.noBody()));
        }
        return text(reply, watched, made);
    }

    /** Status, headers and body, without the parts that depend on the moment, on chance and on names. */
    private static String text(HttpResponse<String> reply, Watched watched, String made) {
        Map<String, List<String>> headers = new TreeMap<>(reply.headers().map());
        headers.remove("date");
        headers.computeIfPresent("idempotency-key", (name, random) -> List.of("made"));
        int length = reply.body().getBytes(StandardCharsets.UTF_8).length;
        headers.computeIfPresent("content-length", (name, sent) -> {
            if (!reply.request().method().equals("HEAD")) {
                assertThat(sent).containsExactly(Integer.toString(length));
            }
            return List.of("that of the body");
        });
        headers.computeIfPresent("etag", (name, sent) -> {
            String ofBody = Sha256.hexOf(reply.body().getBytes(StandardCharsets.UTF_8));
            assertThat(sent).containsExactly("W/\"" + ofBody + '"');
            return List.of("that of the body");
        });
        String text = alike(reply.statusCode() + " " + headers + " " + reply.body(), watched)
                .replace(made, "{made}");
        return text.replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z", "{time}")
                .replaceAll("[0-9a-f]{64}", "{hash}")
                .replaceAll("\"testVectors\":.*", "{vectors}")
                .replaceAll("01[0-9A-Z]{24}", "{sessionId}")
                .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "{statementId}");
    }

    private static String alike(String text, Watched watched) {
        String alike = text;
        for (Map.Entry<String, String> word : watched.words().entrySet()) {
            alike = alike.replace(word.getKey(), word.getValue());
        }
        return alike;
    }

    private static void assertNothingIsTold(Map<String, String> one, Map<String, String> other) {
        assertThat(other.keySet()).isEqualTo(one.keySet());
        Map<String, String> told = new TreeMap<>();
        one.forEach((what, text) -> {
            if (!text.equals(other.get(what))) {
                told.put(what, text + " | " + other.get(what));
            }
        });
        assertThat(told).isEmpty();
    }

    @Test
    void whyADatasetIsNotReadyIsSeenByItsOwnerAlone() throws Exception {
        Watched known = registered(2);
        String knownRows = "a,1,x\nb,2,%s\n".formatted(known.id());
        assertStatus(200, put(known, knownRows));
        Watched watched = registered(2);
        Predicate<String> all = operation -> true;
        Map<String, String> registered = seen(watched, all);
        assertThat(registered.get("analyst GET /v1/datasets/{id}")).contains("\"state\":\"not-ready\"");
        assertThat(registered.get("custodian GET /v1/datasets")).contains("{id}", "\"state\":\"not-ready\"");
        for (String asking : List.of("queries/count", "queries/mean")) {
            assertThat(registered.get("analyst POST /v1/datasets/{id}/" + asking))
                    .contains("409 ", "/problems/dataset-not-ready");
        }

        try (Socket upload = new Socket(InetAddress.getLoopbackAddress(), port)) {
            upload.getOutputStream().write(beginning(watched));
            await(watched, "loading");
            assertNothingIsTold(registered, seen(watched, all));
        }
        await(watched, "failed");
        assertNothingIsTold(registered, seen(watched, all));
        Map<String, Integer> refusals =
                Map.of("a,1,ID\nb,2,ID\nc,3,ID\n", 422, "a,1,ID\nb,secret,ID\n", 422, ",1,ID\n", 422, knownRows, 409);
        for (Map.Entry<String, Integer> refusal : refusals.entrySet()) {
            assertStatus(refusal.getValue(), put(watched, refusal.getKey()));
            assertThat(stateForOwner(watched)).isEqualTo("failed");
            assertNothingIsTold(registered, seen(watched, all));
        }
    }

    /** The head of an upload and its first row. */
    private static byte[] beginning(Watched watched) {
        String head = "PUT /v1/datasets/" + watched.id() + "/data HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + watched.owner() + "\r\nContent-Type: text/csv\r\nContent-Length: 1000000\r\n\r\n";
        return (head + HEADER + "a,1,x\n").getBytes(StandardCharsets.UTF_8);
    }

    private void await(Watched watched, String state) throws Exception {
        for (int attempt = 0; attempt < 600 && !stateForOwner(watched).equals(state); attempt++) {
            Thread.sleep(50);
        }
        assertThat(stateForOwner(watched)).isEqualTo(state);
    }

    @Test
    void ofAnUploadThatSucceededNothingElseIsSeen() throws Exception {
        Predicate<String> free = operation -> !operation.startsWith("POST /v1/datasets/{id}/queries");
        Map<String, String> first = Map.of();
        for (String rows : List.of("a,1,ID\nb,2,ID\n", "a,1,ID\n", "a,1,ID\nb,999,ID\n", "a,1,ID\na,2,ID\n", "")) {
            Watched watched = registered(1000);
            assertStatus(200, put(watched, "?allowEmpty=true", rows));
            assertThat(stateForOwner(watched)).isEqualTo("ready");
            Map<String, String> seen = seen(watched, free);
            assertThat(seen.get("auditor GET /v1/datasets/{id}")).contains("\"state\":\"ready\"");
            assertThat(seen.get("analyst POST /v1/datasets/{id}/quotes/{kind}")).startsWith("200 ");
            first = first.isEmpty() ? seen : first;
            assertNothingIsTold(first, seen);
        }
    }

    /** The counters, and the lines of the log about them, are the same for every reason. Times are not compared. */
    @Test
    void operatorsDoNotSeeWhyAnUploadWasRefused(CapturedOutput output) throws Exception {
        Watched known = registered(2);
        String knownRows = "a,1,y\nb,2,%s\n".formatted(known.id());
        assertStatus(200, put(known, knownRows));
        Watched watched = registered(2);
        String unreadable = counted(() -> watched, "", "a,secret,ID\n", 422, output);
        assertThat(unreadable).contains("purser_problems_total{type=\"invalid-data\"}", "status=\"422\"", " 422 ");
        assertThat(counted(() -> watched, "", "a,1,ID\nb,2,ID\nc,3,ID\n", 422, output))
                .isEqualTo(unreadable);
        assertThat(counted(() -> watched, "", "", 422, output)).isEqualTo(unreadable);
        assertThat(counted(() -> watched, "", knownRows, 409, output)).isEqualTo(unreadable);
        String succeeded = counted(() -> registered(2), "", "a,1,ID\n", 200, output);
        assertThat(counted(() -> registered(2), "", "a,1,ID\nb,999,ID\n", 200, output))
                .isEqualTo(succeeded);
    }

    @Test
    void operatorsDoNotSeeWhatACheckFound(CapturedOutput output) throws Exception {
        Watched known = registered(2);
        String knownRows = "a,1,y\nb,2,%s\n".formatted(known.id());
        assertStatus(200, put(known, knownRows));
        Watched watched = registered(2);
        String sound = counted(() -> watched, "?check=true", "a,1,ID\n", 200, output);
        for (String rows : List.of("a,secret,ID\n", "a,1,ID\nb,2,ID\nc,3,ID\n", "", "a,999,ID\n", knownRows)) {
            assertThat(counted(() -> watched, "?check=true", rows, 200, output)).isEqualTo(sound);
        }
    }

    /**
     * What an upload adds to the counters, and its lines in the log. An upload changes no ledger. The sweepers change
     * it once a minute, so an upload is made again if a change was counted. What an upload reveals, it reveals every
     * time.
     */
    private String counted(Callable<Watched> watched, String query, String rows, int status, CapturedOutput output)
            throws Exception {
        String added = added(watched.call(), query, rows, status, output);
        return added.contains("purser_ledger_commits") ? added(watched.call(), query, rows, status, output) : added;
    }

    private String added(Watched watched, String query, String rows, int status, CapturedOutput output)
            throws Exception {
        Map<String, Double> before = counters(watched);
        int logged = output.getAll().length();
        assertStatus(status, put(watched, query, rows));
        Map<String, Double> added = Map.of();
        String lines = "";
        // The counters and the log are written after the response was sent.
        for (int attempt = 0;
                attempt < 200 && (lines.isEmpty() || !added.toString().contains("{id}/data"));
                attempt++) {
            Thread.sleep(50);
            added = new TreeMap<>(counters(watched));
            for (Map.Entry<String, Double> each : before.entrySet()) {
                added.merge(
                        each.getKey(), -each.getValue(), (after, minus) -> after + minus == 0 ? null : after + minus);
            }
            lines = output.getAll()
                    .substring(logged)
                    .lines()
                    .filter(line -> line.contains(watched.id()))
                    .map(line -> line.replaceAll("^.*? - ", "").replaceAll("[0-9]+ms", "ms"))
                    .map(line -> alike(line, watched))
                    .collect(Collectors.joining("\n"));
        }
        return added + "\n" + lines;
    }

    private Map<String, Double> counters(Watched watched) throws Exception {
        String operator = Objects.requireNonNull(watched.watchers().get("operator"));
        return assertStatus(200, getAs(operator, "/actuator/prometheus"))
                .body()
                .lines()
                .filter(line -> line.matches("(purser|http_server_requests)_.*"))
                .filter(line -> !line.matches("\\w+_(sum|max|bucket)[{ ].*|.*uri=\"/actuator.*"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
    }
}
