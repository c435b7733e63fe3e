package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.query.MeanQuery;
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
class MeanController {
    private final QuestionDesk desk;

    MeanController(QuestionDesk desk) {
        this.desk = desk;
    }

    @PostMapping(
            path = "/v1/datasets/{id}/queries/mean",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "askMean",
            summary = "What is the mean of a column, each value clamped to a range?",
            description =
                    "Methods: `centered` (the default), `sum-and-count`, `auto-clip` (finds the range privately first), `known-count` (only where the number of rows is public).",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = MeanRequest.class))))
    @Spends(answer = MeanQuery.Value.class)
    ResponseEntity<byte[]> ask(
            @PathVariable String id,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        return desk.ask(id, MeanQuery.KIND, request, principal);
    }
}
