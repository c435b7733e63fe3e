package dev.purser.dataset;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** The same rows belong to one account for ever, whoever registers them and however they are written. */
class DuplicateRowsTests extends RunningService {
    private static final String AR = "add-or-remove-one";
    private static final String ONE = "age,hours,sex,of\n1,1.5,Male,%s\n2,2,Female,%s\n2,2,Female,%s\n";

    private static String rows(String id) {
        return ONE.replace("%s", id);
    }

    private String original() throws Exception {
        String id = registered(COLUMNS, "1", AR, "");
        assertStatus(200, upload(id, rows(id)));
        return id;
    }

    private String registered(String columns, String changes) throws Exception {
        return registered(columns, "1", AR, changes);
    }

    private String state(String id) throws Exception {
        return shown("/v1/datasets/" + id).get("state").asString();
    }

    private void assertRefused(String original, String id, String csv) throws Exception {
        HttpResponse<String> refused = upload(id, csv);
        assertProblem(409, "already-exists", refused);
        assertThat(refused.body().replace("/v1/datasets/" + id + "/data", "")).doesNotContain(original, id);
        assertThat(state(id)).isEqualTo("failed");
        assertThat(filesOf(id)).isEmpty();
        assertThat(json(refused).get("detail").asString())
                .contains("sharesAccountWith", "declaredPublic", "declaredOtherPeople");
        assertProblem(409, "dataset-not-ready", ask(id, "count", quoted("{'epsilon':'0.1'}")));
    }

    @Test
    void theSameRowsAreRefusedWhateverIsRegisteredOfThem() throws Exception {
        String original = original();
        assertRefused(original, registered("[" + AGE + "]", ""), rows(original));
        assertRefused(
                original,
                registered("[" + AGE.replace("age", "years") + "]", ""),
                rows(original).replace("age", "years"));
        String wider = registered(COLUMNS.replace("125", "99"), "");
        assertRefused(original, wider, rows(original));
        String unit = newId();
        String rows = registration(unit, "[" + AGE + "]", "1", "replace-one", "");
        assertStatus(201, register(withUnit(rows, "{'type':'column','column':'of','maxRows':2}")));
        assertRefused(original, unit, rows(original));
    }

    @Test
    void aDeletionDoesNotMakeBudgetNew() throws Exception {
        String original = original();
        assertStatus(200, ask(original, "count", quoted("{'epsilon':'1'}")));
        assertStatus(204, send("DELETE", "/v1/datasets/" + original, ""));
        assertRefused(original, registered(COLUMNS, ""), rows(original));
        String sharing = registered(COLUMNS, ",'sharesAccountWith':'" + original + "'");
        assertStatus(200, upload(sharing, rows(original)));
        assertProblem(409, "budget-exhausted", ask(sharing, "count", quoted("{'epsilon':'0.1'}")));
    }

    @Test
    void whoSharesTheAccountDebitsIt() throws Exception {
        String original = original();
        String sharing = registered("[" + AGE + "]", ",'sharesAccountWith':'" + original + "'");
        assertStatus(200, upload(sharing, rows(original)));
        JsonNode guarantee = answered(sharing, "count", """
                {"epsilon":"0.75"}""").get("guarantee");
        assertThat(guarantee.get("declaredPublic").asBoolean()).isFalse();
        assertThat(spent(original)).isEqualTo("0.75");
        assertProblem(409, "budget-exhausted", ask(original, "count", quoted("{'epsilon':'0.5'}")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"declaredPublic", "declaredOtherPeople"})
    void everyAnswerAboutRowsThatAreDeclaredSaysSo(String statement) throws Exception {
        String original = original();
        String declared = registered(COLUMNS, ",'" + statement + "':true");
        assertStatus(200, upload(declared, rows(original)));
        String question = quoted("{'epsilon':'0.25'}");
        for (String id : List.of(declared, original)) {
            JsonNode guarantee = answered(id, "count", question).get("guarantee");
            assertThat(guarantee.get(statement).asBoolean()).isEqualTo(id.equals(declared));
            assertThat(spent(id)).isEqualTo("0.25");
        }
        JsonNode shown = json(assertStatus(200, get("/v1/datasets/" + declared)));
        assertThat(shown.get(statement).asBoolean()).isTrue();
        assertRefused(original, registered(COLUMNS, ""), rows(original));
    }

    @Test
    void ofTheSameRowsAtTheSameTimeOneDatasetGetsThem() throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ids.add(registered(COLUMNS, ""));
        }
        String csv = rows(ids.getFirst());
        List<Future<HttpResponse<String>>> uploads = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ids.forEach(id -> uploads.add(threads.submit(() -> upload(id, csv))));
        }
        int taken = 0;
        for (int i = 0; i < ids.size(); i++) {
            HttpResponse<String> answer = uploads.get(i).get();
            if (answer.statusCode() == 200) {
                taken++;
            } else {
                assertProblem(409, "already-exists", answer);
            }
            assertThat(state(ids.get(i))).isEqualTo(answer.statusCode() == 200 ? "ready" : "failed");
        }
        assertThat(taken).isEqualTo(1);
    }
}
