package dev.purser.store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A process without the threads of its ledger is of no use, and ends. */
class LostWriterTests {
    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource({
        "memory-of-the-writer, the memory is exhausted",
        "memory-of-the-witness, the memory is exhausted",
        "escape, ledger-writer ended with java.lang.NullPointerException"
    })
    void theProcessEndsWithAMessageAndAStatus(String what, String reason) throws Exception {
        Process process = ChildJvm.start(LostWriter.class, home, what);

        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(output).endsWith("Purser ends: " + reason + ". Start it again; the ledger is sound.\n");
        assertThat(process.waitFor()).isEqualTo(3);
    }
}
