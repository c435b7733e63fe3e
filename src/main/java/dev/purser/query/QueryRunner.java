package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.DataEngines;
import dev.purser.ledger.Admission;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.Reservation;
import dev.purser.ledger.StoredAnswer;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.SecureBits;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * The one way to an answer. It reads as the privacy argument: the price comes from the request alone and is debited, durably,
 * before a row is read; what is read stays sealed until noise is added; what is sent is what was stored.
 *
 * <p>If we stop between the debit and the stored answer, a retry under the same key finds the debit and answers under it:
 * nothing is refunded, nothing is charged twice, and at most one draw of noise is ever seen.
 */
@Service
public class QueryRunner {
    private static final Logger LOG = LoggerFactory.getLogger(QueryRunner.class);

    private final BudgetLedger ledger;
    private final DataEngines engines;
    private final InFlight inFlight;
    private final JsonMapper json;

    public QueryRunner(BudgetLedger ledger, DataEngines engines, InFlight inFlight, JsonMapper json) {
        this.ledger = ledger;
        this.engines = engines;
        this.inFlight = inFlight;
        this.json = json;
    }

    /**
     * An answer, as stored.
     *
     * @param replayed whether it was stored before this request
     */
    public record Reply(StoredAnswer answer, boolean replayed) {}

    /**
     * Answers a question.
     *
     * @param requestBody the raw request body
     * @throws ProblemException {@code budget-exhausted}, {@code idempotency-key-reused}, {@code request-in-flight}; {@code
     *     temporarily-unavailable} if the answer could not be made or stored: the debit then stands, and the same request
     *     with the same key gets its answer
     */
    public Reply ask(Dataset dataset, Question<?> question, RequestIdentity identity, byte[] requestBody) {
        return inFlight.alone(identity, () -> {
            // Before the charge: after it, nothing about a request may fail any more.
            List<BucketRequest> requests = question.requests();
            ChargeRequest charge = new ChargeRequest(
                    dataset.account(), dataset.id(), question.kind().name(), question.charged(), identity, requestBody);
            return switch (reserve(charge)) {
                case Admission.Replayed(StoredAnswer answer) -> new Reply(answer, true);
                case Admission.Reserved(CommittedDebit debit) ->
                    new Reply(answer(dataset, question, requests, debit), false);
            };
        });
    }

    /**
     * Answers a question that was charged before, under the same debit.
     *
     * @throws ProblemException {@code temporarily-unavailable} if the answer could not be made or stored
     */
    void resume(Dataset dataset, Question<?> question, Reservation reservation) {
        inFlight.alone(
                reservation.identity(), () -> answer(dataset, question, question.requests(), reservation.debit()));
    }

    private Admission reserve(ChargeRequest charge) {
        try {
            return ledger.reserve(charge);
        } catch (ProblemException refusal) {
            throw refusal;
        } catch (RuntimeException | Error failure) {
            // The commit may have been made or not. Whoever asks again under the same key is charged once either way.
            LOG.error(
                    "a debit of {} failed: {}",
                    charge.account(),
                    failure.getClass().getName());
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "the ledger did not confirm the charge; send the question again with the same Idempotency-Key:"
                            + " it is charged once at most");
        }
    }

    private StoredAnswer answer(
            Dataset dataset, Question<?> question, List<BucketRequest> requests, CommittedDebit debit) {
        try {
            Sensitive<List<Buckets>> exact = engines.serving(dataset).collect(debit, dataset, requests);
            Question.Presented presented = question.release(exact, new SecureBits());
            return ledger.settle(debit, json.writeValueAsBytes(AnswerEnvelope.of(dataset, debit, question, presented)));
        } catch (RuntimeException | Error failure) {
            // After the debit, every failure looks the same, a lack of memory too: an error is an output. The
            // log gets no message, for a message could hold a value.
            LOG.error(
                    "query {} could not be answered: {}",
                    debit.queryId(),
                    failure.getClass().getName());
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "the question is paid for but could not be answered now; send it again with the same"
                            + " Idempotency-Key to get the answer without another charge");
        }
    }
}
