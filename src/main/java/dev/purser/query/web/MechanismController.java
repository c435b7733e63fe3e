package dev.purser.query.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Questions")
class MechanismController {
    @GetMapping(path = "/v1/mechanisms", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            operationId = "listMechanisms",
            summary = "Lists everything that can release data, and what is not served and why")
    MechanismCatalogue list() {
        return MechanismCatalogue.current();
    }
}
