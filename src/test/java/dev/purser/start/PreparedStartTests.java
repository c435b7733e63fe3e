package dev.purser.start;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PreparedStartTests {
    @TempDir
    private Path folder;

    private Path jar;
    private PreparedStart start;

    @BeforeEach
    void packageOneClass() throws IOException {
        jar = folder.resolve("purser.jar");
        write("Main.class", "one");
        start = PreparedStart.beside(jar);
    }

    @Test
    void isBesideTheJar() {
        assertThat(start.folder()).isEqualTo(folder.resolve("purser-prepared"));
        assertThat(start.jar()).isEqualTo(folder.resolve("purser-prepared/purser.jar"));
        assertThat(PreparedStart.beside(Path.of("/opt/purser")).folder()).isEqualTo(Path.of("/opt/purser-prepared"));
    }

    @Test
    void isCompleteOnceItSaysSo() throws IOException {
        assertThat(start.isComplete()).isFalse();
        start.begin();
        assertThat(start.isComplete()).isFalse();
        start.complete();
        assertThat(start.isComplete()).isTrue();
    }

    @Test
    void isNotCompleteWhileItIsMadeAnew() throws IOException {
        start.begin();
        Files.createDirectory(start.folder().resolve("lib"));
        Files.writeString(start.folder().resolve("lib/part.jar"), "part");
        start.complete();
        start.begin();
        assertThat(start.isComplete()).isFalse();
        assertThat(start.folder().resolve("lib")).doesNotExist();
    }

    @Test
    void anotherJarOfTheSameNameTimeAndSizeIsNotTheOneItWasMadeFrom() throws IOException {
        FileTime time = Files.getLastModifiedTime(jar);
        long size = Files.size(jar);
        start.begin();
        start.complete();
        write("Main.class", "two");
        Files.setLastModifiedTime(jar, time);
        assertThat(Files.size(jar)).isEqualTo(size);
        assertThat(start.isComplete()).isFalse();
        write("Niam.class", "one");
        assertThat(start.isComplete()).isFalse();
        write("Main.class", "one");
        assertThat(start.isComplete()).isTrue();
    }

    @Test
    void anotherJavaIsNotTheOneItWasMadeWith() throws IOException {
        start.begin();
        start.complete();
        for (String fact : new String[] {"java.vm.version", "java.home"}) {
            String own = System.setProperty(fact, "another");
            try {
                assertThat(start.isComplete()).as(fact).isFalse();
            } finally {
                System.setProperty(fact, own);
            }
        }
        assertThat(start.isComplete()).isTrue();
    }

    @Test
    void deletesNothingThatItHasNotMade() throws IOException {
        Path other = Files.writeString(Files.createDirectory(start.folder()).resolve("letter"), "to a friend");
        assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(start::begin);
        assertThat(other).hasContent("to a friend");
        assertThat(start.isComplete()).isFalse();
    }

    private void write(String name, String content) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.setMethod(ZipOutputStream.STORED);
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            ZipEntry entry = new ZipEntry(name);
            entry.setTime(0);
            entry.setSize(bytes.length);
            CRC32 sum = new CRC32();
            sum.update(bytes);
            entry.setCrc(sum.getValue());
            zip.putNextEntry(entry);
            zip.write(bytes);
        }
    }
}
