package dev.purser.ledger;

import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SigningKeyTests {
    private static final byte[] MESSAGE = "message".getBytes(StandardCharsets.US_ASCII);

    /** RFC 8410, section 10.3 and 10.1. */
    private static final String RFC_PRIVATE_KEY = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
            -----END PRIVATE KEY-----
            """;

    private static final String RFC_PUBLIC_KEY = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=";

    @TempDir
    Path folder;

    @Test
    void isMadeOnceAndKeptPrivately() throws IOException {
        PurserHome home = new PurserHome(folder);
        SigningKey first = SigningKey.of(home, "");
        SigningKey second = SigningKey.of(home, "");

        assertThat(second.publicKeyText()).isEqualTo(first.publicKeyText());
        assertThat(SigningKey.verifies(second.publicKey(), MESSAGE, first.sign(MESSAGE)))
                .isTrue();
        assertThat(SigningKey.verifies(second.publicKey(), new byte[1], first.sign(MESSAGE)))
                .isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("signing.key"))))
                .isEqualTo("rw-------");
        assertThat(Pem.bytes(Files.readString(folder.resolve("signing.pub"))))
                .isEqualTo(first.publicKey().getEncoded());
    }

    @Test
    void derivesThePublicKeyOfAGivenOne() {
        PurserHome home = new PurserHome(folder);
        assertThat(SigningKey.of(home, RFC_PRIVATE_KEY).publicKeyText()).isEqualTo(RFC_PUBLIC_KEY);
        String base64 = RFC_PRIVATE_KEY.lines().toList().get(1);
        assertThat(SigningKey.of(home, base64).publicKeyText()).isEqualTo(RFC_PUBLIC_KEY);
        assertThat(folder.resolve("signing.key")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", RFC_PUBLIC_KEY})
    void refusesWhatIsNotAKey(String text) {
        PurserHome home = new PurserHome(folder);
        assertThatThrownBy(() -> SigningKey.of(home, text))
                .isInstanceOf(StartupRefusal.class)
                .hasMessage("PURSER_SIGNING_KEY is not an Ed25519 private key (PKCS#8).");
    }

    @Test
    void writesThePublicKeyAnewOnlyWhereItIsAnother() throws IOException {
        PurserHome home = new PurserHome(folder);
        Path file = folder.resolve("signing.pub");
        SigningKey key = SigningKey.of(home, "");
        FileTime before = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(file, before);

        SigningKey.of(home, " ");
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(before);
        SigningKey.of(home, RFC_PRIVATE_KEY);
        assertThat(Pem.bytes(Files.readString(file)))
                .isEqualTo(Base64.getDecoder().decode(RFC_PUBLIC_KEY));
        assertThat(SigningKey.of(home, "").publicKey()).isEqualTo(key.publicKey());
        assertThat(Pem.bytes(Files.readString(file))).isEqualTo(key.publicKey().getEncoded());
    }

    @Test
    void refusesAKeyFileThatCannotBeRead() throws IOException {
        Files.createDirectories(folder.resolve("signing.key"));

        assertThatThrownBy(() -> SigningKey.of(new PurserHome(folder), ""))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("cannot be read");
    }

    /** Half of all public keys are points with an odd x. */
    @Test
    void everyDrawnKeyHasItsPublicKey() {
        for (int i = 0; i < 32; i++) {
            SigningKey drawn = SigningKey.of(new PurserHome(folder.resolve("home" + i)), "");
            assertThat(SigningKey.verifies(drawn.publicKey(), MESSAGE, drawn.sign(MESSAGE)))
                    .isTrue();
        }
    }

    /** RFC 8032, section 7.1, test 1: the empty message. */
    @Test
    void signsAsTheStandardSays() {
        String seed = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g";
        SigningKey key = SigningKey.of(new PurserHome(folder), seed);

        assertThat(HexFormat.of().formatHex(key.sign(new byte[0])))
                .isEqualTo("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
        assertThat(SigningKey.verifies(key.publicKey(), new byte[0], new byte[63]))
                .isFalse();
    }

    @Test
    void pemLinesHave64Characters() {
        String text = new String(Pem.text("PUBLIC KEY", new byte[60]), StandardCharsets.US_ASCII);

        assertThat(text)
                .isEqualTo("-----BEGIN PUBLIC KEY-----\n" + "A".repeat(64) + "\n" + "A".repeat(16)
                        + "\n-----END PUBLIC KEY-----\n");
        assertThat(Pem.bytes(text)).isEqualTo(new byte[60]);
    }
}
