package dev.purser.collection.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.collection.CollectionSummary;
import dev.purser.collection.ReportCollections;
import dev.purser.collection.StoredCollection;
import dev.purser.collection.StoredCollection.Kind;
import dev.purser.collection.TrainingView;
import dev.purser.collection.Trainings;
import dev.purser.collection.VisibleCollections;
import dev.purser.json.Order;
import dev.purser.json.Page;
import dev.purser.json.Pages;
import dev.purser.json.RequestLimits;
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
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Trainings", description = "Models trained by gradients that devices randomize before they send them.")
class TrainingController {
    private static final int MAX_DECLARATION_BYTES = 1 << 16;
    private static final String ROOT = "/v1/trainings";
    private static final String ONE = ROOT + "/{id}";

    private final VisibleCollections visible;
    private final ReportCollections collections;
    private final Trainings trainings;
    private final AdmissionControl admission;
    private final KeyRegister register;
    private final RequestLimits limits;
    private final Pages pages;

    TrainingController(
            VisibleCollections visible,
            ReportCollections collections,
            Trainings trainings,
            AdmissionControl admission,
            KeyRegister register,
            RequestLimits limits,
            Pages pages) {
        this.visible = visible;
        this.collections = collections;
        this.trainings = trainings;
        this.admission = admission;
        this.register = register;
        this.limits = limits;
        this.pages = pages;
    }

    @PostMapping(path = ROOT, consumes = MediaType.APPLICATION_JSON_VALUE, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Refuses(ProblemType.ALREADY_EXISTS)
    @Operation(
            operationId = "openTraining",
            summary = "Opens a training of a linear or logistic model",
            description = "Mini-batch gradient descent. It begins with all parameters 0.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            schema = @Schema(implementation = OpenTrainingRequest.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "income",
                                                            summary = "A linear model of two features",
                                                            value = OpenTrainingRequest.INCOME))))
    @ApiResponse(
            responseCode = "201",
            headers =
                    @Header(
                            name = "Location",
                            description = "The address of the training.",
                            schema = @Schema(types = "string")),
            useReturnTypeSchema = true)
    ResponseEntity<TrainingView> open(
            HttpServletRequest request, @AuthenticationPrincipal @Parameter(hidden = true) Principal custodian)
            throws IOException {
        int maxBytes = Math.min(MAX_DECLARATION_BYTES, limits.maxBodyBytes());
        TrainingView opened = admission.read(request, custodian.name(), maxBytes, body -> {
            register.requireStillOpen(custodian);
            return trainings.open(body, custodian.name());
        });
        return ResponseEntity.created(URI.create(ROOT + "/" + opened.id())).body(opened);
    }

    @GetMapping(path = ROOT, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.COLLECTOR})
    @Operation(operationId = "listTrainings", summary = "Lists the trainings that this key sees, by id")
    Page<CollectionSummary> list(
            @Parameter(description = Page.AFTER) @RequestParam(defaultValue = "") String after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1000) int limit,
            @RequestParam(defaultValue = "asc") Order order,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        return pages.of(
                limit,
                100,
                (@Nullable StoredCollection last, int count) -> visible.list(
                        principal, Kind.TRAINING, order, last == null ? order.afterId(after) : last.id(), count),
                trainings::summary,
                StoredCollection::id);
    }

    @GetMapping(path = ONE, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.COLLECTOR})
    @Operation(
            operationId = "getTraining",
            summary = "Shows a training: its round, its parameters, its curve and the protocol of its devices")
    TrainingView get(@PathVariable String id, @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        return trainings.view(visible.require(principal, Kind.TRAINING, id));
    }

    @PostMapping(path = ONE + "/closure", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "closeTraining",
            summary = "Ends a training now",
            description = "Its parameters stay readable. Reports of a round that has not ended are left over.")
    TrainingView close(
            @PathVariable String id, @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        return trainings.view(collections.close(visible.requireOwn(principal, Kind.TRAINING, id)));
    }

    @DeleteMapping(ONE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "deleteTraining",
            summary = "Deletes a training and its parameters for good",
            description = "The id is never used again.")
    @ApiResponse(responseCode = "204", description = "Deleted")
    ResponseEntity<Void> delete(
            @PathVariable String id, @AuthenticationPrincipal @Parameter(hidden = true) Principal principal) {
        collections.delete(visible.requireOwnEvenDeleted(principal, Kind.TRAINING, id));
        return ResponseEntity.noContent().build();
    }

    @PostMapping(
            path = ONE + "/tickets",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.COLLECTOR})
    @ResponseStatus(HttpStatus.CREATED)
    @Operation(
            operationId = "createTickets",
            summary = "Makes tickets, one for each device that will take part",
            description = "They are shown once. A device takes part once if it gets one ticket.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            schema = @Schema(implementation = TicketsRequest.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "income",
                                                            summary = "Of two devices",
                                                            value = TicketsRequest.TWO))))
    TicketsView tickets(
            @PathVariable String id,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        StoredCollection training = visible.require(principal, Kind.TRAINING, id);
        return new TicketsView(admission.read(request, principal.name(), MAX_DECLARATION_BYTES, body -> {
            register.requireStillOpen(principal);
            return trainings.tickets(training, body);
        }));
    }

    @PostMapping(
            path = ONE + "/reports",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.COLLECTOR})
    @Operation(
            operationId = "sendGradients",
            summary = "Counts randomized gradients, each ticket once",
            description = "A batch is checked as a whole: one bad report refuses all of it. The report that completes a"
                    + " group ends the round. Reports of an earlier round use up their tickets and change nothing.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            schema = @Schema(implementation = GradientsRequest.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "income",
                                                            summary =
                                                                    "With a ticket of createTickets in place of this one",
                                                            value = GradientsRequest.ONE))))
    CountedGradients send(
            @PathVariable String id,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        StoredCollection training = visible.require(principal, Kind.TRAINING, id);
        return CountedGradients.of(admission.read(request, principal.name(), limits.maxBodyBytes(), body -> {
            register.requireStillOpen(principal);
            return trainings.add(training, body);
        }));
    }

    @Schema(name = "TicketRequest", requiredProperties = "count")
    record TicketsRequest(
            @Schema(description = "1 to 100,000.", example = "1000")
            int count) {
        static final String TWO = """
                {"count": 2}""";
    }

    @Schema(name = "Tickets")
    record TicketsView(
            @Schema(description = "As many as wanted.", example = "[\"5f2a9c0e1b7d4a365f2a9c0e1b7d4a\"]")
            List<String> tickets) {}

    @Schema(name = "CountedGradients")
    record CountedGradients(
            @Schema(description = "Reports that are in their round's gradient.", example = "1000")
            long accepted,

            @Schema(description = "Reports whose ticket was used before.", example = "0")
            long duplicates,

            @Schema(description = "Reports that came after their round; their tickets are used.", example = "0")
            long unused) {
        static CountedGradients of(Trainings.Counted counted) {
            return new CountedGradients(counted.accepted(), counted.duplicates(), counted.unused());
        }
    }
}
