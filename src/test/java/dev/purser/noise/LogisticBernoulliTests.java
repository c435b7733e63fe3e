package dev.purser.noise;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LogisticBernoulliTests {
    @ParameterizedTest
    @CsvSource({"0, 1, 1", "1, 1, 1", "1, 1, 2", "1, 2, 1", "2, 3, 2", "5, 1, 2"})
    void hasItsProbabilityOnEveryBitString(long numerator, long denominator, int digitBits) {
        LogisticBernoulli coin =
                new LogisticBernoulli(new ExponentialBernoulli(Rational.of(numerator, denominator), digitBits));
        EveryBitString<Boolean> runs = EveryBitString.of(coin::sample, 18);

        runs.encloses(true, probability(numerator, denominator));
        assertThat(runs.undecided()).isLessThan(0.35);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "123456789, 1000000000", "1, 1", "7, 1"})
    void hasItsProbability(long numerator, long denominator) {
        LogisticBernoulli coin = new LogisticBernoulli(Rational.of(numerator, denominator));
        NoiseFit.assertFrequency(coin::sample, probability(numerator, denominator));
    }

    private static double probability(long numerator, long denominator) {
        return 1 / (Math.exp((double) numerator / denominator) + 1);
    }

    @Test
    void refusesANegativeExponent() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LogisticBernoulli(Rational.of(-1, 2)));
    }
}
