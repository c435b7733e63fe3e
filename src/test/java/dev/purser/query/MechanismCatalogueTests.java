package dev.purser.query;

import dev.purser.mechanism.Mechanisms;
import dev.purser.web.RunningService;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class MechanismCatalogueTests extends RunningService {
    @Test
    void listsEverythingThatCanReleaseDataAndNothingElse() throws Exception {
        JsonNode catalogue = shown("/v1/mechanisms");
        assertThat(catalogue.propertyNames()).containsExactly("items", "next", "notOffered");
        assertThat(catalogue.get("next").isNull()).isTrue();
        JsonNode items = catalogue.get("items");
        assertThat(items.size()).isEqualTo(Mechanisms.ALL.size());
        for (int i = 0; i < items.size(); i++) {
            assertThat(items.get(i).get("name").asString())
                    .isEqualTo(Mechanisms.ALL.get(i).name());
            assertThat(items.get(i).propertyNames())
                    .containsExactly("name", "claim", "relation", "parameters", "noise", "accuracy", "reference");
        }
    }

    @Test
    void saysWhyOtherMethodsAreNotOffered() throws Exception {
        JsonNode notOffered = shown("/v1/mechanisms").get("notOffered");
        assertThat(notOffered.findValuesAsString("name"))
                .containsExactly(
                        "resampling-mean",
                        "reused-noise-sparse",
                        "naive-repeated-threshold",
                        "scale-by-private-level-laplace");
        assertThat(notOffered.findValuesAsString("why")).allMatch(why -> why.length() > 100);
    }

    @Test
    void isReadOnly() throws Exception {
        assertProblem(405, "method-not-allowed", send("DELETE", "/v1/mechanisms", ""));
    }
}
