package dev.purser.interactive;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StateSealTests {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SECRET = "the noisy threshold is 17".getBytes(StandardCharsets.US_ASCII);
    private static final String TEXT = "of session 3";

    private final StateSeal seal = new StateSeal(KEY);

    @Test
    void opensWhatItSealed() {
        assertThat(seal.open(seal.seal(SECRET, TEXT), TEXT)).contains(SECRET);
        assertThat(new StateSeal(KEY).open(seal.seal(new byte[0], ""), "")).contains(new byte[0]);
    }

    @Test
    void opensForItsOwnTextAndKeyOnly() {
        byte[] sealed = seal.seal(SECRET, TEXT);
        byte[] otherKey = KEY.clone();
        otherKey[31] ^= 1;

        assertThat(seal.open(sealed, TEXT + "\n")).isEmpty();
        assertThat(seal.open(sealed, TEXT.replace('3', '4'))).isEmpty();
        assertThat(seal.open(sealed, "")).isEmpty();
        assertThat(new StateSeal(otherKey).open(sealed, TEXT)).isEmpty();
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
    void showsNothingAndTakesNoWeakKey() {
        assertThat(seal).hasToString("StateSeal[redacted]");
        assertThatIllegalArgumentException().isThrownBy(() -> new StateSeal(new byte[16]));
    }
}
