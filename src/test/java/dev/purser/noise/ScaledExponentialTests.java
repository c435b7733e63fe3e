package dev.purser.noise;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the class with the same algorithm in integers of any size, on the same bits. Where words decide, both decide
 * the same.
 */
class ScaledExponentialTests {
    private static final class CountedBits implements RandomBits {
        private final SeededBits bits;
        private int draws;

        CountedBits(long seed) {
            bits = new SeededBits(seed);
        }

        @Override
        public long next(int count) {
            draws++;
            return bits.next(count);
        }
    }

    /** Von Neumann's run, computed from first digits only. */
    private static final class Reference {
        private final int digitBits;
        private final RandomBits bits;

        Reference(int digitBits, RandomBits bits) {
            this.digitBits = digitBits;
            this.bits = bits;
        }

        /** The bounds of floor((v + U)·t/s) from the first digits alone; null where first digits tie. */
        BigInteger[] floors(BigInteger t, BigInteger s) {
            for (long v = 0; ; v++) {
                long first = bits.next(digitBits);
                long last = first;
                boolean kept = true;
                long next = bits.next(digitBits);
                while (next < last) {
                    kept = !kept;
                    last = next;
                    next = bits.next(digitBits);
                }
                if (next == last) {
                    return new BigInteger[0];
                }
                if (kept) {
                    BigInteger whole =
                            BigInteger.valueOf(v).shiftLeft(digitBits).add(BigInteger.valueOf(first));
                    BigInteger denominator = s.shiftLeft(digitBits);
                    BigInteger low = whole.multiply(t).divide(denominator);
                    // U < (first + 1)/2^d, strictly.
                    BigInteger high = whole.add(BigInteger.ONE)
                            .multiply(t)
                            .subtract(BigInteger.ONE)
                            .divide(denominator);
                    return new BigInteger[] {low, high};
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 62",
        "10, 3, 62",
        "1, 1000000007, 62",
        "1099511627776, 1, 62",
        "1125899906842624, 3, 62",
        "6202987164521, 1099511627776, 62",
        "20620298716452133, 5102987164521, 62",
        "620298716452133123456789, 5102987164521224567, 62",
        "7, 620298716452133123456789, 62",
        "620298716452133123456789, 7, 62",
        "37778931862957161709571, 1048583, 62",
        "10, 3, 7",
        "1000, 7, 5",
        "1, 9, 3",
        "123456789, 1000, 20",
        "1073741824, 1, 31",
        "1, 1, 1"
    })
    void agreesWithIntegersOfAnySize(BigInteger t, BigInteger s, int digitBits) {
        ScaledExponential drawn = new ScaledExponential(t, s, digitBits);
        Random seeds = new Random(t.hashCode() * 31L + s.hashCode());
        int decided = 0;
        for (int i = 0; i < 50_000; i++) {
            long seed = seeds.nextLong();
            CountedBits first = new CountedBits(seed);
            BigInteger[] floors = new Reference(digitBits, first).floors(t, s);
            CountedBits all = new CountedBits(seed);
            BigInteger floor = drawn.sampleFloor(all);
            if (floors.length > 0) {
                assertThat(floor).isBetween(floors[0], floors[1]);
                boolean settled = floors[0].equals(floors[1]);
                decided += settled ? 1 : 0;
                // A device that draws from the same bits has to draw as many of them.
                assertThat(all.draws > first.draws).isNotEqualTo(settled);
            }
        }
        // If few floors are decided, the loop above says little.
        boolean isFine = digitBits == ScaledExponential.DIGIT_BITS && t.bitLength() - s.bitLength() <= 50;
        assertThat(decided).isGreaterThan(isFine ? 49_000 : -1);
    }
}
