package dev.purser.query;

import dev.purser.access.KeyRegister;
import dev.purser.access.Principal;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.problem.ProblemException;
import java.util.List;
import org.springframework.security.core.AuthenticationException;
import org.springframework.stereotype.Service;

/** Asks one question for a principal: in turn with others if it is heavy, and with an answer that leaves in time. */
@Service
public class Asking {
    private final QueryRunner runner;
    private final AdmissionControl admission;
    private final KeyRegister register;
    private final VisibleDatasets datasets;
    private final ReleaseTimes times;
    private final AnswerRefinements refinements;

    public Asking(
            QueryRunner runner,
            AdmissionControl admission,
            KeyRegister register,
            VisibleDatasets datasets,
            ReleaseTimes times,
            AnswerRefinements refinements) {
        this.runner = runner;
        this.admission = admission;
        this.register = register;
        this.datasets = datasets;
        this.times = times;
        this.refinements = refinements;
    }

    /** Answers a question, as {@link QueryRunner#ask} does. */
    public QueryRunner.Reply ask(
            Principal principal, Dataset dataset, QuestionRequest asked, RequestIdentity identity, byte[] body) {
        return asked.question().isHeavy()
                ? admission.heavily(principal.name(), () -> {
                    requireStillVisible(principal, dataset);
                    return answer(dataset, asked, identity, body);
                })
                : answer(dataset, asked, identity, body);
    }

    /**
     * Checks the key of the sender and its grants again, because the turn can come late.
     *
     * @throws AuthenticationException if the key was revoked or has expired meanwhile
     * @throws ProblemException {@code not-found} if the sender does not see the dataset any more
     */
    public void requireStillVisible(Principal principal, Dataset dataset) {
        datasets.require(register.stillOpen(principal), dataset.id());
    }

    /**
     * Asks a question that is a part of another document, such as a call of a tool. Its canonical form is kept. A
     * repetition under the same key is compared with this form.
     *
     * @param place where the request was sent: an equal key of another place is another key
     * @param key the idempotency key of the request
     * @throws ProblemException as {@link QueryRunner#ask}
     */
    public QueryRunner.Reply ask(
            Principal principal, Dataset dataset, QuestionRequest asked, String place, String key) {
        String operation =
                place + " " + dataset.id() + " " + asked.question().kind().name();
        RequestIdentity identity = new RequestIdentity(principal.name(), operation, key);
        return ask(principal, dataset, asked, identity, asked.canonical().bytes());
    }

    /**
     * Refines an answer for a call of a tool. The request is kept as the request body that says the same.
     *
     * @param place where the request was sent: an equal key of another place is another key
     * @param key the idempotency key of the request
     * @throws ProblemException as {@link QueryRunner#ask}; {@code not-refinable} with the reason
     */
    public QueryRunner.Reply refine(
            Principal principal,
            Dataset dataset,
            String queryId,
            RefinedQuestions.Wanted wanted,
            String place,
            String key) {
        RequestIdentity identity = new RequestIdentity(principal.name(), place + " " + queryId, key);
        return refine(principal, dataset, refinements.answer(queryId), wanted, identity, wanted.bytes());
    }

    /**
     * Refines an answer. A long answer is read in turn with heavy work, before anything is charged.
     *
     * @param body the request body that is kept, and that a repetition under the same key is compared with
     * @throws ProblemException as {@link QueryRunner#ask}; {@code not-refinable} with the reason
     */
    public QueryRunner.Reply refine(
            Principal principal,
            Dataset dataset,
            StoredAnswer answer,
            RefinedQuestions.Wanted wanted,
            RequestIdentity identity,
            byte[] body) {
        QuestionRequest better = answer.whole() == null
                ? refinements.refining(dataset, answer, wanted)
                : admission.heavily(principal.name(), () -> refinements.refining(dataset, answer, wanted));
        better.first().ifPresent(first -> refinements.requireRoom(dataset, first, identity));
        return ask(principal, dataset, better, identity, body);
    }

    /**
     * Answers, and waits for the departure. The next question in turn waits for the departure too, so its wait does not
     * depend on rows.
     */
    private QueryRunner.Reply answer(Dataset dataset, QuestionRequest asked, RequestIdentity identity, byte[] body) {
        try (ReleaseTimes.Departure departure = times.departure(
                List.of(asked.question().kind().name()), QuestionRequest.rows(List.of(asked), dataset))) {
            return runner.ask(dataset, asked, identity, body);
        }
    }
}
