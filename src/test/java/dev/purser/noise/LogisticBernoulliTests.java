package dev.purser.noise;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class LogisticBernoulliTests {
    @ParameterizedTest
    @CsvSource({"0, 1, 1", "1, 1, 1", "1, 1, 2", "1, 2, 1", "2, 3, 2", "5, 1, 2"})
    void hasItsProbabilityOnEveryBitString(long numerator, long denominator, int digitBits) {
        LogisticBernoulli coin =
                new LogisticBernoulli(new ExponentialBernoulli(Rational.of(numerator, denominator), digitBits));
        EveryBitString<Boolean> runs = EveryBitString.of(coin::sample, 18);

        double probability = 1 / (Math.exp((double) numerator / denominator) + 1);
        assertThat(probability).isBetween(runs.atLeast(true) - 1e-12, runs.atLeast(true) + runs.undecided() + 1e-12);
        assertThat(runs.undecided()).isLessThan(0.35);
    }

    /** 200,000 draws; five standard deviations, false alarm below 6e-7 for each of 4 exponents. */
    @ParameterizedTest
    @CsvSource({"0, 1", "123456789, 1000000000", "1, 1", "7, 1"})
    void hasItsProbability(long numerator, long denominator) {
        int draws = 200_000;
        LogisticBernoulli coin = new LogisticBernoulli(Rational.of(numerator, denominator));
        RandomBits bits = new SeededBits(11);
        int hits = 0;
        for (int i = 0; i < draws; i++) {
            hits += coin.sample(bits) ? 1 : 0;
        }
        double probability = 1 / (Math.exp((double) numerator / denominator) + 1);
        double sigma = Math.sqrt(draws * probability * (1 - probability));
        assertThat((double) hits).isEqualTo(draws * probability, within(5 * sigma));
    }

    @Test
    void refusesANegativeExponent() {
        assertThatIllegalArgumentException().isThrownBy(() -> new LogisticBernoulli(Rational.of(-1, 2)));
    }
}
