package dev.purser.local;

import dev.purser.noise.Rational;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LocalRefusalsTests {
    private static final Epsilon ONE = Epsilon.parse("1");
    private static final SeededBits BITS = new SeededBits(1);

    private static void refused(ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call);
    }

    @Test
    void ofEpsilonsOutOfRange() {
        for (Epsilon epsilon : List.of(Epsilon.ZERO, Epsilon.parse("100.000000001"))) {
            refused(() -> new GeneralizedRandomizedResponse(2, epsilon));
            refused(() -> new OptimizedUnaryEncoding(2, epsilon));
            refused(() -> new OptimizedLocalHashing(2, epsilon));
            refused(() -> new HadamardResponse(2, epsilon));
            refused(() -> new Harmony(epsilon));
            refused(() -> new Piecewise(epsilon));
            refused(() -> new Hybrid(epsilon));
            refused(() -> new LocalLaplace(epsilon, 10));
            refused(() -> new MultilevelLaplace(List.of(ONE, epsilon), 2, 10));
            refused(() -> new LeveledResponse(List.of(ONE, epsilon)));
            refused(() -> new LeveledResponse(List.of(epsilon, ONE)));
            refused(() -> new LeveledResponse(epsilon, List.of(ONE, ONE)));
            refused(() -> new LeveledResponse(ONE, List.of(ONE, epsilon)));
            refused(() -> SampledCoordinates.harmony(2, epsilon));
            refused(() -> SampledCoordinates.piecewise(1, epsilon));
            refused(() -> SampledCoordinates.hybrid(1, epsilon));
        }
    }

    @Test
    void ofPointsThatWouldTakeManyTries() {
        Epsilon above = Epsilon.parse("10.000000001");
        refused(() -> new Piecewise(above));
        refused(() -> new Hybrid(above));
        refused(() -> SampledCoordinates.piecewise(1, above));
        refused(() -> SampledCoordinates.piecewise(2, Epsilon.parse("20.000000001")));
        assertThat(SampledCoordinates.piecewise(2, Epsilon.parse("20")).sampled())
                .isEqualTo(2);
    }

    @Test
    void ofAWholeReportAboveTheLargestEpsilon() {
        // 40 coordinates at 2.525 each: each coordinate would be within its own range.
        refused(() -> SampledCoordinates.piecewise(100, Epsilon.parse("101")));
        refused(() -> SampledCoordinates.hybrid(100, Epsilon.parse("101")));
    }

    @Test
    void ofSizesOutOfRange() {
        refused(() -> new GeneralizedRandomizedResponse(1, ONE));
        refused(() -> new GeneralizedRandomizedResponse(GeneralizedRandomizedResponse.MAX_CATEGORIES + 1, ONE));
        for (int categories : new int[] {1, OptimizedUnaryEncoding.MAX_CATEGORIES + 1}) {
            refused(() -> new OptimizedUnaryEncoding(categories, ONE));
            refused(() -> new OptimizedLocalHashing(categories, ONE));
            refused(() -> new HadamardResponse(categories, ONE));
        }
        refused(() -> new OptimizedLocalHashing(OptimizedLocalHashing.MAX_CATEGORIES + 1, ONE));
        refused(() -> new OptimizedLocalHashing(3, Epsilon.parse("8.000000001")));
        refused(() -> new LocalLaplace(ONE, 0));
        refused(() -> new LocalLaplace(ONE, Position.MAX_WIDTH + 1));
        refused(() -> new MultilevelLaplace(List.of(ONE), 0, 10));
        refused(() -> new MultilevelLaplace(List.of(ONE), 2, 10));
        refused(() -> new LeveledResponse(List.of(ONE)));
        refused(() -> new LeveledResponse(Collections.nCopies(LeveledResponse.MAX_LEVELS + 1, ONE)));
        refused(() -> new LeveledResponse(List.of(ONE, Epsilon.parse("1.1"))));
        refused(() -> new LeveledResponse(ONE, List.of(ONE, Epsilon.parse("1.1"))));
        refused(() -> new LeveledResponse(ONE, List.of(ONE)));
        for (int dimensions : new int[] {0, SampledCoordinates.MAX_DIMENSIONS + 1}) {
            refused(() -> SampledCoordinates.harmony(dimensions, ONE));
            refused(() -> SampledCoordinates.piecewise(dimensions, ONE));
            refused(() -> SampledCoordinates.hybrid(dimensions, ONE));
        }
    }

    @Test
    void ofValuesThatAreNotOfTheProtocol() {
        for (int category : new int[] {-1, 3}) {
            refused(() -> new GeneralizedRandomizedResponse(3, ONE).report(category, BITS));
            refused(() -> new OptimizedUnaryEncoding(3, ONE).report(category, BITS));
            refused(() -> new OptimizedLocalHashing(3, ONE).report(category, BITS));
            refused(() -> new HadamardResponse(3, ONE).report(category, BITS));
        }
        refused(() -> new LocalLaplace(ONE, 10).report(new Position(1, 11), BITS));
        refused(() -> SampledCoordinates.harmony(2, ONE).report(List.of(new Position(1, 2)), BITS));
        LeveledResponse leveled = new LeveledResponse(List.of(ONE, ONE));
        refused(() -> leveled.report(new LeveledPosition(0, new Position(1, 2)), BITS));
        refused(() -> leveled.report(new LeveledPosition(3, new Position(1, 2)), BITS));
        refused(() -> leveled.conversionKeepProbability(2, 1));
        refused(() -> leveled.conversionKeepProbability(1, 3));
    }

    @Test
    void ofReportsThatAreNotOfTheAlphabet() {
        refused(() -> new Point(-1));
        refused(() -> new Point(Piecewise.POINTS));
        assertThat(new GeneralizedRandomizedResponse(3, ONE).isPossible(3)).isFalse();
        assertThat(new GeneralizedRandomizedResponse(3, ONE).isPossible(-1)).isFalse();
        assertThat(new OptimizedUnaryEncoding(3, ONE).isPossible(new CategoryBits(BitSet.valueOf(new long[] {8}))))
                .isFalse();
        OptimizedLocalHashing hashing = new OptimizedLocalHashing(3, ONE);
        for (int outside : new int[] {-1, Integer.MAX_VALUE}) {
            assertThat(hashing.isPossible(new HashedCategory(outside, 1, 1))).isFalse();
            assertThat(hashing.isPossible(new HashedCategory(1, outside, 1))).isFalse();
            assertThat(hashing.isPossible(new HashedCategory(1, 1, outside))).isFalse();
            assertThat(new HadamardResponse(3, ONE).isPossible(new HadamardSign(outside, Sign.PLUS)))
                    .isFalse();
        }
        assertThat(hashing.isPossible(new HashedCategory(1, 1, hashing.values())))
                .isFalse();
        assertThat(new HadamardResponse(3, ONE).isPossible(new HadamardSign(4, Sign.PLUS)))
                .isFalse();
        LeveledResponse leveled = new LeveledResponse(List.of(ONE, ONE));
        assertThat(leveled.isPossible(new LeveledSign(0, Sign.PLUS))).isFalse();
        assertThat(leveled.isPossible(new LeveledSign(3, Sign.PLUS))).isFalse();
        assertThat(new MultilevelLaplace(List.of(ONE, ONE), 2, 10).isPossible(new LeveledNoise(1, BigInteger.ONE)))
                .isFalse();
        Hybrid signsOnly = new Hybrid(Epsilon.parse("0.5"));
        assertThat(signsOnly.isPossible(new Point(7))).isFalse();
        assertThat(new Hybrid(ONE).isPossible(new Point(7))).isTrue();
        refused(() -> signsOnly.contribution(new Point(7)));
    }

    @Test
    void keepsAReportFromBeingChanged() {
        BitSet ones = BitSet.valueOf(new long[] {5});
        CategoryBits report = new CategoryBits(ones);
        ones.clear();
        report.ones().clear();
        assertThat(report.ones()).isEqualTo(BitSet.valueOf(new long[] {5}));
    }

    @Test
    void ofCoordinatesThatAreMissingRepeatedUnorderedOrUnknown() {
        SampledCoordinates<SignOrPoint> two = SampledCoordinates.hybrid(3, Epsilon.parse("5"));
        CoordinateReport<SignOrPoint> first = new CoordinateReport<>(0, Sign.PLUS);
        CoordinateReport<SignOrPoint> last = new CoordinateReport<>(2, Sign.MINUS);
        assertThat(two.isPossible(List.of(first, last))).isTrue();
        assertThat(two.isPossible(List.of(first))).isFalse();
        assertThat(two.isPossible(List.of(first, first))).isFalse();
        assertThat(two.isPossible(List.of(last, first))).isFalse();
        assertThat(two.isPossible(List.of(first, new CoordinateReport<>(3, Sign.PLUS))))
                .isFalse();
        assertThat(two.isPossible(List.of(new CoordinateReport<>(-1, Sign.PLUS), first)))
                .isFalse();
        assertThat(SampledCoordinates.hybrid(1, Epsilon.parse("0.5"))
                        .isPossible(List.of(new CoordinateReport<>(0, new Point(1)))))
                .isFalse();
    }

    @Test
    void ofPositionsOutsideTheirRange() {
        refused(() -> new Position(-1, 10));
        refused(() -> new Position(11, 10));
        refused(() -> new Position(0, 0));
        refused(() -> new Position(0, Position.MAX_WIDTH + 1));
        refused(() -> new Position(1, 2).stochasticallyRounded(0, BITS));
        refused(() -> new Position(1, 2).stochasticallyRounded((1L << 21) + 1, BITS));
    }

    @Test
    void clampsAValueToItsBoundsFirst() {
        assertThat(Position.clamped(-7, -5, 5)).isEqualTo(new Position(0, 10));
        assertThat(Position.clamped(3, -5, 5)).isEqualTo(new Position(8, 10));
        assertThat(Position.clamped(Long.MAX_VALUE, -5, 5)).isEqualTo(new Position(10, 10));
        refused(() -> Position.clamped(1, 5, 5));
    }

    @Test
    void showsNoValueWhenPrinted() {
        assertThat(new Position(3, 10)).hasToString("Position[redacted]");
        assertThat(new LeveledPosition(2, new Position(3, 10))).hasToString("LeveledPosition[redacted]");
    }

    @Test
    void roundsAShareOfEpsilonUp() {
        LocalEpsilon third = LocalEpsilon.of(ONE).dividedBy(3);
        assertThat(third.amount()).isEqualTo(Rational.of(1, 3));
        assertThat(third.roundedUp()).isEqualTo(Epsilon.parse("0.333333334"));
        assertThat(new Harmony(third).epsilon()).isEqualTo(Epsilon.parse("0.333333334"));
    }

    @Test
    void roundsTheLargestProductsWithoutOverflow() {
        Position most = new Position(Position.MAX_WIDTH, Position.MAX_WIDTH);
        assertThat(most.stochasticallyRounded(1L << 21, BITS)).isEqualTo(1L << 21);
    }
}
