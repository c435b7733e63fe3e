package dev.purser;

import dev.purser.web.RunningService;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files of {@code examples/dashboard} and the blocks of {@code docs/dashboards.md}, sent to the service as
 * Grafana's plugin Infinity, a spreadsheet, a browser and a shell send them. Only the dataset has another id, because
 * all tests share one service.
 */
class DashboardTests extends RunningService {
    private static final Path EXAMPLES = Path.of("examples", "dashboard").toAbsolutePath();
    private static final Path PAGE = Path.of("docs", "dashboards.md");
    private static final Pattern REGISTRATION =
            Pattern.compile("/v1/datasets\" -d '(\\{.*?\\n {2}\\})'", Pattern.DOTALL);
    private static final String JSON = "application/json";

    private String visits = "";
    private String analyst = "";
    private String viewer = "";

    @BeforeEach
    void registerTheVisitsOfTheReadme() throws Exception {
        visits = newId();
        String registration = found(REGISTRATION, Files.readString(Path.of("README.md")));
        assertStatus(201, register(here(registration)));
        String rows = ofItsOwn(visits, Files.readString(Path.of("examples", "visits.csv")));
        assertStatus(200, upload(visits, rows));
        analyst = keyFor("analyst", "['" + visits + "']");
        viewer = keyFor("viewer", "['" + visits + "']");
    }

    /** The text with this test's dataset in place of {@code visits}. */
    private String here(String text) {
        return text.replace("\"visits\", \"", "\"" + visits + "\", \"")
                .replace("\"id\": \"visits\"", "\"id\": \"" + visits + "\"")
                .replace("\"datasets\": [\"visits\"]", "\"datasets\": [\"" + visits + "\"]")
                .replace("/datasets/visits/", "/datasets/" + visits + "/");
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(pattern.pattern()).isTrue();
        return matcher.group(1);
    }

    /** The blocks of the page in this language. */
    private static List<String> blocks(String language) throws Exception {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    private static String plan() throws Exception {
        return Files.readString(EXAMPLES.resolve("plan.json"));
    }

    private JsonNode bought() throws Exception {
        return json(assertStatus(200, buyAs(analyst, plan()))).get("items");
    }

    private HttpResponse<String> buyAs(String key, String plan) throws Exception {
        return postAs(key, "/v1/datasets/" + visits + "/queries", plan);
    }

    private static List<JsonNode> panels() throws Exception {
        List<JsonNode> panels = new ArrayList<>();
        JsonMapper.shared()
                .readTree(Files.readString(EXAMPLES.resolve("grafana/dashboards/visits.json")))
                .get("panels")
                .forEach(panels::add);
        return panels;
    }

    private static Map<String, Object> dataSource() throws Exception {
        List<Map<String, Object>> sources = castList(
                yaml(EXAMPLES.resolve("grafana/datasources/purser.yaml")).get("datasources"));
        assertThat(sources).hasSize(1);
        return sources.getFirst();
    }

    private static Map<String, Object> yaml(Path file) throws Exception {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> castList(Object list) {
        return (List<Map<String, Object>>) list;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Object map) {
        return (Map<String, Object>) map;
    }

    /** Sends what the plugin sends for the only query of a panel. */
    private HttpResponse<String> asInfinity(String key, JsonNode panel) throws Exception {
        JsonNode query = panel.at("/targets/0");
        return asInfinity(key, query, query.at("/url_options/data").asString());
    }

    private HttpResponse<String> asInfinity(String key, JsonNode query, String body) throws Exception {
        List<String> headers = new ArrayList<>();
        headers.addAll(List.of(
                "Content-Type", query.at("/url_options/body_content_type").asString()));
        query.at("/url_options/headers")
                .forEach(header -> headers.addAll(List.of(
                        header.get("key").asString(), header.get("value").asString())));
        assertThat(query.at("/url_options/body_type").asString()).isEqualTo("raw");
        return sendAs(
                key,
                query.at("/url_options/method").asString(),
                here(query.get("url").asString()),
                BodyPublishers.ofString(body),
                headers.toArray(String[]::new));
    }

    /** The columns that the plugin makes of an answer, by their names. */
    private static Map<String, List<String>> frame(JsonNode query, String answer) {
        Map<String, List<String>> frame = new LinkedHashMap<>();
        List<JsonNode> rows = rows(query, answer);
        for (JsonNode column : query.get("columns")) {
            String selector = column.get("selector").asString();
            String type = column.get("type").asString();
            List<String> cells = new ArrayList<>();
            for (JsonNode row : rows) {
                JsonNode cell = row.isObject() && row.has(selector)
                        ? row.get(selector)
                        : row.at("/" + selector.replace('.', '/'));
                assertThat(cell.isMissingNode() || cell.isNull()).as(selector).isFalse();
                if (type.equals("number")) {
                    assertThat(new BigDecimal(cell.asString())).as(selector).isNotNull();
                }
                cells.add(cell.asString());
            }
            frame.put(column.get("text").asString(), cells);
        }
        return frame;
    }

    private static List<JsonNode> rows(JsonNode query, String answer) {
        List<JsonNode> rows = new ArrayList<>();
        String root = query.get("root_selector").asString();
        if (query.get("type").asString().equals("json")) {
            JsonNode array = JsonMapper.shared().readTree(answer).at("/" + root.replace('.', '/'));
            assertThat(array.isArray()).as(root).isTrue();
            array.forEach(rows::add);
            return rows;
        }
        assertThat(query.get("type").asString()).isEqualTo("csv");
        assertThat(root).isEmpty();
        List<String> lines = answer.lines().toList();
        String[] header = lines.getFirst().split(",", -1);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            ObjectNode row = JsonMapper.shared().createObjectNode();
            for (int i = 0; i < header.length; i++) {
                row.put(header[i], cells[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<String> at(JsonNode groups, String pointer) {
        List<String> values = new ArrayList<>();
        groups.forEach(group -> values.add(group.at(pointer).asString()));
        return values;
    }

    @Test
    void thePanelsShowWhatThePlanBought() throws Exception {
        JsonNode bought = bought();
        String spent = spent(visits);
        List<JsonNode> panels = panels();
        assertThat(panels.stream().map(panel -> panel.get("type").asString())).containsExactly("table", "barchart");

        for (int i = 0; i < panels.size(); i++) {
            JsonNode query = panels.get(i).at("/targets/0");
            HttpResponse<String> reply = assertStatus(200, asInfinity(viewer, panels.get(i)));
            assertThat(reply.headers().firstValue("Answer-Reused"))
                    .hasValue(bought.get(i).get("queryId").asString());
            Map<String, List<String>> frame = frame(query, reply.body());
            JsonNode groups = bought.get(i).at("/answer/groups");
            if (i == 0) {
                assertThat(frame.get("key.0.category"))
                        .containsExactly("emergency", "maternity", "outpatient", "surgery");
                for (String path : List.of("values.0.value", "values.1.interval.low", "values.1.interval.high")) {
                    assertThat(frame.get(path)).isEqualTo(at(groups, "/" + path.replace('.', '/')));
                }
            } else {
                assertThat(frame.get("age.lower")).containsExactly("0", "20", "40", "60", "80", "100");
                assertThat(frame.get("count")).isEqualTo(at(groups, "/values/0/value"));
                assertThat(frame.get("count.low")).isEqualTo(at(groups, "/values/0/interval/low"));
                assertThat(frame.get("count.high")).isEqualTo(at(groups, "/values/0/interval/high"));
            }
        }
        assertThat(spent(visits)).isEqualTo(spent);
    }

    /** The columns that the panels arrange and draw are columns of their queries. */
    @Test
    void thePanelsNameTheColumnsOfTheirQueries() throws Exception {
        for (JsonNode panel : panels()) {
            assertThat(panel.get("targets").size()).isEqualTo(1);
            JsonNode query = panel.at("/targets/0");
            for (JsonNode column : query.get("columns")) {
                assertThat(column.get("text")).isEqualTo(column.get("selector"));
            }
            List<String> columns = at(query.get("columns"), "/text");
            if (panel.has("transformations")) {
                JsonNode arranged = panel.at("/transformations/0/options");
                assertThat(arranged.get("indexByName").propertyNames()).containsExactlyElementsOf(columns);
                assertThat(arranged.get("renameByName").propertyNames()).containsExactlyElementsOf(columns);
            } else {
                assertThat(columns).contains(panel.at("/options/xField").asString());
            }
            assertThat(query.at("/datasource/uid").asString())
                    .isEqualTo(dataSource().get("uid"));
            assertThat(query.at("/datasource/type").asString())
                    .isEqualTo(dataSource().get("type"));
        }
    }

    /** The media types that the plugin sends for JSON and CSV if a query has no header of its own. */
    @Test
    void thePluginsOwnAcceptHeadersAreServed() throws Exception {
        bought();
        for (JsonNode panel : panels()) {
            boolean isCsv = panel.at("/targets/0/type").asString().equals("csv");
            HttpResponse<String> reply = postAs(
                    viewer,
                    here(panel.at("/targets/0/url").asString()),
                    panel.at("/targets/0/url_options/data").asString(),
                    "Accept",
                    isCsv ? "text/csv; charset=utf-8" : "application/json;q=0.9,text/plain");
            assertStatus(200, reply);
            assertThat(reply.headers().firstValue("Content-Type").orElseThrow()).startsWith(isCsv ? "text/csv" : JSON);
        }
    }

    @Test
    void aPanelIsRefusedUntilItsPlanIsBought() throws Exception {
        for (JsonNode panel : panels()) {
            JsonNode refused = assertProblem(409, "nothing-stored", asInfinity(viewer, panel));
            assertThat(refused.at("/charge/epsilon").asString()).isEqualTo("0.25");
            // The panel of somebody whose key could spend buys nothing either.
            assertProblem(409, "nothing-stored", asInfinity(analyst, panel));
        }
        assertProblem(409, "nothing-stored", buyAs(viewer, plan()));
        assertThat(spent(visits)).isEqualTo("0");
    }

    /** Such a body changes with the time range of the dashboard, or because somebody edits it. */
    @Test
    void anotherBodyIsAnotherQuestion() throws Exception {
        bought();
        String spent = spent(visits);
        JsonNode query = panels().getFirst().at("/targets/0");
        String edited = query.at("/url_options/data")
                .asString()
                .replace("\"spend\": false", "\"where\": [{\"column\": \"age\", \"atLeast\": 18}]");
        assertProblem(409, "nothing-stored", asInfinity(viewer, query, edited));
        assertProblem(403, "forbidden", asInfinity(viewer, query, edited.replaceFirst("\\{", "{\"spend\": true, ")));
        assertThat(spent(visits)).isEqualTo(spent);
        assertStatus(200, asInfinity(analyst, query, edited));
        assertThat(spent(visits)).isEqualTo("0.75");
        // A variable that nobody replaced, as in a panel that an alert queries.
        String literal = edited.replace("18", "\"${__from}\"");
        assertProblem(422, "validation-failed", asInfinity(viewer, query, literal));
    }

    @Test
    void thePlanIsRenewedWhenItIsOldAndNeverTwice() throws Exception {
        JsonNode bought = bought();
        assertThat(json(assertStatus(200, buyAs(analyst, plan()))).at("/items/0/reusedFrom"))
                .isEqualTo(bought.at("/0/queryId"));
        assertThat(spent(visits)).isEqualTo("0.5");

        List<String> renewals = blocks("json").stream()
                .filter(block -> block.contains("reuseMaxAgeSeconds"))
                .toList();
        assertThat(renewals).hasSize(1);
        JsonNode young = json(assertStatus(200, buyAs(analyst, renewals.getFirst())));
        assertThat(at(young.get("items"), "/reusedFrom")).isEqualTo(at(bought, "/queryId"));
        assertThat(spent(visits)).isEqualTo("0.5");

        JsonNode renewed =
                json(assertStatus(200, buyAs(analyst, plan().replace("\"reuse\": true", "\"reuse\": false"))));
        assertThat(spent(visits)).isEqualTo("1");
        assertThat(asInfinity(viewer, panels().getFirst()).headers().firstValue("Answer-Reused"))
                .hasValue(renewed.at("/items/0/queryId").asString());
    }

    /** The table of the costs of renewals agrees with the plan's quote. */
    @Test
    void thePageStatesWhatAYearCosts() throws Exception {
        BigDecimal once =
                new BigDecimal(json(assertStatus(200, postAs(analyst, "/v1/datasets/" + visits + "/quotes", plan())))
                        .at("/charge/epsilon")
                        .asString());
        List<String> rows = Files.readString(PAGE)
                .lines()
                .filter(line -> line.matches("\\| [a-z ]+ \\| \\d+ \\| [\\d.]+ \\|"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(3);
        for (String row : rows) {
            String[] cells = row.split(" *\\| *");
            assertThat(new BigDecimal(cells[3])).as(row).isEqualByComparingTo(once.multiply(new BigDecimal(cells[2])));
        }
    }

    @Test
    void theQueryOnThePageIsThatOfAPanel() throws Exception {
        List<JsonNode> queries = blocks("json").stream()
                .map(block -> JsonMapper.shared().readTree(block))
                .filter(block -> block.has("url_options"))
                .toList();
        assertThat(queries).hasSize(1);
        assertThat(queries.getFirst()).isEqualTo(panels().get(1).at("/targets/0"));
        assertThat(blocks("json"))
                .as("a query and a plan, which the tests send")
                .hasSize(2);
    }

    @Test
    void theDataSourceSendsTheKeyToTheServiceOnly() throws Exception {
        Map<String, Object> source = dataSource();
        Map<String, Object> settings = cast(source.get("jsonData"));
        assertThat(source)
                .containsEntry("type", "yesoreyeram-infinity-datasource")
                .containsEntry("url", "http://purser:8080");
        assertThat(settings)
                .containsEntry("auth_method", "bearerToken")
                .containsEntry("allowedHosts", List.of(source.get("url") + "/"));
        String check = settings.get("customHealthCheckUrl").toString();
        assertThat(check).startsWith(source.get("url") + "/");
        JsonNode self = json(assertStatus(
                200, getAs(viewer, check.substring(source.get("url").toString().length()))));
        assertThat(self.get("role").asString()).isEqualTo("viewer");

        Map<String, Object> grafana =
                cast(cast(yaml(Path.of("docker-compose.yml")).get("services")).get("grafana"));
        Map<String, Object> environment = cast(grafana.get("environment"));
        String variable = cast(source.get("secureJsonData")).get("bearerToken").toString();
        assertThat(environment).containsKey(variable.substring(1));
        String provided = cast(castList(yaml(EXAMPLES.resolve("grafana/dashboards/purser.yaml"))
                                .get("providers"))
                        .getFirst()
                        .get("options"))
                .get("path")
                .toString();
        assertThat(grafana.get("volumes").toString())
                .contains("./examples/dashboard/grafana/dashboards:" + provided + ":ro")
                .contains("./examples/dashboard/grafana/datasources:/etc/grafana/provisioning/datasources:ro");
        assertThat(Files.readString(PAGE))
                .contains(
                        environment.get("GF_PLUGINS_PREINSTALL_SYNC").toString().replace("@", "` "))
                .contains(grafana.get("image").toString().replace("grafana/grafana:", "Grafana "));
    }

    @Test
    void thePowerQueryOfThePageGetsATable() throws Exception {
        bought();
        String query = blocks("powerquery").getFirst();
        String body =
                found(Pattern.compile("Body = \"((?:[^\"]|\"\")*)\""), query).replace("\"\"", "\"");
        assertThat(query)
                .contains("#\"Content-Type\" = \"application/json\"")
                .contains("Accept = \"text/csv\"")
                .contains("Authorization = \"Bearer \" & Key")
                .contains("https://purser.example/v1/datasets/visits/queries/aggregate");
        HttpResponse<String> reply =
                postAs(viewer, "/v1/datasets/" + visits + "/queries/aggregate", body, "Accept", "text/csv");
        assertThat(assertStatus(200, reply).body())
                .startsWith("ward,visits,visits.low,visits.high,minutes,minutes.low,minutes.high");
    }

    /** A link has no body and no key. With a viewer's key an answer is read by its id too. */
    @Test
    void aLinkIsNotEnough() throws Exception {
        String id = bought().at("/0/queryId").asString();
        assertStatus(200, asInfinity(viewer, panels().getFirst()));
        assertProblem(401, "unauthorized", getAs("", "/v1/queries/" + id, "Accept", "text/csv"));
        assertStatus(200, getAs(viewer, "/v1/queries/" + id, "Accept", "text/csv"));
        assertStatus(200, getAs(analyst, "/v1/queries/" + id, "Accept", "text/csv"));
    }

    private static String ofHtml(String id) throws Exception {
        return found(
                Pattern.compile("<script id=\"" + id + "\"[^>]*>(.*?)</script>", Pattern.DOTALL),
                Files.readString(EXAMPLES.resolve("page.html")));
    }

    @Test
    void theHtmlPageMayAskFromAnAllowedOrigin() throws Exception {
        JsonNode bought = bought();
        String path = "/v1/datasets/" + visits + "/queries";
        HttpResponse<String> preflight = sendAs(
                "",
                "OPTIONS",
                path,
                BodyPublishers.noBody(),
                "Origin",
                DASHBOARD,
                "Access-Control-Request-Method",
                "POST",
                "Access-Control-Request-Headers",
                "authorization,content-type");
        assertThat(assertStatus(200, preflight).headers().firstValue("Access-Control-Allow-Origin"))
                .hasValue(DASHBOARD);
        HttpResponse<String> reply = assertStatus(200, postAs(viewer, path, ofHtml("plan"), "Origin", DASHBOARD));
        assertThat(reply.headers().firstValue("Access-Control-Allow-Origin")).hasValue(DASHBOARD);
        assertThat(at(json(reply).get("items"), "/reusedFrom")).isEqualTo(at(bought, "/queryId"));
    }

    /** The script of the page, with the few parts of a browser that it needs. */
    @Test
    void theScriptOfTheHtmlPageShowsTheTables() throws Exception {
        String browser = """
                const make = () => ({children: [], textContent: "", value: "",
                  append(...more) { this.children.push(...more); },
                  replaceChildren(...all) { this.children = all; },
                  addEventListener(event, listener) { this[event] = listener; }});
                const parts = {};
                globalThis.document = {createElement: make, getElementById: id => parts[id] ??= make()};
                const part = document.getElementById;
                part("service").value = process.argv[2];
                part("key").value = process.argv[3];
                part("plan").textContent = process.argv[4];
                const text = node => node.textContent + node.children.map(text).join("|");
                """;
        String press = """
                part("form").submit({preventDefault() {}});
                const begun = Date.now();
                while (!part("message").textContent && !part("tables").children.length && Date.now() - begun < 20000) {
                  await new Promise(later => setTimeout(later, 20));
                }
                console.log(part("message").textContent + text(part("tables")));
                """;
        Path script = Files.createTempFile(Path.of("target").toAbsolutePath(), "page", ".mjs");
        Files.writeString(script, browser + here(ofHtml("code")) + press);
        String[] run = {script.toString(), "http://127.0.0.1:" + port + "/", viewer, ofHtml("plan")};
        assertThat(NodeJs.run(run)).contains("No answer is stored");
        JsonNode minutes = bought().at("/0/answer/groups/3/values/1");
        assertThat(NodeJs.run(run))
                .contains("ward|visits|minutes", "surgery|", "80 to below 100")
                .contains("|%s (%s to %s)"
                        .formatted(
                                rounded(minutes.get("value"), RoundingMode.HALF_UP),
                                rounded(minutes.at("/interval/low"), RoundingMode.FLOOR),
                                rounded(minutes.at("/interval/high"), RoundingMode.CEILING)));
        Files.delete(script);
    }

    /** The number with one digit after the point, as a script prints it. */
    private static String rounded(JsonNode number, RoundingMode mode) {
        return number.decimalValue().setScale(1, mode).stripTrailingZeros().toPlainString();
    }

    private String ran(int status, List<String> command, String key) throws Exception {
        return ran(status, command, key, "");
    }

    private String ran(int status, List<String> command, String key, String input) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(Map.of("PURSER", "http://127.0.0.1:" + port, "KEY", key));
        Process process = builder.start();
        try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write(input);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(status);
        return output;
    }

    @Test
    void theAlertLooksAtTheEndOfTheIntervalAndNotAtTheValue() throws Exception {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "alert");
        Path alert = folder.resolve("alert.sh");
        Files.writeString(alert, here(Files.readString(EXAMPLES.resolve("alert.sh"))));
        Files.copy(EXAMPLES.resolve("by-ward.json"), folder.resolve("by-ward.json"));
        assertThat(ran(2, List.of("sh", alert.toString(), "30"), viewer)).contains("nothing-stored");

        BigDecimal low = BigDecimal.valueOf(-1);
        BigDecimal value = low;
        for (JsonNode group : bought().at("/0/answer/groups")) {
            if (group.at("/values/1/interval/low").decimalValue().compareTo(low) > 0) {
                low = group.at("/values/1/interval/low").decimalValue();
                value = group.at("/values/1/value").decimalValue();
            }
        }
        String between = low.add(value).divide(BigDecimal.valueOf(2)).toPlainString();
        assertThat(low).isLessThan(value);
        assertThat(ran(0, List.of("sh", alert.toString(), between), viewer)).isEmpty();
        String below = low.subtract(new BigDecimal("0.001")).toPlainString();
        assertThat(ran(1, List.of("sh", alert.toString(), below), viewer))
                .contains("the mean wait is above " + below + " minutes, at least ");
        assertThat(EXAMPLES.resolve("alert.sh")).isExecutable();
    }

    @Test
    void theCommandsOfThePageWorkAsPasted() throws Exception {
        String commands = String.join(
                "\n",
                blocks("sh").stream()
                        .filter(block -> block.contains("curl"))
                        .map(this::here)
                        .map(block -> block.replace("\"name\": \"", "\"name\": \"" + newName() + "-"))
                        .toList());
        String output = ran(0, List.of("sh", "-e"), key(), commands);
        assertThat(output.lines().filter(line -> line.contains("\"role\":\"viewer\"")))
                .hasSize(1);
        assertThat(spent(visits)).isEqualTo("0.5");
        assertThat(Arrays.asList(output.split("\n"))).last().asString().startsWith("surgery,");
    }
}
