package dev.purser.web;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** The served OpenAPI document and the service say the same. */
class DescriptionTests extends RunningService {
    private static final Pattern FIELDS = Pattern.compile("the fields here are (.*)$");
    private static final String QUESTIONS = "/v1/datasets/{id}/queries/";
    private static final String QUOTES = "/v1/datasets/{id}/quotes";
    private static final String PLANS = "/v1/datasets/{id}/queries";
    private static final Map<String, String> KINDS = Map.of(
            "count",
            "Count",
            "sum",
            "Sum",
            "mean",
            "Mean",
            "histogram",
            "Histogram",
            "quantile",
            "Quantile",
            "threshold",
            "Threshold",
            "sparse-range",
            "SparseRange",
            "local-mean",
            "LocalMean");

    private static String id = "";

    private JsonNode api = JsonMapper.shared().nullNode();

    @BeforeEach
    void readTheDocument() throws Exception {
        api = shown("/openapi.json");
        if (id.isEmpty()) {
            // Under this relation every kind of question is private.
            id = dataset("1000", "age,hours,sex\n1,1,Male\n", COLUMNS, "replace-one");
        }
    }

    private JsonNode schema(String name) {
        JsonNode schema = api.at("/components/schemas/" + name);
        assertThat(schema.isObject()).as(name).isTrue();
        return schema;
    }

    private JsonNode resolved(JsonNode schema) {
        return schema.has("$ref") ? api.at(schema.get("$ref").asString().substring(1)) : schema;
    }

    private Set<String> documented(String name) {
        return new TreeSet<>(schema(name).get("properties").propertyNames());
    }

    /** The fields of a question about a dataset without blocks. */
    private Set<String> withoutBlocks(String name) {
        Set<String> fields = documented(name);
        assertThat(fields.remove("blocks")).isTrue();
        return fields;
    }

    /** The fields that a reader knows, taken from its refusal of a field that nobody knows. */
    private static Set<String> known(JsonNode problem, String pointer) {
        for (JsonNode error : problem.get("errors")) {
            if (error.get("pointer").asString().equals(pointer)) {
                Matcher fields = FIELDS.matcher(error.get("detail").asString());
                assertThat(fields.find()).as(error.toString()).isTrue();
                return new TreeSet<>(List.of(fields.group(1).replace("\"", "").split(", ")));
            }
        }
        throw new AssertionError("nothing at " + pointer + " in " + problem);
    }

    private Set<String> asked(String kind, String body, String pointer) throws Exception {
        return known(assertProblem(422, "validation-failed", ask(id, kind, quoted(body))), pointer);
    }

    private HttpResponse<String> quote(String what, String body) throws Exception {
        return post("/v1/datasets/" + id + "/quotes" + what, quoted(body));
    }

    private Set<String> quoting(String what, String body, String pointer) throws Exception {
        return known(assertProblem(422, "validation-failed", quote(what, body)), pointer);
    }

    private Set<String> registering(String body, String pointer) throws Exception {
        return known(assertProblem(422, "validation-failed", register(quoted(body))), pointer);
    }

    @Test
    void questionsHaveTheFieldsThatAreDescribed() throws Exception {
        for (String kind : KINDS.keySet()) {
            assertThat(asked(kind, "{'zz':1}", "/zz")).isEqualTo(withoutBlocks(KINDS.get(kind) + "Question"));
            assertThat(quoting("/" + kind, "{'zz':1}", "/zz"))
                    .isEqualTo(withoutBlocks(KINDS.get(kind) + "QuoteRequest"))
                    .contains("epsilon", "targetAlpha");
        }
        assertThat(quoting("", "{'zz':1}", "/zz")).isEqualTo(documented("Plan"));
        for (String name : KINDS.values()) {
            assertThat(quoting("", "{'questions':[{'zz':1}]}", "/questions/0/zz"))
                    .isEqualTo(documented(name + "PlanItem"));
        }
        Set<String> condition = asked("count", "{'where':[{'column':'age','above':1,'zz':1}]}", "/where/0/zz");
        condition.addAll(asked("count", "{'where':[{'column':'sex','in':['Male'],'zz':1}]}", "/where/0/zz"));
        assertThat(condition).isEqualTo(documented("Condition"));
        assertThat(asked("sparse-range", "{'column':'age','ranges':[{'above':1,'zz':1}]}", "/ranges/0/zz"))
                .isEqualTo(documented("Range"));
        assertThat(asked("threshold", "{'queries':[{'zz':1}]}", "/queries/0/zz"))
                .isEqualTo(documented("ThresholdItem"));
        Map<String, String> items =
                Map.of("count", "ThresholdCount", "sum", "ThresholdSum", "clipLoss", "ThresholdClipLoss");
        for (String item : items.keySet()) {
            assertThat(asked("threshold", "{'queries':[{'" + item + "':{'zz':1}}]}", "/queries/0/" + item + "/zz"))
                    .isEqualTo(documented(items.getOrDefault(item, "")));
        }
    }

    @Test
    void aRegistrationHasTheFieldsThatAreDescribed() throws Exception {
        assertThat(registering("{'zz':1}", "/zz")).isEqualTo(documented("DatasetRegistration"));
        Set<String> column = new TreeSet<>();
        for (String type : List.of("integer", "decimal", "boolean", "date", "timestamp", "category")) {
            column.addAll(registering("{'columns':[{'type':'" + type + "','zz':1}]}", "/columns/0/zz"));
        }
        assertThat(column).isEqualTo(documented("ColumnRegistration"));
        Set<String> unit = registering("{'privacyUnit':{'type':'row','zz':1}}", "/privacyUnit/zz");
        unit.addAll(registering("{'privacyUnit':{'type':'column','zz':1}}", "/privacyUnit/zz"));
        assertThat(unit).isEqualTo(documented("PrivacyUnit"));
        assertThat(registering("{'budget':{'zz':1}}", "/budget/zz")).isEqualTo(documented("BudgetRegistration"));
        Set<String> source = registering("{'source':{'type':'upload','zz':1}}", "/source/zz");
        source.addAll(registering("{'source':{'type':'table','zz':1}}", "/source/zz"));
        assertThat(source).isEqualTo(documented("DatasetSource"));
    }

    @Test
    void aKeyHasTheFieldsThatAreDescribed() throws Exception {
        HttpResponse<String> reply = postAs(key(), "/v1/keys", quoted("{'zz':1}"));
        assertThat(known(assertProblem(422, "validation-failed", reply), "/zz")).isEqualTo(documented("KeyCreation"));
        ObjectNode creation = (ObjectNode) example(schema("KeyCreation"), "");
        assertThat(creation.propertyNames()).contains("name", "role", "datasets", "collections");
        creation.put("name", newName());
        HttpResponse<String> made = assertStatus(201, postAs(key(), "/v1/keys", creation.toString()));
        conforms("post", "/v1/keys", made);
        String holder = json(made).get("key").asString();
        conforms("post", "/v1/keys", postAs(key(), "/v1/keys", creation.toString()));
        conforms("post", "/v1/keys", postAs(holder, "/v1/keys", creation.toString()));
        conforms("get", "/v1/keys/self", getAs(holder, "/v1/keys/self"));
        conforms("get", "/v1/keys/self", get("/v1/keys/self"));
        conforms("get", "/v1/keys/self", getAs("", "/v1/keys/self"));
        conforms("get", "/v1/keys", get("/v1/keys?limit=1000"));
        conforms("get", "/v1/keys", get("/v1/keys?limit=0"));
        conforms("get", "/v1/keys", get("/v1/keys?after=zz"));
        conforms(
                "delete",
                "/v1/keys/{keyId}",
                send("DELETE", "/v1/keys/x", java.net.http.HttpRequest.BodyPublishers.noBody()));
        conforms("get", "/v1/datasets/{id}", getAs(holder, "/v1/datasets/nowhere"));
        conforms("get", "/v1/datasets/{id}/ledger", getAs(holder, "/v1/datasets/nowhere/ledger"));
        assertStatus(201, makeKey(newName(), "analyst", "['*']", ""));
        conforms("get", "/v1/keys", get("/v1/keys?limit=1000"));
    }

    @Test
    void everyKindHasItsOperationAndItsAnswer() {
        KINDS.forEach((kind, name) -> {
            JsonNode operation = api.get("paths").get(QUESTIONS + kind).get("post");
            assertThat(operation.get("operationId").asString()).isEqualTo("ask" + name);
            assertThat(operation
                            .at("/responses/200/content/application~1json/schema/$ref")
                            .asString())
                    .isEqualTo("#/components/schemas/" + name + "Answer");
            assertThat(operation
                            .at("/requestBody/content/application~1json/schema/$ref")
                            .asString())
                    .isEqualTo("#/components/schemas/" + name + "Question");
            for (String status : List.of(
                    "400", "401", "403", "404", "405", "406", "408", "409", "413", "415", "422", "429", "431", "500",
                    "503")) {
                assertThat(operation.get("responses").has(status))
                        .as(kind + " " + status)
                        .isTrue();
            }
        });
        assertThat(api.get("paths").propertyNames()).noneMatch(path -> path.contains("{kind}"));
        Map<String, List<String>> keys = Map.of(
                "/v1/keys post", List.of("201", "400", "401", "403", "409", "413", "415", "422"),
                "/v1/keys get", List.of("200", "401", "403", "422"),
                "/v1/keys/self get", List.of("200", "401", "403"),
                "/v1/keys/{keyId} delete", List.of("204", "401", "403", "404"));
        Map<String, List<String>> others = Map.of(
                "/v1/datasets/{id}/quotes post", List.of("200", "404", "413", "415", "422"),
                "/v1/datasets post", List.of("201", "400", "409", "413", "415", "422"),
                "/v1/datasets get", List.of("200", "422"),
                "/v1/datasets/{id} get", List.of("200", "404"),
                "/v1/datasets/{id} delete", List.of("204", "404"),
                "/v1/datasets/{id}/data put", List.of("200", "404", "408", "409", "415", "422"),
                "/v1/datasets/{id}/budget get", List.of("200", "404"),
                "/v1/datasets/{id}/ledger get", List.of("200", "404", "422"),
                "/v1/queries/{queryId} get", List.of("200", "304", "404"));
        Map<String, List<String>> all = new TreeMap<>(others);
        all.putAll(keys);
        all.forEach((operation, statuses) -> {
            String[] parts = operation.split(" ");
            JsonNode responses = api.get("paths").get(parts[0]).get(parts[1]).get("responses");
            for (String status : statuses) {
                assertThat(responses.has(status)).as(operation + " " + status).isTrue();
            }
        });
    }

    @Test
    void everyKindHasItsQuote() {
        KINDS.forEach((kind, name) -> {
            JsonNode operation = api.get("paths").get(QUOTES + "/" + kind).get("post");
            assertThat(operation.get("operationId").asString()).isEqualTo("quote" + name);
            assertThat(operation
                            .at("/responses/200/content/application~1json/schema/$ref")
                            .asString())
                    .isEqualTo("#/components/schemas/Quote");
            assertThat(operation
                            .at("/requestBody/content/application~1json/schema/$ref")
                            .asString())
                    .isEqualTo("#/components/schemas/" + name + "QuoteRequest");
            assertThat(operation.get("responses").propertyNames())
                    .contains("400", "401", "403", "404", "405", "406", "408", "413", "415", "422", "429", "500", "503")
                    .doesNotContain("409");
            List<String> required = new ArrayList<>();
            schema(name + "QuoteRequest").path("required").forEach(each -> required.add(each.asString()));
            assertThat(required).doesNotContain("epsilon", "targetAlpha", "assumedRows");
            schema(name + "Question").get("required").forEach(each -> {
                if (!each.asString().equals("epsilon")) {
                    assertThat(required).contains(each.asString());
                }
            });
        });
    }

    @Test
    void everyFieldIsExplained() {
        List<String> unexplained = new ArrayList<>();
        api.at("/components/schemas").forEachEntry((name, schema) -> {
            if (schema.has("properties")) {
                schema.get("properties").forEachEntry((field, property) -> {
                    JsonNode meant = resolved(property);
                    JsonNode items = property.has("items") ? resolved(property.get("items")) : meant;
                    boolean explained = List.of(property, meant, items).stream()
                            .anyMatch(each -> each.has("description")
                                    || each.has("example")
                                    || each.has("examples")
                                    || each.has("enum"));
                    if (!explained) {
                        unexplained.add(name + "." + field);
                    }
                });
            }
        });
        assertThat(unexplained).isEmpty();
    }

    @Test
    void itsOwnExamplesAreAnswered() throws Exception {
        for (String kind : List.of("count", "sum", "mean", "histogram", "quantile", "sparse-range", "local-mean")) {
            String body = example(schema(KINDS.getOrDefault(kind, "") + "Question"), "")
                    .toString();
            assertStatus(200, ask(id, kind, body));
            String quote = example(schema(KINDS.getOrDefault(kind, "") + "QuoteRequest"), "")
                    .toString();
            assertStatus(200, quote("/" + kind, quote));
        }
        assertStatus(200, quote("", example(schema("Plan"), "").toString()));
        for (String item : documented("ThresholdItem")) {
            String body = example(schema("ThresholdQuestion"), item).toString();
            assertThat(body).contains("\"" + item + "\"");
            assertStatus(200, ask(id, "threshold", body));
        }
        ObjectNode registration = (ObjectNode) example(schema("DatasetRegistration"), "");
        registration.put("id", newId()).remove("sharesAccountWith");
        ObjectNode column = (ObjectNode) registration.at("/columns/0");
        column.remove("categories");
        assertStatus(201, register(registration.toString()));
    }

    /** The description has the same bytes at each start, so that its ETag stays. */
    @Test
    void membersOfAProblemsExampleHaveAFixedOrder() {
        JsonNode exhausted = api.at("/components/examples/budget-exhausted/value");
        JsonNode broken = api.at("/components/examples/validation-failed/value/errors/0");

        assertThat(exhausted.propertyNames())
                .containsExactly(
                        "type",
                        "title",
                        "status",
                        "detail",
                        "instance",
                        "requested",
                        "remaining",
                        "shortfall",
                        "scope",
                        "freeFrom",
                        "refines");
        assertThat(exhausted.get("requested").propertyNames()).containsExactly("epsilon", "delta");
        assertThat(broken.propertyNames()).containsExactly("pointer", "detail");
        JsonNode invalid = api.at("/components/examples/invalid-data/value");
        assertThat(invalid.propertyNames()).endsWith("instance", "errors", "moreErrors");
        assertThat(invalid.at("/errors/0").propertyNames()).containsExactly("line", "column", "detail");
    }

    /** The examples of a schema's fields as one document. An optional field without an example is left out. */
    private JsonNode example(JsonNode schema, String chosen) {
        JsonNode meant = resolved(schema);
        if (schema.has("example") || meant.has("example")) {
            return schema.has("example") ? schema.get("example") : meant.get("example");
        }
        if (meant.has("enum")) {
            return meant.get("enum").get(0);
        }
        if (meant.has("oneOf")) {
            return example(meant.get("oneOf").get(0), chosen);
        }
        if (meant.has("items")) {
            ArrayNode array = JsonMapper.shared().createArrayNode();
            return array.add(example(meant.get("items"), chosen));
        }
        ObjectNode object = JsonMapper.shared().createObjectNode();
        Set<String> required = new TreeSet<>();
        meant.path("required").forEach(each -> required.add(each.asString()));
        meant.path("properties").forEachEntry((name, property) -> {
            if (property.has("example")
                    || resolved(property).has("example")
                    || required.contains(name)
                    || name.equals(chosen)) {
                object.set(name, example(property, chosen));
            }
        });
        return object;
    }

    @Test
    void responsesAreOfTheirSchema() throws Exception {
        Map<String, String> questions = Map.of(
                "count",
                quoted("{'epsilon':1}"),
                "sum",
                quoted("{'epsilon':1,'column':'hours'}"),
                "mean",
                quoted("{'epsilon':1,'column':'age'}"),
                "histogram",
                quoted("{'epsilon':1,'column':'sex'}"),
                "quantile",
                quoted("{'epsilon':1,'column':'age','probabilities':[0.5]}"),
                "local-mean",
                quoted("{'epsilon':1,'column':'age','protocol':'piecewise'}"),
                "threshold",
                quoted("{'epsilon':1,'threshold':50000,'queries':[{'count':{}}]}"),
                "sparse-range",
                """
                        {"epsilon":9,"column":"age","threshold":-100,"maxPositives":1,"release":"values",\
                        "ranges":[{"above":0}]}""");
        for (Map.Entry<String, String> question : questions.entrySet()) {
            conforms("post", QUESTIONS + question.getKey(), ask(id, question.getKey(), question.getValue()));
            conforms("post", QUOTES + "/" + question.getKey(), quote("/" + question.getKey(), question.getValue()));
        }
        conforms("post", QUOTES, quote("", "{'questions':[{'kind':'count','request':{'epsilon':1}}]}"));
        conforms("post", QUOTES, quote("", "{'questions':[{'kind':'count','request':{}}]}"));
        String plans = "/v1/datasets/" + id + "/queries";
        conforms("post", PLANS, postAs(key(), plans, """
                        {"questions":[{"kind":"count","request":{"epsilon":1,"reuse":true}},\
                        {"kind":"mean","request":{"epsilon":1,"column":"age"}}]}"""));
        conforms("post", PLANS, postAs(key(), plans, """
                {"questions":[{"kind":"count","request":{"epsilon":99,"spend":false}}]}"""));
        conforms("post", PLANS, postAs(key(), plans, quoted("{'questions':[{'kind':'count','request':{}}]}")));
        conforms(
                "post",
                QUESTIONS + "sparse-range",
                ask(
                        id,
                        "sparse-range",
                        questions.getOrDefault("sparse-range", "").replace("values", "indices")));
        conforms("post", QUESTIONS + "histogram", ask(id, "histogram", """
                        {"epsilon":9,"column":"hours","edges":[0,2.5]}"""));
        conforms("post", QUESTIONS + "threshold", ask(id, "threshold", """
                        {"epsilon":9,"threshold":-50,"queries":[{"count":{}}]}"""));
        String other = newId();
        String unit = registration(other, COLUMNS, "1", "replace-one", ",'title':'x'")
                .replace(quoted("{'type':'row'}"), quoted("{'type':'column','column':'u','maxRows':2}"));
        conforms("post", "/v1/datasets", register(unit));
        conforms("post", "/v1/datasets", register(unit));
        conforms("post", QUESTIONS + "count", ask(other, "count", quoted("{'epsilon':1}")));
        conforms("put", "/v1/datasets/{id}/data", upload(other, "u,age,hours,sex\n1,old,1,Male\n"));
        conforms("put", "/v1/datasets/{id}/data", upload(other, "u,age,hours,sex\n1,1,1,Male\n"));
        conforms("post", QUESTIONS + "count", ask(other, "count", quoted("{'epsilon':1}")));
        conforms("post", QUESTIONS + "count", ask(other, "count", quoted("{'epsilon':1}")));
        conforms("post", QUESTIONS + "count", ask(other, "count", quoted("{'epsilon':-1}")));
        conforms("get", "/v1/mechanisms", get("/v1/mechanisms"));
        conforms("get", "/v1/datasets/{id}", get("/v1/datasets/" + other));
        conforms("get", "/v1/datasets/{id}", get("/v1/datasets/" + id));
        conforms("get", "/v1/datasets/{id}", get("/v1/datasets/nowhere"));
        conforms("get", "/v1/datasets", get("/v1/datasets?limit=2"));
        conforms("get", "/v1/datasets", get("/v1/datasets?after=zzzz"));
        conforms("get", "/v1/datasets/{id}/budget", get("/v1/datasets/" + id + "/budget"));
        conforms("get", "/v1/datasets/{id}/ledger", get("/v1/datasets/" + id + "/ledger"));
        conforms("get", "/v1/datasets/{id}/ledger", get("/v1/datasets/" + id + "/ledger?limit=1"));
    }

    /** Checks a response against the schema and the problems that its operation has for its status and media type. */
    private void conforms(String method, String path, HttpResponse<String> response) {
        String type =
                response.headers().firstValue("Content-Type").orElseThrow().replace("/", "~1");
        JsonNode content =
                api.get("paths").get(path).get(method).at("/responses/" + response.statusCode() + "/content/" + type);
        JsonNode schema = content.path("schema");
        assertThat(schema.isObject())
                .as(method + " " + path + " " + response.statusCode() + " " + type)
                .isTrue();
        if (response.statusCode() >= 400) {
            String problem = json(response).get("type").asString();
            assertThat(content.get("examples").propertyNames())
                    .as(method + " " + path)
                    .contains(problem.substring(problem.lastIndexOf('/') + 1));
        }
        List<String> faults = new ArrayList<>();
        check(json(response), schema, "", faults);
        assertThat(faults).as(method + " " + path + "\n" + response.body()).isEmpty();
    }

    private void check(JsonNode value, JsonNode schema, String place, List<String> faults) {
        JsonNode meant = resolved(schema);
        for (String several : List.of("oneOf", "anyOf")) {
            if (meant.has(several)) {
                boolean fits = false;
                for (JsonNode each : meant.get(several)) {
                    List<String> tried = new ArrayList<>();
                    check(value, each, place, tried);
                    fits |= tried.isEmpty();
                }
                if (!fits) {
                    faults.add(place + " fits none of " + several);
                }
            }
        }
        Set<String> types = types(meant);
        String type = typeOf(value);
        if (!types.isEmpty() && !types.contains(type) && !(type.equals("integer") && types.contains("number"))) {
            faults.add(place + " is " + type + ", not " + types);
        }
        if (meant.has("enum") && !value.isNull()) {
            boolean listed = false;
            for (JsonNode each : meant.get("enum")) {
                listed |= each.equals(value);
            }
            if (!listed) {
                faults.add(place + " is not in the enumeration: " + value);
            }
        }
        if (value.isObject() && meant.has("properties")) {
            meant.path("required").forEach(required -> {
                if (!value.has(required.asString())) {
                    faults.add(place + "/" + required.asString() + " is required");
                }
            });
            value.forEachEntry((name, member) -> {
                if (meant.get("properties").has(name)) {
                    check(member, meant.get("properties").get(name), place + "/" + name, faults);
                } else if (!meant.has("additionalProperties")) {
                    faults.add(place + "/" + name + " is not described");
                }
            });
        }
        if (value.isArray() && meant.has("items")) {
            for (int i = 0; i < value.size(); i++) {
                check(value.get(i), meant.get("items"), place + "/" + i, faults);
            }
        }
    }

    private static Set<String> types(JsonNode schema) {
        Set<String> types = new TreeSet<>();
        JsonNode type = schema.path("type");
        if (type.isString()) {
            types.add(type.asString());
        }
        if (type.isArray()) {
            type.forEach(each -> types.add(each.asString()));
        }
        return types;
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
        };
    }
}
