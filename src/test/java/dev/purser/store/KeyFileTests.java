package dev.purser.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
        return KeyFile.secret(home, "some.key", configured, "PURSER_SOME_KEY");
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
}
