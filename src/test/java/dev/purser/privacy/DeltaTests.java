package dev.purser.privacy;

import java.math.BigDecimal;
import java.util.Random;
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
    void refusesAMillionDigits() {
        assertThatIllegalArgumentException().isThrownBy(() -> Delta.parse("0." + "0".repeat(1_000_000)));
    }

    @Test
    void aDeltaThatExistsIsAProbability() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Delta(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Delta(Delta.ATTOS_PER_UNIT + 1));
    }

    @Test
    void agreesWithBigDecimal() {
        Random random = new Random(20_261_122);
        for (int i = 0; i < 100_000; i++) {
            String text = random.nextBoolean() ? EpsilonTests.randomDecimal(random, 1, 18) : randomPower(random);

            Delta delta = Delta.parse(text);

            BigDecimal value = new BigDecimal(text);
            if (BigDecimal.valueOf(delta.attos(), 18).compareTo(value) != 0
                    || !delta.toString().equals(value.stripTrailingZeros().toPlainString())
                    || !Delta.parse(delta.toString()).equals(delta)) {
                Assertions.fail(text + " was read as " + delta);
            }
        }
    }

    private static String randomPower(Random random) {
        int exponent = 1 + random.nextInt(18);
        int digits = random.nextInt(19 - exponent);
        StringBuilder text = new StringBuilder(Integer.toString(1 + random.nextInt(9)));
        for (int i = 0; i < digits; i++) {
            text.append(i == 0 ? "." : "").append(random.nextInt(10));
        }
        return text.append(random.nextBoolean() ? "e-" : "E-").append(exponent).toString();
    }
}
