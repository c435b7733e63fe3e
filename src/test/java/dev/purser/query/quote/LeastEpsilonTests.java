package dev.purser.query.quote;

import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeastEpsilonTests {
    private static Optional<Long> nanos(long target, LongUnaryOperator alpha) {
        return LeastEpsilon.meeting(
                        BigDecimal.valueOf(target), epsilon -> BigDecimal.valueOf(alpha.applyAsLong(epsilon.nanos())))
                .map(Epsilon::nanos);
    }

    @ParameterizedTest
    @ValueSource(longs = {1_001, 1_002, 999_999, 123_456_789, 1_000_000_001, 99_999_999_999L, 100_000_000_000L})
    void findsTheVeryNano(long least) {
        assertThat(nanos(5, nanos -> nanos >= least ? 5 : 6)).hasValue(least);
        assertThat(nanos(5, nanos -> nanos >= least ? 0 : 1_000)).hasValue(least);
    }

    @Test
    void staysWithinWhatOneQuestionMayHave() {
        assertThat(nanos(5, nanos -> 5)).hasValue(1_000L);
        assertThat(nanos(5, nanos -> 6)).isEmpty();
        LeastEpsilon.meeting(BigDecimal.ONE, epsilon -> {
            assertThat(epsilon.nanos()).isBetween(1_000L, 100_000_000_000L);
            return BigDecimal.valueOf(100_000_000_000L - epsilon.nanos());
        });
    }

    @Test
    void oneNanoLessMissesAlsoWhereRoundingLetsAlphaRise() {
        // Every third nano is one higher than it should be.
        LongUnaryOperator alpha = nanos -> 1_000_000_000L / nanos + (nanos % 3 == 0 ? 1 : 0);
        for (long target = 1; target < 2_000; target++) {
            long found = nanos(target, alpha).orElseThrow();
            assertThat(alpha.applyAsLong(found)).isLessThanOrEqualTo(target);
            assertThat(alpha.applyAsLong(found - 1)).isGreaterThan(target);
        }
    }
}
