package dev.purser.mcp;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Agents that ask over the Model Context Protocol. */
class McpTests extends RunningService {
    private static final String META = quoted("""
            '_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',\
            'io.modelcontextprotocol/clientCapabilities':{}}""");
    private static final String MEAN = quoted("'question':{'kind':'mean','request':{'epsilon':'0.5','column':'age'}}");
    private static final List<String> FREE = List.of("list_datasets", "describe_dataset", "quote", "ask_free");

    private String dataset = "";
    private String analyst = "";

    @BeforeEach
    void makeADatasetWithAnAllotment() throws Exception {
        dataset = dataset("10", "age,hours,sex\n1,1,Male\n50,2.25,Female\n");
        String name = newName();
        analyst = keyFor(name, "analyst", "['" + dataset + "']");
        String path = "/v1/datasets/" + dataset + "/allotments/" + name;
        assertStatus(200, send("PUT", path, quoted("{'epsilon':'1'}"), "Content-Type", "application/json"));
    }

    private HttpResponse<String> sent(String key, String method, String params, String... headers) throws Exception {
        String body = quoted("{'jsonrpc':'2.0','id':7,'method':'" + method + "','params':{")
                + META
                + (params.isEmpty() ? "" : "," + params)
                + "}}";
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method));
        return postAs(key, "/mcp", body, all.toArray(String[]::new));
    }

    private JsonNode result(HttpResponse<String> response) {
        JsonNode body = json(assertStatus(200, response));
        assertThat(body.get("jsonrpc").asString()).isEqualTo("2.0");
        assertThat(body.get("id").asInt()).isEqualTo(7);
        return body.get("result");
    }

    private JsonNode call(String key, String tool, String arguments) throws Exception {
        return result(sent(
                key, "tools/call", quoted("'name':'" + tool + "','arguments':{") + arguments + "}", "Mcp-Name", tool));
    }

    private JsonNode done(String key, String tool, String arguments) throws Exception {
        JsonNode result = call(key, tool, arguments);
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isFalse();
        return result;
    }

    private JsonNode refused(String key, String tool, String arguments) throws Exception {
        JsonNode result = call(key, tool, arguments);
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isTrue();
        return result;
    }

    private String about(String question) {
        return quoted("'dataset':'" + dataset + "',") + question;
    }

    private static String text(JsonNode result) {
        return result.at("/content/0/text").asString();
    }

    private List<String> tools(String key) throws Exception {
        return result(sent(key, "tools/list", ""))
                .get("tools")
                .valueStream()
                .map(tool -> tool.get("name").asString())
                .toList();
    }

    @Test
    void anAgentListsQuotesAsksRepeatsForNothingAndStopsAtItsCeiling() throws Exception {
        assertThat(done(analyst, "list_datasets", "")
                        .at("/structuredContent/items/0/id")
                        .asString())
                .isEqualTo(dataset);
        JsonNode described = done(analyst, "describe_dataset", about("").replaceFirst(",$", ""));
        assertThat(described.at("/structuredContent/dataset/columns/0/upper").asInt())
                .isEqualTo(125);
        assertThat(described.at("/structuredContent/remaining/epsilon").asString())
                .isEqualTo("1");

        JsonNode quote = done(analyst, "quote", about(MEAN));
        assertThat(quote.at("/structuredContent/charge/epsilon").asString()).isEqualTo("0.5");
        assertThat(text(quote)).contains("charged epsilon 0.5, which fits");
        assertThat(spent(dataset)).isEqualTo("0");

        JsonNode first = done(analyst, "ask", about(MEAN));
        assertThat(text(first)).contains("Charged: epsilon 0.5; left: epsilon 0.5", "noisy", "interval", " to ");
        JsonNode again = done(analyst, "ask", about(MEAN));
        assertThat(again.at("/structuredContent/answer")).isEqualTo(first.at("/structuredContent/answer"));
        assertThat(text(again)).contains("nothing was charged");
        assertThat(spent(dataset)).isEqualTo("0.5");
        JsonNode stored = done(analyst, "ask_free", about(MEAN));
        assertThat(stored.at("/structuredContent/answer")).isEqualTo(first.at("/structuredContent/answer"));

        JsonNode refusal = refused(analyst, "ask", about(MEAN.replace("0.5", "0.6")));
        assertThat(refusal.at("/structuredContent/problem").asString()).isEqualTo("budget-exhausted");
        assertThat(text(refusal))
                .contains("It would be charged epsilon 0.6.", "What is left of this key's allotment: epsilon 0.5.");
        assertThat(spent(dataset)).isEqualTo("0.5");
    }

    @Test
    void anAnswerIsRefinedOnceForTheDifference() throws Exception {
        JsonNode coarse = done(analyst, "ask", about(MEAN.replace("0.5", "0.2")));
        String id = coarse.at("/structuredContent/queryId").asString();
        String more = quoted("'queryId':'" + id + "','epsilon':'0.3'");
        assertThat(text(done(analyst, "quote", about(MEAN))))
                .contains("The answer " + id + " can be refined to this for epsilon 0.3");

        JsonNode refined = done(analyst, "refine", more);
        assertThat(text(refined)).contains("Charged: epsilon 0.3; left: epsilon 0.5", "noisy");
        assertThat(spent(dataset)).isEqualTo("0.5");
        JsonNode stored = done(analyst, "ask_free", about(MEAN));
        assertThat(stored.at("/structuredContent/answer")).isEqualTo(refined.at("/structuredContent/answer"));

        JsonNode repeated = refused(analyst, "refine", more);
        assertThat(repeated.at("/structuredContent/problem").asString()).isEqualTo("already-refined");
        assertThat(text(repeated))
                .contains(refined.at("/structuredContent/queryId").asString());
        assertThat(text(refused(analyst, "refine", more.replace("0.3", "0")))).contains("epsilon must be");
        assertThat(text(refused(analyst, "refine", more.replace(id, "01M8CXY2FKYPA3P1P2A13P7X0K"))))
                .contains("there is no such answer");
        String stranger = keyFor("analyst", "[]");
        assertThat(text(refused(stranger, "refine", more))).contains("there is no such answer");
        assertThat(spent(dataset)).isEqualTo("0.5");
    }

    @Test
    void aRefusalNamesTheSynopsisThatAnswersForNothing() throws Exception {
        String bought = quoted("{'epsilon':'8','columns':[{'column':'age'}]}");
        String id = json(assertStatus(201, post("/v1/datasets/" + dataset + "/synopses", bought)))
                .at("/answer/synopsisId")
                .asString();
        String count = quoted("'question':{'kind':'count','request':{'epsilon':'5'}}");

        assertThat(text(refused(analyst, "ask", about(count)))).contains(id, "ask_free");
        assertThat(text(refused(analyst, "ask_free", about(count)))).contains("nothing-stored", "epsilon 5", id);
        JsonNode described = done(analyst, "describe_dataset", about("").replaceFirst(",$", ""));
        assertThat(described.at("/structuredContent/synopses/0/synopsisId").asString())
                .isEqualTo(id);

        JsonNode answered = done(
                analyst,
                "ask_free",
                quoted("'synopsis':{'synopsisId':'" + id + "','questions':[{'count':{}},{'mean':{'column':'age'}}]}"));
        assertThat(answered.at("/structuredContent/items/0/interval/low").isNumber())
                .isTrue();
        assertThat(text(answered)).contains("nothing was charged", "noisy", "interval");
        assertThat(text(refused(
                        analyst,
                        "ask_free",
                        quoted("'synopsis':{'synopsisId':'" + id
                                + "','questions':[" + "{'cumulative':{'column':'age'}},".repeat(7)
                                + "{'cumulative':{'column':'age'}}]}"))))
                .contains("at most 1000 numbers");
    }

    /** A model reads lines, so each number is in one line with its interval, its group and its name. */
    @Test
    void aTableIsALineForEachNumberWithItsInterval() throws Exception {
        String table = quoted("'question':{'kind':'aggregate','request':{'epsilon':'1','groupBy':[{'column':'sex'}],"
                + "'aggregates':[{'count':{}},{'mean':{'column':'age'}}]}}");
        assertThat(text(done(analyst, "ask", about(table))).lines())
                .anyMatch(
                        line -> line.matches("key category Female, count, value: -?[0-9.]+, interval -?[0-9.]+ to .*"))
                .anyMatch(line -> line.startsWith("key category Male, mean(age), value: "));
    }

    @Test
    void whatIsWrongInAQuestionIsSaidAtItsPlaceAndChargesNothing() throws Exception {
        JsonNode wrong =
                refused(analyst, "ask", about(MEAN.replace("age", "agee").replace("0.5", "0")));
        assertThat(wrong.at("/structuredContent/errors")
                        .valueStream()
                        .map(each -> each.get("argument").asString()))
                .containsExactlyInAnyOrder("/question/request/epsilon", "/question/request/column");
        assertThat(text(wrong)).contains("- /question/request/column: ");
        // Repetitions of an agent are free in any case. So the tool does not have the fields that ask for this.
        assertThat(text(refused(analyst, "ask", about(MEAN.replace("0.5\"", "0.5\",\"reuse\":false")))))
                .contains("unknown field \"reuse\"");
        assertThat(text(refused(analyst, "ask", about(MEAN.replace("mean", "median")))))
                .contains("quantile");
        assertThat(text(refused(analyst, "ask", MEAN))).contains("dataset is required");
        assertThat(refused(analyst, "ask", quoted("'dataset':'other',") + MEAN)
                        .at("/structuredContent/problem")
                        .asString())
                .isEqualTo("not-found");
        for (String noId : List.of("\\u0000", "a\\u0000", "Visits", "", "a".repeat(64))) {
            assertThat(refused(analyst, "ask", quoted("'dataset':'" + noId + "',") + MEAN)
                            .at("/structuredContent/errors/0/argument")
                            .asString())
                    .as(noId)
                    .isEqualTo("/dataset");
        }
        assertThat(spent(dataset)).isEqualTo("0");
    }

    @Test
    void aKeyThatCannotSpendDoesNotSeeTheToolsThatDo() throws Exception {
        String viewer = keyFor("viewer", "['" + dataset + "']");
        assertThat(tools(viewer)).isEqualTo(FREE);
        assertThat(tools(analyst)).startsWith(FREE.toArray(String[]::new)).contains("ask", "refine");
        assertThat(tools(key())).contains("ask", "refine");

        HttpResponse<String> hidden =
                sent(viewer, "tools/call", quoted("'name':'ask','arguments':{") + about(MEAN) + "}", "Mcp-Name", "ask");
        assertThat(json(assertStatus(400, hidden)).at("/error/code").asInt()).isEqualTo(-32602);
        assertThat(text(refused(viewer, "ask_free", about(MEAN)))).contains("nothing-stored", "epsilon 0.5");
        done(analyst, "ask", about(MEAN));
        assertThat(text(done(viewer, "ask_free", about(MEAN)))).contains("nothing was charged");
        assertThat(spent(dataset)).isEqualTo("0.5");
        for (String role : List.of("custodian", "collector", "auditor", "operator")) {
            assertProblem(403, "forbidden", sent(keyFor(role, "['" + dataset + "']"), "tools/list", ""));
        }
        assertProblem(401, "unauthorized", sent("none", "tools/list", ""));
    }

    @Test
    void theSameIdempotencyKeyGetsTheSameBytesAndBelongsToOneDataset() throws Exception {
        String arguments = quoted("'name':'ask','arguments':{") + about(MEAN) + "}";
        String[] headers = {"Mcp-Name", "ask", "Idempotency-Key", "one"};
        String first = sent(analyst, "tools/call", arguments, headers).body();
        assertThat(sent(analyst, "tools/call", arguments, headers).body()).isEqualTo(first);
        HttpResponse<String> other = sent(analyst, "tools/call", arguments.replace("0.5", "0.4"), headers);
        assertThat(text(result(other))).contains("idempotency-key-reused");
        assertThat(spent(dataset)).isEqualTo("0.5");
    }

    @Test
    void schemasAreOfTheDeclaredFieldsAndReferToThemselvesAlone() throws Exception {
        JsonNode listed = result(sent(analyst, "tools/list", ""));
        assertThat(listed.get("cacheScope").asString()).isEqualTo("private");
        JsonNode ask = listed.get("tools").get(4);
        assertThat(ask.at("/annotations/destructiveHint").asBoolean()).isTrue();
        assertThat(ask.at("/annotations/idempotentHint").asBoolean()).isTrue();
        JsonNode mean = ask.at("/inputSchema/$defs/MeanQuestion/properties");
        assertThat(mean.propertyNames())
                .contains("epsilon", "column", "method", "where")
                .doesNotContain("reuse");
        assertThat(ask.toString()).doesNotContain("#/components", "discriminator");
        for (JsonNode tool : listed.get("tools")) {
            JsonNode schema = tool.get("inputSchema");
            assertThat(schema.get("type").asString()).isEqualTo("object");
            Pattern.compile("#/\\$defs/([A-Za-z]+)")
                    .matcher(schema.toString())
                    .results()
                    .forEach(reference -> assertThat(
                                    schema.at("/$defs/" + reference.group(1)).isObject())
                            .as(reference.group())
                            .isTrue());
        }
        assertThat(listed.toString().length()).as("what a model has to read").isLessThan(150_000);
    }

    @Test
    void olderClientsInitializeFirst() throws Exception {
        JsonNode begun = json(assertStatus(200, postAs(analyst, "/mcp", quoted("""
                {'jsonrpc':'2.0','id':'a','method':'initialize','params':{'protocolVersion':'2025-06-18'}}"""))));
        assertThat(begun.get("id").asString()).isEqualTo("a");
        assertThat(begun.at("/result/protocolVersion").asString()).isEqualTo("2025-06-18");
        String[] version = {"MCP-Protocol-Version", "2025-06-18"};
        assertStatus(202, postAs(analyst, "/mcp", quoted("""
                {'jsonrpc':'2.0','method':'notifications/initialized'}"""), version));
        JsonNode called = json(assertStatus(200, postAs(analyst, "/mcp", quoted("""
                {'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'list_datasets'}}"""), version)));
        assertThat(called.at("/result/structuredContent/items/0/id").asString()).isEqualTo(dataset);
        assertThat(json(assertStatus(404, postAs(analyst, "/mcp", quoted("""
                        {'jsonrpc':'2.0','id':1,'method':'server/discover'}"""), version)))
                        .at("/error/code")
                        .asInt())
                .isEqualTo(-32601);
    }

    @Test
    void headersSayWhatTheBodySays() throws Exception {
        String list = quoted("{'jsonrpc':'2.0','id':7,'method':'tools/list','params':{") + META + "}}";
        assertError(-32020, list, "MCP-Protocol-Version", "2026-07-28");
        assertError(-32020, list, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "TOOLS/LIST");
        assertError(-32020, list, "Mcp-Method", "tools/list");
        assertError(-32602, list.replace("clientCapabilities", "other"), "MCP-Protocol-Version", "2026-07-28");
        assertError(-32602, quoted("{'jsonrpc':'2.0','id':7,'method':'tools/list'}"));
        JsonNode unsupported = assertError(-32022, list.replace("2026-07-28", "v9"), "MCP-Protocol-Version", "v9");
        assertThat(unsupported.at("/data/supported/0").asString()).isEqualTo("2026-07-28");
        assertThat(unsupported.at("/data/requested").asString()).isEqualTo("v9");
    }

    private JsonNode assertError(int code, String body, String... headers) throws Exception {
        JsonNode response = json(assertStatus(400, postAs(analyst, "/mcp", body, headers)));
        assertThat(response.at("/error/code").asInt()).as(response.toString()).isEqualTo(code);
        assertThat(response.get("id").asInt()).isEqualTo(7);
        return response.get("error");
    }

    @Test
    void hostileMessagesAreErrorsOfTheProtocol() throws Exception {
        for (String broken : List.of(
                "[]",
                "[{\"jsonrpc\":\"2.0\"}]",
                "null",
                "1",
                "{}",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"x\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1e9,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":" + "[".repeat(900) + "]".repeat(900) + "}")) {
            JsonNode response = json(assertStatus(400, postAs(analyst, "/mcp", broken)));
            assertThat(response.at("/error/code").asInt()).as(broken).isEqualTo(-32600);
        }
        JsonNode cut = assertProblem(400, "malformed-request", postAs(analyst, "/mcp", "{\"jsonrpc\""));
        assertThat(cut.at("/error/code").asInt()).isEqualTo(-32700);
        assertThat(cut.get("id").isNull()).isTrue();
        for (String method : List.of("GET", "DELETE", "PUT")) {
            assertProblem(405, "method-not-allowed", sendAs(analyst, method, "/mcp", BodyPublishers.noBody()));
        }
        assertThat(spent(dataset)).isEqualTo("0");
    }

    @Test
    void pagesOfOtherSitesMayNotCall() throws Exception {
        assertProblem(403, "forbidden", sent(analyst, "tools/list", "", "Origin", "http://evil.example"));
        assertStatus(200, sent(analyst, "tools/list", "", "Origin", DASHBOARD));
        assertStatus(200, sent(analyst, "tools/list", "", "Origin", "http://127.0.0.1:" + port));
    }

    /** The answer's JSON is the same, digit by digit, as in the other operations. */
    @Test
    void anAnswerIsTheStoredOne() throws Exception {
        JsonNode asked = done(analyst, "ask", about(MEAN)).get("structuredContent");
        String path = "/v1/queries/" + asked.get("queryId").asString();
        assertThat(JsonMapper.shared().readTree(asked.toString())).isEqualTo(shownTo(analyst, path));
    }
}
