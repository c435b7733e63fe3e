package dev.purser.noise;

import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ExactSamplingTests {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 9, 100, 127, 128, 129})
    void drawsEachNumberBelowABoundEquallyOften(long bound) {
        EveryBitString<Long> runs = EveryBitString.of(bits -> ExactSampling.uniformBelow(bound, bits), 16);
        EveryBitString<BigInteger> big =
                EveryBitString.of(bits -> ExactSampling.uniformBelow(BigInteger.valueOf(bound), bits), 16);

        assertThat(runs.decided()).hasSize((int) bound);
        for (long value = 0; value < bound; value++) {
            // Exactly: rejection leaves the same share for every value at every depth.
            assertThat(runs.atLeast(value)).isEqualTo((1 - runs.undecided()) / bound, within(1e-15));
            assertThat(big.atLeast(BigInteger.valueOf(value))).isEqualTo(runs.atLeast(value));
        }
    }

    @Test
    void drawsLargeBoundsUniformlyInBothForms() {
        // 64 cells, 64 000 draws, chi-square; false alarm 1e-6 for each of 2 · 5 bounds.
        long[] bounds = {(1L << 62) - 57, (1L << 61) + 1, 3L << 60, 1L << 62, (1L << 40) * 3};
        RandomBits bits = new SeededBits(4);
        for (long bound : bounds) {
            long[] fromLong = new long[64];
            long[] fromBig = new long[64];
            double[] expected = new double[64];
            Arrays.fill(expected, 1.0 / 64);
            BigInteger big = BigInteger.valueOf(bound).shiftLeft(70);
            for (int i = 0; i < 64_000; i++) {
                fromLong[
                        cell(BigInteger.valueOf(ExactSampling.uniformBelow(bound, bits)), BigInteger.valueOf(bound))]++;
                fromBig[cell(ExactSampling.uniformBelow(big, bits), big)]++;
            }
            assertThat(GoodnessOfFit.pValue(fromLong, expected)).isGreaterThan(GoodnessOfFit.FALSE_ALARM);
            assertThat(GoodnessOfFit.pValue(fromBig, expected)).isGreaterThan(GoodnessOfFit.FALSE_ALARM);
        }
    }

    private static int cell(BigInteger value, BigInteger bound) {
        return value.shiftLeft(6).divide(bound).intValueExact();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 7", "1, 1", "1, 2", "1, 4", "2, 3", "3, 4", "5, 8"})
    void succeedsWithTheProbabilityOfTheExponential(long n, long d) {
        EveryBitString<Boolean> runs = EveryBitString.of(bits -> ExactSampling.bernoulliExp(n, d, bits), 20);
        EveryBitString<Boolean> big = EveryBitString.of(
                bits -> ExactSampling.bernoulliExp(BigInteger.valueOf(n), BigInteger.valueOf(d), bits), 20);

        double truth = Math.exp(-(double) n / d);
        assertThat(truth).isBetween(runs.atLeast(true) - 1e-12, runs.atLeast(true) + runs.undecided() + 1e-12);
        assertThat(1 - truth).isBetween(runs.atLeast(false) - 1e-12, runs.atLeast(false) + runs.undecided() + 1e-12);
        assertThat(runs.undecided()).isLessThan(0.05);
        assertThat(big.decided()).isEqualTo(runs.decided());
    }

    @Test
    void countsSuccessesOfOneOverE() {
        EveryBitString<Long> runs = EveryBitString.of(ExactSampling::geometricOfE, 20);
        for (long v = 0; v < 12; v++) {
            double truth = Math.exp(-v) * (1 - Math.exp(-1));
            assertThat(truth).isBetween(runs.atLeast(v) - 1e-12, runs.atLeast(v) + runs.undecided() + 1e-12);
        }
        assertThat(runs.undecided()).isLessThan(0.02);
    }

    @Test
    void keepsItsDistributionWhereTheDenominatorIsAsLargeAsALongAllows() {
        // 200 000 draws each; |p̂ − p| ≤ 0.0056 is 5 standard deviations: 6e-7 for each of three.
        RandomBits bits = new SeededBits(5);
        long d = (1L << 40) - 1;
        for (long n : new long[] {d / 5, d / 2, d}) {
            int successes = 0;
            for (int i = 0; i < 200_000; i++) {
                successes += ExactSampling.bernoulliExp(n, d, bits) ? 1 : 0;
            }
            assertThat(successes / 200_000.0).isEqualTo(Math.exp(-(double) n / d), within(0.0056));
        }
    }
}
