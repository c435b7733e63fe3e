package dev.purser.collection.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.collection.CollectionFor;
import dev.purser.collection.CollectionFor.Use;
import dev.purser.collection.CollectionSummary;
import dev.purser.collection.ReportCollections;
import dev.purser.collection.StoredCollection;
import dev.purser.collection.StoredCollection.Kind;
import dev.purser.collection.TrainingDeclaration;
import dev.purser.collection.TrainingView;
import dev.purser.collection.Trainings;
import dev.purser.collection.VisibleCollections;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.Created;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.http.PostJson;
import dev.purser.http.Sent;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
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
    private final Pages pages;

    TrainingController(VisibleCollections visible, ReportCollections collections, Trainings trainings, Pages pages) {
        this.visible = visible;
        this.collections = collections;
        this.trainings = trainings;
        this.pages = pages;
    }

    @Bean
    static BodyForm<TrainingDeclaration> trainingBody() {
        return BodyForm.of(TrainingDeclaration.class, TrainingDeclaration::read)
                .atMost(MAX_DECLARATION_BYTES)
                .described(
                        TrainingDeclaration.FORM,
                        new BodyForm.Example("income", "A linear model of two features", TrainingDeclaration.INCOME));
    }

    @Bean
    static BodyForm<Trainings.TicketCount> ticketsBody() {
        return BodyForm.of(Trainings.TicketCount.class, Trainings.TicketCount::read)
                .atMost(MAX_DECLARATION_BYTES)
                .described(
                        Trainings.TicketCount.FORM, new BodyForm.Example("income", "Of two devices", "{\"count\": 2}"));
    }

    @Bean
    static BodyForm<Trainings.Batch> gradientsBody(Trainings trainings) {
        return BodyForm.of(
                        Trainings.Batch.class,
                        (in, arguments) -> trainings.read(in, arguments.get(StoredCollection.class)))
                .described(
                        Trainings.Batch.FORM,
                        new BodyForm.Example(
                                "income", "With a ticket of createTickets in place of this one", Trainings.Batch.ONE));
    }

    @PostJson(ROOT)
    @PermittedTo({Role.CUSTODIAN})
    @Refuses(ProblemType.ALREADY_EXISTS)
    @Operation(
            operationId = "openTraining",
            summary = "Opens a training of a linear or logistic model",
            description = "Mini-batch gradient descent. It begins with all parameters 0.")
    @Created
    ResponseEntity<TrainingView> open(Principal custodian, @Body Sent<TrainingDeclaration> sent) {
        StoredCollection opened = trainings.open(sent.value(), sent.bytes(), custodian.name());
        return ResponseEntity.created(URI.create(ROOT + "/" + opened.id())).body(trainings.view(opened));
    }

    @GetMapping(path = ROOT, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.COLLECTOR})
    @Operation(operationId = "listTrainings", summary = "Lists the trainings that this key sees, by id")
    Page<CollectionSummary> list(Principal principal, Paging paging) {
        return pages.byId(
                paging,
                (after, count) -> visible.list(principal, Kind.TRAINING, paging.order(), after, count),
                trainings::summary,
                StoredCollection::id);
    }

    @GetMapping(path = ONE, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.COLLECTOR})
    @Operation(
            operationId = "getTraining",
            summary = "Shows a training: its round, its parameters, its curve and the protocol of its devices")
    TrainingView get(
            Principal principal, @CollectionFor(value = Use.READING, kind = Kind.TRAINING) StoredCollection training) {
        return trainings.view(training);
    }

    @PostMapping(path = ONE + "/closure", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "closeTraining",
            summary = "Ends a training now",
            description = "Its parameters stay readable. Reports of a round that has not ended are left over.")
    TrainingView close(
            Principal principal, @CollectionFor(value = Use.CLOSING, kind = Kind.TRAINING) StoredCollection training) {
        return trainings.view(collections.close(training));
    }

    @DeleteMapping(ONE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "deleteTraining",
            summary = "Deletes a training and its parameters for good",
            description = "The id is never used again.")
    @ApiResponse(responseCode = "204", description = "Deleted")
    ResponseEntity<Void> delete(
            Principal principal, @CollectionFor(value = Use.DELETING, kind = Kind.TRAINING) StoredCollection training) {
        collections.delete(training);
        return ResponseEntity.noContent().build();
    }

    @PostJson(ONE + "/tickets")
    @PermittedTo({Role.COLLECTOR})
    @ResponseStatus(HttpStatus.CREATED)
    @Operation(
            operationId = "createTickets",
            summary = "Makes tickets, one for each device that will take part",
            description = "They are shown once. A device takes part once if it gets one ticket.")
    TicketsView tickets(
            Principal collector,
            @CollectionFor(value = Use.READING, kind = Kind.TRAINING) StoredCollection training,
            @Body Trainings.TicketCount wanted) {
        return new TicketsView(trainings.tickets(training, wanted));
    }

    @PostJson(ONE + "/reports")
    @PermittedTo({Role.COLLECTOR})
    @Operation(
            operationId = "sendGradients",
            summary = "Counts randomized gradients, each ticket once",
            description = "A batch is checked as a whole: one bad report refuses all of it. The report that completes a"
                    + " group ends the round. Reports of an earlier round use up their tickets and change nothing.")
    Trainings.Counted send(
            Principal collector,
            @CollectionFor(value = Use.READING, kind = Kind.TRAINING) StoredCollection training,
            @Body Trainings.Batch<?> batch) {
        return trainings.add(training, batch);
    }

    @Schema(name = "Tickets")
    record TicketsView(
            @Schema(description = "As many as wanted.", example = "[\"5f2a9c0e1b7d4a365f2a9c0e1b7d4a\"]")
            List<String> tickets) {
        /** Omits the tickets, because the text of a value may end up in a log. */
        @Override
        public String toString() {
            return "TicketsView[redacted]";
        }
    }
}
