package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Questions that may not be charged, over HTTP. */
class SpendTests extends RunningService {
    private static final String MEAN = quoted("{'epsilon':'0.5','column':'age'}");
    private static final String STORED = MEAN.replace("}", ",\"spend\":false}");

    private String dataset = "";

    @BeforeEach
    void makeTheDataset() throws Exception {
        dataset = dataset("1", "age,hours,sex\n1,1,Male\n50,2.25,Female\n");
    }

    private HttpResponse<String> askAs(String key, String body) throws Exception {
        return postAs(key, "/v1/datasets/" + dataset + "/queries/mean", body);
    }

    @Test
    void whatIsNotStoredIsRefusedWithItsPriceAndNothingIsWritten() throws Exception {
        HttpResponse<String> refused = ask(dataset, "mean", STORED, "Idempotency-Key", "free");

        JsonNode problem = assertProblem(409, "nothing-stored", refused);
        assertThat(problem.at("/charge/epsilon").asString()).isEqualTo("0.5");
        assertThat(problem.at("/charge/delta").asString()).isEqualTo("0");
        assertThat(spent(dataset)).isEqualTo("0");
        // The only entry is the limit.
        assertThat(entries(dataset)).isEqualTo(1);
        assertStatus(200, ask(dataset, "mean", MEAN, "Idempotency-Key", "free"));
    }

    @Test
    void whatIsStoredIsReturnedWithoutReuseBeingSaid() throws Exception {
        JsonNode first = answered(dataset, "mean", MEAN);

        HttpResponse<String> stored = assertStatus(200, ask(dataset, "mean", STORED));

        assertThat(json(stored).get("answer")).isEqualTo(first.get("answer"));
        assertThat(stored.headers().firstValue("Answer-Reused"))
                .hasValue(first.get("queryId").asString());
        assertThat(spent(dataset)).isEqualTo("0.5");
    }

    /** What remains makes no difference: the same question is refused in the same words when nothing remains. */
    @Test
    void theRefusalDoesNotDependOnWhatRemains() throws Exception {
        String other = STORED.replace("0.5", "0.6");
        JsonNode before = assertProblem(409, "nothing-stored", ask(dataset, "mean", other));
        assertStatus(200, ask(dataset, "mean", MEAN.replace("0.5", "1")));
        assertThat(assertProblem(409, "nothing-stored", ask(dataset, "mean", other)))
                .isEqualTo(before);
    }

    @Test
    void spendTrueIsAsIfAbsent() throws Exception {
        assertStatus(200, ask(dataset, "mean", MEAN.replace("}", ",\"spend\":null}")));
        assertStatus(200, ask(dataset, "mean", MEAN.replace("}", ",\"spend\":true}")));
        assertThat(spent(dataset)).isEqualTo("1");
        assertProblem(422, "validation-failed", ask(dataset, "mean", MEAN.replace("}", ",\"spend\":\"no\"}")));
    }

    @Test
    void aViewerReadsWhatIsStoredAndSpendsNothing() throws Exception {
        String viewer = keyFor("viewer", "['" + dataset + "']");
        assertProblem(409, "nothing-stored", askAs(viewer, MEAN));
        JsonNode first = answered(dataset, "mean", MEAN);

        JsonNode seen = json(assertStatus(200, askAs(viewer, MEAN)));

        assertThat(seen.get("answer")).isEqualTo(first.get("answer"));
        assertThat(seen.at("/charge/epsilon").asString()).isEqualTo("0");
        assertProblem(403, "forbidden", askAs(viewer, MEAN.replace("}", ",\"spend\":true}")));
        assertThat(spent(dataset)).isEqualTo("0.5");
        String other = dataset("1", "age,hours,sex\n1,1,Male\n");
        assertProblem(404, "not-found", postAs(viewer, "/v1/datasets/" + other + "/queries/mean", MEAN));
    }

    /** What the key's name was charged for before, under another key, can be read and is not continued. */
    @Test
    void aKeyThatBecameAViewersReplaysItsAnswers() throws Exception {
        String name = newName();
        HttpResponse<String> analyst = makeKey(name, "analyst", "['" + dataset + "']", "");
        String path = "/v1/datasets/" + dataset + "/queries/mean";
        String key = json(assertStatus(201, analyst)).get("key").asString();
        HttpResponse<String> answer = assertStatus(200, postAs(key, path, MEAN, "Idempotency-Key", "k"));
        String replaced = ",'replaces':'" + json(analyst).get("keyId").asString() + "'";
        HttpResponse<String> viewer = makeKey(name, "viewer", "['" + dataset + "']", replaced);

        key = json(assertStatus(201, viewer)).get("key").asString();

        assertThat(postAs(key, path, MEAN, "Idempotency-Key", "k").body()).isEqualTo(answer.body());
    }
}
