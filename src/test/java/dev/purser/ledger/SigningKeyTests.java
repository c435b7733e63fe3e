package dev.purser.ledger;

import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
}
