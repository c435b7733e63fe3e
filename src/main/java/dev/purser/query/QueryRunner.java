package dev.purser.query;

import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.DataEngines;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.NotAsCharged;
import dev.purser.ledger.PlanRequest;
import dev.purser.ledger.Released;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.Reservation;
import dev.purser.ledger.ReserveOutcome;
import dev.purser.ledger.Settlement;
import dev.purser.ledger.StoredAnswer;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.ledger.attachment.StoredAttachment;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.IntegerRelease;
import dev.purser.mechanism.NoisyTables;
import dev.purser.mechanism.ReleasedIntegers;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.BlockWindow;
import dev.purser.problem.FatalErrors;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * The only way to an answer. The code follows the privacy argument. The charge depends on the request alone and is
 * durably debited before a row is read. The data stays in a {@link Sensitive} until noise is added. The response is the
 * stored answer.
 *
 * <p>If the service stops between the debit and the stored answer, a retry under the same key finds the debit and
 * answers under it. Nothing is refunded, nothing is charged twice, and at most one draw of noise is ever released.
 *
 * <p>If the asker permits it, the same question is answered with the stored answer of an earlier question, free of
 * charge: see {@code Reuse.md}.
 */
@Service
public class QueryRunner {
    private static final Logger LOG = LoggerFactory.getLogger(QueryRunner.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private final BudgetLedger ledger;
    private final DataEngines engines;
    private final InFlight inFlight;
    private final FreeOffers offers;
    private final JsonMapper json;

    public QueryRunner(
            BudgetLedger ledger, DataEngines engines, InFlight inFlight, FreeOffers offers, JsonMapper json) {
        this.ledger = ledger;
        this.engines = engines;
        this.inFlight = inFlight;
        this.offers = offers;
        this.json = json;
    }

    /** A stored answer. */
    public sealed interface Reply {
        StoredAnswer answer();

        /** The id under which the answer can be read again. */
        default String queryId() {
            return answer().queryId();
        }

        /** The answer was computed now. */
        record Fresh(StoredAnswer answer) implements Reply {}

        /** The answer was stored before, for the same request. */
        record Replayed(StoredAnswer answer) implements Reply {}

        /** The answer was stored before, for the same question of another request. */
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
     * @throws ProblemException {@code budget-exhausted}, {@code nothing-stored}, {@code dataset-not-ready} for blocks
     *     that are not ready, {@code idempotency-key-reused}, {@code request-in-flight};
     *     {@code temporarily-unavailable} if the answer could not be computed or stored: the debit then stands, and the
     *     same request with the same key gets its answer
     */
    public Reply ask(Dataset dataset, QuestionRequest request, RequestIdentity identity, byte[] requestBody) {
        ChargeRequest charge = request.charge(dataset, identity, requestBody);
        return ask(dataset, List.of(request), identity, () -> {
                    try {
                        return List.of(ledger.reserve(charge));
                    } catch (ProblemException refusal) {
                        throw offering(refusal, dataset, request, identity.principal());
                    }
                })
                .getFirst();
    }

    /**
     * A refusal for lack of budget names the synopsis that answers the question for nothing, and the stored answer that
     * can be made as good with what is left of the budget.
     */
    private ProblemException offering(
            ProblemException refusal, Dataset dataset, QuestionRequest request, String asker) {
        if (refusal.type() != ProblemType.BUDGET_EXHAUSTED) {
            return refusal;
        }
        ProblemException naming = RefinedQuestions.offered(
                        ledger,
                        dataset,
                        request,
                        Math.max(1, dataset.maxRows() / request.question().groups()))
                .filter(offer -> RefinedQuestions.fits(ledger, dataset, request, offer, asker))
                .map(offer -> refusal.with("refines", offer))
                .orElse(refusal);
        return offers.answering(asker, dataset, request)
                .map(free -> naming.with("freeFrom", free))
                .orElse(naming);
    }

    /**
     * Answers the questions of a plan, in its order. All questions are charged together, or none. Their rows are read
     * together. Each question is kept under its canonical request, so that it can be answered alone.
     *
     * @param identity the identity of the plan
     * @param requestBody the raw request body of the plan
     * @throws ProblemException as for one question
     */
    public List<Reply> ask(Dataset dataset, List<QuestionRequest> plan, RequestIdentity identity, byte[] requestBody) {
        PlanRequest charge = new PlanRequest(
                dataset.account(),
                dataset.id(),
                identity,
                requestBody,
                plan.stream()
                        .map(each ->
                                each.charge(dataset, identity, each.canonical().bytes()))
                        .toList());
        return ask(dataset, plan, identity, () -> ledger.reserve(charge));
    }

    private List<Reply> ask(
            Dataset dataset,
            List<QuestionRequest> requests,
            RequestIdentity identity,
            Supplier<List<ReserveOutcome>> ledger) {
        return inFlight.alone(identity, () -> {
            // This runs before the charge, because nothing about the request may fail after it.
            List<List<BucketRequest>> collected =
                    requests.stream().map(each -> each.question().requests()).toList();
            List<ReserveOutcome> outcomes = reserveOrAwait(() -> ofReadyBlocks(dataset, requests, ledger));
            List<Owed> owed = new ArrayList<>();
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i) instanceof ReserveOutcome.Reserved(CommittedDebit debit)) {
                    QuestionRequest paid = paid(requests.get(i), debit, dataset);
                    owed.add(paid == requests.get(i) ? new Owed(paid, collected.get(i), debit) : Owed.of(paid, debit));
                }
            }
            Map<String, StoredAnswer> answers = answers(dataset, owed);
            return outcomes.stream()
                    .map(outcome -> reply(outcome, answers, dataset))
                    .toList();
        });
    }

    /** A question about a block that is not ready is not charged. A stored answer to it is still given. */
    private static List<ReserveOutcome> ofReadyBlocks(
            Dataset dataset, List<QuestionRequest> requests, Supplier<List<ReserveOutcome>> ledger) {
        try {
            return ledger.get();
        } catch (ProblemException refusal) {
            throw refusal.type() != ProblemType.NOTHING_STORED
                    ? refusal
                    : AskedBlocks.refusal(
                                    requests.stream()
                                            .flatMap(each -> each.window().stream())
                                            .toList(),
                                    dataset)
                            .orElse(refusal);
        }
    }

    private Reply reply(ReserveOutcome outcome, Map<String, StoredAnswer> answers, Dataset dataset) {
        return switch (outcome) {
            case ReserveOutcome.Replayed(StoredAnswer answer) -> new Reply.Replayed(answer);
            case ReserveOutcome.Reused reused -> new Reply.Reused(ReusedAnswer.of(reused, dataset, json));
            case ReserveOutcome.Shared shared ->
                new Reply.Reused(ReusedAnswer.of(shared.answered(answer(answers, shared.queryId())), dataset, json));
            case ReserveOutcome.Reserved(CommittedDebit debit) -> new Reply.Fresh(answer(answers, debit.queryId()));
            case ReserveOutcome.Awaited() ->
                throw ProblemException.of(
                                ProblemType.REQUEST_IN_FLIGHT,
                                "the same question is being answered for another request; try again")
                        .retryAfter(Duration.ofSeconds(1));
        };
    }

    private static StoredAnswer answer(Map<String, StoredAnswer> answers, String queryId) {
        return Objects.requireNonNull(answers.get(queryId));
    }

    /**
     * Reserves. While the same question is being answered for another request, waits for that answer. Heavy work does
     * not wait, because the other request may need the turn that heavy work holds.
     */
    private static List<ReserveOutcome> reserveOrAwait(Supplier<List<ReserveOutcome>> ledger) {
        long deadline = System.nanoTime() + InFlight.PATIENCE.toNanos();
        List<ReserveOutcome> outcomes = reserve(ledger);
        while (outcomes.getFirst() instanceof ReserveOutcome.Awaited
                && !AdmissionControl.isHeavyWork()
                && System.nanoTime() < deadline
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            outcomes = reserve(ledger);
        }
        return outcomes;
    }

    /**
     * Answers a question that was charged before, under the same debit.
     *
     * @throws ProblemException {@code temporarily-unavailable} if the answer could not be computed or stored
     */
    void resume(Dataset dataset, QuestionRequest request, Reservation reservation) {
        inFlight.alone(
                reservation.identity(),
                () -> answers(
                        dataset, List.of(Owed.of(paid(request, reservation.debit(), dataset), reservation.debit()))));
    }

    /** The question about the blocks that paid: {@code {"latest": n}} can mean other blocks by the time of a retry. */
    private static QuestionRequest paid(QuestionRequest request, CommittedDebit debit, Dataset dataset) {
        return request.paidBy(debit.blocks(), dataset)
                .orElseThrow(() ->
                        NotAsCharged.question(debit.queryId(), "its blocks differ from the blocks of its request"));
    }

    private static List<ReserveOutcome> reserve(Supplier<List<ReserveOutcome>> ledger) {
        try {
            return ledger.get();
        } catch (ProblemException refusal) {
            throw refusal;
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            // The commit may or may not have been made. A retry under the same key is charged once in either case.
            LOG.error("a debit failed: {}", failure.getClass().getName());
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "the ledger did not confirm the charge; send the question again with the same Idempotency-Key:"
                            + " it is charged once at most");
        }
    }

    /** A question that is charged and has no answer, with the data to collect. */
    private record Owed(QuestionRequest request, List<BucketRequest> requests, CommittedDebit debit) {
        static Owed of(QuestionRequest request, CommittedDebit debit) {
            return new Owed(request, request.question().requests(), debit);
        }
    }

    /** The answers by query id. Rows of the same blocks are read together. Each answer has its own noise. */
    private Map<String, StoredAnswer> answers(Dataset dataset, List<Owed> owed) {
        for (Owed each : owed) {
            if (!each.debit()
                    .paysFor(each.request().charged(), dataset.registration().accountant())) {
                throw NotAsCharged.question(each.debit().queryId(), "its charge is not the price of its request");
            }
        }
        if (owed.isEmpty()) {
            return Map.of();
        }
        try {
            Map<String, StoredAnswer> answers = new HashMap<>();
            ledger.settle(released(dataset, owed)).forEach(answer -> answers.put(answer.queryId(), answer));
            return answers;
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            // After the debit every failure gives the same response: an error is an output. The log omits the message,
            // which could contain a value.
            String first = owed.getFirst().debit().queryId();
            LOG.error(
                    "query {} could not be answered: {}",
                    owed.size() == 1 ? first : first + " and " + (owed.size() - 1) + " of the same plan",
                    failure.getClass().getName());
            throw ProblemException.of(
                            ProblemType.TEMPORARILY_UNAVAILABLE,
                            "the " + (owed.size() == 1 ? "question" : "plan")
                                    + " is charged but could not be answered now; send it again with the same"
                                    + " Idempotency-Key to get the answer without another charge")
                    .with("queryId", first);
        }
    }

    private List<Settlement> released(Dataset dataset, List<Owed> owed) {
        Map<Optional<BlockWindow>, List<Owed>> byBlocks = owed.stream()
                .collect(Collectors.groupingBy(each -> each.debit().blocks(), LinkedHashMap::new, Collectors.toList()));
        return byBlocks.values().stream()
                .flatMap(together -> releasedTogether(dataset, together).stream())
                .toList();
    }

    /** Answers questions that the same blocks paid for. */
    private List<Settlement> releasedTogether(Dataset dataset, List<Owed> owed) {
        List<BucketRequest> requests =
                owed.stream().flatMap(each -> each.requests().stream()).toList();
        // All debits are committed and are paid by the same blocks, so the first debit stands for all of them.
        Sensitive<List<Buckets>> exact =
                engines.serving(dataset).collect(owed.getFirst().debit(), dataset, requests);
        List<Settlement> answers = new ArrayList<>();
        int begin = 0;
        for (Owed each : owed) {
            int end = begin + each.requests().size();
            IntegerRelease release = release(each);
            Question.Presented presented = each.request()
                    .question()
                    .release(
                            each.request().first().orElse(each.debit().queryId()),
                            Sensitive.part(exact, begin, end),
                            release);
            answers.add(settlement(dataset, each, presented, release));
            begin = end;
        }
        return answers;
    }

    /** A first release, or the release that refines the integers which the debit pays to refine. */
    private IntegerRelease release(Owed owed) {
        QuestionRequest.Refining refines = owed.request().refines();
        if (refines == null) {
            return IntegerRelease.first(new SecureBits());
        }
        // Another purchase may have become the newest of a synopsis between two requests under one key.
        ReleasedIntegers earlier = ledger.refinedBy(owed.debit(), refines.queryId())
                .flatMap(released -> ReleasedIntegers.parse(released.integers()))
                .orElseThrow(() -> NotAsCharged.question(
                        owed.debit().queryId(), "what it refines is gone, or not what was charged"));
        return IntegerRelease.refining(earlier, tables(refines, earlier), new SecureBits());
    }

    private Iterator<long[]> tables(QuestionRequest.Refining refines, ReleasedIntegers earlier) {
        if (refines.tables() == null) {
            return Collections.emptyIterator();
        }
        List<Long> sizes = earlier.integers().stream()
                .map(table -> table.value().longValueExact())
                .toList();
        byte[] numbers = ledger.attachment(refines.queryId(), refines.tables().digest());
        return NoisyTables.read(numbers, sizes).iterator();
    }

    /** An answer makes its attachment readable, so the attachment is stored before the answer. */
    private Settlement settlement(Dataset dataset, Owed owed, Question.Presented presented, IntegerRelease release) {
        Attachment attachment = presented.attachment();
        StoredAttachment attached = attachment == null ? null : ledger.attach(owed.debit(), attachment);
        AnswerEnvelope envelope = AnswerEnvelope.of(dataset, owed.debit(), owed.request(), presented);
        Released released =
                RefinedQuestions.whyNot(owed.request().question(), dataset).isPresent()
                        ? null
                        : release.released()
                                .map(integers -> new Released(
                                        owed.request().canonical().series(),
                                        owed.request().question().allowance().epsilon(),
                                        integers.bytes()))
                                .orElse(null);
        return new Settlement(owed.debit(), json.writeValueAsBytes(envelope), attached, released);
    }
}
