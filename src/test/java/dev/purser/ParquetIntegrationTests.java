package dev.purser;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.ServiceProcess.assertStatus;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Parquet in the packaged service: no child and no file outlives the service, and a sandbox holds. */
@Tag("full")
class ParquetIntegrationTests {
    private static final Path CORPUS = Path.of("src/test/resources/parquet");
    private static final Path JAR = Path.of(System.getProperty("purser.jar"));
    private static final String PARQUET = "application/vnd.apache.parquet";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private static int upload(ServiceProcess service, String id, String file) throws Exception {
        assertStatus(201, service.registerAges(id, service.key(), 1, ",\"declaredPublic\":true"));
        return service.send(
                "PUT", "/v1/datasets/" + id + "/data", service.key(), PARQUET, CORPUS.resolve(file), PATIENCE);
    }

    private static List<Path> foldersOfUploads(ServiceProcess service) throws IOException {
        try (Stream<Path> all = Files.walk(service.home().resolve("datasets"))) {
            return all.filter(path -> path.endsWith("parquet")).toList();
        }
    }

    @Test
    void noChildAndNoFileOutlivesAServiceThatIsKilled() throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder)) {
            // The reader waits for ever, and writes nothing: the end of its standard input is the only sign to the
            // child that the service is gone.
            CompletableFuture<Void> torn = CompletableFuture.runAsync(() -> {
                try {
                    upload(service, "hangs", "refused/damaged/page-large.parquet");
                } catch (Exception killed) {
                    // The upload fails because the service is killed.
                }
            });
            ProcessHandle child = awaitChild(service);
            assertThat(foldersOfUploads(service)).hasSize(1);
            service.killAndRestart();
            child.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            torn.join();
            assertThat(foldersOfUploads(service)).isEmpty();
            assertThat(service.process().children()).isEmpty();
            assertThat(upload(service, "people", "read/people.zstd.parquet")).isEqualTo(200);
        }
    }

    private static ProcessHandle awaitChild(ServiceProcess service) {
        while (true) {
            List<ProcessHandle> children = service.process()
                    .children()
                    .filter(child -> child.info().commandLine().orElse("").contains("parquet-to-csv"))
                    .toList();
            if (!children.isEmpty()) {
                return children.getFirst();
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void theDocumentedSandboxHolds() throws Exception {
        String sandbox = documentedSandbox();
        Path work = Files.createDirectories(folder.resolve("parquet/work"));
        Files.writeString(work.resolveSibling("file.parquet"), "x");
        String probe = run(
                work,
                sandbox,
                "set -- /proc/[0-9]*; echo $#; tail -n +3 /proc/net/dev | wc -l; touch mine; ls -d " + folder
                        + " 2>/dev/null;"
                        + " for each in / /dev /usr /upload; do touch $each/x 2>/dev/null && echo $each; done;"
                        + " echo y 2>/dev/null >../file.parquet || echo done");
        assumeTrue(
                probe.endsWith("done\n"),
                "left out: bubblewrap is not installed, or may not make user namespaces: " + probe);
        // There are two processes, bubblewrap's own and the shell, and one network device, loopback. The home is not
        // visible, and only the current folder can be written.
        assertThat(probe).isEqualTo("2\n1\ndone\n");
        assertThat(work.resolve("mine")).exists();
        try (ServiceProcess service = new ServiceProcess(
                folder.resolve("service"), Map.of("PURSER_UPLOAD_SANDBOX", sandbox), ServiceProcess.jar())) {
            assertThat(upload(service, "people", "read/people.zstd.parquet")).isEqualTo(200);
            assertThat(upload(service, "hangs", "refused/damaged/page-large.parquet"))
                    .isEqualTo(422);
            assertThat(service.process().descendants()).isEmpty();
        }
    }

    /**
     * The command of docs/operating.md, with the folder of this jar. It also has the folder of this Java, if Java is
     * not where the command expects it.
     */
    private static String documentedSandbox() throws IOException {
        Matcher block = Pattern.compile("```properties\n(purser\\.upload\\.sandbox=.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("docs/operating.md")));
        assertThat(block.find()).isTrue();
        Properties properties = new Properties();
        properties.load(new StringReader(block.group(1)));
        String jar = JAR.toAbsolutePath().getParent().toString();
        String sandbox = properties.getProperty("purser.upload.sandbox").replace("/opt/purser", jar);
        String java = System.getProperty("java.home");
        return java.startsWith("/usr/")
                ? sandbox
                : sandbox.replace("--proc", "--ro-bind " + java + " " + java + " --proc");
    }

    private static String run(Path work, String sandbox, String script) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(sandbox.split(" +")));
        command.addAll(List.of("/usr/bin/sh", "-c", script));
        try {
            Process process = new ProcessBuilder(command)
                    .directory(work.toFile())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            process.waitFor();
            return output;
        } catch (IOException missing) {
            return missing.getMessage();
        }
    }
}
