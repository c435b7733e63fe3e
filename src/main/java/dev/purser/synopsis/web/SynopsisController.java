package dev.purser.synopsis.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.CsvTable;
import dev.purser.http.IdempotencyKey;
import dev.purser.http.LongReplies;
import dev.purser.http.LongReply;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.http.PostJson;
import dev.purser.http.Sent;
import dev.purser.http.TypedArgument;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.AnswerRefinements;
import dev.purser.query.Asking;
import dev.purser.query.QueryRunner;
import dev.purser.query.QuestionRequest;
import dev.purser.query.Replies;
import dev.purser.query.SeparateKinds;
import dev.purser.synopsis.FreeAnswers;
import dev.purser.synopsis.FreeAsking;
import dev.purser.synopsis.FreeQuestions;
import dev.purser.synopsis.Refinement;
import dev.purser.synopsis.RowsRequest;
import dev.purser.synopsis.RowsView;
import dev.purser.synopsis.Synopses;
import dev.purser.synopsis.Synopsis;
import dev.purser.synopsis.SynopsisQuery;
import dev.purser.synopsis.SynopsisView;
import dev.purser.synopsis.TableRequest;
import dev.purser.synopsis.TableView;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.propertyeditors.StringArrayPropertyEditor;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Synopses over HTTP: bought once, asked for ever. All who are granted a dataset may read its synopses. */
@RestController
@Tag(name = "Synopses", description = "Buy a summary once, and ask it for ever, free of charge.")
class SynopsisController {
    static final String OF_DATASET = "/v1/datasets/{id}/synopses";
    static final String SYNOPSIS = "/v1/synopses/{synopsisId}";
    static final String REFINEMENTS = SYNOPSIS + "/refinements";

    private static final String EXAMPLE = """
            {"epsilon": "0.5", "columns": [{"column": "age"}], "marginals": 2, "reuse": true}""";

    private final Asking asking;
    private final Synopses synopses;
    private final FreeAsking free;
    private final AnswerRefinements refinements;
    private final AdmissionControl admission;
    private final LongReplies replies;
    private final Pages pages;

    SynopsisController(
            Asking asking,
            Synopses synopses,
            FreeAsking free,
            AnswerRefinements refinements,
            AdmissionControl admission,
            LongReplies replies,
            Pages pages) {
        this.asking = asking;
        this.synopses = synopses;
        this.free = free;
        this.refinements = refinements;
        this.admission = admission;
        this.replies = replies;
        this.pages = pages;
    }

    @Bean
    static TypedArgument<Synopsis> synopsis(Synopses synopses) {
        return TypedArgument.inPath(
                "synopsisId",
                Synopsis.class,
                (id, before, parameter) -> synopses.visible(before.get(Principal.class), id),
                (synopsis, before, parameter) -> synopses.latest(before.get(Principal.class), synopsis));
    }

    @Bean
    static SeparateKinds purchases() {
        return new SeparateKinds(
                "RefinedSynopsis",
                "What was bought of a synopsis.",
                List.of(
                        new SeparateKinds.One(
                                SynopsisQuery.KIND, OF_DATASET, "buySynopsis", SynopsisQuery.Value::tables),
                        new SeparateKinds.One(SynopsisQuery.REFINEMENT, REFINEMENTS, "refineSynopsis", null)));
    }

    @Bean
    static BodyForm<QuestionRequest> synopsisBody() {
        return BodyForm.of(
                        QuestionRequest.class,
                        (in, arguments) -> SynopsisQuery.KIND.readAsked(in, arguments.get(Dataset.class)))
                .described(
                        SynopsisQuery.KIND.request(),
                        new BodyForm.Example(
                                "visits-public",
                                "Under zcdp, where more can be bought later; rows can be invented from it",
                                EXAMPLE));
    }

    @Bean
    static BodyForm<Refinement> refinementBody() {
        return BodyForm.of(Refinement.class, Refinement::read)
                .described(
                        Refinement.FORM,
                        new BodyForm.Example("more", "Half an epsilon more", "{\"epsilon\": \"0.5\"}"));
    }

    @Bean
    static BodyForm<FreeQuestions> freeQuestionsBody() {
        return BodyForm.of(
                        FreeQuestions.class, (in, arguments) -> FreeQuestions.read(in, arguments.get(Synopsis.class)))
                .described(
                        FreeQuestions.FORM,
                        new BodyForm.Example("visits", "Three questions about ages", FreeQuestions.EXAMPLE));
    }

    @PostJson(OF_DATASET)
    @PermittedTo({Role.ANALYST})
    @Refuses({
        ProblemType.BUDGET_EXHAUSTED,
        ProblemType.NOTHING_STORED,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.DATASET_NOT_READY
    })
    @Operation(
            operationId = "buySynopsis",
            summary = "Buys a summary that answers further questions for nothing",
            description = "One column is bought for all ranges of its cells, two for all boxes; `marginals` buys all"
                    + " tables of up to three columns. The charge is that of one question.")
    @ApiResponse(
            responseCode = "201",
            description = "The answer, as stored in the ledger.",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(ref = "#/components/schemas/SynopsisAnswer")),
            headers = {
                @Header(
                        name = HttpHeaders.LOCATION,
                        description = "The address of the synopsis.",
                        schema = @Schema(types = "string")),
                @Header(
                        name = Replies.REPLAYED,
                        description = "`true` when the answer was stored before this request.",
                        schema = @Schema(types = "string")),
                @Header(
                        name = Replies.REUSED,
                        description = "With `reuse`: the queryId of the earlier purchase whose answer this is.",
                        schema = @Schema(types = "string"))
            })
    ResponseEntity<?> buy(
            @Parameter(
                            description =
                                    "1 to 255 visible ASCII characters, such as `monday-ages-1`. The same key with"
                                            + " the same body gets the same synopsis, and no second charge.")
                    IdempotencyKey key,
            Principal principal,
            @DatasetFor(Use.ASKING) Dataset dataset,
            HttpServletRequest request,
            @Body("synopsisBody") Sent<QuestionRequest> sent) {
        RequestIdentity identity =
                new RequestIdentity(principal.name(), "POST /v1/datasets/" + dataset.id() + "/synopses", key.value());
        QueryRunner.Reply reply = asking.ask(principal, dataset, sent.value(), identity, sent.bytes());
        URI address = URI.create("/v1/synopses/" + synopses.idOf(reply.answer()));
        return Replies.sent(reply, ResponseEntity.created(address).contentType(MediaType.APPLICATION_JSON), request);
    }

    @GetMapping(path = OF_DATASET, produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Operation(
            operationId = "listSynopses",
            summary = "Lists the synopses of a dataset",
            description = "Whoever bought them: what they answer is free for all who are granted the dataset.")
    Page<SynopsisView> list(Principal principal, @DatasetFor(Use.ACCOUNTING) Dataset dataset, Paging paging) {
        return pages.byUlid(
                paging,
                (after, count) -> synopses.of(dataset, paging.order(), after, count),
                first -> SynopsisView.of(synopses.read(principal, first, dataset)),
                StoredAnswer::queryId);
    }

    @GetMapping(path = SYNOPSIS, produces = MediaType.APPLICATION_JSON_VALUE)
    @LongReply
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Operation(
            operationId = "getSynopsis",
            summary = "Shows a synopsis",
            description = "It stays readable when its dataset is deleted.")
    SynopsisView get(Synopsis synopsis) {
        return SynopsisView.of(synopsis);
    }

    @PostJson(SYNOPSIS + "/answers")
    @LongReply
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Operation(
            operationId = "askSynopsis",
            summary = "Answers questions about a synopsis, free of charge",
            description =
                    "Each number has an interval from its exact variance, by a bound that is proved for the noise."
                            + " Means, variances and correlations have intervals that follow from those of their"
                            + " sums; they are about values taken as the middles of their cells. Conditions and edges"
                            + " have to lie between cells.")
    FreeAnswers answer(Principal principal, Synopsis synopsis, @Body FreeQuestions questions) {
        return free.ask(principal, synopsis, questions);
    }

    /** A parameter that is sent once may have commas, as column names may. A null separator splits nothing. */
    @SuppressWarnings("NullAway")
    @InitBinder
    void takeParametersWhole(WebDataBinder parameters) {
        parameters.registerCustomEditor(String[].class, new StringArrayPropertyEditor(null));
    }

    @GetMapping(
            path = SYNOPSIS + "/tables",
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @LongReply(bytes = AdmissionControl.LARGE_REPLY_BYTES)
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Operation(
            operationId = "getSynopsisTable",
            summary = "Shows a table of a synopsis, to be published or analysed",
            description = "With the guarantee, the unit and relation that it holds for, and the receipts of what was"
                    + " charged. As CSV, a line for each cell.")
    ResponseEntity<TableView> table(
            Principal principal,
            Synopsis synopsis,
            @Parameter(
                            description = "A column of the table, once for each of its columns; by default all of the"
                                    + " synopsis.")
                    @RequestParam(required = false)
                    String @Nullable [] columns,
            @Parameter(description = "The probability with which a number may be outside its interval.")
                    @RequestParam(defaultValue = "0.05")
                    BigDecimal beta) {
        TableRequest request = TableRequest.of(synopsis, columns == null ? List.of() : List.of(columns), beta);
        TableView table = synopsis.isLarge()
                ? admission.heavily(principal.name(), () -> synopses.table(principal, request))
                : synopses.table(principal, request);
        return ResponseEntity.ok().varyBy(HttpHeaders.ACCEPT).body(table);
    }

    @GetMapping(
            path = SYNOPSIS + "/rows",
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @LongReply
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Operation(
            operationId = "inventRows",
            summary = "Invents rows that follow the tables of a synopsis, free of charge",
            description = "Of a synopsis with `marginals` 2 or 3. The rows are computed from its noisy numbers and the"
                    + " seed; nobody's row is among them but by chance. They are for trying code, for teaching, and for"
                    + " looking at pairs of columns. The certificate states how far each bought table of them is from"
                    + " that of the rows.")
    @ApiResponse(
            responseCode = "200",
            description = "The rows.",
            headers =
                    @Header(
                            name = RowsRequest.CERTIFICATE,
                            description =
                                    "The largest error over all tables, with `beta`. JSON has one for each table.",
                            schema = @Schema(types = "string")))
    ResponseEntity<RowsView> rows(
            Principal principal,
            Synopsis synopsis,
            @Parameter(description = "How many rows: 1 to 1,000,000; by default the estimated number of rows.")
                    @RequestParam(required = false)
                    @Nullable
                    Long count,
            @Parameter(description = "A number that makes the same rows again. It is public.")
                    @RequestParam(defaultValue = "0")
                    long seed) {
        RowsRequest request = RowsRequest.of(synopsis, count, seed, admission.maxHeldBytes());
        replies.begin(request.bytes());
        RowsView rows = admission.heavily(principal.name(), () -> synopses.rows(request));
        return ResponseEntity.ok()
                .varyBy(HttpHeaders.ACCEPT)
                .header(RowsRequest.CERTIFICATE, rows.certificate().summary())
                .body(rows);
    }

    @PostJson(REFINEMENTS)
    @LongReply(bytes = AdmissionControl.ANSWER_BYTES)
    @PermittedTo({Role.ANALYST})
    @Refuses({
        ProblemType.BUDGET_EXHAUSTED,
        ProblemType.ALREADY_REFINED,
        ProblemType.NOT_REFINABLE,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.DATASET_NOT_READY
    })
    @Operation(
            operationId = "refineSynopsis",
            summary = "Buys more of a synopsis, so that it answers more precisely",
            description =
                    "For uploaded rows. Under `zcdp` the tables are bought once more, and what the synopsis answers"
                            + " from then on is made of all its purchases. Else the newest purchase is refined as any"
                            + " answer, for the difference. Each purchase stays readable by itself.")
    @ApiResponse(
            responseCode = "200",
            description = "The answer, as stored in the ledger.",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(ref = "#/components/schemas/RefinedSynopsis")),
            headers =
                    @Header(
                            name = Replies.REPLAYED,
                            description = "`true` when the answer was stored before this request.",
                            schema = @Schema(types = "string")))
    ResponseEntity<?> refine(
            @Parameter(description = "As for `buySynopsis`.") IdempotencyKey key,
            Principal principal,
            Synopsis synopsis,
            HttpServletRequest request,
            @Body Sent<Refinement> refinement) {
        Dataset dataset = synopses.toRefine(principal, synopsis);
        RequestIdentity identity = new RequestIdentity(
                principal.name(), "POST /v1/synopses/" + synopsis.id() + "/refinements", key.value());
        QueryRunner.Reply reply;
        if (refinement.value().isOnceMore(dataset)) {
            refinements.requireRoom(dataset, synopsis.id(), identity);
            byte[] question = Refinement.question(refinement, synopsis);
            reply = asking.ask(principal, dataset, Refinement.asked(question, synopsis), identity, question);
        } else {
            reply = asking.refine(
                    principal,
                    dataset,
                    synopses.refinedBy(identity, synopsis),
                    refinement.value().wanted(),
                    identity,
                    refinement.bytes());
        }
        return Replies.sent(reply, ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON), request);
    }
}
