package dev.purser.http;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Every JSON body obeys the operator's limits, whatever its handler does with it. */
class BodyLimitsTests extends RunningService {
    private static final String TOO_DEEP = "{\"a\":".repeat(MAX_DEPTH) + "{}" + "}".repeat(MAX_DEPTH);

    private JsonNode made(String path, String body) throws Exception {
        return json(assertStatus(201, post(path, body)));
    }

    /** Every operation of the API that takes JSON, with the ids of the objects that were made. */
    private Set<String> operations(String id, String sessionId, String synopsisId) throws Exception {
        Set<String> operations = new TreeSet<>();
        json(get("/openapi.json"))
                .get("paths")
                .forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
                    if (!operation.at("/requestBody/content/application~1json").isMissingNode()) {
                        operations.add(method.toUpperCase() + " "
                                + path.replace("{id}", id)
                                        .replace("{sessionId}", sessionId)
                                        .replace("{synopsisId}", synopsisId)
                                        .replace("{analyst}", "ana")
                                        .replaceAll("\\{(keyId|queryId)}", "any"));
                    }
                }));
        return operations;
    }

    @Test
    void aBodyThatIsNestedTooDeepIsRefusedEverywhere() throws Exception {
        String id = dataset("5", "age,hours,sex\n1,1,Male\n");
        String session = made("/v1/datasets/" + id + "/threshold-sessions", """
                        {"epsilon": "1", "threshold": 5, "maxPositives": 1, "queries": "counts"}""")
                .get("sessionId")
                .asString();
        String synopsis = made("/v1/datasets/" + id + "/synopses", """
                        {"epsilon": "1", "columns": [{"column": "sex"}]}""")
                .at("/answer/synopsisId")
                .asString();
        made("/v1/collections", """
                {"id": "%s", "protocol": "grr", "categories": ["a", "b"], "epsilon": "1"}""".formatted(id));
        made("/v1/trainings", """
                {"id": "%s-model", "model": "linear", "features": 1, "protocol": "harmony", \
                "epsilon": "1"}""".formatted(id));

        Set<String> operations = operations(id, session, synopsis);
        assertThat(operations).hasSizeGreaterThan(25);
        for (String operation : operations) {
            String[] methodAndPath = operation
                    .replace("/v1/trainings/" + id, "/v1/trainings/" + id + "-model")
                    .split(" ", 2);
            HttpResponse<String> response =
                    send(methodAndPath[0], methodAndPath[1], TOO_DEEP, "Content-Type", "application/json");
            assertThat(response.body()).as(operation).contains("nested at most " + MAX_DEPTH + " deep");
            // The protocol of this operation has one status for a body that is not a request.
            int refused = operation.equals("POST /mcp") ? 400 : 422;
            assertThat(response.statusCode()).as(operation).isEqualTo(refused);
        }
    }
}
