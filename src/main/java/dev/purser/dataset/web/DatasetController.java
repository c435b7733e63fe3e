package dev.purser.dataset.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetDeletion;
import dev.purser.dataset.DatasetLoading;
import dev.purser.dataset.DatasetRegistrar;
import dev.purser.dataset.ListedDataset;
import dev.purser.dataset.Registration;
import dev.purser.dataset.RegistrationReader;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.JsonDocument;
import dev.purser.json.Order;
import dev.purser.json.Page;
import dev.purser.json.Pages;
import dev.purser.json.RequestLimits;
import dev.purser.ledger.Budget;
import dev.purser.ledger.BudgetLedger;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Datasets", description = "Registration, data and state.")
class DatasetController {
    /** Exceeds what any table's columns and categories need. The body is cached while questions are asked. */
    private static final int MAX_BODY_BYTES = 1 << 20;

    private final DatasetRegistrar registrar;
    private final DatasetDeletion deletion;
    private final VisibleDatasets datasets;
    private final BudgetLedger ledger;
    private final AdmissionControl admission;
    private final RequestLimits limits;
    private final KeyRegister register;
    private final DatasetLoading loading;
    private final Pages pages;
    private final ConditionalReads reads;

    DatasetController(
            DatasetRegistrar registrar,
            DatasetDeletion deletion,
            DatasetLoading loading,
            VisibleDatasets datasets,
            BudgetLedger ledger,
            AdmissionControl admission,
            RequestLimits limits,
            KeyRegister register,
            Pages pages,
            ConditionalReads reads) {
        this.reads = reads;
        this.register = register;
        this.pages = pages;
        this.registrar = registrar;
        this.deletion = deletion;
        this.loading = loading;
        this.datasets = datasets;
        this.ledger = ledger;
        this.admission = admission;
        this.limits = limits;
    }

    @PostMapping(
            path = "/v1/datasets",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Refuses(ProblemType.ALREADY_EXISTS)
    @Operation(
            operationId = "registerDataset",
            summary = "Registers a dataset with its public bounds and its total budget",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            schema = @Schema(implementation = RegistrationRequest.class),
                                            examples = {
                                                @ExampleObject(
                                                        name = "visits",
                                                        summary = "Visits to a clinic, whose number stays private",
                                                        value = RegistrationRequest.VISITS),
                                                @ExampleObject(
                                                        name = "visits-public",
                                                        summary = "The same, declared public, their number too",
                                                        value = RegistrationRequest.VISITS_PUBLIC)
                                            })))
    @ApiResponse(
            responseCode = "201",
            headers =
                    @Header(
                            name = "Location",
                            description = "The address of the dataset.",
                            schema = @Schema(types = "string")),
            useReturnTypeSchema = true)
    ResponseEntity<DatasetView> register(
            HttpServletRequest request, @AuthenticationPrincipal @Parameter(hidden = true) Principal custodian)
            throws IOException {
        int maxBytes = Math.min(MAX_BODY_BYTES, limits.maxBodyBytes());
        Dataset dataset = admission.read(request, custodian.name(), maxBytes, body -> {
            register.requireStillOpen(custodian);
            Registration registration =
                    JsonDocument.parse(body, limits.document()).read(RegistrationReader::read);
            return registrar.register(registration, body, custodian.name());
        });
        return ResponseEntity.created(URI.create("/v1/datasets/" + dataset.id()))
                .body(view(dataset, custodian));
    }

    @GetMapping(path = "/v1/datasets", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.AUDITOR})
    @ConditionalRead
    @Operation(
            operationId = "listDatasets",
            summary = "Lists the datasets that this key sees, by id",
            description = "Without their registrations; `GET /v1/datasets/{id}` shows one.")
    ResponseEntity<Page<DatasetSummaryView>> list(
            @Parameter(description = Page.AFTER) @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1000) int limit,
            @RequestParam(defaultValue = "asc") Order order,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        Map<String, Budget> budgets = new HashMap<>();
        return reads.of(pages.of(
                limit,
                limit + 1,
                (@Nullable ListedDataset last, int count) -> {
                    List<ListedDataset> found =
                            datasets.list(principal, order, last == null ? order.afterId(after) : last.id(), count);
                    budgets.putAll(ledger.summaries(
                            found.stream().map(ListedDataset::account).collect(Collectors.toSet()), principal.name()));
                    return found;
                },
                dataset -> summary(dataset, Objects.requireNonNull(budgets.get(dataset.account())), principal),
                ListedDataset::id));
    }

    private DatasetSummaryView summary(ListedDataset dataset, Budget budget, Principal principal) {
        return DatasetSummaryView.of(
                dataset,
                budget,
                principal.role() == Role.ANALYST ? budget.remainingFor(principal.name()) : budget.remaining(),
                datasets.isOwner(principal, dataset.custodian()),
                loading.rowsSoFar(dataset.id()));
    }

    @GetMapping(path = "/v1/datasets/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.AUDITOR})
    @ConditionalRead
    @Operation(operationId = "getDataset", summary = "Shows a dataset's public facts, state and budget")
    ResponseEntity<DatasetView> get(
            @PathVariable String id, @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        return reads.of(view(datasets.require(principal, id), principal));
    }

    @DeleteMapping("/v1/datasets/{id}")
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "deleteDataset",
            summary = "Deletes a dataset's data for good",
            description =
                    "Later questions answer 404. The ledger and the answers stay readable; the id is never used again.")
    @ApiResponse(responseCode = "204", description = "Deleted")
    ResponseEntity<Void> delete(
            @PathVariable String id, @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        deletion.delete(datasets.requireOwnEvenDeleted(principal, id).id());
        return ResponseEntity.noContent().build();
    }

    private DatasetView view(Dataset dataset, Principal principal) {
        return DatasetView.of(
                dataset,
                ledger.summary(dataset.account()),
                datasets.isOwner(principal, dataset.custodian()),
                loading.rowsSoFar(dataset.id()));
    }
}
