package dev.purser.ledger.proof;

import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class SigningKeysTests {
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

    private static SigningKey newest(PurserHome home, String configured) {
        return SigningKeys.of(home, configured).newest();
    }

    private String published() throws IOException {
        return Files.readString(folder.resolve("signing.pub"));
    }

    private static String pem(SigningKey... keys) {
        return Stream.of(keys)
                .map(key -> Pem.text("PUBLIC KEY", key.publicKey().getEncoded()))
                .map(text -> new String(text, StandardCharsets.US_ASCII))
                .collect(Collectors.joining());
    }

    @Test
    void aRotationPutsANewKeyBeforeTheOthers() throws IOException {
        PurserHome home = new PurserHome(folder);
        SigningKeys keys = SigningKeys.of(home, "");
        SigningKey first = keys.newest();

        SigningKeys.rotate(home);
        SigningKey second = newest(home, "");
        SigningKeys.rotate(home);
        SigningKey third = newest(home, "");

        assertThat(List.of(second.id(), third.id())).doesNotContain(first.id());
        assertThat(published()).isEqualTo(pem(third, second, first));
        assertThat(SigningKeys.of(home, "").all().getLast().id()).isEqualTo(first.id());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("signing.key"))))
                .isEqualTo("rw-------");
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(keys.newest().id()).isEqualTo(third.id()));
    }

    @Test
    void nothingIsRotatedWhereThereIsNoKeyOrADamagedOne() throws IOException {
        PurserHome home = new PurserHome(folder);
        assertThatThrownBy(() -> SigningKeys.rotate(home))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("There is no signing.key in ");
        SigningKeys.of(home, "");
        String before = published();
        Files.writeString(folder.resolve("signing.key"), "damaged");
        assertThatThrownBy(() -> SigningKeys.rotate(home))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageEndingWith("is not an Ed25519 private key (PKCS#8).");
        assertThat(folder.resolve("signing.key")).hasContent("damaged");
        assertThat(published()).isEqualTo(before);
    }

    @Test
    void severalConfiguredKeysAreNewestFirst() throws IOException {
        PurserHome home = new PurserHome(folder);
        String base64 = RFC_PRIVATE_KEY.lines().toList().get(1);
        String other = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g";
        SigningKey second = newest(home, other);

        for (String configured : List.of(base64 + "," + other, RFC_PRIVATE_KEY + RFC_PRIVATE_KEY + ",\n" + other)) {
            SigningKeys keys = SigningKeys.of(home, configured);
            assertThat(keys.newest().publicKeyText()).isEqualTo(RFC_PUBLIC_KEY);
            assertThat(keys.all().getLast().id()).isEqualTo(second.id());
        }
        SigningKey first = newest(home, base64);
        SigningKeys.of(home, other + "," + base64);
        assertThat(published()).isEqualTo(pem(second, first));
        assertThatThrownBy(() -> SigningKeys.of(home, base64 + ",x")).isInstanceOf(StartupRefusal.class);
    }

    @Test
    void isMadeOnceAndKeptPrivately() throws IOException {
        PurserHome home = new PurserHome(folder);
        SigningKey first = newest(home, "");
        SigningKey second = newest(home, "");

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
        assertThat(newest(home, RFC_PRIVATE_KEY).publicKeyText()).isEqualTo(RFC_PUBLIC_KEY);
        String base64 = RFC_PRIVATE_KEY.lines().toList().get(1);
        assertThat(newest(home, base64).publicKeyText()).isEqualTo(RFC_PUBLIC_KEY);
        assertThat(folder.resolve("signing.key")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAA", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", RFC_PUBLIC_KEY})
    void refusesWhatIsNotAKey(String text) {
        PurserHome home = new PurserHome(folder);
        assertThatThrownBy(() -> SigningKeys.of(home, text))
                .isInstanceOf(StartupRefusal.class)
                .hasMessage("PURSER_SIGNING_KEY is not an Ed25519 private key (PKCS#8).");
    }

    @Test
    void writesThePublicKeyAnewOnlyWhereItIsAnother() throws IOException {
        PurserHome home = new PurserHome(folder);
        Path file = folder.resolve("signing.pub");
        SigningKey key = newest(home, "");
        FileTime before = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(file, before);

        newest(home, " ");
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(before);
        newest(home, RFC_PRIVATE_KEY);
        assertThat(Pem.bytes(Files.readString(file)))
                .isEqualTo(Base64.getDecoder().decode(RFC_PUBLIC_KEY));
        assertThat(newest(home, "").publicKey()).isEqualTo(key.publicKey());
        assertThat(Pem.bytes(Files.readString(file))).isEqualTo(key.publicKey().getEncoded());
    }

    /** Half of all public keys are points with an odd x coordinate. */
    @Test
    void everyDrawnKeyHasItsPublicKey() {
        for (int i = 0; i < 32; i++) {
            SigningKey drawn = newest(new PurserHome(folder.resolve("home" + i)), "");
            assertThat(SigningKey.verifies(drawn.publicKey(), MESSAGE, drawn.sign(MESSAGE)))
                    .isTrue();
        }
    }

    /** RFC 8032, section 7.1, test 1: the empty message. */
    @Test
    void signsAsTheStandardSays() {
        String seed = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g";
        SigningKey key = newest(new PurserHome(folder), seed);

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
