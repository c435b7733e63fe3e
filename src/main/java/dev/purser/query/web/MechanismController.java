package dev.purser.query.web;

import dev.purser.access.PermittedTo;
import dev.purser.access.Role;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Questions")
class MechanismController {
    @GetMapping(path = "/v1/mechanisms", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.COLLECTOR, Role.AUDITOR, Role.OPERATOR})
    @Operation(
            operationId = "listMechanisms",
            summary = "Lists everything that can release data, and what is not served and why")
    MechanismCatalogue list() {
        return MechanismCatalogue.current();
    }
}
