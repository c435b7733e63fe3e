package dev.purser.start;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HandOverTests {
    private static final PreparedStart PREPARED = PreparedStart.beside(Path.of("/opt/purser.jar"));

    @Test
    void keepsOptionsAndArguments() {
        assertThat(command("java", "-Xmx1g", "-jar", "/opt/purser.jar", "--server.port=1", "-jar", "x"))
                .containsExactly(
                        "java",
                        "-Xmx1g",
                        "-XX:AOTCache=/opt/purser-prepared/classes.aot",
                        "-jar",
                        "/opt/purser-prepared/purser.jar",
                        "--server.port=1",
                        "-jar",
                        "x");
    }

    @Test
    void keepsEmptyArguments() {
        assertThat(command("java", "-jar", "/opt/purser.jar", "", ""))
                .endsWith("/opt/purser-prepared/purser.jar", "", "");
    }

    @Test
    void takesAJarNamedFromTheFolderOfTheProcess() {
        PreparedStart here = PreparedStart.beside(Path.of("target/purser.jar").toAbsolutePath());
        assertThat(HandOver.command(List.of("java", "-jar", "target/purser.jar"), here))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java -cp /opt/purser.jar org.springframework.boot.loader.launch.JarLauncher",
                "java -cp /opt/purser.jar Main -jar /opt/other.jar",
                "java -jar /opt/other.jar",
                "java -jar",
                "java @options",
                "-jar /opt/purser.jar"
            })
    void leavesAloneWhatDoesNotStartThatJar(String line) {
        assertThat(HandOver.command(List.of(line.split(" ")), PREPARED)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-javaagent:agent.jar",
                "-agentlib:jdwp=transport=dt_socket",
                "-agentpath:/lib/agent.so",
                "-XX:AOTCache=own.aot",
                "-XX:AOTMode=off",
                "-XX:SharedArchiveFile=own.jsa",
                "-XX:+AutoCreateSharedArchive",
                "-XX:ArchiveClassesAtExit=own.jsa",
                "-XX:DumpLoadedClassList=list",
                "-XX:+RecordDynamicDumpInfo",
                "-Xrunjdwp:transport=dt_socket",
                "-Xshare:off",
                "-XX:+UseZGC",
                "-XX:StartFlightRecording",
                "-Dcom.sun.management.jmxremote.port=1",
                "--add-modules=java.sql",
                "@options",
                "-XX:VMOptionsFile=options"
            })
    void leavesAloneWhatHasOptionsThatAnArchiveDoesNotGoWith(String option) {
        assertThat(HandOver.command(List.of("java", option, "-jar", "/opt/purser.jar"), PREPARED))
                .isEmpty();
        assertThat(HandOver.command(List.of("java", "-jar", "/opt/purser.jar", option), PREPARED))
                .as("the same as an argument")
                .isPresent();
    }

    @Test
    void keepsBytesAsTheyAre() {
        String bytes = new String(new byte[] {(byte) 0xC3, (byte) 0x28, (byte) 0xFF}, StandardCharsets.ISO_8859_1);
        assertThat(command("java", "-Xlog:gc:file=" + bytes, "-jar", "/opt/purser.jar", bytes))
                .contains("-Xlog:gc:file=" + bytes)
                .endsWith(bytes);
    }

    private static List<String> command(String... given) {
        return HandOver.command(List.of(given), PREPARED).orElseThrow();
    }
}
