package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.json.JsonDocument;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.privacy.Epsilon;
import dev.purser.query.RefinedQuestions.Wanted;
import dev.purser.synopsis.SynopsisQuery;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
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

    /** A quote tries about forty epsilons. Finding the tables of a synopsis can take seconds. */
    @Test
    void theQuestionIsReadOnceForAllEpsilons() {
        AtomicInteger reads = new AtomicInteger();
        QuestionKind kind = SynopsisQuery.KIND;
        QuestionKind counted = new QuestionKind(
                kind.name(),
                kind.summary(),
                kind.description(),
                kind.fields(),
                kind.example(),
                kind.answer(),
                kind.takesAssumedRows(),
                (in, dataset) -> {
                    reads.incrementAndGet();
                    return kind.reader().apply(in, dataset);
                },
                kind.table());
        Dataset dataset = DatasetsForTests.rows("adult", DatasetsForTests.integer("age", 0, 125));
        JsonObject question = (JsonObject)
                JsonDocument.parse("{\"epsilon\":\"1\",\"columns\":[{\"column\":\"age\"}]}".getBytes(UTF_8))
                        .root();

        Function<Epsilon, QuestionRequest> pricing = RefinedQuestions.pricing(
                dataset, new RefinedQuestions.Asked("Q", counted, question, null), Optional.empty());

        assertThat(Stream.of("0.5", "2", "99")
                        .map(more -> pricing.apply(Epsilon.parse(more)))
                        .map(refined -> refined.question().allowance().epsilon().toString()))
                .containsExactly("1.5", "3", "100");
        assertThat(reads).hasValue(1);
    }
}
