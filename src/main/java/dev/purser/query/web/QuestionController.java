package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.CsvTable;
import dev.purser.http.IdempotencyKey;
import dev.purser.http.Sent;
import dev.purser.http.TypedArgument;
import dev.purser.ledger.RequestIdentity;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.query.Asking;
import dev.purser.query.ChargedKinds;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import dev.purser.query.QuestionRequest;
import dev.purser.query.Replies;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Questions of every kind over HTTP. {@link KindOperations} describes one operation for each. */
@RestController
@Tag(name = "Questions")
class QuestionController {
    static final String PATH = "/v1/datasets/{id}/queries/";

    private final Asking asking;

    QuestionController(Asking asking) {
        this.asking = asking;
    }

    @Bean
    static TypedArgument<QuestionKind> kind(ChargedKinds kinds) {
        return TypedArgument.inPath(
                KindOperations.KIND,
                QuestionKind.class,
                (name, before, parameter) -> kinds.quoted(name).orElseThrow(() -> QuestionKinds.unknown(name)));
    }

    @Bean
    static BodyForm<QuestionRequest> questionBody() {
        return BodyForm.of(
                QuestionRequest.class,
                (in, arguments) -> arguments.get(QuestionKind.class).readAsked(in, arguments.get(Dataset.class)));
    }

    /**
     * Answers one question. The path matches only the names of kinds: any other name is not found, for every method and
     * role.
     */
    @PostMapping(
            path = PATH + "{kind:#{T(dev.purser.query.QuestionKinds).NAMES}}",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @PermittedTo({Role.ANALYST, Role.VIEWER})
    @Refuses({
        ProblemType.BUDGET_EXHAUSTED,
        ProblemType.NOTHING_STORED,
        ProblemType.REQUEST_IN_FLIGHT,
        ProblemType.IDEMPOTENCY_KEY_REUSED,
        ProblemType.DATASET_NOT_READY,
        ProblemType.MECHANISM_NOT_PRIVATE
    })
    @Operation
    @ApiResponse(
            responseCode = "200",
            description = "The answer, as stored in the ledger.",
            headers = {
                @Header(
                        name = Replies.REPLAYED,
                        description = "`true` when the answer was stored before this request.",
                        schema = @Schema(types = "string")),
                @Header(
                        name = Replies.REUSED,
                        description = "With `reuse`: the queryId of the earlier question whose answer this is. `charge`"
                                + " is then zero, and `reusedFrom` and `answeredAt` say whose noise it is.",
                        schema = @Schema(types = "string"))
            })
    ResponseEntity<?> ask(
            QuestionKind kind,
            AnswerForms.Chosen form,
            @Parameter(
                            description =
                                    "1 to 255 visible ASCII characters, such as `monday-report-1`. The same key with"
                                            + " the same body gets the same answer, byte for byte, and no second charge."
                                            + " Without one, the service makes one and returns it.")
                    IdempotencyKey key,
            Principal principal,
            @DatasetFor(Use.ASKING) Dataset dataset,
            HttpServletRequest request,
            @Body Sent<QuestionRequest> sent) {
        QuestionRequest asked = sent.value().sentBy(principal);
        RequestIdentity identity = new RequestIdentity(
                principal.name(), "POST /v1/datasets/" + dataset.id() + "/queries/" + kind.name(), key.value());
        return Replies.sent(
                asking.ask(principal, dataset, asked, identity, sent.bytes()),
                ResponseEntity.ok().contentType(form.type()).varyBy(HttpHeaders.ACCEPT),
                request);
    }
}
