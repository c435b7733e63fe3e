package dev.purser.web;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** The served OpenAPI document has no construct that generators of typed clients are known to fail on. */
class DescriptionForClientsTests extends RunningService {
    private JsonNode api = JsonMapper.shared().nullNode();

    @BeforeEach
    void readTheDocument() throws Exception {
        api = shown("/openapi.json");
    }

    /** Every schema with its place: the schemas of components, parameters, bodies and headers, and all their parts. */
    private Map<String, JsonNode> schemas() {
        Map<String, JsonNode> found = new TreeMap<>();
        api.at("/components/schemas").forEachEntry((name, schema) -> collect("#" + name, schema, found));
        forEachOperation((name, operation) -> {
            operation.path("parameters").forEach(parameter -> collect(name, parameter.path("schema"), found));
            Stream.concat(
                            Stream.of(operation.path("requestBody")),
                            operation.get("responses").valueStream())
                    .forEach(message -> {
                        message.path("content")
                                .forEachEntry((type, media) -> collect(name + " " + type, media.path("schema"), found));
                        message.path("headers")
                                .forEachEntry(
                                        (header, value) -> collect(name + " " + header, value.path("schema"), found));
                    });
        });
        return found;
    }

    private static void collect(String place, JsonNode schema, Map<String, JsonNode> found) {
        found.put(place, schema);
        schema.path("properties").forEachEntry((name, part) -> collect(place + "." + name, part, found));
        for (String part : List.of("items", "additionalProperties")) {
            if (schema.has(part)) {
                collect(place + "." + part, schema.get(part), found);
            }
        }
        for (String several : List.of("oneOf", "anyOf", "allOf")) {
            for (int i = 0; i < schema.path(several).size(); i++) {
                collect(place + "." + several + i, schema.get(several).get(i), found);
            }
        }
    }

    private void forEachOperation(BiConsumer<String, JsonNode> work) {
        api.get("paths")
                .forEach(path -> path.forEach(
                        operation -> work.accept(operation.get("operationId").asString(), operation)));
    }

    private static boolean isComponent(String place) {
        return place.startsWith("#") && !place.contains(".");
    }

    @Test
    void noTypeIsAnArrayOfTypes() {
        assertThat(schemas())
                .allSatisfy((place, schema) ->
                        assertThat(schema.path("type").isArray()).isFalse());
    }

    @Test
    void everyArraySaysWhatItHolds() {
        assertThat(schemas()).allSatisfy((place, schema) -> {
            if (schema.path("type").asString("").equals("array")) {
                assertThat(schema.has("items")).isTrue();
            }
        });
    }

    @Test
    void everyObjectHasAName() {
        assertThat(schemas()).allSatisfy((place, schema) -> {
            if (schema.has("properties")) {
                assertThat(isComponent(place)).isTrue();
            }
        });
    }

    /** In Go, {@code NewKey} is the name of the constructor of a {@code Key}. */
    @Test
    void noSchemaHasTheNameOfAnothersConstructor() {
        Set<String> names = new TreeSet<>(api.at("/components/schemas").propertyNames());
        assertThat(names).contains("Key").noneMatch(name -> names.contains("New" + name));
    }

    @Test
    void noFieldOfARequestHasADefault() {
        Map<String, JsonNode> all = schemas();
        Deque<String> toLookAt = new ArrayDeque<>();
        forEachOperation((name, operation) -> operation
                .at("/requestBody/content")
                .forEach(media -> toLookAt.add(media.at("/schema/$ref").asString(""))));
        Set<String> seen = new HashSet<>();
        while (!toLookAt.isEmpty()) {
            String name = toLookAt.remove().replace("/components/schemas/", "");
            if (!name.isEmpty() && seen.add(name)) {
                all.forEach((place, schema) -> {
                    if (place.equals(name) || place.startsWith(name + ".")) {
                        assertThat(schema.has("default")).as(place).isFalse();
                        toLookAt.add(schema.path("$ref").asString(""));
                    }
                });
            }
        }
        assertThat(seen).contains("#MeanQuestion", "#Condition", "#DatasetRegistration", "#OpenThresholdSession");
    }

    @Test
    void aUnionHasANameAndADiscriminatorOrIsOfPlainValuesOrWithNull() {
        Set<String> unions = new TreeSet<>();
        schemas().forEach((place, schema) -> {
            assertThat(schema.has("allOf")).as(place).isFalse();
            if (schema.has("anyOf") && isComponent(place)) {
                unions.add(place);
                assertThat(schema.get("anyOf")
                                .valueStream()
                                .map(each -> each.path("type").asString()))
                        .as(place)
                        .isSubsetOf("boolean", "number", "string");
            } else if (schema.has("anyOf")) {
                assertThat(schema.get("anyOf").size()).as(place).isEqualTo(2);
                assertThat(schema.at("/anyOf/1/type").asString()).as(place).isEqualTo("null");
            }
            if (schema.has("oneOf")) {
                assertThat(isComponent(place)).as(place).isTrue();
                unions.add(place);
                isTold(place, schema);
            }
        });
        assertThat(unions)
                .containsExactly(
                        "#Answer",
                        "#BlockWidth",
                        "#ColumnValue",
                        "#MissingValue",
                        "#PlanAnswer",
                        "#PlanItem",
                        "#RefinedAnswer",
                        "#RefinedSynopsis");
    }

    /** Each alternative of a union has a word of its own. */
    private void isTold(String place, JsonNode union) {
        JsonNode discriminator = union.get("discriminator");
        List<String> alternatives = new ArrayList<>();
        discriminator.get("mapping").forEachEntry((word, reference) -> {
            alternatives.add(reference.asString());
            JsonNode property = api.at(reference.asString().substring(1))
                    .at("/properties/" + discriminator.get("propertyName").asString());
            assertThat(property.get("enum").valueStream().map(JsonNode::asString))
                    .as(place)
                    .containsExactly(word);
        });
        assertThat(union.get("oneOf").valueStream().map(each -> each.get("$ref").asString()))
                .as(place)
                .containsExactlyElementsOf(alternatives);
    }

    @Test
    void anAnswerOfNoContentIsDescribedWithoutAny() {
        forEachOperation((name, operation) -> Stream.of("204", "304")
                .forEach(status -> assertThat(
                                operation.at("/responses/" + status).has("content"))
                        .as(name)
                        .isFalse()));
        assertThat(api.get("paths")
                        .get("/v1/queries/{queryId}")
                        .at("/get/responses/304")
                        .isObject())
                .isTrue();
    }

    @Test
    void everyHeaderIsExplained() {
        forEachOperation((name, operation) -> operation
                .get("responses")
                .forEachEntry((status, response) -> response.path("headers")
                        .forEachEntry((header, described) -> assertThat(described.has("description"))
                                .as(name + " " + header)
                                .isTrue())));
    }

    @Test
    void theHeadersThatAreSentAreDescribed() throws Exception {
        String id = newId();
        sends("registerDataset", register(registration(id, COLUMNS, "9", "add-or-remove-one", "")), "Location");
        upload(id, ofItsOwn(id, "age,hours,sex\n1,1,Male\n"));
        var answered = ask(id, "count", quoted("{'epsilon':'1'}"));
        sends("askCount", answered, "Idempotency-Key");
        sends("askCount", ask(id, "count", quoted("{'epsilon':'9'}")), "Idempotency-Key");
        sends("askCount", ask(id, "count", "{}"), "Idempotency-Key");
        sends("askCount", ask("nowhere", "count", "{}"), "Idempotency-Key");
        String answer = "/v1/queries/" + json(answered).get("queryId").asString();
        var read = get(answer);
        sends("getAnswer", read, "ETag");
        sends(
                "getAnswer",
                get(answer, "If-None-Match", read.headers().firstValue("ETag").orElseThrow()),
                "ETag");
        sends("listLedger", get("/v1/datasets/" + id + "/ledger?limit=1"), "Link");
        sends(
                "openThresholdSession",
                postAs(key(), "/v1/datasets/" + id + "/threshold-sessions", """
                                {"epsilon":"1","threshold":1,"maxPositives":1,"queries":"counts"}"""),
                "Location",
                "Idempotency-Key");
    }

    @Test
    void aChargeOfASessionIsReadAsTheSession() throws Exception {
        String id = newId();
        register(registration(id, COLUMNS, "9", "add-or-remove-one", ""));
        upload(id, ofItsOwn(id, "age,hours,sex\n1,1,Male\n"));
        JsonNode opened = json(postAs(key(), "/v1/datasets/" + id + "/threshold-sessions", """
                        {"epsilon":0.50,"threshold":1.0,"maxPositives":1,"release":null,"queries":"counts"}"""));
        JsonNode charged = json(get("/v1/datasets/" + id + "/ledger")).at("/items/1");
        JsonNode read = json(get("/v1/queries/" + charged.get("queryId").asString()));

        assertThat(read).isEqualTo(opened);
        assertThat(read.get("declaration")).hasToString("""
                        {"epsilon":"0.5","threshold":1,"maxPositives":1,"queries":"counts"}""");
        assertThat(read.get("kind")).isEqualTo(charged.get("kind"));
        assertThat(api.at("/components/schemas/Answer/discriminator/mapping")
                        .get(read.get("kind").asString()))
                .hasToString("\"#/components/schemas/ThresholdSession\"");
    }

    private void sends(String operationId, java.net.http.HttpResponse<String> reply, String... headers) {
        forEachOperation((name, operation) -> {
            if (name.equals(operationId)) {
                for (String header : headers) {
                    assertThat(reply.headers().firstValue(header))
                            .as(operationId + reply.body())
                            .isPresent();
                    assertThat(operation
                                    .at("/responses/" + reply.statusCode() + "/headers")
                                    .has(header))
                            .as(operationId + " " + reply.statusCode() + " " + header)
                            .isTrue();
                }
            }
        });
    }

    @Test
    void everyMemberOfARefusalIsDescribed() {
        Set<String> described =
                new TreeSet<>(api.at("/components/schemas/Problem/properties").propertyNames());
        assertThat(described).contains("moreErrors", "line", "accepted", "duplicates", "closedBecause", "shortfall");
        assertThat(api.at("/components/schemas/Problem/properties/shortfall/$ref")
                        .asString())
                .isEqualTo("#/components/schemas/StatedAmount");
        assertThat(api.at("/components/schemas/StatedAmount/properties").has("rho"))
                .isTrue();
        api.at("/components/examples")
                .forEach(example ->
                        assertThat(described).containsAll(example.get("value").propertyNames()));
    }

    @Test
    void aListIsNamedByWhatItHolds() {
        forEachOperation((name, operation) -> {
            String model = operation
                    .at("/responses/200/content/application~1json/schema/$ref")
                    .asString("");
            if (name.startsWith("list") && !name.equals("listMechanisms")) {
                String item = api.at(model.substring(1))
                        .at("/properties/items/items/$ref")
                        .asString();
                assertThat(model).as(name).isEqualTo(item + "List");
            }
        });
    }
}
