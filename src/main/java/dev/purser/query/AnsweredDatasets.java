package dev.purser.query;

import dev.purser.access.Principal;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.ledger.BudgetLedger;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import org.springframework.stereotype.Service;

/** Finds the datasets that answers are about. */
@Service
public class AnsweredDatasets {
    private final BudgetLedger ledger;
    private final VisibleDatasets datasets;

    public AnsweredDatasets(BudgetLedger ledger, VisibleDatasets datasets) {
        this.ledger = ledger;
        this.datasets = datasets;
    }

    /**
     * The dataset of an answer, ready to be asked about.
     *
     * @throws ProblemException {@code not-found} if there is no such answer, or the principal may not see its dataset
     */
    public Dataset of(Principal principal, String queryId) {
        String datasetId = ledger.datasetOf(queryId).orElseThrow(AnsweredDatasets::notFound);
        try {
            return datasets.requireReady(principal, datasetId);
        } catch (ProblemException hidden) {
            throw hidden.type() == ProblemType.NOT_FOUND ? notFound() : hidden;
        }
    }

    /**
     * Refuses an answer that is not about a dataset.
     *
     * @throws ProblemException {@code not-found}
     */
    public void requireAbout(Dataset dataset, String queryId) {
        if (ledger.datasetOf(queryId).filter(dataset.id()::equals).isEmpty()) {
            throw notFound();
        }
    }

    private static ProblemException notFound() {
        return ProblemException.of(ProblemType.NOT_FOUND, "there is no such answer");
    }
}
