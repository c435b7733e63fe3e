package dev.purser.session;

import dev.purser.store.PurserHome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class StateSealTests {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OTHER = "another key of thirty-two bytes.".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SECRET = "the noisy threshold is 17".getBytes(StandardCharsets.US_ASCII);
    private static final String TEXT = "of session 3";

    private final StateSeal seal = StateSeals.of(KEY);

    @Test
    void opensWhatItSealed() {
        assertThat(seal.open(seal.seal(SECRET, TEXT), TEXT)).contains(SECRET);
        assertThat(StateSeals.of(KEY).open(seal.seal(new byte[0], ""), "")).contains(new byte[0]);
    }

    @Test
    void opensForItsOwnTextAndKeyOnly() {
        byte[] sealed = seal.seal(SECRET, TEXT);
        byte[] otherKey = KEY.clone();
        otherKey[31] ^= 1;

        assertThat(seal.open(sealed, TEXT + "\n")).isEmpty();
        assertThat(seal.open(sealed, TEXT.replace('3', '4'))).isEmpty();
        assertThat(seal.open(sealed, "")).isEmpty();
        assertThat(StateSeals.of(otherKey).open(sealed, TEXT)).isEmpty();
    }

    @Test
    void noChangedOrShortenedByteOpens() {
        byte[] sealed = seal.seal(SECRET, TEXT);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertThat(seal.open(changed, TEXT)).isEmpty();
        }
        for (int length = 0; length < sealed.length; length++) {
            byte[] shortened = Arrays.copyOf(sealed, length);
            assertThat(seal.open(shortened, TEXT)).isEmpty();
        }
    }

    @Test
    void theSameStateNeverHasTheSameSeal() {
        Set<String> nonces = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            byte[] sealed = seal.seal(SECRET, TEXT);
            assertThat(sealed).hasSize(12 + SECRET.length + 16);
            nonces.add(Arrays.toString(Arrays.copyOf(sealed, 12)));
        }
        assertThat(nonces).hasSize(1_000);
    }

    /** A state that one release stores has to open in the next one. */
    @Test
    void hasTheStatedForm() throws GeneralSecurityException {
        ByteBuffer sealed = ByteBuffer.wrap(seal.seal(SECRET, TEXT));
        byte[] nonce = new byte[12];
        sealed.get(nonce);
        byte[] ciphertext = new byte[sealed.remaining()];
        sealed.get(ciphertext);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(KEY, "AES"), new GCMParameterSpec(128, nonce));
        cipher.updateAAD(TEXT.getBytes(StandardCharsets.UTF_8));

        assertThat(cipher.doFinal(ciphertext)).isEqualTo(SECRET);
    }

    @Test
    void showsNothing() {
        assertThat(seal).hasToString("StateSeal[redacted]");
    }

    @Test
    void sealsWithTheNewestKeyAndOpensWithEveryKnownOne() {
        StateSeal other = StateSeals.of(OTHER);
        StateSeal rotated = StateSeals.of(OTHER, KEY);
        byte[] sealed = rotated.seal(SECRET, TEXT);

        assertThat(other.open(sealed, TEXT)).contains(SECRET);
        assertThat(seal.open(sealed, TEXT)).isEmpty();
        assertThat(rotated.open(sealed, TEXT)).contains(SECRET);
        assertThat(rotated.open(seal.seal(SECRET, TEXT), TEXT)).contains(SECRET);
        assertThat(rotated.open(seal.seal(SECRET, TEXT), TEXT + "x")).isEmpty();
    }

    /** The first key of a home is the key that sealed before the home had a file of keys. */
    @Test
    void aRotationInTheHomeLosesNoState(@TempDir Path folder) {
        PurserHome home = new PurserHome(folder);
        StateSeal before = StateSeal.of(home, "", KEY);
        byte[] sealed = seal.seal(SECRET, TEXT);
        assertThat(before.open(sealed, TEXT)).contains(SECRET);

        StateSeal.rotate(home);

        StateSeal after = StateSeal.of(home, "", OTHER);
        assertThat(after.open(sealed, TEXT)).contains(SECRET);
        assertThat(seal.open(after.seal(SECRET, TEXT), TEXT)).isEmpty();
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() ->
                        assertThat(seal.open(before.seal(SECRET, TEXT), TEXT)).isEmpty());
        assertThat(after.open(before.seal(SECRET, TEXT), TEXT)).contains(SECRET);
        assertThat(before.open(sealed, TEXT)).contains(SECRET);
    }

    /** Both instances know the new key before one of them uses it. */
    @Test
    void configuredKeysAreExchangedOneInstanceAfterTheOther(@TempDir Path folder) {
        String oldOne = Base64.getEncoder().encodeToString(KEY);
        String newOne = Base64.getEncoder().encodeToString(OTHER);
        PurserHome home = new PurserHome(folder);
        List<StateSeal> instances = Stream.of(oldOne, oldOne + "," + newOne, newOne + "," + oldOne)
                .map(keys -> StateSeal.of(home, keys, new byte[32]))
                .toList();
        for (int i = 0; i + 1 < instances.size(); i++) {
            StateSeal here = instances.get(i);
            StateSeal there = instances.get(i + 1);
            assertThat(there.open(here.seal(SECRET, TEXT), TEXT)).contains(SECRET);
            assertThat(here.open(there.seal(SECRET, TEXT), TEXT)).contains(SECRET);
        }
        assertThat(folder.resolve("sealing.key")).doesNotExist();
    }
}
