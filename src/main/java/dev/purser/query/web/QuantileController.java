package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.query.QuantileQuery;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Questions")
class QuantileController {
    private final QuestionDesk desk;

    QuantileController(QuestionDesk desk) {
        this.desk = desk;
    }

    @PostMapping(
            path = "/v1/datasets/{id}/queries/quantile",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "askQuantile",
            summary = "Below which values are given shares of the rows?",
            description =
                    "Report-noisy-max over equally spaced public points between the bounds: at most 100 000, and at most 1 000 000 for all probabilities together. Epsilon is split equally between the probabilities; half of each share goes to the value and half to its interval.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = QuantileRequest.class))))
    @Spends(answer = QuantileQuery.Value.class)
    ResponseEntity<byte[]> ask(
            @PathVariable String id,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        return desk.ask(id, QuantileQuery.KIND, request, principal);
    }
}
