package dev.purser.query;

import dev.purser.json.JsonDocument;
import dev.purser.privacy.Epsilon;
import dev.purser.query.RefinedQuestions.Wanted;
import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RefinedQuestionsTests {
    /** After a crash, the request of a tool is read like one that was sent. */
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"0.05", "0.0000001"})
    void whatIsKeptOfACallOfAToolIsReadAsARequest(String beta) {
        Wanted wanted =
                new Wanted(Epsilon.parse("0.000001"), Optional.ofNullable(beta).map(BigDecimal::new));
        assertThat((Wanted) JsonDocument.parse(wanted.bytes()).read(Wanted::read))
                .isEqualTo(wanted);
    }
}
