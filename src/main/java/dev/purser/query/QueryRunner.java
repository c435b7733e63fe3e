package dev.purser.query;

import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.DataEngines;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.NotAsCharged;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.Reservation;
import dev.purser.ledger.ReserveOutcome;
import dev.purser.ledger.StoredAnswer;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.SecureBits;
import dev.purser.problem.FatalErrors;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * The only way to an answer. The code follows the privacy argument. The charge depends on the request alone and is
 * durably debited before a row is read. The data stays in a {@link Sensitive} until noise is added. The response is the
 * stored answer.
 *
 * <p>If we stop between the debit and the stored answer, a retry under the same key finds the debit and answers under
 * it. Nothing is refunded, nothing is charged twice, and at most one draw of noise is ever released.
 *
 * <p>If the asker permits it, the same question is answered with the stored answer of an earlier one, free of charge:
 * the note is {@code Reuse.md}.
 */
@Service
public class QueryRunner {
    private static final Logger LOG = LoggerFactory.getLogger(QueryRunner.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

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

    /** A stored answer. */
    public sealed interface Reply {
        StoredAnswer answer();

        /** It was computed now. */
        record Fresh(StoredAnswer answer) implements Reply {}

        /** It was stored before, for the same request. */
        record Replayed(StoredAnswer answer) implements Reply {}

        /** It was stored before, for the same question of another request. */
        record Reused(ReusedAnswer reused) implements Reply {
            @Override
            public StoredAnswer answer() {
                return reused.original();
            }
        }
    }

    /**
     * Answers a question.
     *
     * @param requestBody the raw request body
     * @throws ProblemException {@code budget-exhausted}, {@code nothing-stored}, {@code idempotency-key-reused},
     *     {@code request-in-flight};
     *     {@code temporarily-unavailable} if the answer could not be computed or stored: the debit then stands, and the
     *     same request with the same key gets its answer
     */
    public Reply ask(Dataset dataset, QuestionRequest request, RequestIdentity identity, byte[] requestBody) {
        Question<?> question = request.question();
        return inFlight.alone(identity, () -> {
            // This runs before the charge, because nothing about the request may fail after it.
            List<BucketRequest> requests = question.requests();
            return switch (reserveOrAwait(request.charge(dataset, identity, requestBody))) {
                case ReserveOutcome.Replayed(StoredAnswer answer) -> new Reply.Replayed(answer);
                case ReserveOutcome.Reused reused -> new Reply.Reused(ReusedAnswer.of(reused, dataset, json));
                case ReserveOutcome.Reserved(CommittedDebit debit) ->
                    new Reply.Fresh(answer(dataset, request, requests, debit));
                case ReserveOutcome.Awaited() ->
                    throw ProblemException.of(
                                    ProblemType.REQUEST_IN_FLIGHT,
                                    "the same question is being answered for another request; try again")
                            .retryAfter(Duration.ofSeconds(1));
            };
        });
    }

    /**
     * Reserves; while the same question is being answered for another request, waits for that answer. Heavy work does
     * not wait: what it waits for may need its turn.
     */
    private ReserveOutcome reserveOrAwait(ChargeRequest charge) {
        long deadline = System.nanoTime() + InFlight.PATIENCE.toNanos();
        ReserveOutcome admission = reserve(charge);
        while (admission instanceof ReserveOutcome.Awaited
                && !AdmissionControl.isHeavyWork()
                && System.nanoTime() < deadline
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            admission = reserve(charge);
        }
        return admission;
    }

    /**
     * Answers a question that was charged before, under the same debit.
     *
     * @throws ProblemException {@code temporarily-unavailable} if the answer could not be computed or stored
     */
    void resume(Dataset dataset, QuestionRequest request, Reservation reservation) {
        inFlight.alone(
                reservation.identity(),
                () -> answer(dataset, request, request.question().requests(), reservation.debit()));
    }

    private ReserveOutcome reserve(ChargeRequest charge) {
        try {
            return ledger.reserve(charge);
        } catch (ProblemException refusal) {
            throw refusal;
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            // The commit may or may not have been made. A retry under the same key is charged once in either case.
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
            Dataset dataset, QuestionRequest request, List<BucketRequest> requests, CommittedDebit debit) {
        if (!debit.paysFor(request.question().charged(), dataset.registration().accountant())) {
            throw NotAsCharged.question(debit.queryId(), "its charge is not the price of its request");
        }
        try {
            Sensitive<List<Buckets>> exact = engines.serving(dataset).collect(debit, dataset, requests);
            Question.Presented presented = request.question().release(exact, new SecureBits());
            return ledger.settle(debit, json.writeValueAsBytes(AnswerEnvelope.of(dataset, debit, request, presented)));
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            // After the debit every failure gives the same response: an error is an output. The log omits the message,
            // which could contain a value.
            LOG.error(
                    "query {} could not be answered: {}",
                    debit.queryId(),
                    failure.getClass().getName());
            throw ProblemException.of(
                            ProblemType.TEMPORARILY_UNAVAILABLE,
                            "the question is charged but could not be answered now; send it again with the same"
                                    + " Idempotency-Key to get the answer without another charge")
                    .with("queryId", debit.queryId());
        }
    }
}
