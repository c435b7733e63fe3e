package dev.purser.sql;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Trino's own command line, as a person uses it. The build copies it: the plugin {@code trino-cli} of the pom. */
class SqlCommandLineTests extends SqlService {
    private String command(String statements) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-jar",
                        Path.of("target", "clients", "trino-cli.jar").toString(),
                        "http://127.0.0.1:" + port + "/purser/main",
                        "--extra-credential",
                        "key=" + key(),
                        "--output-format",
                        "CSV_HEADER_UNQUOTED",
                        "--execute",
                        statements)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return output;
    }

    @Test
    void aSessionAsksListsAndExplains() throws Exception {
        String output = command("SHOW TABLES LIKE '" + dataset + "'; DESCRIBE " + dataset
                + "; SET SESSION epsilon = '0.5'; SELECT sex, avg(hours) AS h FROM " + dataset
                + " GROUP BY sex; EXPLAIN SELECT count(*) FROM " + dataset);

        JsonNode asked = answered(dataset, "aggregate", """
                {"epsilon":"0.5","groupBy":[{"column":"sex"}],"aggregates":[{"mean":{"column":"hours"}}],
                 "reuse":true}""");
        assertThat(spent(dataset)).isEqualTo("0.5");
        assertThat(output)
                .contains("Table\n" + dataset, "hours,decimal(38,2),,0 to 100, in steps of 0.25", "SET SESSION")
                .contains("charge.epsilon: 0.5");
        for (JsonNode group : asked.at("/answer/groups")) {
            double mean = group.at("/values/0/value").asDouble();
            assertThat(output).contains(group.at("/key/0/category").asString() + "," + mean + "\n");
        }
    }
}
