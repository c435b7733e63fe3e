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

class DeltaTests {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.000000000000000001, 1",
        "1e-18, 1",
        "1E-18, 1",
        "1e-6, 1000000000000",
        "0.000001, 1000000000000",
        "1.5e-6, 1500000000000",
        "1.50e-6, 1500000000000",
        "9.99e-16, 999",
        "5e-01, 500000000000000000",
        "0.01, 10000000000000000",
        "1, 1000000000000000000",
        "1.000000000000000000, 1000000000000000000"
    })
    void readsDecimalsWithAndWithoutAnExponentExactly(String text, long attos) {
        assertThat(Delta.parse(text)).isEqualTo(new Delta(attos));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1e-6",
                "-0",
                "+1e-6",
                "NaN",
                "Infinity",
                "2",
                "1.000000000000000001",
                "1.1",
                "1e0",
                "1e6",
                "1e+6",
                "10e-6",
                "0e-6",
                "0.1e-6",
                "1e-19",
                "1.5e-18",
                "9.99e-17",
                "1e-99",
                "1e-100",
                "1e-1000000000",
                "1e",
                "1e-",
                "e-6",
                "1e-6 ",
                " 1e-6",
                "0,1",
                "1e-٦",
                "1e-6\n",
                "0.0000000000000000001",
                "4.9e-324",
                "null",
                "1e-6e-6",
                "9e-1000",
                "0x1p-3",
                "1d"
            })
    void refusesEverythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Delta.parse(text));
    }

    @Test
    void aDeltaThatExistsIsAProbability() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Delta(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Delta(Delta.ATTOS_PER_UNIT + 1));
    }

    /**
     * 300,000 random texts: each is accepted exactly if BigDecimal and the rules accept it, and is written back as
     * the same number.
     */
    @Test
    void agreesWithBigDecimal() {
        Random random = new Random(20_261_122);
        int taken = 0;
        for (int i = 0; i < 300_000; i++) {
            String text =
                    random.nextInt(4) == 0 ? EpsilonTests.randomDecimal(random, 1, 18) : DecimalTexts.random(random);
            Optional<BigDecimal> expected = expected(text);
            Delta delta = parsed(text);
            if (delta == null ? expected.isPresent() : !isExactly(delta, expected)) {
                Assertions.fail("\"" + text + "\" was read as " + delta);
            }
            taken += delta == null ? 0 : 1;
        }

        assertThat(taken).isBetween(60_000, 240_000);
    }

    private static Optional<BigDecimal> expected(String text) {
        int e = Math.max(text.indexOf('e'), text.indexOf('E'));
        Optional<BigDecimal> value = e < 0 ? DecimalTexts.plain(text, 18) : power(text, e);
        return value.filter(some -> some.compareTo(BigDecimal.ONE) <= 0)
                .filter(some -> some.stripTrailingZeros().scale() <= 18);
    }

    /** A mantissa from 1 to below 10, and a negative exponent of one or two digits. */
    private static Optional<BigDecimal> power(String text, int e) {
        String exponent = text.substring(e + 1);
        boolean small = exponent.length() >= 2 && exponent.length() <= 3 && exponent.charAt(0) == '-';
        for (int i = 1; i < exponent.length(); i++) {
            small &= exponent.charAt(i) >= '0' && exponent.charAt(i) <= '9';
        }
        return small
                ? DecimalTexts.plain(text.substring(0, e), 17)
                        .filter(mantissa -> mantissa.compareTo(BigDecimal.ONE) >= 0)
                        .filter(mantissa -> mantissa.compareTo(BigDecimal.TEN) < 0)
                        .map(mantissa -> mantissa.scaleByPowerOfTen(Integer.parseInt(exponent)))
                : Optional.empty();
    }

    private static @Nullable Delta parsed(String text) {
        try {
            return Delta.parse(text);
        } catch (IllegalArgumentException refused) {
            return null;
        }
    }

    private static boolean isExactly(Delta delta, Optional<BigDecimal> expected) {
        return expected.isPresent()
                && BigDecimal.valueOf(delta.attos(), 18).compareTo(expected.orElseThrow()) == 0
                && delta.toString()
                        .equals(expected.orElseThrow().stripTrailingZeros().toPlainString())
                && Delta.parse(delta.toString()).equals(delta);
    }

    @Test
    void isReadBackAsTheSameNumber() {
        Random random = new Random(20_261_124);
        for (int i = 0; i < 200_000; i++) {
            long attos = random.nextLong(1 + random.nextLong(Delta.ATTOS_PER_UNIT));
            if (Delta.parse(new Delta(attos).toString()).attos() != attos) {
                Assertions.fail(attos + " was read back as another number");
            }
        }
        assertThat(Delta.parse(new Delta(Delta.ATTOS_PER_UNIT).toString()).attos())
                .isEqualTo(Delta.ATTOS_PER_UNIT);
    }

    @Test
    void whatIsTooLongIsRefusedAndTakesNoMemory() {
        for (String text :
                new String[] {"1".repeat(1_000_000), "0." + "1".repeat(1_000_000), "1e-1000000000", "1e999999999"}) {
            assertThat(parsed(text)).isNull();
            assertThat(DecimalTexts.bytesOf(() -> parsed(text))).isLessThan(100_000);
        }
    }
}
