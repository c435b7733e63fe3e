package dev.purser;

import dev.purser.start.PreparedStart;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Starts of the packaged service from its parts and an archive of classes: by itself where it was built, and as a container does. */
class PreparedStartIntegrationTests {
    private static final Path JAR = Path.of(System.getProperty("purser.jar"));
    private static final String JAVA = ProcessHandle.current().info().command().orElseThrow();

    @Test
    void theJarGoesOnAsTheSameProcessFromWhatTheBuildPrepared(@TempDir Path folder) throws Exception {
        PreparedStart prepared = PreparedStart.beside(JAR);
        List<String> command =
                List.of(JAVA, "-Xmx300m", "-jar", "" + JAR, "--spring.application.name=a name, with = and ä");
        try (ServiceProcess service = new ServiceProcess(folder, Map.of(), command)) {
            assertThat(commandLine(service))
                    .containsExactly(
                            JAVA,
                            "-Xmx300m",
                            "-XX:AOTCache=" + prepared.archive(),
                            "-jar",
                            "" + prepared.jar(),
                            "--spring.application.name=a name, with = and ä");
            assertQuick(service);
            service.killAndRestart();
            assertQuick(service);
        }
    }

    @Test
    void anotherJarStartsByItself(@TempDir Path folder) throws Exception {
        Path other = folder.resolve("purser.jar");
        Files.copy(JAR, other);
        copyWithModes(
                PreparedStart.beside(JAR).folder(), PreparedStart.beside(other).folder());
        assertThat(PreparedStart.beside(other).isComplete())
                .as("before it is another")
                .isTrue();
        try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + other.toUri()), Map.of())) {
            Files.writeString(zip.getPath("another"), "build");
        }
        List<String> command = List.of(JAVA, "-jar", "" + other);
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"), Map.of(), command)) {
            assertThat(commandLine(service)).isEqualTo(command);
        }
    }

    @Test
    void anEnvironmentThatTurnsArchivesOffIsHeeded(@TempDir Path folder) throws Exception {
        List<String> command = List.of(JAVA, "-jar", "" + JAR);
        Map<String, String> environment = Map.of("JAVA_TOOL_OPTIONS", "-Xmx400m -Xshare:off");
        try (ServiceProcess service = new ServiceProcess(folder, environment, command)) {
            assertThat(commandLine(service)).isEqualTo(command);
        }
    }

    @Test
    void startsFromAnArchiveMadeInSpiteOfSettingsThatStopAStart(@TempDir Path folder) throws Exception {
        Map<String, String> environment = Map.of("PURSER_LEDGER_URL", "jdbc:postgresql://127.0.0.1:1/nobody");
        PreparedJar prepared = PreparedJar.of(JAR, folder.resolve("purser"), environment);
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"), Map.of(), prepared.start())) {
            assertThat(service.get("/v1/datasets", service.key()).statusCode()).isEqualTo(200);
            assertQuick(service);
        }
    }

    private static void copyWithModes(Path from, Path to) throws IOException {
        try (Stream<Path> places = Files.walk(from)) {
            for (Path place : places.toList()) {
                Files.copy(place, to.resolve(from.relativize(place)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** An archive that did not fit would say so. */
    private static void assertQuick(ServiceProcess service) throws IOException {
        assertThat(service.log()).contains("AOT-processed PurserApplication").doesNotContain("[aot]", "[warning]");
    }

    private static List<String> commandLine(ServiceProcess service) throws IOException {
        String words = Files.readString(Path.of("/proc/" + service.process().pid() + "/cmdline"));
        return List.of(words.split("\0"));
    }
}
