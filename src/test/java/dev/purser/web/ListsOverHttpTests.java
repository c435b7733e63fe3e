package dev.purser.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Every list is read in parts from either end. A parameter that an operation does not know is refused. */
class ListsOverHttpTests extends RunningService {
    private static String id = "";
    private static String analyst = "";

    @BeforeEach
    void ask() throws Exception {
        if (id.isEmpty()) {
            id = dataset("10", "age,hours,sex\n1,1,Male\n");
            for (int i = 0; i < 3; i++) {
                dataset("10", "age,hours,sex\n1,1,Male\n");
                String question = i == 1 ? "{'epsilon':1,'column':'age'}" : "{'epsilon':1}";
                assertStatus(200, ask(id, i == 1 ? "sum" : "count", quoted(question)));
            }
            analyst = keyFor("analyst", "['" + id + "','" + newId() + "']");
        }
    }

    /** The lists, and what identifies an item. */
    private static Map<String, String> lists() {
        return Map.of(
                "/v1/datasets",
                "id",
                "/v1/keys",
                "keyId",
                "/v1/mechanisms",
                "name",
                "/v1/datasets/" + id + "/ledger",
                "sequence",
                "/v1/datasets/" + id + "/queries",
                "queryId");
    }

    private List<JsonNode> all(String key, String path, String name, String parameters) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = shownTo(key, path + "?" + parameters + after);
            page.get("items").forEach(item -> found.add(item.get(name)));
            JsonNode next = page.get("next");
            assertThat(next.isNull() || next.isString()).isTrue();
            after = next.isNull() ? "" : "&after=" + next.asString();
        } while (!after.isEmpty());
        return found;
    }

    private List<JsonNode> all(String path, String parameters) throws Exception {
        return all(key(), path, lists().getOrDefault(path, ""), parameters);
    }

    @Test
    void aCursorThatIsSentTwiceIsNone() throws Exception {
        for (String path : lists().keySet()) {
            assertProblem(422, "validation-failed", get(path + "?after=1&after=2"));
        }
    }

    @Test
    void everyListIsReadFromEitherEnd() throws Exception {
        for (String path : lists().keySet()) {
            List<JsonNode> ascending = all(path, "limit=1000");
            assertThat(ascending).as(path).hasSizeGreaterThan(1).doesNotHaveDuplicates();
            assertThat(all(path, "order=asc&limit=2")).as(path).isEqualTo(ascending);
            assertThat(all(path, "order=desc&limit=2")).as(path).isEqualTo(ascending.reversed());
            assertThat(all(path, "order=desc")).as(path).isEqualTo(ascending.reversed());
        }
    }

    @Test
    void grantedDatasetsAreReadFromEitherEnd() throws Exception {
        String custodian = keyFor("custodian", "['" + id + "']");
        List<String> own = List.of(id, newId(), newId(), newId());
        for (String each : own.subList(1, 4)) {
            assertStatus(201, postAs(custodian, "/v1/datasets", registration(each, COLUMNS, "1", "replace-one", "")));
        }
        List<String> sorted = own.stream().sorted().toList();
        for (int limit : List.of(1, 2, 3, 4)) {
            assertThat(all(custodian, "/v1/datasets", "id", "limit=" + limit))
                    .extracting(JsonNode::asString)
                    .isEqualTo(sorted);
            assertThat(all(custodian, "/v1/datasets", "id", "order=desc&limit=" + limit))
                    .extracting(JsonNode::asString)
                    .isEqualTo(sorted.reversed());
        }
    }

    @Test
    void anUnreadableCursorAnOrderAndAParameterThatDoNotExistAreRefused() throws Exception {
        for (String path : lists().keySet()) {
            for (String wrong : List.of(
                    "after=%20",
                    "after=-1",
                    "after=A!",
                    "after=" + "z".repeat(70),
                    "order=up",
                    "order=descending",
                    "limit=x",
                    "limit=0",
                    "limit=1001",
                    "offset=1",
                    "Limit=1",
                    "sort=")) {
                if (wrong.equals("after=-1") && lists().get(path).endsWith("d")) {
                    continue;
                }
                JsonNode problem = assertProblem(422, "validation-failed", get(path + "?" + wrong));
                assertThat(places(problem)).as(path + "?" + wrong).containsExactly(wrong.split("=")[0]);
            }
            assertStatus(200, get(path + "?after=&limit=&order="));
            assertThat(invalidPlaces(get(path + "?x=1&limit=1&y=%22"))).containsExactlyInAnyOrder("x", "y");
        }
        assertThat(json(get("/v1/keys?sort=name")).get("instance").asString()).isEqualTo("/v1/keys");
        assertThat(json(get("/v1/keys?sort=name")).get("detail").asString())
                .isEqualTo("unknown parameter \"sort\"; the parameters here are after, limit, order");
        JsonNode twice = assertProblem(422, "validation-failed", get("/v1/datasets?limit=1&limit=2"));
        assertThat(twice.at("/errors/0/detail").asString()).isEqualTo("limit may be sent once, was sent 2 times");
        assertThat(json(get("/v1/keys?order=up")).get("detail").asString()).isEqualTo("order must be one of asc, desc");
    }

    @Test
    void noOperationTakesAParameterThatItDoesNotDeclare() throws Exception {
        String spent = spent(id);
        assertThat(invalidPlaces(post("/v1/datasets/" + id + "/queries/count?dryRun=true", quoted("{'epsilon':1}"))))
                .containsExactly("dryRun");
        assertThat(spent(id)).isEqualTo(spent);
        for (String path : List.of(
                "/v1/datasets/" + id,
                "/v1/datasets/nowhere",
                "/v1/datasets/" + id + "/budget",
                "/v1/datasets/" + id + "/ledger/verification",
                "/v1/keys/self",
                "/v1/queries/x")) {
            assertThat(invalidPlaces(get(path + "?pretty"))).containsExactly("pretty");
        }
        assertProblem(422, "validation-failed", send("DELETE", "/v1/datasets/" + id + "?force=1", ""));
        assertStatus(200, get("/v1/datasets/" + id));
        assertStatus(200, send("OPTIONS", "/v1/keys?limit=1", ""));
        assertProblem(403, "forbidden", getAs(analyst, "/v1/keys?x=1"));
        assertProblem(404, "not-found", get("/v1/nothing?x=1"));
        assertStatus(200, getAs("", "/openapi.json?x=1"));
    }

    @Test
    void ownQuestionsAreFilteredByKindAndTime() throws Exception {
        String path = "/v1/datasets/" + id + "/queries";
        JsonNode items = shown(path).get("items");
        List<JsonNode> ids = all(path, "");
        String second = items.get(1).get("at").asString();
        String third = items.get(2).get("at").asString();
        assertThat(all(path, "kind=sum")).isEqualTo(ids.subList(1, 2));
        assertThat(all(path, "kind=count&limit=1&order=desc")).containsExactly(ids.get(2), ids.get(0));
        assertThat(all(path, "kind=mean")).isEmpty();
        assertThat(all(path, "from=" + second)).isEqualTo(ids.subList(1, 3));
        assertThat(all(path, "to=" + third)).isEqualTo(ids.subList(0, 2));
        assertThat(all(path, "from=" + second + "&to=" + third + "&kind=sum")).isEqualTo(ids.subList(1, 2));
        assertThat(all(path, "from=" + third + "&to=" + second)).isEmpty();
        assertThat(all(path, "from=0000-01-01T00:00:00Z&to=9999-12-31t23:59:59.999999999z"))
                .isEqualTo(ids);
        for (String wrong : List.of(
                "kind=means",
                "kind=mean,count",
                "from=2026-01-31",
                "from=0",
                "to=2026-02-30T00:00:00Z",
                "to=2026-01-31T12:00:00%2B02:00",
                "to=%2B12026-01-31T12:00:00Z",
                "from=Sat, 31 Jan 2026 12:00:00 GMT")) {
            String[] parts = wrong.split("=");
            String value = URLEncoder.encode(parts[1], StandardCharsets.UTF_8).replace("%25", "%");
            assertThat(invalidPlaces(get(path + "?" + parts[0] + "=" + value)))
                    .as(wrong)
                    .containsExactly(parts[0]);
        }
        assertThat(json(get(path + "?from=now")).get("detail").asString())
                .isEqualTo("from must be an instant in UTC as in RFC 3339, such as 2026-01-31T12:00:00Z");
    }
}
