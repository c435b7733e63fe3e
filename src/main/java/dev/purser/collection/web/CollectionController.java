package dev.purser.collection.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.collection.CollectionDeclaration;
import dev.purser.collection.CollectionFor;
import dev.purser.collection.CollectionFor.Use;
import dev.purser.collection.CollectionSummary;
import dev.purser.collection.CollectionView;
import dev.purser.collection.EstimateView;
import dev.purser.collection.ReportCollections;
import dev.purser.collection.ReportCollections.Counted;
import dev.purser.collection.StoredCollection;
import dev.purser.collection.StoredCollection.Kind;
import dev.purser.collection.VisibleCollections;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.Created;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.http.PostJson;
import dev.purser.http.Sent;
import dev.purser.http.TypedArgument;
import dev.purser.json.RequestLimits;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(
        name = "Collections",
        description = "Reports that devices randomize before they send them, and estimates from all of them.")
class CollectionController {
    /** The media type with one report on each line. */
    private static final String LINES = "application/x-ndjson";

    /** The most bytes of a declaration, so that it fits into the cache of parsed declarations. */
    private static final int MAX_DECLARATION_BYTES = 1 << 19;

    private static final String ACCEPTED = "accepted";
    private static final Counted NONE = new Counted(0, 0);

    private static final String ROOT = "/v1/collections";
    private static final String ONE = ROOT + "/{id}";

    private final VisibleCollections visible;
    private final ReportCollections collections;
    private final AdmissionControl admission;
    private final KeyRegister register;
    private final RequestLimits limits;
    private final Pages pages;

    CollectionController(
            VisibleCollections visible,
            ReportCollections collections,
            AdmissionControl admission,
            KeyRegister register,
            RequestLimits limits,
            Pages pages) {
        this.visible = visible;
        this.collections = collections;
        this.admission = admission;
        this.register = register;
        this.limits = limits;
        this.pages = pages;
    }

    @Bean
    static TypedArgument<StoredCollection> collection(VisibleCollections visible) {
        return TypedArgument.inPath("id", StoredCollection.class, (id, before, parameter) -> {
            CollectionFor wanted = Objects.requireNonNull(parameter.getParameterAnnotation(CollectionFor.class));
            return visible.require(before.get(Principal.class), wanted.value(), wanted.kind(), id);
        });
    }

    @Bean
    static BodyForm<CollectionDeclaration> collectionBody(Clock clock) {
        return BodyForm.of(CollectionDeclaration.class, in -> CollectionDeclaration.read(in, clock.instant()))
                .atMost(MAX_DECLARATION_BYTES)
                .described(
                        CollectionDeclaration.FORM,
                        new BodyForm.Example("commute-minutes", "Of a number", CollectionDeclaration.MINUTES),
                        new BodyForm.Example("commute-by", "Of a category", CollectionDeclaration.BY));
    }

    @Bean
    static BodyForm<ReportCollections.Batch> reportsBody(ReportCollections collections) {
        return BodyForm.of(
                        ReportCollections.Batch.class,
                        (in, arguments) -> collections.read(in, arguments.get(StoredCollection.class)))
                .described(
                        ReportCollections.Batch.FORM,
                        new BodyForm.Example("commute-minutes", "Of a number", ReportCollections.Batch.MINUTES),
                        new BodyForm.Example("commute-by", "Of a category", ReportCollections.Batch.BY))
                .refusing(refusal -> refusal.members().containsKey(ACCEPTED) ? refusal : counted(refusal, NONE));
    }

    @PostJson(ROOT)
    @PermittedTo({Role.CUSTODIAN})
    @Refuses(ProblemType.ALREADY_EXISTS)
    @Operation(
            operationId = "openCollection",
            summary = "Opens a collection of locally randomized reports",
            description = "The reply states the local epsilon of one whole report, and all that a device needs.")
    @Created
    ResponseEntity<CollectionView> open(Principal custodian, @Body Sent<CollectionDeclaration> sent) {
        StoredCollection opened = collections.open(sent.value(), sent.bytes(), custodian.name());
        return ResponseEntity.created(URI.create(ROOT + "/" + opened.id())).body(collections.view(opened));
    }

    @GetMapping(path = ROOT, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.COLLECTOR})
    @Operation(operationId = "listCollections", summary = "Lists the collections that this key sees, by id")
    Page<CollectionSummary> list(Principal principal, Paging paging) {
        return pages.byId(
                paging,
                (after, count) -> visible.list(principal, Kind.COLLECTION, paging.order(), after, count),
                collections::summary,
                StoredCollection::id);
    }

    @GetMapping(path = ONE, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.COLLECTOR})
    @Operation(
            operationId = "getCollection",
            summary = "Shows a collection with the protocol of its devices",
            description = "Constants and test vectors never change while the collection lives.")
    CollectionView get(Principal principal, @CollectionFor(Use.READING) StoredCollection collection) {
        return collections.view(collection);
    }

    @PostMapping(path = ONE + "/closure", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "closeCollection",
            summary = "Ends a collection's reports now",
            description = "Its estimate stays readable. Closing it again changes nothing.")
    CollectionView close(Principal principal, @CollectionFor(Use.CLOSING) StoredCollection collection) {
        return collections.view(collections.close(collection));
    }

    @DeleteMapping(ONE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "deleteCollection",
            summary = "Deletes a collection and its estimate for good",
            description = "The id is never used again.")
    @ApiResponse(responseCode = "204", description = "Deleted")
    ResponseEntity<Void> delete(Principal principal, @CollectionFor(Use.DELETING) StoredCollection collection) {
        collections.delete(collection);
        return ResponseEntity.noContent().build();
    }

    @PostJson(ONE + "/reports")
    @PermittedTo({Role.COLLECTOR})
    @Refuses(ProblemType.COLLECTION_CLOSED)
    @Operation(operationId = "sendReports", summary = "Counts reports, each once", description = """
                    A batch of at most 100,000 reports is checked as a whole: one bad report refuses all of it. It is \
                    then counted in pieces, and what others send is served in between. Lines of \
                    `application/x-ndjson`, one report each, are checked and counted in parts of 100,000 lines or \
                    about 8 MB; a refusal names the line. Every refusal says in `accepted` and `duplicates` what was \
                    counted before it. After a lost reply the same reports may be sent again: a report whose id was \
                    counted before is a duplicate, whatever else it says.""")
    Counted send(
            Principal collector,
            @CollectionFor(Use.READING) StoredCollection collection,
            @Body ReportCollections.Batch<?> batch)
            throws IOException {
        return counting(durable -> collections.add(collection, batch, durable));
    }

    @PostMapping(path = ONE + "/reports", consumes = LINES, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.COLLECTOR})
    @Refuses(ProblemType.COLLECTION_CLOSED)
    @Operation(
            operationId = "sendReports",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = LINES,
                                            schema = @Schema(type = "string", description = "One report on each line."),
                                            examples =
                                                    @ExampleObject(
                                                            name = "commute-minutes",
                                                            summary = "Of a number",
                                                            value = ReportCollections.Batch.LINES))))
    Counted sendLines(
            Principal principal, @CollectionFor(Use.READING) StoredCollection collection, HttpServletRequest request)
            throws IOException {
        return counting(durable -> admission.readLines(
                request,
                principal.name(),
                ReportCollections.MOST_TOGETHER,
                limits.maxBodyBytes(),
                (lines, linesBefore) -> {
                    register.stillOpen(principal);
                    collections.addLines(collection, lines, linesBefore, durable);
                }));
    }

    /** Takes reports, and says how many of them were counted. */
    @FunctionalInterface
    private interface Taking {
        void run(Consumer<Counted> durable) throws IOException;
    }

    /** Takes reports. The reply says how many were counted, even if the request fails. */
    private static Counted counting(Taking taking) throws IOException {
        AtomicReference<Counted> all = new AtomicReference<>(NONE);
        try {
            taking.run(counted -> all.updateAndGet(counted::plus));
        } catch (AuthenticationException closed) {
            throw counted(
                    ProblemException.of(ProblemType.UNAUTHORIZED, "the key was revoked or expired meanwhile"),
                    all.get());
        } catch (ProblemException refusal) {
            throw counted(refusal, all.get());
        }
        return all.get();
    }

    private static ProblemException counted(ProblemException refusal, Counted before) {
        return refusal.with(ACCEPTED, before.accepted()).with("duplicates", before.duplicates());
    }

    @GetMapping(path = ONE + "/estimate", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST})
    @Operation(
            operationId = "getEstimate",
            summary = "Estimates means or shares from all reports so far",
            description = "Free, as often as wanted: reports are private already when they arrive.")
    EstimateView estimate(
            Principal principal,
            @CollectionFor(Use.READING) StoredCollection collection,
            @Parameter(description = "The probability that one of the intervals misses.")
                    @RequestParam(defaultValue = "0.05")
                    @DecimalMin("0.000001")
                    @DecimalMax("0.5")
                    BigDecimal beta) {
        return collections.estimate(collection, beta);
    }
}
