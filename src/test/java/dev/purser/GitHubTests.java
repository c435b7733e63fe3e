package dev.purser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/** The files that the platform that hosts the repository reads, as text. */
class GitHubTests {
    private static final Path FOLDER = Path.of(".github");

    @Test
    void theBuildRunsTheSameCommandAsEverybody() throws IOException {
        assertThat(read("workflows/build.yml").toString()).contains("{run=.ci/run}");
        assertThat(Path.of(".ci/run")).isExecutable();
    }

    @Test
    void aWorkflowMayReadTheSourcesOnlyAndUsesActionsOfOneCommit() throws IOException {
        try (Stream<Path> workflows = Files.list(FOLDER.resolve("workflows"))) {
            for (Path workflow : workflows.toList()) {
                assertThat(read(FOLDER.relativize(workflow).toString()).get("permissions"))
                        .isEqualTo(Map.of("contents", "read"));
                assertThat(Files.readAllLines(workflow))
                        .filteredOn(line -> line.contains("uses:"))
                        .isNotEmpty()
                        .allMatch(line -> line.matches(" +- uses: [a-z/-]+@[0-9a-f]{40} # v[0-9.]+"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bug", "question"})
    void aFormAsksForNothingPrivateAndKeepsVulnerabilitiesOut(String name) throws IOException {
        Map<String, Object> form = read("ISSUE_TEMPLATE/" + name + ".yml");
        assertThat(form).containsKeys("name", "description");
        assertThat(String.valueOf(form.get("body"))).contains("Never paste rows, keys", "SECURITY.md", "required=true");
        assertThat(read("ISSUE_TEMPLATE/config.yml"))
                .as("an issue without a form")
                .containsEntry("blank_issues_enabled", false);
    }

    @Test
    void updatesAreLookedForWhereVersionsArePinned() throws IOException {
        for (Object update : (List<?>) read("dependabot.yml").get("updates")) {
            Map<?, ?> of = (Map<?, ?>) update;
            List<?> folders =
                    (List<?>) (of.containsKey("directories") ? of.get("directories") : List.of(of.get("directory")));
            String file = switch (String.valueOf(of.get("package-ecosystem"))) {
                case "maven" -> "pom.xml";
                case "npm" -> "package.json";
                case "docker" -> "Dockerfile";
                case "docker-compose" -> "docker-compose.yml";
                default -> ".github/workflows";
            };
            assertThat(folders)
                    .isNotEmpty()
                    .allSatisfy(
                            folder -> assertThat(Path.of("." + folder, file)).exists());
        }
    }

    private static Map<String, Object> read(String file) throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options)).load(Files.readString(FOLDER.resolve(file)));
    }
}
