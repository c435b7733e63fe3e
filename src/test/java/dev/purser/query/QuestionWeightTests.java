package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.json.JsonDocument;
import dev.purser.privacy.PrivacyUnit;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
        String body = ("{'epsilon':1" + (fields.equals("''") ? "" : "," + fields) + "}").replace('\'', '"');
        QuestionKind known = QuestionKinds.named(kind).orElseThrow();
        Question<?> question = JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8))
                .read(in -> known.readAsked(in, DATASET))
                .question();

        assertThat(question.isHeavy()).isEqualTo(isHeavy);
    }
}
