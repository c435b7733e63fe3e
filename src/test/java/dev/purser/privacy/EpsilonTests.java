package dev.purser.privacy;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EpsilonTests {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.0, 0",
        "0.000000001, 1",
        "0.1, 100000000",
        "0.10, 100000000",
        "1, 1000000000",
        "0.123456789, 123456789",
        "999999.999999999, 999999999999999",
        "1000000, 1000000000000000",
        "1000000.000000000, 1000000000000000"
    })
    void readsPlainDecimalsExactly(String text, long nanos) {
        assertThat(Epsilon.parse(text)).isEqualTo(new Epsilon(nanos));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "-0",
                "+1",
                "NaN",
                "Infinity",
                "-Infinity",
                "1e400",
                "1e1",
                "1E-3",
                "4.9e-324",
                "1e-30",
                "0.1000000001",
                "0.0000000000",
                "0,1",
                "1,000",
                "1_000",
                "٠.١",
                "１",
                "0.１",
                "1e1000000000",
                "9223372036854775808",
                "1000000.000000001",
                "1000001",
                "10000000",
                "00.1",
                "01",
                ".1",
                "1.",
                ".",
                "0x1",
                "0x1p3",
                "1f",
                "1d",
                "1L",
                "null",
                "true",
                "[1]",
                " 0.1",
                "0.1 ",
                "0.1\n",
                "\u00000.1",
                "0.1\u0000",
                "0.1.1",
                "\uFEFF0.1",
                "½",
                "0.1;",
                "--1",
                "1-",
                "∞"
            })
    void refusesEverythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Epsilon.parse(text));
    }

    @Test
    void anEpsilonThatExistsIsValid() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Epsilon(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Epsilon(1_000_000_000_000_001L));
        assertThatIllegalArgumentException().isThrownBy(() -> new Epsilon(Long.MIN_VALUE));
        assertThatIllegalArgumentException().isThrownBy(() -> new Epsilon(Long.MAX_VALUE));
    }

    /**
     * 300,000 random texts: each is accepted exactly if BigDecimal and the rules accept it, and is written back as
     * the same number.
     */
    @Test
    void agreesWithBigDecimal() {
        Random random = new Random(20_261_121);
        int taken = 0;
        for (int i = 0; i < 300_000; i++) {
            String text = DecimalTexts.random(random);
            Optional<BigDecimal> expected =
                    DecimalTexts.plain(text, 9).filter(value -> value.compareTo(BigDecimal.valueOf(1_000_000)) <= 0);
            Epsilon epsilon = parsed(text);
            if (epsilon == null ? expected.isPresent() : !isExactly(epsilon, expected)) {
                Assertions.fail("\"" + text + "\" was read as " + epsilon);
            }
            taken += epsilon == null ? 0 : 1;
        }

        assertThat(taken).isBetween(60_000, 240_000);
    }

    private static @Nullable Epsilon parsed(String text) {
        try {
            return Epsilon.parse(text);
        } catch (IllegalArgumentException refused) {
            return null;
        }
    }

    private static boolean isExactly(Epsilon epsilon, Optional<BigDecimal> expected) {
        return expected.isPresent()
                && BigDecimal.valueOf(epsilon.nanos(), 9).compareTo(expected.orElseThrow()) == 0
                && epsilon.toString()
                        .equals(expected.orElseThrow().stripTrailingZeros().toPlainString())
                && Epsilon.parse(epsilon.toString()).equals(epsilon);
    }

    /**
     * From whole number to text and back: every amount of a few nanos, the amounts below each power of ten, and random
     * amounts.
     */
    @Test
    void isReadBackAsTheSameNumber() {
        Random random = new Random(20_261_123);
        for (long nanos = 0; nanos <= 1_000_000_000_000_000L; nanos = nanos < 100_000 ? nanos + 1 : nanos * 10) {
            assertThat(Epsilon.parse(new Epsilon(nanos).toString()).nanos()).isEqualTo(nanos);
            long below = Math.max(0, nanos - 1);
            assertThat(Epsilon.parse(new Epsilon(below).toString()).nanos()).isEqualTo(below);
        }
        for (int i = 0; i < 200_000; i++) {
            long nanos = random.nextLong(1_000_000_000_000_001L);
            if (Epsilon.parse(new Epsilon(nanos).toString()).nanos() != nanos) {
                Assertions.fail(nanos + " was read back as another number");
            }
        }
    }

    @Test
    void whatIsTooLongIsRefusedAndTakesNoMemory() {
        for (String text : new String[] {
            "1".repeat(1_000_000),
            "0." + "1".repeat(1_000_000),
            "0".repeat(1_000_000) + "1",
            "1e1000000000",
            "9e999999999"
        }) {
            assertThat(parsed(text)).isNull();
            assertThat(DecimalTexts.bytesOf(() -> parsed(text))).isLessThan(100_000);
        }
    }

    static String randomDecimal(Random random, int below, int maxDigits) {
        int digits = random.nextInt(maxDigits + 1);
        StringBuilder text = new StringBuilder(Integer.toString(random.nextInt(1 + random.nextInt(below))));
        for (int i = 0; i < digits; i++) {
            text.append(i == 0 ? "." : "").append(random.nextInt(10));
        }
        return text.toString();
    }
}
