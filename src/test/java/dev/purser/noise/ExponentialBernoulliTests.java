package dev.purser.noise;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class ExponentialBernoulliTests {
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 1, 2", "1, 2, 1", "2, 3, 2", "3, 2, 1", "5, 1, 2", "1, 7, 3"})
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfShortDigits {}

    @OfShortDigits
    void hasItsProbabilityOnEveryBitString(long numerator, long denominator, int digitBits) {
        assertEncloses(numerator, denominator, digitBits, 18, 0.32);
    }

    @Tag("deep")
    @OfShortDigits
    void hasItsProbabilityOnEveryLongBitString(long numerator, long denominator, int digitBits) {
        assertEncloses(numerator, denominator, digitBits, 22, 0.3);
    }

    private static void assertEncloses(
            long numerator, long denominator, int digitBits, int depth, double mostUndecided) {
        ExponentialBernoulli coin = new ExponentialBernoulli(Rational.of(numerator, denominator), digitBits);
        EveryBitString<Boolean> runs = EveryBitString.of(coin::sample, depth);

        double probability = Math.exp(-(double) numerator / denominator);
        assertThat(probability).isBetween(runs.atLeast(true) - 1e-12, runs.atLeast(true) + runs.undecided() + 1e-12);
        assertThat(runs.undecided()).isLessThan(mostUndecided);
    }

    static List<Rational> exponents() {
        BigInteger two = BigInteger.TWO;
        return List.of(
                Rational.of(1, 1_000_000_000),
                Rational.of(1, 10),
                Rational.of(1, 1),
                Rational.of(123_456_789, 1_000_000_000),
                Rational.of(5, 2),
                Rational.of(7, 1),
                // from here on BigInteger arithmetic
                Rational.of((1L << 51) + 1, 1L << 51),
                new Rational(two.pow(130).add(BigInteger.ONE), two.pow(131)));
    }

    /** 200,000 draws; five standard deviations and one draw, false alarm below 6e-7 for each of 8 exponents. */
    @ParameterizedTest
    @MethodSource("exponents")
    void hasItsProbabilityOnBothArithmetics(Rational exponent) {
        int draws = 200_000;
        ExponentialBernoulli coin = new ExponentialBernoulli(exponent);
        RandomBits bits = new SeededBits(11);
        int hits = 0;
        for (int i = 0; i < draws; i++) {
            hits += coin.sample(bits) ? 1 : 0;
        }
        double probability = Math.exp(-exponent.doubleValue());
        double sigma = Math.sqrt(draws * probability * (1 - probability));
        assertThat((double) hits).isEqualTo(draws * probability, within(5 * sigma + 1));
    }

    @Test
    void isCertainAtZeroAndDrawsNothing() {
        RandomBits none = count -> {
            throw new AssertionError("drew bits");
        };
        assertThat(new ExponentialBernoulli(Rational.ZERO).sample(none)).isTrue();
    }

    @Test
    void refusesANegativeExponent() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ExponentialBernoulli(Rational.of(-1, 2)));
    }
}
