package dev.purser.query;

import dev.purser.dataset.DatasetCatalog;
import dev.purser.digest.Sha256;
import dev.purser.json.JsonDocument;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.Reservation;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.web.RunningService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Charged questions whose rows in the database were changed by somebody who does not have the home. */
@ExtendWith(OutputCaptureExtension.class)
class StoredRequestTests extends RunningService {
    private static final String CSV = "age,hours,sex\n1,1,Male\n2,2,Female\n";
    private static final String COUNT = quoted("{'epsilon':'0.25'}");
    private static final String DEAR = quoted("{'epsilon':'90'}");

    @Autowired
    private ReservationSweeper sweeper;

    @Autowired
    private QueryRunner runner;

    @Autowired
    private BudgetLedger ledger;

    @Autowired
    private DatasetCatalog catalog;

    @Autowired
    private Database database;

    /** A dataset whose only questions are charged and have no answer; their keys are {@code kind}. */
    private String withOpenQuestions(String csv, String... kindsAndBodies) throws Exception {
        String id = dataset("100", csv);
        takeRowsAway(id);
        for (int i = 0; i < kindsAndBodies.length; i += 2) {
            String kind = kindsAndBodies[i];
            assertProblem(
                    503, "temporarily-unavailable", ask(id, kind, kindsAndBodies[i + 1], "Idempotency-Key", kind));
        }
        putRowsBack(id);
        return id;
    }

    private List<JsonNode> questions(String dataset) throws Exception {
        List<JsonNode> items = new ArrayList<>();
        shown("/v1/datasets/" + dataset + "/queries").get("items").forEach(items::add);
        return items;
    }

    private List<String> states(String dataset) throws Exception {
        return questions(dataset).stream()
                .map(each -> each.get("state").asString())
                .toList();
    }

    private String queryId(String dataset, int index) throws Exception {
        return questions(dataset).get(index).get("queryId").asString();
    }

    /** Changes a row in a way that the trigger forbids. Others use the same database at the same time. */
    private void change(String trigger, String sql, Object... values) {
        database.write(Database.NO_ACCOUNT, connection -> {
            String rule = connection
                    .first("SELECT sql FROM sqlite_master WHERE name = ?", row -> row.getString(1), trigger)
                    .orElseThrow();
            connection.update("DROP TRIGGER " + trigger);
            assertThat(connection.update(sql, values)).isPositive();
            return connection.update(rule);
        });
    }

    private void changeQuestion(String sql, Object... values) {
        change("question_is_answered_once", "UPDATE question SET " + sql, values);
    }

    private void sweep() {
        sweeper.sweep();
        sweeper.sweep();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void assertNamed(String queryId, CapturedOutput log) {
        assertThat(log.getAll().lines().filter(line -> line.contains("ERROR")))
                .anyMatch(line -> line.contains("query " + queryId + " is not used"));
    }

    @Test
    void aChangedRequestIsNeverAnsweredAndOthersAre(CapturedOutput log) throws Exception {
        String changed = withOpenQuestions(CSV, "count", COUNT);
        String other = withOpenQuestions(CSV, "count", COUNT);
        String queryId = queryId(changed, 0);
        changeQuestion("request = ? WHERE query_id = ?", bytes(DEAR), queryId);

        sweep();

        assertThat(states(changed)).containsExactly("reserved");
        assertThat(states(other)).containsExactly("answered");
        assertNamed(queryId, log);

        changeQuestion("request = ? WHERE query_id = ?", bytes(COUNT), queryId);
        sweep();
        assertThat(states(changed)).containsExactly("answered");
        assertThat(spent(changed)).isEqualTo("0.25");
    }

    /** Without its answer, a question can be resumed. */
    @Test
    void anAnsweredQuestionIsNotAskedAgainWithAnotherRequest(CapturedOutput log) throws Exception {
        String id = dataset("100", CSV);
        String queryId = answered(id, "count", COUNT).get("queryId").asString();
        changeQuestion("body = NULL, request = ? WHERE query_id = ?", bytes(DEAR), queryId);

        sweep();

        assertThat(states(id)).containsExactly("reserved");
        assertNamed(queryId, log);
        changeQuestion("body = x'7b7d', request = NULL WHERE query_id = ?", queryId);
    }

    /** The entry's request hash binds the digest of the request. */
    @Test
    void aChangedRequestWithItsDigestIsNeitherResumedNorRetried(CapturedOutput log) throws Exception {
        String id = withOpenQuestions(CSV, "count", COUNT);
        String queryId = queryId(id, 0);
        changeQuestion(
                "request = ?, request_digest = ? WHERE query_id = ?", bytes(DEAR), Sha256.of(bytes(DEAR)), queryId);

        sweep();
        assertThat(states(id)).containsExactly("reserved");
        assertNamed(queryId, log);
        JsonNode problem = assertProblem(500, "internal-error", ask(id, "count", DEAR, "Idempotency-Key", "count"));
        assertThat(problem.get("queryId").asString()).isEqualTo(queryId);
        assertThat(problem.get("detail").asString()).contains(queryId);
        assertProblem(422, "idempotency-key-reused", ask(id, "count", COUNT, "Idempotency-Key", "count"));
        assertThat(spent(id)).isEqualTo("0.25");

        changeQuestion(
                "request = ?, request_digest = ? WHERE query_id = ?", bytes(COUNT), Sha256.of(bytes(COUNT)), queryId);
        assertStatus(200, ask(id, "count", COUNT, "Idempotency-Key", "count"));
    }

    /** Both requests were charged the same amount, but each for its own entry. */
    @Test
    void requestsOfEqualChargesAreNotExchanged(CapturedOutput log) throws Exception {
        String sum = quoted("{'epsilon':'0.25','column':'hours'}");
        String mean = quoted("{'epsilon':'0.25','column':'age'}");
        String id = withOpenQuestions(CSV, "sum", sum, "mean", mean);
        String first = queryId(id, 0);
        String second = queryId(id, 1);
        for (String[] each : new String[][] {{first, mean}, {second, sum}}) {
            changeQuestion(
                    "request = ?, request_digest = ? WHERE query_id = ?",
                    bytes(each[1]),
                    Sha256.of(bytes(each[1])),
                    each[0]);
        }

        sweep();

        assertThat(states(id)).containsExactly("reserved", "reserved");
        assertNamed(first, log);
        assertNamed(second, log);
        for (String[] each : new String[][] {{first, sum}, {second, mean}}) {
            changeQuestion(
                    "request = ?, request_digest = ? WHERE query_id = ?",
                    bytes(each[1]),
                    Sha256.of(bytes(each[1])),
                    each[0]);
        }
        sweep();
        assertThat(states(id)).containsExactly("answered", "answered");
    }

    @Test
    void anEntryThatWasChangedPaysForNothing(CapturedOutput log) throws Exception {
        String id = withOpenQuestions(CSV, "mean", quoted("{'epsilon':'0.25','column':'age'}"));
        String queryId = queryId(id, 0);
        change("entry_is_never_changed", "UPDATE entry SET kind = 'sum' WHERE query_id = ?", queryId);

        sweep();

        change("entry_is_never_changed", "UPDATE entry SET kind = 'mean' WHERE query_id = ?", queryId);
        assertThat(states(id)).containsExactly("reserved");
        assertNamed(queryId, log);
        sweep();
        assertThat(states(id)).containsExactly("answered");
    }

    /** This happens only if the rules for the price of a request changed since, or its dataset did. */
    @Test
    void aRequestOfAnotherPriceIsNotAnswered(CapturedOutput log) throws Exception {
        String id = withOpenQuestions(CSV, "count", COUNT);
        String queryId = queryId(id, 0);
        Reservation open = ledger.reservations(queryId.substring(0, 25), 1_000).stream()
                .filter(each -> each.debit().queryId().equals(queryId))
                .findFirst()
                .orElseThrow();
        var dataset = catalog.requireReady(id);
        QuestionRequest dear = JsonDocument.parse(bytes(DEAR))
                .read(in -> QuestionKinds.named("count").orElseThrow().readAsked(in, dataset));

        assertThatThrownBy(() -> runner.resume(dataset, dear, open))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.type()).isEqualTo(ProblemType.INTERNAL_ERROR));
        assertThat(states(id)).containsExactly("reserved");
        assertNamed(queryId, log);
        sweep();
        assertThat(states(id)).containsExactly("answered");
    }
}
