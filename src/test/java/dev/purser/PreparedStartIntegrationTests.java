package dev.purser;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The service as a container starts it: from the parts of the jar and an archive of the classes a start needs. */
class PreparedStartIntegrationTests {
    @Test
    void startsFromAnArchiveThatAStartWithoutQuestionsHasMade(@TempDir Path folder) throws Exception {
        PreparedJar prepared = PreparedJar.of(Path.of(System.getProperty("purser.jar")), folder.resolve("purser"));
        try (ServiceProcess service = new ServiceProcess(folder.resolve("service"), Map.of(), prepared.start())) {
            assertThat(service.get("/v1/datasets", service.key()).statusCode()).isEqualTo(200);
            assertThat(service.log())
                    .contains("AOT-processed PurserApplication")
                    .doesNotContain("[aot]");
            service.killAndRestart();
            assertThat(service.get("/v1/datasets", service.key()).statusCode()).isEqualTo(200);
        }
    }
}
