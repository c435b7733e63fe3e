package dev.purser.query;

import dev.purser.admission.AdmissionControl;
import dev.purser.admission.ImpatientAdmission;
import dev.purser.dataset.DatasetCatalog;
import dev.purser.json.RequestLimits;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.store.Database;
import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Questions that were paid for and not answered get their answer, although nobody asks again. */
class ReservationSweeperTests extends RunningService {
    private static final String CSV = "age,hours,sex\n1,1,Male\n2,2,Female\n";

    @Autowired
    private ReservationSweeper sweeper;

    @Autowired
    private BudgetLedger ledger;

    @Autowired
    private Database database;

    @Autowired
    private DatasetCatalog catalog;

    @Autowired
    private QueryRunner runner;

    @Autowired
    private RequestLimits limits;

    @Autowired
    private AnswerRefinements refinements;

    @Autowired
    private ChargedKinds kinds;

    private JsonNode onlyQuestion(String id) throws Exception {
        JsonNode items = shown("/v1/datasets/" + id + "/queries").get("items");
        assertThat(items).hasSize(1);
        return items.get(0);
    }

    @Test
    void whatWasPaidForIsAnsweredUnderTheSameDebit() throws Exception {
        String id = dataset("1", CSV);
        takeRowsAway(id);
        String question = quoted("{'epsilon':'0.25','column':'age'}");
        HttpResponse<String> failed = ask(id, "mean", question, "Idempotency-Key", "monday");
        assertProblem(503, "temporarily-unavailable", failed);
        JsonNode reserved = onlyQuestion(id);
        assertThat(reserved.get("state").asString()).isEqualTo("reserved");
        assertThat(reserved.get("idempotencyKey").asString()).isEqualTo("monday");
        assertThat(reserved.get("charge").get("epsilon").asString()).isEqualTo("0.25");

        sweeper.sweep();
        sweeper.sweep();
        assertThat(onlyQuestion(id).get("state").asString()).isEqualTo("reserved");

        putRowsBack(id);
        sweeper.sweep();
        sweeper.sweep();
        assertThat(onlyQuestion(id).get("state").asString()).isEqualTo("answered");
        assertThat(onlyQuestion(id).get("queryId")).isEqualTo(reserved.get("queryId"));

        HttpResponse<String> replayed = assertStatus(200, ask(id, "mean", question, "Idempotency-Key", "monday"));
        assertThat(replayed.headers().firstValue("Idempotency-Replayed")).contains("true");
        assertThat(replayed.body())
                .isEqualTo(
                        get("/v1/queries/" + reserved.get("queryId").asString()).body());
        assertThat(spent(id)).isEqualTo("0.25");
    }

    @Test
    void whatALostAttemptAttachedIsRemoved() throws Exception {
        String id = dataset("1", CSV);
        takeRowsAway(id);
        assertProblem(503, "temporarily-unavailable", ask(id, "mean", quoted("{'epsilon':'0.25','column':'age'}")));
        CommittedDebit debit = ledger.reservations("", 100).stream()
                .filter(reservation -> reservation.datasetId().equals(id))
                .findFirst()
                .orElseThrow()
                .debit();
        ledger.attach(debit, new Attachment(debit.queryId(), new byte[] {1}));
        sweeper.sweep();
        assertThat(pieces(debit)).isEqualTo(1);

        putRowsBack(id);
        sweeper.sweep();
        assertThat(pieces(debit)).isZero();
    }

    private long pieces(CommittedDebit debit) {
        return database.read(connection -> connection
                .first(
                        "SELECT count(*) FROM attachment_piece WHERE query_id = ?",
                        row -> row.getLong(1),
                        debit.queryId())
                .orElseThrow());
    }

    /** Clients may hold every turn. The sweep then goes on without an answer, and the next sweep tries again. */
    @Test
    void aQuestionWhoseTurnDoesNotComeIsAnsweredByTheNextRun() throws Exception {
        String id = dataset("1", CSV);
        takeRowsAway(id);
        assertProblem(503, "temporarily-unavailable", ask(id, "count", quoted("{'epsilon':'0.25'}")));
        putRowsBack(id);
        AdmissionControl admission = ImpatientAdmission.open();
        ReservationSweeper own =
                new ReservationSweeper(ledger, catalog, runner, admission, limits, refinements, kinds, false);

        admission.heavily(
                "greedy",
                () -> CompletableFuture.supplyAsync(() -> {
                            own.sweep();
                            return "swept";
                        })
                        .join());
        assertThat(onlyQuestion(id).get("state").asString()).isEqualTo("reserved");

        own.sweep();
        assertThat(onlyQuestion(id).get("state").asString()).isEqualTo("answered");
    }

    /** Nothing is left to answer the question from. It stays paid for, and does not stop other questions. */
    @Test
    void whatBelongsToADeletedDatasetStaysReserved() throws Exception {
        String id = dataset("1", CSV);
        Path rows = folder(id).resolve("rows.columns");
        Files.writeString(rows, "no database");
        assertProblem(503, "temporarily-unavailable", ask(id, "mean", quoted("{'epsilon':'0.25','column':'age'}")));
        assertStatus(204, send("DELETE", "/v1/datasets/" + id, ""));

        sweeper.sweep();
        sweeper.sweep();

        assertThat(onlyQuestion(id).get("state").asString()).isEqualTo("reserved");
        assertThat(spent(id)).isEqualTo("0.25");
    }
}
