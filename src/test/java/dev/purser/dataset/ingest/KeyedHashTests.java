package dev.purser.dataset.ingest;

import java.nio.ByteBuffer;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyedHashTests {
    @Test
    void isTheHmacOfJava() throws Exception {
        Random random = new Random(1);
        for (int keyBytes : new int[] {1, 30, 32, 63, 64}) {
            byte[] key = new byte[keyBytes];
            random.nextBytes(key);
            Mac reference = Mac.getInstance("HmacSHA256");
            reference.init(new SecretKeySpec(key, "HmacSHA256"));
            KeyedHash hash = new KeyedHash(key);
            for (int length = 0; length < 200; length++) {
                byte[] message = new byte[length];
                random.nextBytes(message);
                int from = random.nextInt(length + 1);
                int to = random.nextInt(from, length + 1);
                hash.hash(length, message, from, to);
                reference.update((byte) length);
                reference.update(message, from, to - from);
                ByteBuffer expected = ByteBuffer.wrap(reference.doFinal());
                for (int word = 0; word < 4; word++) {
                    assertThat(hash.word(word)).isEqualTo(expected.getLong());
                }
            }
        }
    }

    @Test
    void refusesAKeyThatWouldBeHashedFirst() {
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyedHash(new byte[65]));
    }
}
