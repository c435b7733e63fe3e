package dev.purser.synopsis;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Source;
import dev.purser.json.JsonDocument;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.tables.TableName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Refinements that are refused before anything is read. {@link SynopsisOverHttpTests} has the rest. */
class RefinementTests {
    @Test
    void aSynopsisOfATableIsNotRefined() {
        Dataset table = DatasetsForTests.of(
                "people",
                new PrivacyUnit.Row(),
                100,
                List.of(DatasetsForTests.integer("age", 0, 125)),
                new Source.Table("warehouse", TableName.parse("census.people").orElseThrow()));
        byte[] question = "{\"columns\":[{\"column\":\"age\"}]}".getBytes(StandardCharsets.UTF_8);
        Synopsis synopsis = new Synopsis(
                "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q",
                table,
                JsonDocument.parse(question).read(in -> SynopsisCells.read(in, table)),
                "{}",
                null,
                List.of(),
                List.of());
        assertThatThrownBy(() -> Refinement.asked(question, synopsis))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("its rows may have changed");
    }
}
