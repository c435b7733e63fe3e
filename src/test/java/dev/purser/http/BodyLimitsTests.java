package dev.purser.http;

import dev.purser.PurserApplication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Every JSON body obeys the operator's limits, whatever its handler makes of it. */
class BodyLimitsTests {
    private static final String TOO_DEEP = "{\"a\":{\"b\":{\"c\":{\"d\":{}}}}}";

    @TempDir
    Path home;

    private final HttpClient client = HttpClient.newHttpClient();
    private String address = "";

    private HttpResponse<String> send(String method, String path, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .header(
                        "Authorization",
                        "Bearer " + Files.readString(home.resolve("admin.key")).strip())
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private JsonNode made(String method, String path, String type, String body) throws Exception {
        HttpResponse<String> response = send(method, path, type, body);
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 201);
        return JsonMapper.shared().readTree(response.body());
    }

    /** Every operation of the API that takes JSON, with the ids of what was made. */
    private Set<String> operations(String sessionId) throws Exception {
        JsonNode paths = made("GET", "/openapi.json", "application/json", "").get("paths");
        Set<String> operations = new TreeSet<>();
        paths.forEachEntry((path, item) -> item.forEachEntry((method, operation) -> {
            if (!operation.at("/requestBody/content/application~1json").isMissingNode()) {
                String id =
                        path.startsWith("/v1/datasets") ? "people" : path.startsWith("/v1/trainings") ? "model" : "all";
                operations.add(method.toUpperCase() + " "
                        + path.replace("{id}", id)
                                .replace("{sessionId}", sessionId)
                                .replace("{analyst}", "ana"));
            }
        }));
        return operations;
    }

    @Test
    void aBodyThatIsNestedTooDeepIsRefusedEverywhere() throws Exception {
        List<String> settings = List.of(
                "--server.port=0",
                "--purser.home=" + home,
                "--purser.requests.max-depth=4",
                "--spring.main.banner-mode=off");
        try (ConfigurableApplicationContext service =
                new SpringApplicationBuilder(PurserApplication.class).run(settings.toArray(String[]::new))) {
            address = "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port");
            String json = "application/json";
            made("POST", "/v1/datasets", json, """
                    {"id": "people", "columns": [{"name": "age", "type": "integer", "lower": 0, "upper": 9}],
                     "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 10,
                     "budget": {"epsilon": "5"}}""");
            made("PUT", "/v1/datasets/people/data", "text/csv", "age\n1\n");
            String session = made("POST", "/v1/datasets/people/threshold-sessions", json, """
                            {"epsilon": "1", "threshold": 5, "maxPositives": 1, "queries": "counts"}""")
                    .get("sessionId")
                    .asString();
            made("POST", "/v1/collections", json, """
                    {"id": "all", "protocol": "grr", "categories": ["a", "b"], "epsilon": "1"}""");
            made("POST", "/v1/trainings", json, """
                    {"id": "model", "model": "linear", "features": 1, "protocol": "harmony", "epsilon": "1"}""");

            Set<String> operations = operations(session);
            assertThat(operations).hasSizeGreaterThan(25);
            for (String operation : operations) {
                String[] methodAndPath = operation.split(" ", 2);
                HttpResponse<String> response = send(methodAndPath[0], methodAndPath[1], json, TOO_DEEP);
                assertThat(response.body()).as(operation).contains("nested at most 4 deep");
                assertThat(response.statusCode()).as(operation).isEqualTo(422);
            }
        }
    }
}
