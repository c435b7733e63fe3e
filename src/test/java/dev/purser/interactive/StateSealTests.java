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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StateSealTests {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SECRET = "the noisy threshold is 17".getBytes(StandardCharsets.US_ASCII);
    private static final String ID = "01KAJ4Z5T3S8Q2W9E7R6Y1XBNV";

    private final StateSeal seal = new StateSeal(KEY);

    private static void doesNotOpen(ThrowingCallable opening) {
        assertThatThrownBy(opening)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the state of an interaction does not open")
                .hasMessageNotContaining("17");
    }

    @Test
    void opensWhatItSealed() {
        assertThat(seal.open(seal.seal(SECRET, ID, 3), ID, 3)).isEqualTo(SECRET);
        assertThat(new StateSeal(KEY).open(seal.seal(new byte[0], ID, 0), ID, 0))
                .isEmpty();
    }

    @Test
    void opensForItsOwnInteractionVersionAndKeyOnly() {
        byte[] sealed = seal.seal(SECRET, ID, 3);
        byte[] otherKey = KEY.clone();
        otherKey[31] ^= 1;

        doesNotOpen(() -> seal.open(sealed, ID, 2));
        doesNotOpen(() -> seal.open(sealed, ID, 4));
        doesNotOpen(() -> seal.open(sealed, ID.replace('V', 'W'), 3));
        doesNotOpen(() -> new StateSeal(otherKey).open(sealed, ID, 3));
    }

    @Test
    void noChangedOrShortenedByteOpens() {
        byte[] sealed = seal.seal(SECRET, ID, 3);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            doesNotOpen(() -> seal.open(changed, ID, 3));
        }
        for (int length = 12; length < sealed.length; length++) {
            byte[] shortened = Arrays.copyOf(sealed, length);
            doesNotOpen(() -> seal.open(shortened, ID, 3));
        }
    }

    @Test
    void theSameStateNeverHasTheSameSeal() {
        Set<String> nonces = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            byte[] sealed = seal.seal(SECRET, ID, 3);
            assertThat(sealed).hasSize(12 + SECRET.length + 16);
            nonces.add(Arrays.toString(Arrays.copyOf(sealed, 12)));
        }
        assertThat(nonces).hasSize(1_000);
    }

    /** A state that one release stores has to open in the next one. */
    @Test
    void hasTheStatedForm() throws GeneralSecurityException {
        ByteBuffer sealed = ByteBuffer.wrap(seal.seal(SECRET, ID, 3));
        byte[] nonce = new byte[12];
        sealed.get(nonce);
        byte[] ciphertext = new byte[sealed.remaining()];
        sealed.get(ciphertext);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(KEY, "AES"), new GCMParameterSpec(128, nonce));
        cipher.updateAAD(("purser-interaction-1\n" + ID + "\n3").getBytes(StandardCharsets.UTF_8));

        assertThat(cipher.doFinal(ciphertext)).isEqualTo(SECRET);
    }

    @Test
    void showsNothingAndTakesNoWeakKey() {
        assertThat(seal).hasToString("StateSeal[redacted]");
        assertThatIllegalArgumentException().isThrownBy(() -> new StateSeal(new byte[16]));
    }
}
