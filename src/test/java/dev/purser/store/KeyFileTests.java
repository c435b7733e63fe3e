package dev.purser.store;

import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class KeyFileTests {
    private static final String SECRET = Base64.getEncoder().encodeToString(new byte[32]);
    private static final Supplier<byte[]> NEVER = () -> {
        throw new AssertionError("a second secret");
    };

    @TempDir
    Path folder;

    private PurserHome home;
    private Path path;

    @BeforeEach
    void openHome() {
        home = new PurserHome(folder.resolve("home"));
        path = home.path().resolve("some.key");
    }

    private KeyFile file() {
        return new KeyFile(home, "some.key", "The secret", "Repair it.");
    }

    private String read(Supplier<byte[]> made) {
        return file().text(StandardCharsets.UTF_8, made);
    }

    private byte[] secret(String configured) {
        return secrets(configured).newest();
    }

    private KeyList<byte[]> secrets(String configured) {
        return KeyFile.secrets(home, "some.key", configured, "PURSER_SOME_KEY", () -> KeyFile.drawn(32));
    }

    @Test
    void isMadeByTheFirstReaderForItsOwnerAloneAndKept() throws IOException {
        assertThat(file().path()).isEqualTo(path).doesNotExist();

        assertThat(read(() -> ascii("first\n"))).isEqualTo("first\n");

        assertThat(read(NEVER)).isEqualTo("first\n");
        assertThat(home.path()).isDirectoryNotContaining(entry -> !entry.equals(path));
        assertThat(permissions()).isEqualTo("rw-------");
    }

    @Test
    void aFileOfTheOperatorIsReadAndNeverChanged() throws IOException {
        Files.writeString(path, " theirs");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--r--r--"));
        FileTime before = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(path, before);

        assertThat(read(NEVER)).isEqualTo(" theirs");

        assertThat(permissions()).isEqualTo("r--r--r--");
        assertThat(Files.getLastModifiedTime(path)).isEqualTo(before);
    }

    @Test
    void anEmptyFileIsNoReasonToMakeAnotherSecret() throws IOException {
        Files.createFile(path);
        assertThat(read(NEVER)).isEmpty();
    }

    @Test
    void saysWhatToDoIfTheFileCannotBeRead() throws IOException {
        Files.createDirectory(path);
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> read(NEVER))
                .withMessage("The secret in " + path + " cannot be read: java.io.IOException: Is a directory")
                .withCauseInstanceOf(IOException.class)
                .satisfies(refusal -> assertThat(refusal.action()).isEqualTo("Repair it."));
    }

    @Test
    void refusesWhatIsNotTextOfItsCharset() throws IOException {
        Files.write(path, new byte[] {(byte) 0xff});
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> read(NEVER))
                .withMessageStartingWith("The secret in " + path + " cannot be read: ");
        assertThat(file().text(StandardCharsets.ISO_8859_1, NEVER)).isEqualTo("ÿ");
    }

    @Test
    void aSecretIsDrawnOncePerHomeAndKeptAsBase64() throws IOException {
        byte[] drawn = secret("");

        assertThat(drawn).hasSize(32).isNotEqualTo(new byte[32]);
        assertThat(Files.readString(path)).isEqualTo(Base64.getEncoder().encodeToString(drawn) + "\n");
        assertThat(permissions()).isEqualTo("rw-------");
        assertThat(secret("")).isEqualTo(drawn);
        home = new PurserHome(folder.resolve("other"));
        assertThat(secret("")).isNotEqualTo(drawn);
    }

    @Test
    void aConfiguredSecretNeitherReadsNorWritesTheFile() throws IOException {
        assertThat(secret(SECRET)).isEqualTo(new byte[32]);
        assertThat(path).doesNotExist();
        Files.writeString(path, "damaged");
        assertThat(secret(SECRET)).isEqualTo(new byte[32]);
        assertThat(path).hasContent("damaged");
    }

    @Test
    void aSecretInTheFileMayHaveSpaceAroundIt() throws IOException {
        Files.writeString(path, "  " + SECRET + "\r\n\n");
        assertThat(secret("")).isEqualTo(new byte[32]);
    }

    @ParameterizedTest
    @CsvSource({"c2hvcnQ=, 'must have 32 bytes, has 5.'", "no/base*64, must be base64.", "ÿ, must be base64."})
    void refusesASecretOfAnotherFormWithoutQuotingIt(String text, String rule) throws IOException {
        refuses(
                text,
                "PURSER_SOME_KEY " + rule,
                "Set 32 random bytes in base64, for example the output of: " + "openssl rand -base64 32");
        Files.write(path, text.getBytes(StandardCharsets.ISO_8859_1));
        refuses(
                "",
                "The key in " + path + " " + rule,
                "Restore the file from a backup, readable to this user, or set " + "PURSER_SOME_KEY.");
        assertThat(Files.readString(path, StandardCharsets.ISO_8859_1)).isEqualTo(text);
    }

    private void refuses(String configured, String message, String action) {
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> secret(configured))
                .withMessage(message)
                .withNoCause()
                .satisfies(refusal -> assertThat(refusal.action()).isEqualTo(action));
    }

    private String permissions() throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void aRotationPutsASecretBeforeTheOthersAndReadersNoticeIt() throws IOException {
        KeyList<byte[]> readers = secrets("");
        byte[] first = readers.newest();
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));

        KeyFile.rotateSecrets(home, "some.key", "PURSER_SOME_KEY");

        List<byte[]> both = secrets("").now();
        assertThat(both).hasSize(2);
        assertThat(both.get(0)).hasSize(32).isNotEqualTo(first);
        assertThat(both.get(1)).isEqualTo(first);
        assertThat(permissions()).isEqualTo("rw-------");
        assertThat(readers.now()).as("within a second").hasSize(1);
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(readers.newest()).isEqualTo(both.get(0)));
        assertThat(readers.now()).hasSize(2);
    }

    /** A file changes no configured key, and a file that cannot be read changes no key. */
    @Test
    void keysStayAsTheyAreIfTheFileIsDamagedOrGone() throws Exception {
        KeyList<byte[]> readers = secrets("");
        KeyList<byte[]> configured = secrets(SECRET);
        byte[] first = readers.newest();
        Files.writeString(path, "damaged");
        Thread.sleep(1_100);
        assertThat(readers.now()).containsExactly(first);
        Files.delete(path);
        Thread.sleep(1_100);
        assertThat(readers.now()).containsExactly(first);
        assertThat(path).doesNotExist();
        assertThat(configured.now()).containsExactly(new byte[32]);
    }

    @Test
    void severalSecretsAreConfiguredWithCommas() {
        String other = Base64.getEncoder().encodeToString(KeyFile.drawn(32));
        assertThat(secrets(SECRET + "," + other).newest()).isEqualTo(new byte[32]);
        assertThat(secrets(other + ", " + SECRET).now()).hasSize(2);
        refuses(
                SECRET + ",c2hvcnQ=",
                "PURSER_SOME_KEY must have 32 bytes, has 5.",
                "Set 32 random bytes in base64, for example the output of: openssl rand -base64 32");
    }

    @Test
    void nothingIsRotatedWhereThereIsNoSecretOrADamagedOneOrAnotherRotation() throws IOException {
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> KeyFile.rotateSecrets(home, "some.key", "PURSER_SOME_KEY"))
                .withMessage("There is no some.key in " + home.path() + ".");
        assertThat(path).doesNotExist();
        Files.writeString(path, SECRET.substring(1));
        assertThatExceptionOfType(StartupRefusal.class)
                .isThrownBy(() -> KeyFile.rotateSecrets(home, "some.key", "PURSER_SOME_KEY"))
                .withMessageStartingWith("The key in " + path + " must ");
        assertThat(path).hasContent(SECRET.substring(1));
        Files.writeString(path, SECRET);
        file().rotate(present -> {
            assertThatExceptionOfType(OverlappingFileLockException.class)
                    .isThrownBy(() -> file().rotate(again -> new byte[0]));
            return ascii(present + "\n");
        });
        assertThat(path).hasContent(SECRET + "\n" + SECRET);
    }
}
