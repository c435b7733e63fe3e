package dev.purser.access;

import dev.purser.store.Database;
import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** What grants show, what they hide, and what they outlive. */
class GrantTests extends RunningService {
    private static final String CSV = "age,hours,sex\n1,1,Male\n";
    private static final String COUNT = quoted("{'epsilon':'1'}");

    @Autowired
    private Database database;

    private String registeredBy(String custodian) throws Exception {
        String id = newId();
        assertStatus(201, postAs(custodian, "/v1/datasets", registration(id, COLUMNS, "100", "add-or-remove-one", "")));
        assertStatus(200, uploadAs(custodian, id, ofItsOwn(id, CSV)));
        return id;
    }

    private HttpResponse<String> ask(String key, String id, String idempotencyKey) throws Exception {
        return postAs(key, "/v1/datasets/" + id + "/queries/count", COUNT, "Idempotency-Key", idempotencyKey);
    }

    /** All ids of the list, read page by page. */
    private List<String> listed(String key, int limit) throws Exception {
        List<String> ids = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = shownTo(key, "/v1/datasets?limit=" + limit + "&after=" + after);
            page.get("items").forEach(each -> ids.add(each.get("id").asString()));
            after = page.get("next").isNull() ? "" : page.get("next").asString();
        } while (!after.isEmpty());
        return ids;
    }

    @Test
    void listsHoldWhatIsGrantedOrOnesOwnAndNothingElse() throws Exception {
        String custodian = keyFor("custodian", "[]");
        List<String> own = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            own.add(registeredBy(custodian));
        }
        own.sort(null);
        String granted = registeredBy(keyFor("custodian", "[]"));
        List<String> both = new ArrayList<>(own);
        both.add(granted);
        both.sort(null);
        String analyst = keyFor("analyst", "['" + own.get(3) + "','" + own.get(1) + "','never-" + newId() + "']");
        String seer = keyFor("auditor", "['*']");
        String name = newName();
        assertStatus(201, makeKey(name, "custodian", "['" + granted + "']", ""));
        for (int limit : List.of(1, 2, 3, 1000)) {
            assertThat(listed(custodian, limit)).isEqualTo(own);
            assertThat(listed(analyst, limit)).containsExactly(own.get(1), own.get(3));
            assertThat(listed(seer, limit)).isSorted().containsAll(both).isEqualTo(listed(key(), limit));
            assertThat(listed(keyFor("analyst", "[]"), limit)).isEmpty();
        }
        assertStatus(204, sendAs(custodian, "DELETE", "/v1/datasets/" + own.get(1), BodyPublishers.noBody()));
        assertThat(listed(analyst, 1)).containsExactly(own.get(3));
        assertThat(listed(custodian, 2)).hasSize(4).doesNotContain(own.get(1));
    }

    @Test
    void aCustodianSeesWhatItIsGrantedAndChangesOnlyItsOwn() throws Exception {
        String granted = registeredBy(keyFor("custodian", "[]"));
        String custodian = keyFor("custodian", "['" + granted + "']");
        String own = registeredBy(custodian);
        assertThat(listed(custodian, 1)).containsExactlyInAnyOrder(granted, own);
        for (String path : List.of("", "/budget", "/ledger")) {
            assertStatus(200, getAs(custodian, "/v1/datasets/" + granted + path));
        }
        assertProblem(
                404, "not-found", sendAs(custodian, "DELETE", "/v1/datasets/" + granted, BodyPublishers.noBody()));
        assertProblem(
                404,
                "not-found",
                sendAs(
                        custodian,
                        "PUT",
                        "/v1/datasets/" + granted + "/data",
                        BodyPublishers.ofString(CSV),
                        "Content-Type",
                        "text/csv"));
        assertStatus(200, getAs(custodian, "/v1/datasets/" + granted));
    }

    @Test
    void anAccountOfAnotherCustodianIsSharedAsLittleAsOneThatIsNotThere() throws Exception {
        String other = registeredBy(keyFor("custodian", "[]"));
        String custodian = keyFor("custodian", "['" + other + "']");
        String missing = "z".repeat(other.length());
        List<String> replies = new ArrayList<>();
        for (String shared : List.of(other, missing)) {
            HttpResponse<String> reply = postAs(
                    custodian,
                    "/v1/datasets",
                    registration(
                            newId(), COLUMNS, "100", "add-or-remove-one", ",'sharesAccountWith':'" + shared + "'"));
            assertProblem(422, "validation-failed", reply);
            replies.add(reply.body().replace(shared, "{id}"));
        }
        assertThat(replies.getFirst()).isEqualTo(replies.getLast());
    }

    @Test
    void whetherADatasetIsOnesOwnIsReadOffAnIndexAlone() {
        String plan = database.read(connection -> connection
                .first(
                        "EXPLAIN QUERY PLAN SELECT 1 FROM dataset WHERE custodian = ? AND id BETWEEN ? AND ?",
                        row -> row.getString("detail"),
                        "ana",
                        "a",
                        "a")
                .orElseThrow());
        assertThat(plan).contains("USING COVERING INDEX dataset_custodian (custodian=? AND id>? AND id<?)");
    }

    @Test
    void anAnswerIsReadAsLongAsTheGrantStands() throws Exception {
        String id = registeredBy(keyFor("custodian", "[]"));
        String grant = "['" + id + "']";
        String name = newName();
        JsonNode made = json(assertStatus(201, makeKey(name, "analyst", grant, "")));
        String analyst = made.get("key").asString();
        HttpResponse<String> answer = assertStatus(200, ask(analyst, id, "k1"));
        String path = "/v1/queries/" + json(answer).get("queryId").asString();
        assertThat(assertStatus(200, getAs(analyst, path)).body()).isEqualTo(answer.body());
        assertThat(json(assertStatus(200, get(path))).has("reusedFrom")).isTrue();
        assertProblem(404, "not-found", getAs(keyFor("analyst", "[]"), path));
        String etag = answer.headers().firstValue("ETag").orElse("");
        assertThat(etag).isEmpty();

        // Another key of the same principal reads the answer and gets it replayed. Without the grant, the key gets
        // neither.
        JsonNode rotated = json(assertStatus(
                201,
                makeKey(
                        name,
                        "analyst",
                        grant,
                        ",'replaces':'" + made.get("keyId").asString() + "'")));
        String again = rotated.get("key").asString();
        assertThat(assertStatus(200, getAs(again, path)).body()).isEqualTo(answer.body());
        HttpResponse<String> replay = assertStatus(200, ask(again, id, "k1"));
        assertThat(replay.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(replay.body()).isEqualTo(answer.body());
        String ungranted = json(assertStatus(
                        201,
                        makeKey(
                                name,
                                "analyst",
                                "[]",
                                ",'replaces':'" + rotated.get("keyId").asString() + "'")))
                .get("key")
                .asString();
        assertProblem(404, "not-found", getAs(ungranted, path));
        assertProblem(404, "not-found", ask(ungranted, id, "k1"));
        assertThat(spent(id)).isEqualTo("1");
    }

    @Test
    void theSameIdempotencyKeyOfTwoPrincipalsIsTwoQuestions() throws Exception {
        String id = registeredBy(keyFor("custodian", "[]"));
        String grant = "['" + id + "']";
        String first =
                json(ask(keyFor("analyst", grant), id, "same")).get("queryId").asString();
        HttpResponse<String> second = assertStatus(200, ask(keyFor("analyst", grant), id, "same"));
        assertThat(second.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(json(second).get("queryId").asString()).isNotEqualTo(first);
        assertThat(spent(id)).isEqualTo("2");
    }

    @Test
    void booksAndAnswersOutliveTheDataForThoseWhoWereGrantedIt() throws Exception {
        String custodian = keyFor("custodian", "[]");
        String id = registeredBy(custodian);
        String analyst = keyFor("analyst", "['" + id + "']");
        String auditor = keyFor("auditor", "['" + id + "']");
        String queryId = json(ask(analyst, id, "k")).get("queryId").asString();
        assertStatus(204, sendAs(custodian, "DELETE", "/v1/datasets/" + id, BodyPublishers.noBody()));
        assertStatus(200, getAs(analyst, "/v1/queries/" + queryId));
        assertStatus(200, getAs(analyst, "/v1/datasets/" + id + "/budget"));
        assertStatus(200, getAs(auditor, "/v1/datasets/" + id + "/ledger"));
        assertStatus(200, getAs(custodian, "/v1/datasets/" + id + "/ledger"));
        for (String key : List.of(analyst, auditor, custodian)) {
            assertProblem(404, "not-found", getAs(key, "/v1/datasets/" + id));
        }
        assertProblem(404, "not-found", ask(analyst, id, "k"));
        assertProblem(404, "not-found", getAs(keyFor("auditor", "[]"), "/v1/datasets/" + id + "/ledger"));
    }

    @Test
    void aGrantOfAnIdThatIsNotThereYetTakesEffectWhenItIs() throws Exception {
        String id = newId();
        String analyst = keyFor("analyst", "['" + id + "']");
        assertProblem(404, "not-found", getAs(analyst, "/v1/datasets/" + id));
        assertStatus(201, register(registration(id, COLUMNS, "1", "add-or-remove-one", "")));
        assertStatus(200, getAs(analyst, "/v1/datasets/" + id));
        assertProblem(409, "dataset-not-ready", ask(analyst, id, "k"));
    }
}
