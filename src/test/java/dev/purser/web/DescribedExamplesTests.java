package dev.purser.web;

import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The examples of the served OpenAPI document succeed, in the order in which the page shows them. */
class DescribedExamplesTests extends RunningService {
    /** Parameters whose values only a reply states. */
    private static final List<String> FROM_REPLIES = List.of("queryId", "sessionId", "synopsisId", "keyId");

    /** The answer that an example refines. */
    private static final String REFINABLE = "refinable";

    private JsonNode api = JsonMapper.shared().nullNode();

    @BeforeEach
    void readTheDocument() throws Exception {
        api = shown("/openapi.json");
    }

    /** An operation as the document describes it. */
    private record Described(String method, String path, JsonNode operation) {
        String name() {
            return operation.get("operationId").asString();
        }

        /** Whether the operation ends an object that other operations use. */
        boolean ends() {
            return method.equals("DELETE") || path.endsWith("/closure");
        }

        Stream<JsonNode> parameters() {
            return operation.path("parameters").valueStream();
        }
    }

    private List<Described> operations() {
        List<Described> operations = new ArrayList<>();
        api.get("paths")
                .forEachEntry((path, item) -> item.forEachEntry(
                        (method, operation) -> operations.add(new Described(method.toUpperCase(), path, operation))));
        return operations;
    }

    /** The first example of a body. */
    private JsonNode body(String operation) {
        return operations().stream()
                .filter(each -> each.name().equals(operation))
                .flatMap(each -> each.operation().at("/requestBody/content").valueStream())
                .flatMap(media -> media.path("examples").valueStream())
                .map(example -> example.get("value"))
                .findFirst()
                .orElseThrow();
    }

    /** Generators write examples into comments and literals of languages that have no line breaks there. */
    @Test
    void noExampleHasALineBreak() {
        assertThat(api.findValues("examples").stream().flatMap(JsonNode::valueStream))
                .allSatisfy(example ->
                        assertThat(example.path("value").asString("")).doesNotContain("\n"));
        assertThat(api.findValues("example"))
                .allSatisfy(example -> assertThat(example.asString("")).doesNotContain("\n"));
    }

    @Test
    void everyBodyHasExamplesWithNames() {
        for (Described each : operations()) {
            each.operation().path("requestBody").path("content").forEachEntry((type, media) -> {
                if (!type.endsWith("parquet") && !each.name().equals("uploadData")) {
                    assertThat(media.path("examples").propertyNames())
                            .as(each.name() + " " + type)
                            .isNotEmpty();
                }
            });
        }
    }

    @Test
    void nothingIsFilledInThatNeedNotBeSent() {
        for (Described each : operations()) {
            assertThat(each.parameters()
                            .filter(parameter -> !parameter.path("required").asBoolean(false))
                            .filter(parameter -> parameter.has("example") || parameter.has("examples")))
                    .as(each.name())
                    .isEmpty();
        }
    }

    @Test
    void everyExampleSucceedsInTheOrderOfThePage() throws Exception {
        Map<String, String> known = new HashMap<>();
        List<Described> operations = operations();
        for (Described each :
                operations.stream().filter(operation -> !operation.ends()).toList()) {
            sendExamples(each, known);
        }
        // Objects in a dataset are ended before the dataset.
        Comparator<Described> inner =
                Comparator.comparingInt(operation -> -operation.path().length());
        for (Described each :
                operations.stream().filter(Described::ends).sorted(inner).toList()) {
            sendExamples(each, known);
        }
        assertThat(known.keySet()).containsAll(FROM_REPLIES);
    }

    private void sendExamples(Described operation, Map<String, String> known) throws Exception {
        JsonNode content = operation.operation().path("requestBody").path("content");
        if (content.isMissingNode()) {
            send(operation, "", "", "", known);
        }
        if (operation.name().equals("uploadData")) {
            for (String name : List.of("visits", "visits-public")) {
                Described ofOne = new Described(
                        operation.method(), operation.path().replace("{id}", name), operation.operation());
                send(ofOne, name, "text/csv", Files.readString(Path.of("examples/visits.csv")), known);
            }
        }
        for (Map.Entry<String, JsonNode> media : content.properties()) {
            for (Map.Entry<String, JsonNode> example :
                    media.getValue().path("examples").properties()) {
                JsonNode value = example.getValue().get("value");
                String body = value.isString() ? value.asString() : value.toString();
                send(operation, example.getKey(), media.getKey(), body, known);
            }
        }
    }

    private void send(Described operation, String name, String type, String body, Map<String, String> known)
            throws Exception {
        String path = operation.path();
        if (operation.name().equals("quoteRefinement")) {
            ObjectNode quoted = (ObjectNode) JsonMapper.shared().readTree(body);
            quoted.put("queryId", known.get(REFINABLE));
            body = quoted.toString();
        }
        for (JsonNode parameter : operation.parameters().toList()) {
            if (parameter.get("in").asString().equals("path")) {
                boolean isRefined = operation.name().equals("refineAnswer");
                String value = isRefined ? known.get(REFINABLE) : inPath(parameter, name, known);
                path = path.replace("{" + parameter.get("name").asString() + "}", value);
            }
        }
        if (operation.name().equals("sendGradients")) {
            ObjectNode batch = (ObjectNode) JsonMapper.shared().readTree(body);
            ((ObjectNode) batch.at("/reports/0")).put("ticket", known.get("ticket"));
            body = batch.toString();
        }
        String[] headers = type.isEmpty() ? new String[0] : new String[] {"Content-Type", type};
        if (operation.operation().at("/responses/200/content").has("text/event-stream")) {
            assertStatus(200, opened(path));
            return;
        }
        HttpResponse<String> reply = send(operation.method(), path, BodyPublishers.ofString(body), headers);
        assertThat(reply.statusCode())
                .as(operation.name() + " " + path + " " + body + "\n" + reply.body())
                .isBetween(200, 299);
        if (reply.body().startsWith("{")) {
            remember(json(reply), known);
        }
        if (operation.name().equals("askCount") || operation.name().equals("refineAnswer")) {
            known.put(REFINABLE, json(reply).get("queryId").asString());
        }
    }

    private static String inPath(JsonNode parameter, String example, Map<String, String> known) {
        String name = parameter.get("name").asString();
        if (parameter.has("example")) {
            return parameter.get("example").asString();
        }
        if (parameter.has("examples")) {
            JsonNode examples = parameter.get("examples");
            JsonNode meant = examples.has(example)
                    ? examples.get(example)
                    : examples.iterator().next();
            return meant.get("value").asString();
        }
        assertThat(known).as(name + " is not told by an earlier reply").containsKey(name);
        return URLEncoder.encode(known.get(name), StandardCharsets.UTF_8);
    }

    private static void remember(JsonNode reply, Map<String, String> known) {
        for (String name : FROM_REPLIES) {
            Stream.of(reply.path(name), reply.path("answer").path(name))
                    .filter(JsonNode::isString)
                    .forEach(told -> known.put(name, told.asString()));
        }
        if (reply.has("tickets")) {
            known.put("ticket", reply.at("/tickets/0").asString());
        }
    }

    private HttpResponse<?> opened(String path) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<java.io.InputStream> events = client.send(
                    java.net.http.HttpRequest.newBuilder(java.net.URI.create("http://127.0.0.1:" + port + path))
                            .header("Authorization", "Bearer " + key())
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            events.body().close();
            client.shutdownNow();
            return events;
        }
    }

    @Test
    void theExamplesAreThoseOfTheReadme() throws Exception {
        String readme = Files.readString(Path.of("README.md"));
        assertThat(body("registerDataset")).isEqualTo(sentInReadme(readme, "/v1/datasets"));
        assertThat(asOnce("askMean")).isEqualTo(sentInReadme(readme, "/v1/datasets/visits/queries/mean"));
        assertThat(asOnce("askSparseRange"))
                .isEqualTo(sentInReadme(readme, "/v1/datasets/visits/queries/sparse-range"));
        assertThat(body("quotePlan")).isEqualTo(sentInReadme(readme, "/v1/datasets/visits/quotes"));
        assertThat(body("createKey")).isEqualTo(sentInReadme(readme, "/v1/keys"));
        assertThat(body("setAllotment")).isEqualTo(sentInReadme(readme, "/v1/datasets/visits/allotments/ana"));
    }

    /**
     * The question without {@code reuse}. With {@code reuse}, the page may be tried after the README, and more than
     * once.
     */
    private JsonNode asOnce(String operation) {
        ObjectNode question = (ObjectNode) body(operation);
        assertThat(question.remove("reuse").asBoolean()).isTrue();
        return question;
    }

    /** The first body that the README sends to this path. */
    private static JsonNode sentInReadme(String readme, String path) {
        String from = "\"$PURSER" + path + "\" -d '";
        int start = readme.indexOf(from) + from.length();
        assertThat(start).as(path).isGreaterThan(from.length());
        return JsonMapper.shared().readTree(readme.substring(start, readme.indexOf('\'', start)));
    }

    @Test
    void tagsAreInTheOrderOfUse() {
        List<String> tags = new ArrayList<>();
        api.get("tags").forEach(tag -> tags.add(tag.get("name").asString()));
        assertThat(tags)
                .containsExactly(
                        "Datasets",
                        "Questions",
                        "Threshold sessions",
                        "Synopses",
                        "Quotes",
                        "Agents",
                        "Keys",
                        "Budget and ledger",
                        "Collections",
                        "Trainings",
                        "SQL");
        assertThat(operations().stream()
                        .map(each -> each.operation().at("/tags/0").asString())
                        .distinct())
                .containsExactlyElementsOf(tags);
    }

    @Test
    void thePageKeepsTheOrderAndShowsRefusalsInFewLines() throws Exception {
        assertThat(get("/swagger-ui/swagger-initializer.js").body()).doesNotContain("Sorter");
        assertThat(get("/swagger-ui/index.css").body()).contains("body {", "[data-code^=\"4\"]", "display: none");
    }
}
