package dev.purser.query;

import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetCatalog;
import dev.purser.json.JsonDocument;
import dev.purser.json.RequestLimits;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.Reservation;
import dev.purser.problem.FatalErrors;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Answers the questions that were charged but not answered because the service stopped. It runs once after the start.
 * Then it runs every minute, on the questions that the previous run has already seen: these are unlikely to be in
 * progress. If another instance is still answering a question, the first stored answer wins.
 *
 * <p>It also removes attachments that no answer refers to: attachments of attempts that stopped or were not the first.
 *
 * <p>Questions about a deleted dataset stay reserved: they were charged, and there is no data to answer them from.
 */
@Component
class ReservationSweeper {
    /** The principal under which the sweeper takes its turns. No key has this name. */
    private static final String SWEEPER = "";

    private static final Logger LOG = LoggerFactory.getLogger(ReservationSweeper.class);

    private final BudgetLedger ledger;
    private final DatasetCatalog catalog;
    private final QueryRunner runner;
    private final AdmissionControl admission;
    private final RequestLimits limits;
    private final AnswerRefinements refinements;
    private final ChargedKinds kinds;
    private final boolean accepting;

    private Set<String> seenBefore = new HashSet<>();
    private boolean first = true;

    /** @param accepting whether this run of the service only accepts a restored ledger and answers no questions */
    ReservationSweeper(
            BudgetLedger ledger,
            DatasetCatalog catalog,
            QueryRunner runner,
            AdmissionControl admission,
            RequestLimits limits,
            AnswerRefinements refinements,
            ChargedKinds kinds,
            @Value(BudgetLedger.ACCEPTING) boolean accepting) {
        this.accepting = accepting;
        this.ledger = ledger;
        this.catalog = catalog;
        this.runner = runner;
        this.admission = admission;
        this.limits = limits;
        this.refinements = refinements;
        this.kinds = kinds;
    }

    @Scheduled(fixedDelayString = "PT1M")
    void run() {
        if (accepting) {
            return;
        }
        try {
            sweep();
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            LOG.error(
                    "unanswered questions and what they left could not be looked up: {}",
                    failure.getClass().getName());
        }
    }

    synchronized void sweep() {
        Set<String> seen = new HashSet<>();
        int answered = 0;
        String last = "";
        // Reads one reservation at a time, because each contains its request, which may be large.
        for (List<Reservation> next = ledger.reservations(last, 1);
                !next.isEmpty();
                next = ledger.reservations(last, 1)) {
            Reservation reservation = next.getFirst();
            last = reservation.debit().queryId();
            if (first || seenBefore.contains(last)) {
                answered += answersInTurn(reservation) ? 1 : 0;
            }
            seen.add(last);
        }
        if (answered > 0) {
            LOG.info("answered {} questions that were charged but had no answer", answered);
        }
        seenBefore = seen;
        first = false;
        ledger.removeLeftovers();
    }

    /** A question may be as heavy here as when it was asked. If its turn does not come, it waits for the next run. */
    private boolean answersInTurn(Reservation reservation) {
        try {
            return admission.heavily(SWEEPER, () -> answers(reservation));
        } catch (ProblemException busy) {
            return false;
        }
    }

    private boolean answers(Reservation reservation) {
        try {
            Dataset dataset = catalog.requireReady(reservation.datasetId());
            JsonDocument sent = JsonDocument.parse(reservation.requestBody(), limits.document());
            QuestionKind kind = kinds.named(reservation.kind()).orElseThrow();
            QuestionRequest request = ledger.refinedIn(reservation.debit().queryId())
                    .map(refined -> refinements.refining(
                            dataset, refinements.answer(refined), sent.read(RefinedQuestions.Wanted::read)))
                    .orElseGet(() -> sent.read(in -> kind.readAsked(in, dataset)));
            runner.resume(dataset, request, reservation);
            return true;
        } catch (ProblemException notNow) {
            // The dataset is deleted or unavailable, or another request answers the question now.
            if (notNow.type() == ProblemType.VALIDATION_FAILED) {
                LOG.error(
                        "query {} is charged, and its request is not read",
                        reservation.debit().queryId());
            }
            return false;
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            LOG.error(
                    "query {} could not be resumed: {}",
                    reservation.debit().queryId(),
                    failure.getClass().getName());
            return false;
        }
    }
}
