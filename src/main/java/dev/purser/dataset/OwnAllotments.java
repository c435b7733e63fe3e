package dev.purser.dataset;

import dev.purser.access.Allotments;
import dev.purser.access.Principal;
import dev.purser.ledger.Allotment;
import dev.purser.ledger.Budget;
import dev.purser.ledger.BudgetLedger;
import dev.purser.store.Order;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** A principal's allotments, from the accounts of the datasets it sees. */
@Component
class OwnAllotments implements Allotments {
    /**
     * The most datasets that are read. A principal that sees more datasets finds its other allotments in their budgets.
     */
    private static final int MOST_DATASETS = 1_000;

    private final VisibleDatasets datasets;
    private final BudgetLedger ledger;

    OwnAllotments(VisibleDatasets datasets, BudgetLedger ledger) {
        this.datasets = datasets;
        this.ledger = ledger;
    }

    @Override
    public List<Allotment> of(Principal principal) {
        return datasets.list(principal, Order.ASC, "", MOST_DATASETS).stream()
                .flatMap(dataset -> allotment(dataset, principal))
                .toList();
    }

    private Stream<Allotment> allotment(ListedDataset dataset, Principal principal) {
        Budget budget = ledger.budget(dataset.account());
        return budget.allotmentOf(principal.name()).stream()
                .map(found -> new Allotment(
                        dataset.id(),
                        budget.accountant().stated(found.limit(), found.limit()),
                        budget.accountant().stated(found.spent(), found.limit()),
                        budget.accountant().stated(found.remaining(), found.limit())));
    }
}
