package dev.purser.dataset.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.accounting.Accountant;
import dev.purser.dataset.BlockLabels;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.dataset.LimitReader;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.CsvTable;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.ledger.Allotment;
import dev.purser.ledger.BlockBooks;
import dev.purser.ledger.Budget;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.view.LedgerEntryView;
import dev.purser.ledger.view.StoredMember;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Budget and ledger", description = "What may be spent, what is spent, and every debit.")
class BudgetController {
    private static final int MAX_BODY_BYTES = 1 << 16;

    private final BudgetLedger ledger;
    private final KeyRegister keys;
    private final Pages pages;
    private final ConditionalReads reads;

    BudgetController(BudgetLedger ledger, KeyRegister keys, Pages pages, ConditionalReads reads) {
        this.reads = reads;
        this.pages = pages;
        this.keys = keys;
        this.ledger = ledger;
    }

    @Bean
    static BodyForm<PrivacyAmount> limitBody() {
        return limit("visits", "A higher limit", LimitReader.HIGHER);
    }

    @Bean
    static BodyForm<PrivacyAmount> allotmentBody() {
        return limit("ana", "A part of the limit", LimitReader.PART);
    }

    private static BodyForm<PrivacyAmount> limit(String name, String summary, String json) {
        return BodyForm.of(
                        PrivacyAmount.class,
                        (in, arguments) -> LimitReader.limit(
                                in, arguments.get(Dataset.class).registration().accountant()))
                .atMost(MAX_BODY_BYTES)
                .described(LimitReader.FORM, new BodyForm.Example(name, summary, json));
    }

    @GetMapping(path = "/v1/datasets/{id}/budget", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.VIEWER, Role.AUDITOR})
    @ConditionalRead
    @Operation(
            operationId = "getBudget",
            summary = "Shows what of a dataset's budget is spent and remains",
            description = "Of a dataset with blocks: the limit of each block, the most that is spent of one of the"
                    + " blocks asked for, and the least that remains of one. These are all blocks that are ready (all"
                    + " blocks, if none is), or those from `from` to `to`. Only such a dataset has these parameters."
                    + " What is spent of an allotment is the most of any block.")
    ResponseEntity<BudgetView> budget(
            Principal principal,
            @DatasetFor(Use.ACCOUNTING) Dataset dataset,
            @Parameter(description = BlockController.FROM) @RequestParam(required = false) @Nullable String from,
            @Parameter(description = BlockController.TO) @RequestParam(required = false) @Nullable String to) {
        return reads.of(view(dataset, principal, from, to));
    }

    private BudgetView view(Dataset dataset, Principal principal, @Nullable String from, @Nullable String to) {
        Budget budget = ledger.budget(dataset.account());
        if (dataset.blocks().isPresent()) {
            return BudgetView.of(budget, blockAmounts(budget, dataset, principal, from, to), principal);
        }
        if (from != null || to != null) {
            String sent = from != null ? "from" : "to";
            throw ProblemException.validation(
                    Violation.ofParameter(sent, sent + " names a block, and the dataset has none: leave it out"));
        }
        return BudgetView.of(budget, principal);
    }

    private BlockAmounts blockAmounts(
            Budget budget, Dataset dataset, Principal principal, @Nullable String from, @Nullable String to) {
        Blocks blocks = dataset.blocks().orElseThrow();
        boolean allReady = from == null && to == null && !dataset.ready().runs().isEmpty();
        List<BlockWindow> asked = allReady ? dataset.ready().runs() : List.of(BlockLabels.between(blocks, from, to));
        BlockBooks books = ledger.blocks(
                dataset.account(), principal.name(), asked.getFirst().hull(asked.getLast()));
        return BlockAmounts.over(
                budget.limit(), asked, books::spent, seesOwnPartOnly(principal) ? books::remaining : null);
    }

    @PutMapping(
            path = "/v1/datasets/{id}/budget",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "setBudget",
            summary = "Sets a dataset's limit",
            description = "The change is an entry of the ledger. The limit cannot be less than what is spent. The same"
                    + " limit again changes nothing.")
    BudgetView setBudget(
            Principal principal, @DatasetFor(Use.CHANGING) Dataset dataset, @Body("limitBody") PrivacyAmount limit) {
        ledger.setLimit(dataset.account(), limit, principal.name());
        return view(dataset, principal, null, null);
    }

    @PutMapping(
            path = "/v1/datasets/{id}/allotments/{analyst}",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "setAllotment",
            summary = "Sets one analyst's limit within a dataset's limit",
            description = "The change is an entry of the ledger. Earlier charges of the analyst count, and the limit"
                    + " cannot be less than those. It holds for all datasets that share the account. The name must be"
                    + " that of a key.")
    AllotmentView setAllotment(
            @Parameter(description = "The analyst's name.", example = "ana")
                    @PathVariable
                    @Pattern(regexp = "[a-z][a-z0-9._-]{0,62}", message = "must match [a-z][a-z0-9._-]{0,62}")
                    String analyst,
            Principal principal,
            @DatasetFor(Use.CHANGING) Dataset dataset,
            @Body("allotmentBody") PrivacyAmount limit) {
        if (!keys.isOfSomebody(analyst)) {
            throw ProblemException.validation(Violation.ofParameter(
                    "analyst", "analyst must be the name of a key, was \"" + analyst + "\": create the key first"));
        }
        ledger.setAllotment(dataset.account(), analyst, limit, principal.name());
        Budget budget = ledger.budget(dataset.account());
        return AllotmentView.of(
                budget, budget.allotmentOf(analyst).orElseGet(() -> new Allotment(analyst, limit, PrivacyAmount.ZERO)));
    }

    @DeleteMapping("/v1/datasets/{id}/allotments/{analyst}")
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "endAllotment",
            summary = "Takes back an analyst's limit within a dataset's limit",
            description = "From then on, only the dataset's limit holds for the analyst. The change is an entry of the"
                    + " ledger: it sets the largest limit that there is. Without an allotment, nothing changes.")
    @ApiResponse(responseCode = "204", description = "Taken back")
    ResponseEntity<Void> endAllotment(
            @Parameter(description = "The analyst's name.", example = "ana") @PathVariable String analyst,
            Principal principal,
            @DatasetFor(Use.CHANGING) Dataset dataset) {
        if (ledger.budget(dataset.account()).allotmentOf(analyst).isPresent()) {
            PrivacyAmount noLimit = dataset.registration().accountant().largestLimit();
            ledger.setAllotment(dataset.account(), analyst, noLimit, principal.name());
        }
        return ResponseEntity.noContent().build();
    }

    @GetMapping(
            path = "/v1/datasets/{id}/ledger",
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @PermittedTo({Role.CUSTODIAN, Role.AUDITOR})
    @Operation(
            operationId = "listLedger",
            summary = "Lists the ledger's entries by sequence number",
            description = "The header `Link` has the address of the next page (`rel=\"next\"`), also for CSV, which has"
                    + " no `next`.")
    @ApiResponse(
            responseCode = "200",
            headers =
                    @Header(
                            name = HttpHeaders.LINK,
                            description = "The address of the next page, unless this is the last one.",
                            schema = @Schema(types = "string")),
            useReturnTypeSchema = true)
    ResponseEntity<Page<ListedEntryView>> ledger(
            Principal principal, @DatasetFor(Use.ACCOUNTING) Dataset dataset, Paging paging) {
        Page<ListedEntryView> page = pages.bySequence(
                paging,
                (after, count) -> switch (paging.order()) {
                    case ASC -> ledger.entries(dataset.account(), after, count);
                    case DESC -> ledger.entriesBefore(dataset.account(), after, count);
                },
                entry -> view(entry, dataset),
                LedgerEntry::sequence);
        ResponseEntity.BodyBuilder response = ResponseEntity.ok().varyBy(HttpHeaders.ACCEPT);
        if (page.next() != null) {
            response.header(HttpHeaders.LINK, linkTo(dataset.id(), page.next(), paging));
        }
        return response.body(page);
    }

    private ListedEntryView view(LedgerEntry entry, Dataset dataset) {
        Accountant accountant = dataset.registration().accountant();
        return new ListedEntryView(
                LedgerEntryView.of(entry, accountant, dataset.blocks().orElse(null)),
                entry.queryId() == null
                        ? null
                        : new StoredMember(ledger, entry.queryId(), Set.of("question", "declaration")),
                LedgerEntryView.AllotmentView.of(
                        ledger.allotmentBefore(dataset.account(), entry).orElse(null), accountant));
    }

    private static String linkTo(String id, String next, Paging paging) {
        return "</v1/datasets/%s/ledger?after=%s&limit=%d&order=%s>; rel=\"next\""
                .formatted(id, next, paging.limit(), paging.order());
    }

    /** Whether a principal is shown only its own part of the budget. */
    static boolean seesOwnPartOnly(Principal principal) {
        return principal.role() == Role.ANALYST || principal.role() == Role.VIEWER;
    }

    @Schema(name = "ListedEntry", description = "An entry of the ledger, with what it was about.")
    record ListedEntryView(
            @JsonUnwrapped LedgerEntryView entry,

            @Schema(
                    implementation = Object.class,
                    description =
                            "What was asked, in canonical form; of a threshold session, what opened it. Null until it"
                                    + " is answered, and on a limit entry. No hash covers it.")
            @Nullable
            StoredMember question,

            @Schema(
                    description =
                            "On a limit entry that sets an allotment: the allotment as it was before. Null without"
                                    + " one.")
            LedgerEntryView.@Nullable AllotmentView allotmentBefore) {}

    @Schema(name = "Budget")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record BudgetView(
            @Schema(example = "pure") String accountant,

            @Schema(description = "With blocks, of each block.")
            StatedAmount limit,

            @Schema(description = "With blocks, the most of one of the blocks asked for.")
            StatedAmount spent,

            @Schema(
                    description =
                            "For an analyst with an allotment, what is left of it if that is less. With blocks, the"
                                    + " least of one of the blocks asked for.")
            StatedAmount remaining,

            @Schema(
                    description = "Which limit leaves no more than `remaining`: `analyst` if an analyst's own allotment"
                            + " leaves less than the dataset; else, and for everybody else, `dataset`.",
                    allowableValues = {"dataset", "analyst"})
            String remainingIn,

            @Schema(
                    description =
                            "Limits of single analysts within the limit. An analyst or viewer sees only their own.")
            List<AllotmentView> allotments,

            @Schema(description = "With blocks: the limit is that of each block, and so is an allotment.") @Nullable
            Boolean perBlock) {
        static BudgetView of(Budget budget, Principal principal) {
            boolean ownOnly = seesOwnPartOnly(principal);
            return of(
                    budget,
                    budget.spent(),
                    ownOnly ? budget.remainingFor(principal.name()) : budget.remaining(),
                    ownOnly && budget.isLessByAllotment(principal.name()),
                    principal,
                    null);
        }

        /** The budget of some blocks. */
        static BudgetView of(Budget budget, BlockAmounts amounts, Principal principal) {
            return of(budget, amounts.spent(), amounts.remaining(), amounts.lessByAllotment(), principal, true);
        }

        private static BudgetView of(
                Budget budget,
                PrivacyAmount spent,
                PrivacyAmount remaining,
                boolean lessByAllotment,
                Principal principal,
                @Nullable Boolean perBlock) {
            return new BudgetView(
                    budget.accountant().name(),
                    budget.stated(budget.limit()),
                    budget.stated(spent),
                    budget.stated(remaining),
                    lessByAllotment ? "analyst" : "dataset",
                    budget.allotments().stream()
                            .filter(allotment -> !seesOwnPartOnly(principal)
                                    || allotment.analyst().equals(principal.name()))
                            .map(allotment -> AllotmentView.of(budget, allotment))
                            .toList(),
                    perBlock);
        }
    }

    @Schema(name = "Allotment", description = "One analyst's limit within a dataset's limit.")
    record AllotmentView(
            @Schema(example = "ana") String analyst, StatedAmount limit, StatedAmount spent, StatedAmount remaining) {
        static AllotmentView of(Budget budget, Allotment allotment) {
            return new AllotmentView(
                    allotment.analyst(),
                    budget.accountant().stated(allotment.limit(), allotment.limit()),
                    budget.accountant().stated(allotment.spent(), allotment.limit()),
                    budget.accountant().stated(allotment.remaining(), allotment.limit()));
        }
    }
}
