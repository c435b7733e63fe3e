package dev.purser.noise;

import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class UniformIntegerTests {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 9, 100, 127, 128, 129})
    void drawsEachNumberBelowABoundEquallyOften(long bound) {
        EveryBitString<Long> runs = EveryBitString.of(bits -> UniformInteger.below(bound, bits), 16);

        assertThat(runs.decided()).hasSize((int) bound);
        for (long value = 0; value < bound; value++) {
            // This is exact: rejection leaves the same share for every value at every depth.
            assertThat(runs.atLeast(value)).isEqualTo((1 - runs.undecided()) / bound, within(1e-15));
        }
    }

    @Test
    void drawsLargeBoundsUniformly() {
        // 64 cells, 64,000 draws, chi-square; false alarm 1e-6 for each of 5 bounds.
        long[] bounds = {(1L << 62) - 57, (1L << 61) + 1, 3L << 60, 1L << 62, (1L << 40) * 3};
        RandomBits bits = new SeededBits(4);
        for (long bound : bounds) {
            long[] drawn = new long[64];
            double[] expected = new double[64];
            Arrays.fill(expected, 1.0 / 64);
            for (int i = 0; i < 64_000; i++) {
                drawn[cell(UniformInteger.below(bound, bits), bound)]++;
            }
            GoodnessOfFit.assertFits(drawn, expected);
        }
    }

    private static int cell(long value, long bound) {
        return BigInteger.valueOf(value)
                .shiftLeft(6)
                .divide(BigInteger.valueOf(bound))
                .intValueExact();
    }
}
