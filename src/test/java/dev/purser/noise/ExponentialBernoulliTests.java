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

        runs.encloses(true, Math.exp(-(double) numerator / denominator));
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

    @ParameterizedTest
    @MethodSource("exponents")
    void hasItsProbabilityOnBothArithmetics(Rational exponent) {
        NoiseFit.assertFrequency(new ExponentialBernoulli(exponent)::sample, Math.exp(-exponent.doubleValue()));
    }

    @Test
    void isCertainAtZeroAndDrawsNothing() {
        assertThat(new ExponentialBernoulli(Rational.ZERO).sample(NoiseFit.NONE))
                .isTrue();
    }

    @Test
    void refusesANegativeExponent() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ExponentialBernoulli(Rational.of(-1, 2)));
    }
}
