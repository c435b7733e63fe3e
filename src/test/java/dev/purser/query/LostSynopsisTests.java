package dev.purser.query;

import dev.purser.access.Grants;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetCatalog;
import dev.purser.engine.DataEngines;
import dev.purser.http.Sent;
import dev.purser.json.JsonDocument;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.RequestIdentity;
import dev.purser.privacy.Epsilon;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.synopsis.Refinement;
import dev.purser.synopsis.Synopses;
import dev.purser.synopsis.Synopsis;
import dev.purser.synopsis.SynopsisQuery;
import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A synopsis whose purchase stops after its numbers were written and before its answer was stored. The purchase is
 * charged. Nobody reads these numbers: other numbers are drawn under the same debit.
 */
class LostSynopsisTests extends RunningService {
    private static final String BODY = quoted("{'epsilon':'1','columns':[{'column':'age'}]}");
    private static final String MORE = quoted("{'epsilon':'2'}");

    @Autowired
    private ReservationSweeper sweeper;

    @Autowired
    private BudgetLedger ledger;

    @Autowired
    private DataEngines engines;

    @Autowired
    private DatasetCatalog catalog;

    private static final Principal ANYBODY =
            new Principal("root", Role.ADMINISTRATOR, null, Map.of(), Grants.ALL, Grants.ALL);

    @Autowired
    private Synopses synopses;

    @Autowired
    private AnswerRefinements refinements;

    @Autowired
    private Database database;

    /** A runner that stops where the answer is made, after the content that the answer refers to was stored. */
    private QueryRunner stopping() {
        SimpleModule stops = new SimpleModule().addSerializer(AnswerEnvelope.class, new ValueSerializer<>() {
            @Override
            public void serialize(AnswerEnvelope envelope, JsonGenerator json, SerializationContext context) {
                throw new IllegalStateException("stopped");
            }
        });
        return new QueryRunner(
                ledger,
                engines,
                new InFlight(),
                NoOffers.INSTANCE,
                JsonMapper.builder().addModule(stops).build());
    }

    private void stopped(Dataset dataset, QuestionRequest asked, String operation, byte[] body) {
        assertThatThrownBy(() ->
                        stopping().ask(dataset, asked, new RequestIdentity("admin", "POST " + operation, "k"), body))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> assertThat(problem.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE));
    }

    private Dataset dataset(String id) {
        return catalog.requireReady(id);
    }

    /** A dataset with a purchase that was stopped. */
    private String withStoppedPurchase() throws Exception {
        String id = dataset("zcdp", "100", "0.000001");
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        QuestionRequest asked = JsonDocument.parse(body).read(in -> SynopsisQuery.KIND.readAsked(in, dataset(id)));
        stopped(dataset(id), asked, "/v1/datasets/" + id + "/synopses", body);
        assertThat(pieces(onlyReserved(id))).isPositive();
        assertThat(json(get("/v1/datasets/" + id + "/synopses")).get("items")).isEmpty();
        assertProblem(404, "not-found", get("/v1/synopses/" + onlyReserved(id)));
        return id;
    }

    /** The query id of the question that is charged and has no answer. */
    private String onlyReserved(String id) throws Exception {
        List<JsonNode> reserved = json(get("/v1/datasets/" + id + "/queries"))
                .get("items")
                .valueStream()
                .filter(each -> each.get("state").asString().equals("reserved"))
                .toList();
        assertThat(reserved).hasSize(1);
        return reserved.getFirst().get("queryId").asString();
    }

    /** How many contents are or were attached to a question. */
    private int pieces(String queryId) {
        return database.read(connection -> connection
                .all("SELECT piece FROM attachment_piece WHERE query_id = '" + queryId + "'", row -> row.getString(1))
                .size());
    }

    private void answersAndIsChargedOnce(String dataset, String synopsis, String spent) throws Exception {
        HttpResponse<String> free = postAs(key(), "/v1/synopses/" + synopsis + "/answers", """
                {"questions":[{"count":{}},{"quantile":{"column":"age","probabilities":[0.5]}}]}""");
        assertThat(json(assertStatus(200, free)).get("items")).hasSize(2);
        assertThat(spent(dataset)).isEqualTo(spent);
        sweeper.sweep();
        assertThat(pieces(synopsis)).isEqualTo(1);
    }

    private HttpResponse<String> retried(String operation, String body) throws Exception {
        return postAs(key(), operation, body, "Idempotency-Key", "k");
    }

    @Test
    void aRetryDrawsAnotherUnderTheSameDebitAndId() throws Exception {
        String id = withStoppedPurchase();
        String queryId = onlyReserved(id);
        String spent = spent(id);

        HttpResponse<String> retried = assertStatus(201, retried("/v1/datasets/" + id + "/synopses", BODY));

        assertThat(json(retried).at("/answer/synopsisId").asString()).isEqualTo(queryId);
        assertThat(retried.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(pieces(queryId)).isEqualTo(2);
        answersAndIsChargedOnce(id, queryId, spent);
        assertThat(retried("/v1/datasets/" + id + "/synopses", BODY).body()).isEqualTo(retried.body());
    }

    @Test
    void withoutARetryTheServiceDoesTheSame() throws Exception {
        String id = withStoppedPurchase();
        String queryId = onlyReserved(id);
        String spent = spent(id);

        // A run answers only questions that the run before it has seen.
        sweeper.sweep();
        sweeper.sweep();

        answersAndIsChargedOnce(id, queryId, spent);
        HttpResponse<String> replayed = assertStatus(201, retried("/v1/datasets/" + id + "/synopses", BODY));
        assertThat(replayed.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(replayed.headers().firstValue("Location")).hasValue("/v1/synopses/" + queryId);
    }

    private String withStoppedRefinement(String id) throws Exception {
        String synopsis = json(assertStatus(201, postAs(key(), "/v1/datasets/" + id + "/synopses", BODY)))
                .get("queryId")
                .asString();
        Synopsis bought =
                synopses.newest(ANYBODY, dataset(id), 2, Long.MAX_VALUE).getFirst();
        Sent<Refinement> sent = new Sent<>(MORE.getBytes(StandardCharsets.UTF_8), new Refinement(Epsilon.parse("2")));
        String operation = "/v1/synopses/" + synopsis + "/refinements";
        if (sent.value().isOnceMore(dataset(id))) {
            byte[] question = Refinement.question(sent, bought);
            stopped(dataset(id), Refinement.asked(question, bought), operation, question);
        } else {
            QuestionRequest better = refinements.refining(
                    dataset(id), refinements.answer(synopsis), sent.value().wanted());
            stopped(dataset(id), better, operation, sent.bytes());
        }
        assertThat(pieces(onlyReserved(id))).isEqualTo(1);
        assertThat(json(get("/v1/synopses/" + synopsis)).get("purchases")).hasSize(1);
        return synopsis;
    }

    @ParameterizedTest
    @CsvSource({"zcdp, 0.000001", "pure, 0"})
    void aRefinementIsRetriedInTheSameWay(String accountant, String delta) throws Exception {
        String id = dataset(accountant, "100", delta);
        String synopsis = withStoppedRefinement(id);
        String queryId = onlyReserved(id);
        String spent = spent(id);

        HttpResponse<String> retried = assertStatus(200, retried("/v1/synopses/" + synopsis + "/refinements", MORE));

        assertThat(json(retried).get("queryId").asString()).isEqualTo(queryId);
        isRefinedOnce(id, synopsis, queryId, spent);
    }

    @ParameterizedTest
    @CsvSource({"zcdp, 0.000001", "pure, 0"})
    void theServiceFinishesARefinementToo(String accountant, String delta) throws Exception {
        String id = dataset(accountant, "100", delta);
        String synopsis = withStoppedRefinement(id);
        String queryId = onlyReserved(id);
        String spent = spent(id);

        // A run answers only questions that the run before it has seen.
        sweeper.sweep();
        sweeper.sweep();

        isRefinedOnce(id, synopsis, queryId, spent);
        assertThat(json(retried("/v1/synopses/" + synopsis + "/refinements", MORE))
                        .get("queryId")
                        .asString())
                .isEqualTo(queryId);
    }

    /**
     * Two requests under one key can find different newest purchases, if a purchase was made between them. The second
     * request may not answer under the debit of the first: the purchase of that debit is already refined.
     */
    @Test
    void aRetryThatFoundAnotherPurchaseTheNewestIsNotAnswered() throws Exception {
        String id = dataset("pure", "100", "0");
        String synopsis = json(assertStatus(201, postAs(key(), "/v1/datasets/" + id + "/synopses", BODY)))
                .get("queryId")
                .asString();
        String operation = "/v1/synopses/" + synopsis + "/refinements";
        byte[] body = MORE.getBytes(StandardCharsets.UTF_8);
        RefinedQuestions.Wanted wanted = new Refinement(Epsilon.parse("2")).wanted();
        QuestionRequest ofFirst = refinements.refining(dataset(id), refinements.answer(synopsis), wanted);
        String second = json(assertStatus(200, postAs(key(), operation, "{\"epsilon\":\"0.5\"}")))
                .get("queryId")
                .asString();
        stopped(dataset(id), refinements.refining(dataset(id), refinements.answer(second), wanted), operation, body);
        String queryId = onlyReserved(id);

        QueryRunner runner = new QueryRunner(ledger, engines, new InFlight(), NoOffers.INSTANCE, new JsonMapper());
        assertThatThrownBy(() ->
                        runner.ask(dataset(id), ofFirst, new RequestIdentity("admin", "POST " + operation, "k"), body))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> assertThat(problem.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE));

        JsonNode retried = json(assertStatus(200, retried(operation, MORE)));
        assertThat(retried.get("queryId").asString()).isEqualTo(queryId);
        assertThat(retried.get("refines").asString()).isEqualTo(second);
        assertThat(retried.at("/guarantee/epsilon").asString()).isEqualTo("3.5");
    }

    private void isRefinedOnce(String id, String synopsis, String queryId, String spent) throws Exception {
        JsonNode purchases = json(get("/v1/synopses/" + synopsis)).get("purchases");
        assertThat(purchases).hasSize(2);
        assertThat(purchases.get(1).get("queryId").asString()).isEqualTo(queryId);
        answersAndIsChargedOnce(id, synopsis, spent);
        assertThat(pieces(queryId)).isEqualTo(1);
    }

    /** Quotes and refusals wait for no turn, so they must not take the memory to read noisy numbers. */
    @Test
    void quotesAndRefusalsReadNoNoisyNumber() throws Exception {
        String id = dataset("pure", "1", "0");
        String synopsis = json(assertStatus(201, postAs(key(), "/v1/datasets/" + id + "/synopses", BODY)))
                .get("queryId")
                .asString();
        removePieces(synopsis);
        assertThat(postAs(key(), "/v1/synopses/" + synopsis + "/answers", "{\"questions\":[{\"count\":{}}]}")
                        .statusCode())
                .isEqualTo(500);
        for (String kind : List.of("count", "mean", "quantile")) {
            String body = kind.equals("count")
                    ? "{\"epsilon\":1}"
                    : "{\"epsilon\":1,\"column\":\"age\"" + (kind.equals("mean") ? "" : ",\"probabilities\":[0.5]")
                            + "}";
            JsonNode free = json(assertStatus(200, postAs(key(), "/v1/datasets/" + id + "/quotes/" + kind, body)))
                    .get("freeFrom");
            assertThat(free.get("synopsisId").asString()).isEqualTo(synopsis);
            assertThat(free.get("alpha").isNull()).as(kind).isEqualTo(kind.equals("mean"));
            JsonNode refused = assertProblem(409, "budget-exhausted", ask(id, kind, body));
            assertThat(refused.get("freeFrom")).isEqualTo(free);
        }
    }

    private void removePieces(String queryId) {
        database.write(Database.NO_ACCOUNT, transaction -> {
            String trigger = "attachment_piece_stays";
            String rule = transaction
                    .first("SELECT sql FROM sqlite_master WHERE name = '" + trigger + "'", row -> row.getString(1))
                    .orElseThrow();
            transaction.update("DROP TRIGGER " + trigger);
            transaction.update("DELETE FROM attachment_piece WHERE query_id = ?", queryId);
            return transaction.update(rule);
        });
    }
}
