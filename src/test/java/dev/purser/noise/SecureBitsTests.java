package dev.purser.noise;

import java.lang.reflect.Field;
import java.util.SplittableRandom;
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
        // Each of 63·64/2 positions: 20 000 draws, |ones − 10 000| ≤ 460 is 6.5 standard deviations, 8e-11 each,
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
    void usesEachBitOfItsBufferOnce() throws ReflectiveOperationException {
        // A buffer of known content, read out in random chunks: every bit has to come out, none of them twice.
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 200; round++) {
            SecureBits bits = new SecureBits();
            byte[] buffer = buffer(bits);
            int ones = 0;
            int oneBit = random.nextInt(buffer.length * Byte.SIZE);
            for (int i = 0; i < buffer.length; i++) {
                buffer[i] = (byte) (i == oneBit / Byte.SIZE ? 1 << oneBit % Byte.SIZE : 0);
            }
            field("used").setInt(bits, 0);
            int left = buffer.length * Byte.SIZE;
            while (left > 0) {
                int count = Math.min(left, random.nextInt(1, 64));
                ones += Long.bitCount(bits.next(count));
                left -= count;
            }
            assertThat(ones).isEqualTo(1);
            assertThat(buffer).containsOnly(0);
        }
    }

    @Test
    void wipesWhatWasConsumed() throws ReflectiveOperationException {
        SecureBits bits = new SecureBits();
        for (int i = 0; i < 50; i++) {
            bits.next(61);
        }
        byte[] buffer = buffer(bits);
        int used = field("used").getInt(bits);
        assertThat(used).isEqualTo((50 * 61 + 63) / 64 * 8);
        for (int i = 0; i < used; i++) {
            assertThat(buffer[i]).isZero();
        }
        long word = field("word").getLong(bits);
        int wordBits = field("wordBits").getInt(bits);
        assertThat(word >>> wordBits).as("bits already handed out").isZero();
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
