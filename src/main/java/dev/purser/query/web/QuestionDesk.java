package dev.purser.query.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.Principal;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.JsonDocument;
import dev.purser.json.RequestLimits;
import dev.purser.ledger.RequestIdentity;
import dev.purser.problem.ProblemException;
import dev.purser.query.QueryRunner;
import dev.purser.query.Question;
import dev.purser.query.QuestionKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** What all kinds of questions share on their way from HTTP to the pipeline and back. */
@Component
class QuestionDesk {
    private final VisibleDatasets datasets;
    private final QueryRunner runner;
    private final RequestLimits limits;
    private final IdempotencyKeys keys;
    private final WorkingMemory memory;
    private final KeyRegister register;
    private final ReleaseTimes times;

    QuestionDesk(
            VisibleDatasets datasets,
            QueryRunner runner,
            RequestLimits limits,
            IdempotencyKeys keys,
            WorkingMemory memory,
            KeyRegister register,
            ReleaseTimes times) {
        this.datasets = datasets;
        this.runner = runner;
        this.limits = limits;
        this.keys = keys;
        this.memory = memory;
        this.register = register;
        this.times = times;
    }

    /**
     * Answers one question. The grant, the dataset's state, the key and the announced length are looked at before the body is read, the
     * body before anything is charged.
     */
    ResponseEntity<byte[]> ask(String datasetId, QuestionKind kind, HttpServletRequest request, Principal principal)
            throws IOException {
        String key = keys.of(request);
        try (ReleaseTimes.Departure departure = times.departure()) {
            datasets.requireReady(principal, datasetId);
            return memory.reading(request, limits.maxBodyBytes(), body -> {
                // A body takes as long as its sender likes: the key may be revoked and the dataset gone by now.
                register.requireStillOpen(principal);
                return answer(datasets.requireReady(principal, datasetId), kind, body, key, principal, departure);
            });
        } catch (ProblemException refusal) {
            throw refusal.withHeader(IdempotencyKeys.HEADER, key);
        }
    }

    private ResponseEntity<byte[]> answer(
            Dataset dataset,
            QuestionKind kind,
            byte[] body,
            String key,
            Principal principal,
            ReleaseTimes.Departure departure) {
        Question<?> question = JsonDocument.parse(body, limits.document()).read(in -> kind.readAsked(in, dataset));
        RequestIdentity identity = new RequestIdentity(
                principal.name(), "POST /v1/datasets/" + dataset.id() + "/queries/" + kind.name(), key);
        departure.begin(kind.name(), dataset.registration().maxRows());
        QueryRunner.Reply reply = runner.ask(dataset, question, identity, body);
        ResponseEntity.BodyBuilder response =
                ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).header(IdempotencyKeys.HEADER, key);
        if (reply.replayed()) {
            response.header("Idempotency-Replayed", "true");
        }
        return response.body(reply.answer().body());
    }
}
