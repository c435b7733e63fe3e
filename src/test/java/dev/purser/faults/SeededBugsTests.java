package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The seeded bugs apply to the present sources. {@link FaultSelfTest} shows whether each bug is found. */
@Tag("full")
class SeededBugsTests {
    static Stream<SeededBug> bugs() throws IOException {
        return SeededBug.all().stream();
    }

    @Test
    void thereAreBugs() throws IOException {
        assertThat(SeededBug.all()).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void appliesAndCompiles(SeededBug bug, @TempDir Path work) throws IOException, InterruptedException {
        Path classes = bug.compiled(work);

        try (Stream<Path> changed = Files.walk(classes)) {
            assertThat(changed.filter(Files::isRegularFile)).isNotEmpty();
        }
        assertThat(bug.caughtBy()).isNotEmpty().allMatch(name -> name.matches("I\\d+"));
    }
}
