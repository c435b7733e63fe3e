package dev.purser.ledger;

import dev.purser.journal.Head;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class HeadTests {
    private static final String HASH = "0123456789abcdef".repeat(4);

    @Test
    void isWrittenAndReadBack() {
        assertThat(new Head(17, HASH).text()).isEqualTo("17:" + HASH);
        assertThat(Head.parse("17:" + HASH)).isEqualTo(new Head(17, HASH));
        assertThat(Head.parse("1:" + HASH)).isEqualTo(new Head(1, HASH));
        assertThat(Head.parse("9223372036854775807:" + HASH).sequence()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ":", "17", ":" + "0", "0:%s", "-1:%s", "x:%s", ":%s", "9223372036854775808:%s", "17:%s0"})
    void refusesEverythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Head.parse(text.formatted(HASH)));
    }

    /**
     * The last character is missing, or is one of the neighbours of 0, 9, a and f among the characters, or is a capital
     * letter.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", "/", ":", "`", "g", "G"})
    void refusesAHashThatIsNone(String last) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Head(1, HASH.substring(1) + last));
    }

    @Test
    void refusesAnEntryBeforeTheFirst() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Head(0, HASH));
    }

    @Test
    void theLaterIsTheOneWithTheHigherSequence() {
        Head first = new Head(1, HASH);
        Head second = new Head(2, HASH);

        assertThat(first.later(second)).isSameAs(second);
        assertThat(second.later(first)).isSameAs(second);
        assertThat(second.later(new Head(2, HASH))).isEqualTo(second);
    }

    @Test
    void aChainHasOneEntryWithANumber() {
        Head other = new Head(2, "f".repeat(64));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Head(2, HASH).later(other))
                .withMessageContaining(other.text());
    }
}
