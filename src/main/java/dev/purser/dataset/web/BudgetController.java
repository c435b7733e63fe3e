package dev.purser.dataset.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.ledger.Budget;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.LedgerEntryView;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Budget and ledger", description = "What may be spent, what is spent, and every debit.")
class BudgetController {
    private final VisibleDatasets datasets;
    private final BudgetLedger ledger;

    BudgetController(VisibleDatasets datasets, BudgetLedger ledger) {
        this.datasets = datasets;
        this.ledger = ledger;
    }

    @GetMapping(path = "/v1/datasets/{id}/budget", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.AUDITOR})
    @Operation(operationId = "getBudget", summary = "Shows what of a dataset's budget is spent and remains")
    BudgetView budget(@PathVariable String id, @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        Dataset dataset = datasets.requireEvenDeleted(principal, id);
        return BudgetView.of(ledger.budget(dataset.account()));
    }

    @GetMapping(path = "/v1/datasets/{id}/ledger", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.AUDITOR})
    @Operation(operationId = "listLedger", summary = "Lists the ledger's entries, oldest first")
    Page<LedgerEntryView> ledger(
            @PathVariable String id,
            @Parameter(description = "Entries after this sequence.") @RequestParam(defaultValue = "0") @Min(0)
                    long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1000) int limit,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        Dataset dataset = datasets.requireEvenDeleted(principal, id);
        List<LedgerEntry> oneMore = ledger.entries(dataset.account(), after, limit + 1);
        Accountant accountant = dataset.registration().accountant();
        return Page.of(
                oneMore,
                limit,
                entry -> LedgerEntryView.of(entry, accountant),
                entry -> String.valueOf(entry.sequence()));
    }

    @Schema(name = "Budget")
    record BudgetView(
            @Schema(example = "pure") String accountant,
            StatedAmount limit,
            StatedAmount spent,
            StatedAmount remaining,

            @Schema(description = "Ceilings of single analysts inside the limit.")
            List<Object> allotments) {
        static BudgetView of(Budget budget) {
            return new BudgetView(
                    budget.accountant().name(),
                    budget.stated(budget.limit()),
                    budget.stated(budget.spent()),
                    budget.stated(budget.remaining()),
                    List.of());
        }
    }
}
