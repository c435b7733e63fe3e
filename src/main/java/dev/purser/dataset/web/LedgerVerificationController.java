package dev.purser.dataset.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetCatalog;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.journal.JournalCheck;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.ChainVerification;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Budget and ledger")
class LedgerVerificationController {
    /** What {@link BudgetLedger#verify} covers. The journal covers the rest. */
    private static final List<String> BOOKS = List.of("entries", "account", "allotments", "charges", "rows");

    private final BudgetLedger ledger;
    private final JournalCheck journal;
    private final Database database;
    private final DatasetCatalog catalog;

    /** Allows one verification at a time, because a verification takes shared readers of the database for seconds. */
    private final Semaphore running = new Semaphore(1);

    LedgerVerificationController(BudgetLedger ledger, JournalCheck journal, Database database, DatasetCatalog catalog) {
        this.ledger = ledger;
        this.journal = journal;
        this.database = database;
        this.catalog = catalog;
    }

    @GetMapping(path = "/v1/datasets/{id}/ledger/verification", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.AUDITOR})
    @Operation(
            operationId = "verifyLedger",
            summary = "Recomputes a dataset's ledger from its first entry on",
            description = "Checks every hash, sum, allotment and limit, and that every charge has its question. Then"
                    + " compares the dataset's registration, its answers and its sessions with the journal, which is"
                    + " authenticated by a key outside the database, and the files of rows with what was loaded: that"
                    + " they are there, that they are the same, and their length. Takes some seconds for 100,000"
                    + " questions.")
    VerificationView verify(Principal principal, @DatasetFor(Use.ACCOUNTING) Dataset dataset) {
        if (!running.tryAcquire()) {
            throw ProblemException.of(
                            ProblemType.TEMPORARILY_UNAVAILABLE, "a ledger is being verified already; try again")
                    .retryAfter(Duration.ofSeconds(5));
        }
        try {
            ChainVerification found = ledger.verify(dataset.account());
            String fault = found.valid() ? journal.faultOfAccount(database, dataset.account()) : found.fault();
            if (fault == null) {
                fault = catalog.faultOfRows(dataset).orElse(null);
            }
            List<String> covers = Stream.concat(BOOKS.stream(), journal.coversOfAccount().stream())
                    .toList();
            return new VerificationView(found.entries(), found.head(), fault == null, fault, covers);
        } finally {
            running.release();
        }
    }

    @Schema(name = "LedgerVerification", description = "The result of recomputing a ledger.")
    record VerificationView(
            @Schema(description = "How many entries there are.", example = "17")
            long entries,

            @Schema(
                    description = "The hash of the last one, 64 hexadecimal digits.",
                    example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
            String head,

            @Schema(description = "Whether no fault was found.", example = "true")
            boolean valid,

            @Schema(description = "The first fault found; null if there is none.") @Nullable
            String fault,

            @Schema(
                    description = "What was recomputed or compared.",
                    example = "[\"entries\", \"account\", \"allotments\", \"charges\", \"answers\"]")
            List<String> covers) {}
}
