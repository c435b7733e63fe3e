package dev.purser.dataset.ingest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UploadRehearsalTests {
    @TempDir
    private Path home;

    @Test
    void takesItsRowsAndLeavesNothing() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        UploadRehearsal.run(home.resolve("rehearsal"), () -> asked.incrementAndGet() > 0);
        assertThat(asked)
                .as("twice, and in each for every batch: those of 2,048 fields of 100,000 rows, and those of 32 rows")
                .hasValue(2 * (1 + 100_000 / 409 + 1 + 100_000 / 32));
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

    /** Before, in and between the files. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 500, 3371, 3372, 5000})
    void endsAsSoonAsAnUploadComes(int questions) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        UploadRehearsal.run(home.resolve("rehearsal"), () -> asked.incrementAndGet() < questions);
        assertThat(asked).hasValue(questions);
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
