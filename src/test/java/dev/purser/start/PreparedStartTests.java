package dev.purser.start;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
        try (Preparation preparation = Preparation.begin(start)) {
            fill();
            assertThat(start.isComplete()).isFalse();
            preparation.complete();
            assertThat(start.isComplete()).isTrue();
        }
        assertThat(start.isComplete()).isTrue();
    }

    @Test
    void isNotCompleteWhileItIsMadeAnew() throws IOException {
        prepare();
        try (Preparation again = Preparation.begin(start)) {
            assertThat(again).isNotNull();
            assertThat(start.isComplete()).isFalse();
            assertThat(start.folder().resolve("lib")).doesNotExist();
        }
        assertThat(start.isComplete()).as("cut off").isFalse();
        prepare();
        assertThat(start.isComplete()).isTrue();
    }

    @Test
    void isCompleteWithFewerPartsThanBefore() throws IOException {
        prepare();
        try (Preparation again = Preparation.begin(start)) {
            Files.writeString(start.jar(), "jar");
            again.complete();
        }
        assertThat(start.isComplete()).isTrue();
    }

    @Test
    void isPreparedByOneAtATime() throws IOException {
        try (Preparation first = Preparation.begin(start)) {
            fill();
            assertThatExceptionOfType(FileSystemException.class)
                    .isThrownBy(() -> Preparation.begin(start))
                    .withMessageContaining("being prepared");
            first.complete();
        }
        assertThat(start.isComplete()).isTrue();
    }

    @Test
    void aJarReplacedMeanwhileIsNotTheOneItWasMadeFrom() throws IOException {
        try (Preparation preparation = Preparation.begin(start)) {
            fill();
            write("Main.class", "two");
            assertThatExceptionOfType(FileSystemException.class)
                    .isThrownBy(preparation::complete)
                    .withMessageContaining("replaced");
        }
        assertThat(start.isComplete()).isFalse();
    }

    @Test
    void anotherJarOfTheSameNameTimeAndSizeIsNotTheOneItWasMadeFrom() throws IOException {
        FileTime time = Files.getLastModifiedTime(jar);
        long size = Files.size(jar);
        prepare();
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
    void aJarOfAnotherNameDoesNotFindItsPartsUnderThatName() throws IOException {
        prepare();
        PreparedStart renamed = PreparedStart.beside(Files.move(jar, folder.resolve("purser-1.jar")));
        Files.move(start.folder(), renamed.folder());
        assertThat(renamed.isComplete()).isFalse();
    }

    @Test
    void anotherJavaIsNotTheOneItWasMadeWith() throws IOException {
        prepare();
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

    @ParameterizedTest
    @ValueSource(strings = {"lib/part.jar", "classes.aot", "purser.jar"})
    void partsThatAreMissingOrTornAreNoticed(String part) throws IOException {
        prepare();
        Path torn = start.folder().resolve(part);
        byte[] whole = Files.readAllBytes(torn);
        Files.write(torn, new byte[0]);
        assertThat(start.isComplete()).isFalse();
        Files.delete(torn);
        assertThat(start.isComplete()).isFalse();
        Files.write(torn, whole);
        assertThat(start.isComplete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "seal", "lib", "lib/part.jar", "classes.aot", "purser.jar"})
    void whatOthersMayWriteToIsNotTrusted(String part) throws IOException {
        prepare();
        Path place = start.folder().resolve(part);
        Set<PosixFilePermission> own = Files.getPosixFilePermissions(place);
        assertThat(own).contains(PosixFilePermission.OTHERS_READ);
        for (PosixFilePermission more : List.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE)) {
            Set<PosixFilePermission> wider = EnumSet.copyOf(own);
            wider.add(more);
            Files.setPosixFilePermissions(place, wider);
            assertThat(start.isComplete()).as("%s", more).isFalse();
        }
        Files.setPosixFilePermissions(place, own);
        assertThat(start.isComplete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "seal", "lib/part.jar"})
    void whatBelongsToOthersIsNotTrusted(String part) throws IOException {
        prepare();
        Path place = start.folder().resolve(part);
        assumeTrue((int) Files.getAttribute(place, "unix:uid") == 0, "only root can give files away");
        Files.setAttribute(place, "unix:uid", 65_534);
        assertThat(start.isComplete()).isFalse();
        Files.setAttribute(jar, "unix:uid", 65_534);
        assertThat(start.isComplete()).as("of the jar's owner").isTrue();
    }

    @Test
    void linksAreNotTrusted() throws IOException {
        prepare();
        Path part = start.folder().resolve("lib/part.jar");
        Path elsewhere = Files.move(part, folder.resolve("part.jar"));
        Files.createSymbolicLink(part, elsewhere);
        assertThat(start.isComplete()).isFalse();
    }

    @Test
    void deletesNothingThatItHasNotMade() throws IOException {
        Path other = Files.writeString(Files.createDirectory(start.folder()).resolve("letter"), "to a friend");
        Set<PosixFilePermission> open = PosixFilePermissions.fromString("rwxr-xr-x");
        Files.setPosixFilePermissions(start.folder(), open);
        assertRefused();
        Path seal = Files.writeString(start.folder().resolve("seal"), "of wax");
        assertRefused();
        assertThat(Files.getPosixFilePermissions(start.folder())).isEqualTo(open);
        assertThat(other).hasContent("to a friend");
        assertThat(seal).hasContent("of wax");
    }

    @Test
    void aSealWithoutATextIsOneThatWasCutOff() throws IOException {
        Files.createFile(Files.createDirectory(start.folder()).resolve("seal"));
        prepare();
        assertThat(start.isComplete()).isTrue();
        Files.write(start.seal(), new byte[0]);
        assertRefused();
    }

    @Test
    void othersAreKeptOutWhileItIsMade() throws IOException {
        prepare();
        try (Preparation preparation = Preparation.begin(start)) {
            assertThat(preparation).isNotNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(start.folder())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void aFolderOfSomebodyElseIsNotFilled() throws IOException {
        prepare();
        assumeTrue((int) Files.getAttribute(start.folder(), "unix:uid") == 0, "only root can give files away");
        Files.setAttribute(start.folder(), "unix:uid", 65_534);
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Preparation.begin(start))
                .withMessageContaining("somebody else's");
        assertThat(start.archive()).exists();
    }

    @Test
    void linksAreNotFollowedWhenItIsMade() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(start.folder(), elsewhere);
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Preparation.begin(start))
                .withMessageContaining("somebody else's");
        Files.delete(start.folder());
        Path victim = Files.writeString(folder.resolve("victim"), PreparedStart.MARK + "mine");
        Files.createSymbolicLink(Files.createDirectory(start.folder()).resolve("seal"), victim);
        assertRefused();
        assertThat(victim).hasContent(PreparedStart.MARK + "mine");
    }

    private void assertRefused() {
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Preparation.begin(start))
                .withMessageContaining("nothing prepared");
    }

    private void prepare() throws IOException {
        try (Preparation preparation = Preparation.begin(start)) {
            fill();
            preparation.complete();
        }
    }

    private void fill() throws IOException {
        Files.writeString(start.jar(), "jar");
        Files.writeString(start.archive(), "classes");
        Path library = Files.createDirectory(start.folder().resolve("lib"));
        Files.setPosixFilePermissions(library, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(library.resolve("part.jar"), "part");
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
