package dev.purser.dataset.ingest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UploadRehearsalTests {
    @TempDir
    private Path home;

    @Test
    void takesItsRowsAndLeavesNothing() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        UploadRehearsal.run(home.resolve("rehearsal"), () -> asked.incrementAndGet() > 0);
        assertThat(asked).as("once for every 1,024 of 100,000 rows").hasValue(97);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void removesWhatARehearsalLeftThatWasCutOff() throws IOException {
        Path rehearsal = Files.createDirectory(home.resolve("rehearsal"));
        Files.writeString(rehearsal.resolve("rows"), "half");
        Files.writeString(rehearsal.resolve("rows.chunks"), "half");
        UploadRehearsal.run(rehearsal, () -> true);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void endsAsSoonAsAnUploadComes() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        UploadRehearsal.run(home.resolve("rehearsal"), () -> asked.incrementAndGet() < 3);
        assertThat(asked).hasValue(3);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void failsWhereNothingCanBeWritten() throws IOException {
        Path file = Files.writeString(home.resolve("file"), "in the way");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> UploadRehearsal.run(file.resolve("rehearsal"), () -> true));
        assertThat(file).hasContent("in the way");
    }
}
