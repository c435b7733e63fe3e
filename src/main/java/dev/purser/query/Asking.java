package dev.purser.query;

import dev.purser.access.KeyRegister;
import dev.purser.access.Principal;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.ledger.RequestIdentity;
import java.util.List;
import org.springframework.stereotype.Service;

/** Asks one question for a principal: in turn with others if it is heavy, and with an answer that leaves in time. */
@Service
public class Asking {
    private final QueryRunner runner;
    private final AdmissionControl admission;
    private final KeyRegister register;
    private final ReleaseTimes times;

    public Asking(QueryRunner runner, AdmissionControl admission, KeyRegister register, ReleaseTimes times) {
        this.runner = runner;
        this.admission = admission;
        this.register = register;
        this.times = times;
    }

    /** As {@link QueryRunner#ask}. */
    public QueryRunner.Reply ask(
            Principal principal, Dataset dataset, QuestionRequest asked, RequestIdentity identity, byte[] body) {
        return asked.question().isHeavy()
                ? admission.heavily(principal.name(), () -> {
                    // The turn can come late.
                    register.requireStillOpen(principal);
                    return answer(dataset, asked, identity, body);
                })
                : answer(dataset, asked, identity, body);
    }

    /**
     * Answers, and waits for the departure. The next question in turn waits as long, so how long it waits does not
     * depend on rows.
     */
    private QueryRunner.Reply answer(Dataset dataset, QuestionRequest asked, RequestIdentity identity, byte[] body) {
        try (ReleaseTimes.Departure departure = times.departure(
                List.of(asked.question().kind().name()), QuestionRequest.rows(List.of(asked), dataset))) {
            return runner.ask(dataset, asked, identity, body);
        }
    }
}
