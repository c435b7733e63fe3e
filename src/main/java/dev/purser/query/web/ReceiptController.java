package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.ledger.proof.Receipt;
import dev.purser.ledger.proof.Receipts;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Questions")
class ReceiptController {
    private final Receipts receipts;
    private final VisibleDatasets datasets;

    ReceiptController(Receipts receipts, VisibleDatasets datasets) {
        this.receipts = receipts;
        this.datasets = datasets;
    }

    @GetMapping(path = "/v1/queries/{queryId}/receipt", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST, Role.AUDITOR})
    @Operation(
            operationId = "getReceipt",
            summary = "Returns a signed receipt of what a question was charged",
            description =
                    "For the principal that asked, auditors of the dataset, and administrators. It can be verified"
                            + " without the service:"
                            + " `java -jar purser.jar verify-receipt receipt.json --answer answer.json`.")
    Receipt receipt(@PathVariable String queryId, Principal principal) {
        return receipts.receipt(queryId)
                .filter(receipt ->
                        datasets.showsReceipt(principal, receipt.entry().analyst(), receipt.datasetId()))
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such question"));
    }
}
