package dev.purser.noise;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class GaussianAcceptanceTests {
    /** With short digits and a coarse grid, the first draw decides hardly any candidate. */
    @ParameterizedTest
    @CsvSource({"1, 3, 1, 0", "1, 3, 2, 1", "1, 1, 1, 0", "1, 1, 2, 2", "7, 2, 1, 0", "6, 1, 1, 1"})
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfShortDigits {}

    @OfShortDigits
    void acceptsWithItsProbabilityOnEveryBitString(long numerator, long denominator, int digitBits, int gridBits) {
        assertEncloses(Rational.of(numerator, denominator), digitBits, gridBits, 16, 0.58);
    }

    @Tag("deep")
    @OfShortDigits
    void acceptsWithItsProbabilityOnEveryLongBitString(long numerator, long denominator, int digitBits, int gridBits) {
        assertEncloses(Rational.of(numerator, denominator), digitBits, gridBits, 20, 0.45);
    }

    private static void assertEncloses(
            Rational variance, int digitBits, int gridBits, int depth, double mostUndecided) {
        double sigmaSquared = variance.doubleValue();
        int t = (int) Math.sqrt(sigmaSquared) + 1;
        GaussianAcceptance acceptance = new GaussianAcceptance(variance, BigInteger.valueOf(t), digitBits, gridBits);
        for (int y = -3; y <= 3; y++) {
            BigInteger candidate = BigInteger.valueOf(y);
            EveryBitString<Boolean> runs = EveryBitString.of(bits -> acceptance.accepts(candidate, bits), depth);
            double distance = Math.abs(y) - sigmaSquared / t;
            double probability = Math.exp(-distance * distance / (2 * sigmaSquared));
            runs.encloses(true, probability);
            assertThat(runs.undecided()).isLessThan(mostUndecided);
        }
    }

    @Test
    void knowsTheExponentRoughlyWithinTheProvedError() {
        Random random = new Random(25);
        int known = 0;
        for (int i = 0; i < 40_000; i++) {
            Rational variance = new Rational(
                    new BigInteger(random.nextInt(1, 125), random).add(BigInteger.ONE),
                    new BigInteger(random.nextInt(1, 40), random).add(BigInteger.ONE));
            BigInteger t =
                    variance.numerator().divide(variance.denominator()).sqrt().add(BigInteger.ONE);
            BigInteger magnitude = new BigInteger(t.bitLength() + random.nextInt(6), random);
            BigInteger y = random.nextBoolean() ? magnitude : magnitude.negate();
            long rough = new GaussianAcceptance(variance, t, 62, GaussianAcceptance.GRID_BITS).rough(y);
            if (rough != GaussianAcceptance.UNKNOWN) {
                known++;
                assertWithinTheProvedError(rough, variance, t, y);
            }
        }
        assertThat(known).isGreaterThan(20_000);
    }

    @Test
    void knowsTheExponentRoughlyOfNearlyEveryCandidateUpToTwoToTheForty() {
        for (int log2 = 0; log2 <= 40; log2++) {
            BigInteger sigma = BigInteger.TWO.pow(log2);
            GaussianAcceptance acceptance = new GaussianAcceptance(
                    Rational.of(sigma.multiply(sigma)), sigma.add(BigInteger.ONE), 62, GaussianAcceptance.GRID_BITS);
            assertThat(acceptance.rough(sigma.multiply(BigInteger.TEN))).isNotEqualTo(GaussianAcceptance.UNKNOWN);
            assertThat(acceptance.rough(sigma.multiply(BigInteger.TEN).negate()))
                    .isNotEqualTo(GaussianAcceptance.UNKNOWN);
        }
    }

    @Test
    void hasARoughExponentOrNoneAtEveryPowerOfTwo() {
        BigInteger sigma = BigInteger.TWO.pow(30);
        Rational variance = Rational.of(sigma.multiply(sigma));
        BigInteger t = sigma.add(BigInteger.ONE);
        GaussianAcceptance acceptance = new GaussianAcceptance(variance, t, 62, GaussianAcceptance.GRID_BITS);
        for (int log2 = 0; log2 <= 70; log2++) {
            for (BigInteger y : new BigInteger[] {
                BigInteger.TWO.pow(log2), BigInteger.TWO.pow(log2).negate()
            }) {
                long rough = acceptance.rough(y);
                if (rough != GaussianAcceptance.UNKNOWN) {
                    assertWithinTheProvedError(rough, variance, t, y);
                }
            }
        }
    }

    private static void assertWithinTheProvedError(long rough, Rational variance, BigInteger t, BigInteger y) {
        assertThat(BigInteger.valueOf(rough)
                        .subtract(exponent(variance, t, y.abs()))
                        .abs())
                .as("%s at %s", y, variance)
                .isLessThanOrEqualTo(BigInteger.valueOf(4));
    }

    /** floor(2^ROUGH_BITS · (magnitude - σ²/t)² / (2σ²)) in exact fractions. */
    private static BigInteger exponent(Rational variance, BigInteger t, BigInteger magnitude) {
        Rational distance = Rational.of(magnitude).minus(variance.dividedBy(Rational.of(t)));
        Rational r = distance.times(distance).dividedBy(variance.plus(variance));
        return r.numerator().shiftLeft(GaussianAcceptance.ROUGH_BITS).divide(r.denominator());
    }
}
