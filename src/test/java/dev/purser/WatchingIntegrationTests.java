package dev.purser;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What an operator sees of the packaged service: its first log, its log as JSON, and its metrics. */
class WatchingIntegrationTests {
    @TempDir
    Path folder;

    private static String keyOf(ServiceProcess service, String role) throws Exception {
        String body = """
                {"name":"some-%1$s","role":"%1$s"}""".formatted(role);
        return JsonMapper.shared()
                .readTree(service.post("/v1/keys", service.key(), body).body())
                .get("key")
                .asString();
    }

    @Test
    void theFirstLogIsShortAndMetricsAreForOperators() throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder)) {
            assertThat(service.log().lines().count()).isLessThan(25);
            assertThat(service.log())
                    .contains("Listening on")
                    .doesNotContainIgnoringCase("migrat")
                    .doesNotContainIgnoringCase("flyway")
                    .doesNotContainIgnoringCase("hikari");
            assertThat(service.get("/actuator/prometheus", keyOf(service, "operator"))
                            .body())
                    .contains("purser_ledger_commits_seconds_count", "purser_questions_waiting 0.0");
            assertThat(service.get("/actuator/prometheus", keyOf(service, "auditor"))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(service.get("/actuator/prometheus", "").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aSettingTurnsTheLogIntoJson() throws Exception {
        Map<String, String> settings = Map.of("LOGGING_STRUCTURED_FORMAT_CONSOLE", "ecs");
        try (ServiceProcess service = new ServiceProcess(folder, settings)) {
            service.get("/v1/mechanisms", service.key());
            service.get("/v1/datasets/adult", service.key());
            service.get("/v1/mechanisms", "");
            // The line of a request is written after its response was sent.
            for (int attempt = 0; attempt < 200 && !service.log().contains("unauthorized"); attempt++) {
                Thread.sleep(50);
            }
            List<JsonNode> lines =
                    service.log().lines().map(JsonMapper.shared()::readTree).toList();
            assertThat(lines).allMatch(line -> line.has("@timestamp") && line.has("message"));
            JsonNode line = lines.stream()
                    .filter(each -> each.at("/http/route").asString("").equals("/v1/datasets/{id}"))
                    .findFirst()
                    .orElseThrow();
            assertThat(line.at("/user/name").asString()).isEqualTo("admin");
            assertThat(line.at("/http/request/method").asString()).isEqualTo("GET");
            assertThat(line.at("/http/response/status_code").asInt()).isEqualTo(404);
            assertThat(line.at("/http/request/id").asString()).hasSize(36);
            assertThat(line.at("/event/duration").asLong()).isPositive();
            assertThat(line.at("/purser/dataset").asString()).isEqualTo("adult");
            assertThat(line.at("/purser/problem").asString()).isEqualTo("not-found");
        }
    }
}
