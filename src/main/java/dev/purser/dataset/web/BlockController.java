package dev.purser.dataset.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.BlockLabels;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.http.CsvTable;
import dev.purser.http.LongReply;
import dev.purser.ledger.BudgetLedger;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Budget and ledger")
class BlockController {
    static final String FROM = "The label of the first block; of all blocks if it is not sent.";
    static final String TO = "The label of the last block, included; of all blocks if it is not sent.";

    private final BudgetLedger ledger;

    BlockController(BudgetLedger ledger) {
        this.ledger = ledger;
    }

    @GetMapping(
            path = "/v1/datasets/{id}/blocks",
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @LongReply
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.VIEWER, Role.AUDITOR})
    @Operation(
            operationId = "listBlocks",
            summary = "Shows which blocks of a dataset are ready, and what of each is spent and remains",
            description = "Neighbouring blocks with the same state and amounts are one item.")
    ResponseEntity<BlockRunsView> list(
            Principal principal,
            @DatasetFor(Use.ACCOUNTING) Dataset dataset,
            @Parameter(description = FROM) @RequestParam(required = false) @Nullable String from,
            @Parameter(description = TO) @RequestParam(required = false) @Nullable String to) {
        Blocks blocks = dataset.blocks()
                .orElseThrow(() -> ProblemException.validation(
                        Violation.ofParameter("id", "the dataset \"" + dataset.id() + "\" has no blocks")));
        BlockWindow window = BlockLabels.between(blocks, from, to);
        return ResponseEntity.ok()
                .varyBy(HttpHeaders.ACCEPT)
                .body(BlockRunsView.of(
                        dataset,
                        ledger.budget(dataset.account()),
                        ledger.blocks(dataset.account(), principal.name(), window)
                                .runs(window),
                        BudgetController.seesOwnPartOnly(principal)));
    }
}
