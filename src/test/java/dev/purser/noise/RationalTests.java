package dev.purser.noise;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RationalTests {
    @Test
    void isHeldInLowestTerms() {
        assertThat(Rational.of(6, 4)).isEqualTo(Rational.of(3, 2));
        assertThat(Rational.of(-6, 4).numerator()).isEqualTo(BigInteger.valueOf(-3));
        assertThat(Rational.of(0, 7)).isEqualTo(Rational.ZERO);
        assertThat(Rational.of(3, 2)).hasToString("3/2");
    }

    @Test
    void refusesADenominatorOfZeroOrBelow() {
        assertThatIllegalArgumentException().isThrownBy(() -> Rational.of(1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> Rational.of(1, -2));
        assertThatIllegalArgumentException().isThrownBy(() -> Rational.ONE.dividedBy(Rational.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> Rational.ONE.dividedBy(Rational.of(-1, 2)));
    }

    @Test
    void addsSubtractsMultipliesAndDividesExactly() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 2_000; i++) {
            Rational one = Rational.of(random.nextLong(-1_000, 1_000), random.nextLong(1, 1_000));
            Rational other = Rational.of(random.nextLong(1, 1_000), random.nextLong(1, 1_000));
            assertThat(one.plus(other).minus(other)).isEqualTo(one);
            assertThat(one.times(other).dividedBy(other)).isEqualTo(one);
            assertThat(one.plus(one)).isEqualTo(one.times(Rational.of(2, 1)));
        }
        assertThat(Rational.of(1, 3).plus(Rational.of(1, 6))).isEqualTo(Rational.of(1, 2));
        assertThat(Rational.of(1, 3).minus(Rational.of(1, 2))).isEqualTo(Rational.of(-1, 6));
    }

    @Test
    void roundsUpOnBothSidesOfZero() {
        assertThat(Rational.of(7, 2).ceiling()).isEqualTo(BigInteger.valueOf(4));
        assertThat(Rational.of(-7, 2).ceiling()).isEqualTo(BigInteger.valueOf(-3));
        assertThat(Rational.of(8, 2).ceiling()).isEqualTo(BigInteger.valueOf(4));
        assertThat(Rational.ZERO.ceiling()).isEqualTo(BigInteger.ZERO);
    }

    @Test
    void isOrderedByValue() {
        assertThat(Rational.of(1, 3)).isLessThan(Rational.of(1, 2));
        assertThat(Rational.of(-1, 2)).isLessThan(Rational.of(-1, 3));
        assertThat(Rational.of(2, 4)).isEqualByComparingTo(Rational.of(1, 2));
    }

    @Test
    void givesTheNearestDouble() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 20_000; i++) {
            int numerator = random.nextInt(1, Integer.MAX_VALUE);
            int denominator = random.nextInt(1, Integer.MAX_VALUE);
            // IEEE division of two exactly represented integers is correctly rounded.
            assertThat(Rational.of(numerator, denominator).doubleValue()).isEqualTo((double) numerator / denominator);
        }
    }
}
