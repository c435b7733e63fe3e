package dev.purser.dataset.parser;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class DuckDbLibraryTests {
    @TempDir
    private Path folder;

    @Test
    void sweepsCopiesOfTheNativeLibraryThatAKilledProcessLeft() throws Exception {
        Instant now = Instant.now();
        Path old = Files.createFile(folder.resolve("libduckdb_java123.so"));
        Path young = Files.createFile(folder.resolve("libduckdb_java456.so"));
        Path other = Files.createFile(folder.resolve("libduckdb_java.so"));
        for (Path file : new Path[] {old, other}) {
            Files.setLastModifiedTime(file, FileTime.from(now.minus(DuckDbLibrary.ORPHANED_AFTER.multipliedBy(2))));
        }
        DuckDbLibrary.sweepOrphans(folder);
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(other).exists();
    }

    @Test
    void leavesNoCopyOfTheNativeLibraryBehindOnceLoaded() throws Exception {
        DuckDbLibrary.load();
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            assertThat(mappings.filter(line -> line.contains("libduckdb_java")))
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith("(deleted)"));
        }
    }
}
