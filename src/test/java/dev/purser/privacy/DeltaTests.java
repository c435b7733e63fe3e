package dev.purser.privacy;

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
        "1, 1000000000000000000",
        "0.000001, 1000000000000",
        "1e-6, 1000000000000",
        "1.5E-6, 1500000000000",
        "1e-18, 1",
        "1e-0, 1000000000000000000"
    })
    void readsDecimalsExactly(String text, long attos) {
        assertThat(Delta.parse(text)).isEqualTo(new Delta(attos));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-0.1",
                "+1",
                "1.1",
                "2e-0",
                "9.2e-0",
                "9.3e-0",
                "9.99999999999999999e-0",
                "1e-19",
                "1.5e-18",
                "1e6",
                "1e",
                "NaN",
                ".5",
                "0.0000000000000000001",
                "1e-999999999"
            })
    void refusesEverythingElseAsABadArgument(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Delta.parse(text));
    }

    @Test
    void printsPlainDecimals() {
        assertThat(Delta.parse("1e-6")).hasToString("0.000001");
    }
}
