package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.json.JsonDocument;
import dev.purser.privacy.PrivacyUnit;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a question reads and draws decides whether it waits for its turn. */
class QuestionWeightTests {
    private static final Dataset DATASET = DatasetsForTests.replaceOne(DatasetsForTests.of(
            "people", new PrivacyUnit.Row(), 1_000, List.of(DatasetsForTests.integer("age", 0, 99))));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "count | '' | false",
                "histogram | 'column':'age','edges':[0,50,100] | false",
                "mean | 'column':'age' | false",
                "quantile | 'column':'age','probabilities':[0.1,0.2,0.3,0.4,0.5,0.6] | false",
                "quantile | 'column':'age','probabilities':[0.1,0.2,0.3,0.4,0.5,0.6,0.7] | true",
                "local-mean | 'column':'age','lower':0,'upper':1 | true"
            })
    void isThatOfItsWorkload(String kind, String fields, boolean isHeavy) {
        QuestionRequest request = request(kind, fields);

        assertThat(request.question().isHeavy()).isEqualTo(isHeavy);
        assertThat(QuestionRequest.isHeavy(List.of(request))).isEqualTo(isHeavy);
    }

    private static QuestionRequest request(String kind, String fields) {
        String body = ("{'epsilon':1" + (fields.equals("''") ? "" : "," + fields) + "}").replace('\'', '"');
        QuestionKind known = QuestionKinds.named(kind).orElseThrow();
        return JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8)).read(in -> known.readAsked(in, DATASET));
    }

    @Test
    void aPlanIsAsHeavyAsItsQuestionsTogetherOrTheirNumber() {
        QuestionRequest count = request("count", "''");
        QuestionRequest bins = request(
                "histogram",
                "'column':'age','edges':["
                        + IntStream.range(0, 900).mapToObj(String::valueOf).collect(Collectors.joining(",")) + "]");

        assertThat(QuestionRequest.isHeavy(Collections.nCopies(50, count))).isFalse();
        assertThat(QuestionRequest.isHeavy(Collections.nCopies(51, count))).isTrue();
        assertThat(QuestionRequest.isHeavy(Collections.nCopies(2, bins))).isFalse();
        assertThat(QuestionRequest.isHeavy(Collections.nCopies(3, bins))).isTrue();
        assertThat(QuestionRequest.values(List.of(count, request("local-mean", "'column':'age'")), 1_000))
                .isEqualTo(1_001);
    }
}
