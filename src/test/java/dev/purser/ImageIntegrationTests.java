package dev.purser;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs what the Dockerfile runs on the packaged service, in other folders and with the Java of the tests. */
@Tag("full")
class ImageIntegrationTests {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @TempDir
    private Path folder;

    private String moved(String text) {
        return text.replaceAll("/(opt|build)\\b", folder + "/$1").replaceFirst("^java\\b", JAVA.toString());
    }

    @Test
    void theServiceStartsFromTheArchiveThatTheImageMakes() throws IOException, InterruptedException {
        Path build = Files.createDirectories(folder.resolve("build"));
        Files.createDirectories(folder.resolve("opt"));
        for (String copy : ImageFile.lastStage().arguments("COPY")) {
            String[] words = copy.split(" ", -1);
            assertThat(words).hasSize(3);
            // The build stage's folder is this tree, whose build has just packaged the jar.
            Path built = Path.of(words[1].replaceFirst("^/build/", ""));
            assertThat(built.toAbsolutePath()).isEqualTo(Path.of(System.getProperty("purser.jar")));
            Files.copy(built, Path.of(moved(words[2])));
        }
        Path log = folder.resolve("image.log");
        for (String run : ImageFile.lastStage().arguments("RUN")) {
            if (run.startsWith("java ")) {
                ProcessBuilder shell = new ProcessBuilder("sh", "-c", moved(run))
                        .redirectErrorStream(true)
                        .redirectOutput(Redirect.appendTo(log.toFile()));
                shell.environment().merge("PATH", JAVA.getParent().toString(), (path, java) -> java + ":" + path);
                assertThat(shell.start().waitFor()).as(Files.readString(log)).isZero();
            }
        }
        assertThat(build).as("what the image does not need").doesNotExist();

        List<String> entry = new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(ImageFile.lastStage().arguments("ENTRYPOINT").getFirst());
        List<String> command = new ArrayList<>(entry.stream().map(this::moved).toList());
        // With this option, Java does not start without the archive.
        command.add(1, "-XX:AOTMode=on");
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"), Map.of(), command)) {
            assertThat(service.get("/actuator/health", "").statusCode()).isEqualTo(200);
            assertThat(service.log()).contains("Starting AOT-processed PurserApplication");
        }
    }
}
