package dev.purser;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that the usual generators make of the description, against the packaged service. The system property
 * {@code purser.test.clients} names them: one in every build, all of them and the linters with {@code -Pclients}.
 */
class GeneratedClientsIntegrationTests {
    @TempDir
    private Path folder;

    @Test
    void eachIsCompiledAndWalksItsJourney() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("clients/generated/run"));
        command.addAll(List.of(System.getProperty("purser.test.clients").split(" ")));
        try (ServiceProcess service = new ServiceProcess(folder)) {
            ProcessBuilder launcher = new ProcessBuilder(command).redirectErrorStream(true);
            launcher.environment().put("PURSER", service.address());
            launcher.environment().put("KEY", service.key());
            Process run = launcher.start();
            run.getOutputStream().close();
            String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            System.out.print(output);
            assertThat(run.waitFor()).as(output).isZero();
        }
    }
}
