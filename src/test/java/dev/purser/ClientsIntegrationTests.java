package dev.purser;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Clients against the packaged service: clients that the usual generators make from the description, and the Python
 * package with its study. The system property {@code tests.clients} names the generated clients: one in every build,
 * all clients and the linters with {@code -Pclients}.
 */
@Tag("full")
class ClientsIntegrationTests {
    @TempDir
    private Path folder;

    @Test
    void eachGeneratedClientIsCompiledAndWalksItsJourney() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("clients/generated/run"));
        command.addAll(List.of(System.getProperty("tests.clients").strip().split("\\s+")));
        run(command);
    }

    @Test
    void thePythonPackageIsBuiltTestedAndItsStudyExecuted() throws IOException, InterruptedException {
        String output = run(
                List.of("clients/python/journey.sh", folder.resolve("python").toString()));
        assumeThat(output.lines().filter(line -> line.startsWith("Left out: the study")))
                .isEmpty();
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"))) {
            ProcessBuilder launcher = new ProcessBuilder(command).redirectErrorStream(true);
            launcher.environment().put("PURSER", service.address());
            launcher.environment().put("KEY", service.key());
            Process run = launcher.start();
            run.getOutputStream().close();
            String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            System.out.print(output);
            assertThat(run.waitFor()).as(output).isZero();
            return output;
        }
    }
}
