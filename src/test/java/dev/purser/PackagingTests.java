package dev.purser;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads the container files as text. No container engine runs them here; their content is checked. */
class PackagingTests {
    private static final Path COMPOSE = Path.of("docker-compose.yml");

    @Test
    void theImageIsBuiltWithAJdkAndRunsOnAJre() throws IOException {
        List<String> bases = ImageFile.all().arguments("FROM");
        assertThat(bases).hasSize(2);
        assertThat(bases.get(0)).isEqualTo("eclipse-temurin:25-jdk AS build");
        assertThat(bases.get(1)).isEqualTo("eclipse-temurin:25-jre");
        assertThat(ImageFile.lastStage().arguments("COPY"))
                .as("what the image takes from the build")
                .isNotEmpty()
                .allMatch(copy -> copy.startsWith("--from=build "));
        assertThat(ImageFile.lastStage().arguments("CMD"))
                .as("arguments of the entry point")
                .isEmpty();
    }

    @Test
    void theImageDoesNotRunAsRoot() throws IOException {
        assertThat(ImageFile.lastStage().arguments("USER")).hasSize(1).doesNotContain("root", "0", "0:0");
        List<String> keywords = ImageFile.all().keywords();
        assertThat(keywords.subList(keywords.lastIndexOf("USER"), keywords.size()))
                .as("instructions from USER on")
                .doesNotContain("RUN", "COPY", "ADD");
    }

    @Test
    void theImageSaysWhereItListensAndKeepsItsHomeInAVolume() throws IOException {
        assertThat(ImageFile.lastStage().arguments("EXPOSE")).containsExactly("8080");
        assertThat(ImageFile.lastStage().arguments("VOLUME")).containsExactly("/var/lib/purser");
        assertThat(ImageFile.lastStage().arguments("HEALTHCHECK"))
                .singleElement()
                .satisfies(check -> {
                    assertThat(check)
                            .contains("CMD [")
                            .contains("/actuator/health")
                            .doesNotContain("curl", "wget");
                });
        assertThat(String.join(" ", ImageFile.lastStage().arguments("ENV")))
                .contains("PURSER_HOME=/var/lib/purser")
                .contains("SERVER_ADDRESS=0.0.0.0")
                .doesNotContain("KEY", "PASSWORD");
    }

    @Test
    void theHealthCheckTellsHealthyFromUnhealthy() throws Exception {
        AtomicInteger status = new AtomicInteger(200);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/actuator/health", exchange -> {
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        try {
            assertThat(healthCheckAt(port)).isZero();
            status.set(503);
            assertThat(healthCheckAt(port)).isNotZero();
        } finally {
            server.stop(0);
        }
        assertThat(healthCheckAt(port)).as("nobody listens").isNotZero();
    }

    private static int healthCheckAt(int port) throws IOException, InterruptedException {
        String check = ImageFile.lastStage().arguments("HEALTHCHECK").getFirst();
        List<String> command = new ArrayList<>();
        for (String word : strings(new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(check.substring(check.indexOf("CMD ") + "CMD ".length())))) {
            command.add(word.replace("/8080", "/" + port));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void theBuildContextIsAListOfWhatTheBuildNeeds() throws IOException {
        List<String> lines = Files.readAllLines(Path.of(".dockerignore")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        assertThat(lines.getFirst()).as("everything is left out first").isEqualTo("*");
        assertThat(lines.subList(1, lines.size()))
                .allMatch(line -> line.startsWith("!"))
                .allSatisfy(line -> assertThat(Path.of(line.substring(1))).exists());
    }

    @Test
    void composeStartsTheServiceAfterAHealthyDatabase() throws IOException {
        assertThat(services()).containsOnlyKeys("purser", "postgres", "grafana");
        assertThat(service("grafana")).as("only on request").containsEntry("profiles", List.of("dashboard"));
        assertThat(map(service("postgres").get("healthcheck")).get("test").toString())
                .contains("pg_isready");
        assertThat(service("postgres").get("image")).isEqualTo("postgres:17");
        assertThat(service("purser").get("build")).isEqualTo(".");
        Object dependency = map(service("purser").get("depends_on")).get("postgres");
        assertThat(map(dependency)).containsEntry("condition", "service_healthy");
        assertThat(service("purser"))
                .as("the image brings its own health check")
                .doesNotContainKey("healthcheck");
    }

    /** A stop takes up to 3 s more for what is cut off, and 15 s for a last commit: docs/operating.md. */
    @Test
    void composeLeavesMoreTimeForAStopThanTheServiceTakes() throws IOException {
        Map<String, Object> settings = map(new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(Path.of("src/main/resources/application.yaml"))));
        Object phase = map(map(settings.get("spring")).get("lifecycle")).get("timeout-per-shutdown-phase");
        Object grace = service("purser").get("stop_grace_period");
        assertThat(DurationStyle.SIMPLE.parse(grace.toString()))
                .isGreaterThanOrEqualTo(
                        DurationStyle.SIMPLE.parse(phase.toString()).plusSeconds(3 + 15));
    }

    @Test
    void composeGivesEachServiceNoMoreThanItNeeds() throws IOException {
        for (String name : services().keySet()) {
            assertThat(service(name))
                    .as(name)
                    .containsEntry("read_only", true)
                    .containsEntry("cap_drop", List.of("ALL"))
                    .containsEntry("security_opt", List.of("no-new-privileges:true"))
                    .containsKeys("tmpfs", "mem_limit");
        }
    }

    @Test
    void composeLetsNoAnswersTimeTellAboutRows() throws IOException {
        assertThat(map(service("purser").get("environment"))).containsEntry("PURSER_RELEASE_QUANTISED", "true");
    }

    @Test
    void composeKeepsTheLedgerInThatDatabase() throws IOException {
        Map<String, Object> client = map(service("purser").get("environment"));
        Map<String, Object> server = map(service("postgres").get("environment"));
        assertThat(client)
                .containsEntry("PURSER_LEDGER_URL", "jdbc:postgresql://postgres:5432/" + server.get("POSTGRES_DB"))
                .containsEntry("PURSER_LEDGER_USER", server.get("POSTGRES_USER"))
                .containsEntry("PURSER_LEDGER_PASSWORD", server.get("POSTGRES_PASSWORD"));
    }

    @Test
    void composeKeepsStateInNamedVolumes() throws IOException {
        Map<String, Object> declared = map(compose().get("volumes"));
        for (String name : services().keySet()) {
            assertThat(strings(service(name).get("volumes")))
                    .filteredOn(volume -> !volume.startsWith("./"))
                    .hasSize(1)
                    .allSatisfy(volume -> assertThat(declared).containsKey(volume.substring(0, volume.indexOf(':'))));
        }
        assertThat(strings(service("purser").get("volumes"))).containsExactly("purser-home:/var/lib/purser");
    }

    /** The container engine would make an empty folder in place of a missing file. */
    @Test
    void composeMountsFilesThatExistAndOnlyToRead() throws IOException {
        List<String> mounts = new ArrayList<>();
        for (String name : services().keySet()) {
            strings(service(name).get("volumes")).stream()
                    .filter(volume -> volume.startsWith("./"))
                    .forEach(mounts::add);
        }
        assertThat(mounts).hasSize(2).allMatch(mount -> mount.endsWith(":ro")).allSatisfy(mount -> {
            assertThat(Path.of(mount.substring(0, mount.indexOf(':')))).isNotEmptyDirectory();
        });
    }

    @Test
    void composeGrantsNoPrivilegesAndPublishesOnTheLoopbackOnly() throws IOException {
        for (String name : services().keySet()) {
            assertThat(service(name))
                    .doesNotContainKeys(
                            "privileged", "cap_add", "devices", "network_mode", "pid", "ipc", "userns_mode");
            assertThat(strings(service(name).get("security_opt"))).contains("no-new-privileges:true");
            assertThat(strings(service(name).get("ports"))).allMatch(port -> port.startsWith("127.0.0.1:"));
            assertThat(strings(service(name).get("volumes"))).noneMatch(volume -> volume.contains("docker.sock"));
        }
        assertThat(strings(service("purser").get("cap_drop"))).containsExactly("ALL");
        assertThat(strings(service("grafana").get("cap_drop"))).containsExactly("ALL");
        assertThat(strings(service("purser").get("ports"))).hasSize(1);
        assertThat(strings(service("postgres").get("ports"))).isEmpty();
    }

    @Test
    void composeHoldsNoSecret() throws IOException {
        assertThat(map(service("postgres").get("environment"))
                        .get("POSTGRES_PASSWORD")
                        .toString())
                .as("required, without a default")
                .startsWith("${POSTGRES_PASSWORD:?");
        for (String name : services().keySet()) {
            map(service(name).get("environment")).forEach((variable, value) -> {
                if (Pattern.compile("KEY|PASSWORD|SECRET|TOKEN")
                                .matcher(variable)
                                .find()
                        && value != null) {
                    assertThat(value.toString()).startsWith("${").contains(":?");
                }
            });
        }
    }

    private static Map<String, Object> compose() throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return map(new Yaml(new SafeConstructor(options)).load(Files.readString(COMPOSE)));
    }

    private static Map<String, Object> services() throws IOException {
        return map(compose().get("services"));
    }

    private static Map<String, Object> service(String name) throws IOException {
        return map(services().get(name));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object node) {
        assertThat(node).isInstanceOf(Map.class);
        return (Map<String, Object>) node;
    }

    private static List<String> strings(Object node) {
        return node == null
                ? List.of()
                : ((List<?>) node).stream().map(Objects::toString).toList();
    }
}
