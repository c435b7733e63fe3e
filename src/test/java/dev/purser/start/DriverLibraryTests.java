package dev.purser.start;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DriverLibraryTests {
    private static final String OWN =
            "libduckdb_java.so_linux_" + System.getProperty("os.arch").replace("aarch64", "arm64");

    @TempDir
    private Path folder;

    private Path driver;

    @BeforeEach
    void nameTheDriver() {
        driver = folder.resolve("duckdb_jdbc-1.2.3.jar");
    }

    @Test
    void theLibraryOfThisPlatformIsLaidBesideTheDriver() throws IOException {
        writeJar(driver, "META-INF/MANIFEST.MF", "org/duckdb/A.class", "libduckdb_java.so_linux_other", OWN);
        writeJar(folder.resolve("another.jar"), OWN);
        DriverLibrary.takeOut(folder);
        assertThat(folder.resolve(OWN)).hasContent(OWN);
        assertThat(entries(driver)).containsExactlyInAnyOrder("META-INF/MANIFEST.MF", "org/duckdb/A.class");
        assertThat(entries(folder.resolve("another.jar"))).containsExactly(OWN);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(3);
        }
    }

    @Test
    void thereIsNothingToTakeWithoutADriver() {
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> DriverLibrary.takeOut(folder))
                .withMessageEndingWith("duckdb_jdbc-*.jar");
    }

    @Test
    void aDriverForOtherPlatformsStaysAsItIs() throws IOException {
        writeJar(driver, "libduckdb_java.so_linux_other");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> DriverLibrary.takeOut(folder))
                .withMessageEndingWith(OWN);
        assertThat(entries(driver)).containsExactly("libduckdb_java.so_linux_other");
    }

    /** Every entry holds its name. */
    private static void writeJar(Path jar, String... entries) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of("create", "true"))) {
            for (String entry : entries) {
                Path place = zip.getPath("/" + entry);
                Files.createDirectories(place.getParent());
                Files.writeString(place, entry);
            }
        }
    }

    private static List<String> entries(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(entry -> entry.getName())
                    .toList();
        }
    }
}
