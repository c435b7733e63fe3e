package dev.purser.dataset.ingest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UploadRehearsalTests {
    @TempDir
    private Path home;

    @Test
    void takesItsRowsAndLeavesNothing() throws IOException {
        UploadRehearsal.run(home.resolve("rehearsal"));
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void removesWhatARehearsalLeftThatWasCutOff() throws IOException {
        Path rehearsal = Files.createDirectory(home.resolve("rehearsal"));
        Files.writeString(rehearsal.resolve("rows"), "half");
        Files.writeString(rehearsal.resolve("rows.chunks"), "half");
        UploadRehearsal.run(rehearsal);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void failsWhereNothingCanBeWritten() throws IOException {
        Path file = Files.writeString(home.resolve("file"), "in the way");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> UploadRehearsal.run(file.resolve("rehearsal")));
        assertThat(file).hasContent("in the way");
    }
}
