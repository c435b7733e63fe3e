package dev.purser.noise;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SecureBitsTests {
    @Test
    void refusesToDrawNoBitOrMoreThanALongHolds() {
        SecureBits bits = new SecureBits();
        assertThatIllegalArgumentException().isThrownBy(() -> bits.next(0));
        assertThatIllegalArgumentException().isThrownBy(() -> bits.next(64));
    }

    @Test
    void staysBelowTwoToTheCount() {
        SecureBits bits = new SecureBits();
        for (int count = 1; count <= 63; count++) {
            for (int i = 0; i < 200; i++) {
                assertThat(bits.next(count)).isBetween(0L, count == 63 ? Long.MAX_VALUE : (1L << count) - 1);
            }
        }
    }

    @Test
    void givesEveryPositionAFairBitAtEveryWidth() {
        // Each of 63·64/2 positions: 20,000 draws, |ones − 10,000| ≤ 460 is 6.5 standard deviations, 8e-11 each,
        // 2e-7 for all of them.
        SecureBits bits = new SecureBits();
        for (int count = 1; count <= 63; count++) {
            int[] ones = new int[count];
            for (int i = 0; i < 20_000; i++) {
                long drawn = bits.next(count);
                for (int position = 0; position < count; position++) {
                    ones[position] += (int) (drawn >>> position & 1);
                }
            }
            for (int position = 0; position < count; position++) {
                assertThat(ones[position])
                        .as("position %d of %d", position, count)
                        .isBetween(9_540, 10_460);
            }
        }
    }

    @Test
    void usesNoBitOfItsBufferTwice() throws ReflectiveOperationException {
        // A block with a single 1, read out in random chunks. Bits that are too few for the next chunk are dropped.
        SplittableRandom random = new SplittableRandom(3);
        int found = 0;
        for (int round = 0; round < 200; round++) {
            SecureBits bits = new SecureBits();
            bits.next(1);
            byte[] buffer = buffer(bits);
            int start = field("used").getInt(bits);
            field("wordBits").setInt(bits, 0);
            Arrays.fill(buffer, (byte) 0);
            int oneBit = random.nextInt(start * Byte.SIZE, buffer.length * Byte.SIZE);
            buffer[oneBit / Byte.SIZE] = (byte) (1 << oneBit % Byte.SIZE);
            int ones = 0;
            int next = 32;
            while (field("used").getInt(bits) < buffer.length
                    || next <= field("wordBits").getInt(bits)) {
                ones += Long.bitCount(bits.next(next));
                next = random.nextInt(1, 33);
            }
            assertThat(ones).isLessThanOrEqualTo(1);
            found += ones;
            assertThat(buffer).containsOnly(0);
        }
        // About an eighth of the bits is dropped.
        assertThat(found).isGreaterThan(130);
    }

    @Test
    void wipesWhatWasConsumed() throws ReflectiveOperationException {
        SecureBits bits = new SecureBits();
        for (int i = 0; i < 50; i++) {
            bits.next(61);
        }
        byte[] buffer = buffer(bits);
        int used = field("used").getInt(bits);
        assertThat(used).as("the next key and 50 words").isEqualTo(32 + 50 * 8);
        for (int i = 0; i < used; i++) {
            assertThat(buffer[i]).isZero();
        }
        long word = field("word").getLong(bits);
        int wordBits = field("wordBits").getInt(bits);
        assertThat(word >>> wordBits).as("bits already handed out").isZero();
    }

    @Test
    void makesEachBlockUnderAKeyOfItsOwnThatTheBlockBeforeHeld() throws Exception {
        SecureBits bits = new SecureBits();
        bits.next(1);
        Cipher cipher = (Cipher) field("cipher").get(bits);
        // The cipher's next output is the next block: 32 bytes of key, then the words handed out.
        byte[] expected = cipher.doFinal(new byte[8192]);
        SecretKeySpec following = new SecretKeySpec(expected, 0, 32, "AES");
        field("used").setInt(bits, 8192);
        assertNextWords(bits, expected);
        assertThat(buffer(bits)).startsWith(new byte[32]);

        cipher.init(Cipher.ENCRYPT_MODE, following, new IvParameterSpec(new byte[16]));
        expected = cipher.doFinal(new byte[8192]);
        cipher.init(Cipher.ENCRYPT_MODE, following, new IvParameterSpec(new byte[16]));
        field("used").setInt(bits, 8192);
        assertNextWords(bits, expected);
    }

    private static void assertNextWords(SecureBits bits, byte[] block) throws ReflectiveOperationException {
        field("wordBits").setInt(bits, 0);
        ByteBuffer words = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 32; at < 32 + 20 * 8; at += 8) {
            assertThat(bits.next(63)).isEqualTo(words.getLong(at) & Long.MAX_VALUE);
        }
    }

    @Test
    void returnsToTheOperatingSystemForASeed() throws ReflectiveOperationException {
        SecureBits bits = new SecureBits();
        Set<Long> firsts = new HashSet<>();
        for (int block = 0; block < SecureBits.BLOCKS_PER_SEED; block++) {
            field("used").setInt(bits, 8192);
            firsts.add(bits.next(63));
            assertThat(field("blocksLeft").getInt(bits)).isEqualTo(SecureBits.BLOCKS_PER_SEED - 1 - block);
        }
        field("used").setInt(bits, 8192);
        firsts.add(bits.next(63));
        assertThat(field("blocksLeft").getInt(bits)).isEqualTo(SecureBits.BLOCKS_PER_SEED - 1);
        assertThat(firsts).as("no two blocks begin alike").hasSize(SecureBits.BLOCKS_PER_SEED + 1);
    }

    @Test
    void drawsDifferentlyInEachInstance() {
        // Two equal strings of 630 bits: probability 2^-630.
        SecureBits one = new SecureBits();
        SecureBits other = new SecureBits();
        boolean differ = false;
        for (int i = 0; i < 10; i++) {
            differ |= one.next(63) != other.next(63);
        }
        assertThat(differ).isTrue();
    }

    private static byte[] buffer(SecureBits bits) throws ReflectiveOperationException {
        return (byte[]) field("buffer").get(bits);
    }

    private static Field field(String name) throws ReflectiveOperationException {
        Field field = SecureBits.class.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
