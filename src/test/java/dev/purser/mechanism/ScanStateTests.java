package dev.purser.mechanism;

import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ScanStateTests {
    private static final BigInteger SECRET = BigInteger.valueOf(1_234_567_890_123L);

    private static final List<BigInteger> OFFSETS = List.of(
            BigInteger.ZERO,
            BigInteger.ONE,
            BigInteger.ONE.negate(),
            BigInteger.valueOf(127),
            BigInteger.valueOf(128),
            BigInteger.valueOf(-129),
            SECRET,
            SECRET.negate(),
            BigInteger.TWO.pow(511).subtract(BigInteger.ONE),
            BigInteger.TWO.pow(511).negate());

    private static ScanState state(BigInteger offset) {
        return ScanState.begun(offset).afterPositive(2).afterPositive(1);
    }

    @Test
    void areReadAsTheyWereWritten() {
        for (BigInteger offset : OFFSETS) {
            ScanState read = ScanState.ofSecretBytes(state(offset).secretBytes());
            assertThat(read.thresholdOffset()).isEqualTo(offset);
            assertThat(read.positives()).isEqualTo(2);
            assertThat(read.spent()).isEqualTo(3);
            assertThat(read.hasEnded()).isFalse();
        }
        for (BigInteger large :
                List.of(BigInteger.TWO.pow(511), BigInteger.TWO.pow(1_000).negate(), BigInteger.TWO.pow(5_000))) {
            assertThat(ScanState.ofSecretBytes(state(large).secretBytes()).thresholdOffset())
                    .isEqualTo(large);
        }
        ScanState ended = ScanState.ofSecretBytes(state(SECRET).ended().secretBytes());
        assertThat(ended.hasEnded()).isTrue();
        assertThat(ended.positives()).isEqualTo(2);
        assertThatIllegalStateException().isThrownBy(ended::thresholdOffset);
    }

    @Test
    void areOfOneLengthWhateverTheNoise() {
        for (BigInteger offset : OFFSETS) {
            assertThat(state(offset).secretBytes()).hasSize(78);
            assertThat(ScanState.begun(offset).secretBytes()).hasSize(78);
        }
        assertThat(state(SECRET).ended().secretBytes()).hasSize(78);
    }

    @Test
    void areOfOneLengthInTheLargestScaleThatAQuestionCanHave() {
        // Clip losses of 2^41 steps, in units of 2^31 rows, on a common grid with 2^70 steps for each of these steps,
        // at the least epsilon.
        InteractiveSparseVector mechanism = new InteractiveSparseVector(
                new PrivacyAllowance.Pure(Epsilon.parse("0.000001")),
                ThresholdFamily.ofSums(BigInteger.TWO.pow(41 + 31 + 70)),
                BigInteger.ZERO,
                1_000,
                OptionalInt.empty(),
                PureMechanisms.optimal(SparseVector.Release.INDICES, SparseVector.Variant.RESTART),
                0.05);
        SeededBits bits = new SeededBits(71);
        for (int i = 0; i < 1_000; i++) {
            assertThat(mechanism.begin(bits).secretBytes()).hasSize(78);
        }
    }

    @Test
    void holdNoThresholdOnceTheyHaveEnded() {
        assertThat(state(SECRET).ended().secretBytes())
                .isEqualTo(state(BigInteger.ONE).ended().secretBytes());
        assertThat(Arrays.copyOfRange(state(SECRET).ended().secretBytes(), 10, 74))
                .containsOnly(0);
    }

    @Test
    void areRefusedWithAnyBitChanged() {
        for (ScanState state :
                List.of(state(SECRET), state(SECRET.negate()), state(SECRET).ended())) {
            byte[] right = state.secretBytes();
            for (int bit = 0; bit < 8 * right.length; bit++) {
                byte[] wrong = right.clone();
                wrong[bit / 8] ^= (byte) (1 << bit % 8);
                assertRefused(wrong);
            }
        }
    }

    @Test
    void areRefusedIfTheyAreShorterLongerOrSomethingElse() {
        byte[] right = state(SECRET).secretBytes();
        for (int length = 0; length < 200; length++) {
            if (length != right.length) {
                assertRefused(Arrays.copyOf(right, length));
            }
        }
        SplittableRandom random = new SplittableRandom(72);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            assertRefused(bytes);
        }
    }

    private static void assertRefused(byte[] bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScanState.ofSecretBytes(bytes))
                .withMessage("not the state of a scan");
    }

    @Test
    void showNothingInTextOrInJson() {
        ScanState state = state(SECRET);
        InteractiveSparseVector.Reply reply =
                new InteractiveSparseVector.Reply(true, Optional.empty(), Optional.empty(), state);
        assertThat(state).hasToString("ScanState[redacted]");
        assertThat(reply.toString()).contains("ScanState[redacted]").doesNotContain(SECRET.toString());
        JsonMapper json = JsonMapper.builder().build();
        assertThat(json.writeValueAsString(state)).isEqualTo("{}");
        assertThat(json.writeValueAsString(reply)).contains("\"next\":{}").doesNotContain(SECRET.toString());
    }

    @Test
    void areComparedByIdentityAndNotSerializable() {
        assertThat(state(SECRET)).isNotEqualTo(state(SECRET));
        assertThat(Serializable.class.isAssignableFrom(ScanState.class)).isFalse();
    }
}
