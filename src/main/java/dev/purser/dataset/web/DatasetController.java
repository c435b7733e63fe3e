package dev.purser.dataset.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetDeletion;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.dataset.DatasetLoading;
import dev.purser.dataset.DatasetRegistrar;
import dev.purser.dataset.ListedDataset;
import dev.purser.dataset.Registration;
import dev.purser.dataset.RegistrationReader;
import dev.purser.dataset.ShownDatasets;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.Created;
import dev.purser.http.LongReply;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.http.PostJson;
import dev.purser.http.Sent;
import dev.purser.http.TypedArgument;
import dev.purser.ledger.Budget;
import dev.purser.ledger.BudgetLedger;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.store.Order;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Datasets", description = "Registration, data and state.")
class DatasetController implements ShownDatasets {
    /** Larger than the columns and categories of any table need. The body is cached while questions are asked. */
    private static final int MAX_BODY_BYTES = 1 << 20;

    private final DatasetRegistrar registrar;
    private final DatasetDeletion deletion;
    private final VisibleDatasets datasets;
    private final BudgetLedger ledger;
    private final DatasetLoading loading;
    private final Pages pages;
    private final ConditionalReads reads;

    DatasetController(
            DatasetRegistrar registrar,
            DatasetDeletion deletion,
            DatasetLoading loading,
            VisibleDatasets datasets,
            BudgetLedger ledger,
            Pages pages,
            ConditionalReads reads) {
        this.reads = reads;
        this.pages = pages;
        this.registrar = registrar;
        this.deletion = deletion;
        this.loading = loading;
        this.datasets = datasets;
        this.ledger = ledger;
    }

    @Bean
    static TypedArgument<Dataset> dataset(VisibleDatasets datasets) {
        return TypedArgument.inPath(
                "id",
                Dataset.class,
                (id, before, parameter) -> {
                    Principal principal = before.get(Principal.class);
                    return switch (use(parameter)) {
                        case READING -> datasets.require(principal, id);
                        case ASKING -> datasets.requireReady(principal, id);
                        case ACCOUNTING -> datasets.requireEvenDeleted(principal, id);
                        case CHANGING -> datasets.requireOwn(principal, id);
                        case DELETING -> datasets.requireOwnEvenDeleted(principal, id);
                    };
                },
                (dataset, before, parameter) ->
                        use(parameter) == DatasetFor.Use.ASKING ? datasets.stillReady(dataset) : dataset);
    }

    private static DatasetFor.Use use(MethodParameter parameter) {
        return Objects.requireNonNull(parameter.getParameterAnnotation(DatasetFor.class))
                .value();
    }

    @Bean
    static BodyForm<Registration> registrationBody() {
        return BodyForm.of(Registration.class, RegistrationReader::read)
                .atMost(MAX_BODY_BYTES)
                .described(
                        RegistrationReader.FORM,
                        new BodyForm.Example(
                                "visits", "Visits to a clinic, whose number stays private", RegistrationReader.VISITS),
                        new BodyForm.Example(
                                "visits-public",
                                "The same, declared public, their number too, under zcdp",
                                RegistrationReader.VISITS_PUBLIC),
                        new BodyForm.Example(
                                "visits-daily",
                                "Visits that are loaded day by day, each day with the whole budget",
                                RegistrationReader.VISITS_DAILY));
    }

    @PostJson("/v1/datasets")
    @PermittedTo({Role.CUSTODIAN})
    @Refuses(ProblemType.ALREADY_EXISTS)
    @Operation(
            operationId = "registerDataset",
            summary = "Registers a dataset with its public bounds and its total budget")
    @Created
    ResponseEntity<DatasetView> register(Principal custodian, @Body Sent<Registration> sent) {
        Dataset dataset = registrar.register(sent.value(), sent.bytes(), custodian.name());
        return ResponseEntity.created(URI.create("/v1/datasets/" + dataset.id()))
                .body(view(dataset, custodian));
    }

    @GetMapping(path = "/v1/datasets", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.VIEWER, Role.AUDITOR})
    @ConditionalRead
    @Operation(
            operationId = "listDatasets",
            summary = "Lists the datasets that this key sees, by id",
            description = "Without their registrations; `GET /v1/datasets/{id}` shows one.")
    ResponseEntity<Page<DatasetSummaryView>> list(Principal principal, Paging paging) {
        return reads.of(page(principal, paging));
    }

    @Override
    public Page<?> page(Principal principal, String after, int limit) {
        return page(principal, new Paging(after, limit, Order.ASC));
    }

    private Page<DatasetSummaryView> page(Principal principal, Paging paging) {
        Map<String, Budget> budgets = new HashMap<>();
        return pages.byId(
                paging,
                (after, count) -> {
                    List<ListedDataset> found = datasets.list(principal, paging.order(), after, count);
                    budgets.putAll(ledger.summaries(
                            found.stream().map(ListedDataset::account).collect(Collectors.toSet()), principal.name()));
                    return found;
                },
                dataset -> summary(dataset, Objects.requireNonNull(budgets.get(dataset.account())), principal),
                ListedDataset::id);
    }

    private DatasetSummaryView summary(ListedDataset dataset, Budget budget, Principal principal) {
        return DatasetSummaryView.of(
                dataset,
                budget,
                remaining(budget, principal),
                datasets.isOwner(principal, dataset.custodian()),
                loading.rowsSoFar(dataset.id()));
    }

    @GetMapping(path = "/v1/datasets/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    @LongReply
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.VIEWER, Role.AUDITOR})
    @ConditionalRead
    @Operation(operationId = "getDataset", summary = "Shows a dataset's public facts, state and budget")
    ResponseEntity<DatasetView> get(Principal principal, @DatasetFor(Use.READING) Dataset dataset) {
        return reads.of(view(dataset, principal));
    }

    @DeleteMapping("/v1/datasets/{id}")
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "deleteDataset",
            summary = "Deletes a dataset's data for good",
            description =
                    "Later questions answer 404. The ledger and the answers stay readable; the id is never used again.")
    @ApiResponse(responseCode = "204", description = "Deleted")
    ResponseEntity<Void> delete(Principal principal, @DatasetFor(Use.DELETING) Dataset dataset) {
        deletion.delete(dataset.id());
        return ResponseEntity.noContent().build();
    }

    private static PrivacyAmount remaining(Budget budget, Principal principal) {
        return BudgetController.seesOwnPartOnly(principal) ? budget.remainingFor(principal.name()) : budget.remaining();
    }

    @Override
    public Shown shown(Principal principal, Dataset dataset) {
        Budget budget = Objects.requireNonNull(
                ledger.summaries(Set.of(dataset.account()), principal.name()).get(dataset.account()));
        return new Shown(view(dataset, principal), budget.stated(remaining(budget, principal)));
    }

    private DatasetView view(Dataset dataset, Principal principal) {
        return DatasetView.of(
                dataset,
                ledger.summary(dataset.account()),
                datasets.isOwner(principal, dataset.custodian()),
                loading.rowsSoFar(dataset.id()));
    }
}
