package dev.purser;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The files for deployments, read by the tools that they are for, where these are installed. */
class DeploymentTests {
    private static final Path DEPLOY = Path.of("deploy");

    @TempDir
    Path folder;

    private static String output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /** The unit names the {@code java} of this machine, because the check requires that the program exists. */
    @Test
    void systemdReadsTheUnit() throws Exception {
        assumeTrue(isInstalled("systemd-analyze"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Path unit = Files.writeString(
                folder.resolve("purser.service"),
                Files.readString(DEPLOY.resolve("purser.service")).replace("/usr/bin/java", java));
        assertThat(output("systemd-analyze", "verify", unit.toString())).isEmpty();
    }

    @Test
    void theProxyDropsWhatAClientSaysAboutItself() throws Exception {
        Path file = DEPLOY.resolve("Caddyfile");
        assertThat(Files.readAllLines(file).stream().map(String::strip))
                .contains(
                        "header_up -Forwarded",
                        "header_up -X-Forwarded-Prefix",
                        "header_up -X-Forwarded-Port",
                        "header_up -X-Forwarded-Ssl");
        if (isInstalled("caddy")) {
            output("caddy", "validate", "--adapter", "caddyfile", "--config", file.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "postgresql"})
    void kustomizeMakesManifests(String overlay) throws Exception {
        assumeTrue(isInstalled("kubectl"));
        String made = output(
                "kubectl", "kustomize", DEPLOY.resolve("kubernetes/" + overlay).toString());
        List<Map<String, Map<String, Object>>> manifests = new ArrayList<>();
        new Yaml().loadAll(made).forEach(each -> manifests.add(map(each)));
        Map<String, Object> deployment = manifests.stream()
                .filter(each -> "Deployment".equals(((Object) each.get("kind"))))
                .findFirst()
                .orElseThrow()
                .get("spec");
        boolean isSingle = overlay.equals("base");
        assertThat(deployment.get("replicas")).isEqualTo(isSingle ? 1 : 3);
        assertThat(String.valueOf(deployment.get("strategy"))).contains(isSingle ? "Recreate" : "RollingUpdate");
        assertThat(String.valueOf(deployment.get("template")))
                .contains("readOnlyRootFilesystem=true", "drop=[ALL]", "runAsNonRoot=true")
                .contains("/actuator/health/liveness", "/actuator/health/readiness", "limits={memory=2Gi}")
                .contains(isSingle ? "claimName=purser-home" : "claimName=purser-rows");
        assertThat(made).contains("kind: NetworkPolicy").doesNotContain("retainKeys");
        assertThat(made.contains("name: purser-home")).isEqualTo(isSingle);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> map(Object document) {
        return (Map<String, Map<String, Object>>) document;
    }

    @Test
    void everyRuleOfPrometheusHasAnExpressionAndASeverity() throws Exception {
        Map<String, Object> file = new Yaml().load(Files.readString(DEPLOY.resolve("prometheus/alerts.yaml")));
        String rules = String.valueOf(file.get("groups"));
        int alerts = rules.split("alert=", -1).length;
        assertThat(alerts).isGreaterThan(5);
        assertThat(rules.split("expr=", -1)).hasSize(alerts);
        assertThat(rules.split("severity=", -1)).hasSize(alerts);
        Map<String, Object> scrape = new Yaml().load(Files.readString(DEPLOY.resolve("prometheus/prometheus.yaml")));
        assertThat(scrape).containsKey("scrape_configs");
    }

    /** Only the syntax is checked, because the file of the key is on the machine of Prometheus. */
    @Test
    void prometheusReadsItsFiles() throws Exception {
        assumeTrue(isInstalled("promtool"));
        output("promtool", "check", "rules", DEPLOY + "/prometheus/alerts.yaml");
        output("promtool", "check", "config", "--syntax-only", DEPLOY + "/prometheus/prometheus.yaml");
    }

    @Test
    void composeReadsItsFile() throws Exception {
        assumeTrue(isInstalled("docker-compose"));
        assertThat(output("env", "POSTGRES_PASSWORD=of-a-test", "docker-compose", "config"))
                .contains("read_only: true");
    }
}
