package dev.purser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The command beside the example data makes exactly this data. */
class ExampleDataTests {
    private static final Path EXAMPLES = Path.of("examples").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void theCommandOfTheExamplesMakesTheSameVisits() throws IOException, InterruptedException {
        String page = Files.readString(EXAMPLES.resolve("README.md"));
        int begin = page.indexOf("```sh\n") + 6;
        Path made = Files.createDirectory(folder.resolve("examples")).resolve("visits.csv");

        int status = new ProcessBuilder("sh", "-c", page.substring(begin, page.indexOf("```", begin)))
                .directory(folder.toFile())
                .inheritIO()
                .start()
                .waitFor();

        assertThat(status).isZero();
        assertThat(made).hasSameTextualContentAs(EXAMPLES.resolve("visits.csv"));
    }
}
