package dev.purser.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PurserHomeTests {
    @TempDir
    Path folder;

    @Test
    void everythingInItIsItsOwnersAlone() throws Exception {
        PurserHome home = new PurserHome(folder.resolve("a/b"));
        home.writePrivately(home.directory("datasets", "adult").resolve("secret"), new byte[] {1});

        try (Database database = new Database(home);
                Stream<Path> all = Files.walk(home.path())) {
            assertThat(database.isWritable()).isTrue();
            List<Path> paths = all.toList();
            assertThat(paths).extracting(path -> path.getFileName().toString()).contains("ledger.db", "ledger.db-wal");
            assertThat(paths)
                    .allSatisfy(path -> assertThat(permissions(path))
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }

    @Test
    void takesAnOpenFolderFromEveryoneElse() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

        new PurserHome(folder);

        assertThat(permissions(folder)).isEqualTo("rwx------");
    }

    @Test
    void replacesAFileAsAWhole() throws IOException {
        PurserHome home = new PurserHome(folder);
        Path file = home.directory("keys").resolve("one");

        home.writePrivately(file, "first, and longer".getBytes(UTF_8));
        home.writePrivately(file, "second".getBytes(UTF_8));

        assertThat(file).hasContent("second");
        assertThat(home.directory("keys")).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void hasNoFolderOutsideItself() {
        PurserHome home = new PurserHome(folder);

        assertThatIllegalArgumentException().isThrownBy(() -> home.directory("..", "elsewhere"));
        assertThatIllegalArgumentException().isThrownBy(() -> home.directory("/etc"));
    }

    @Test
    void saysWhatToDoIfTheFolderCannotBe() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> new PurserHome(file.resolve("home")))
                .satisfies(refusal -> assertThat(refusal.action()).contains("PURSER_HOME"));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
