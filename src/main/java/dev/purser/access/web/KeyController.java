package dev.purser.access.web;

import dev.purser.access.AccessSettings;
import dev.purser.access.Allotments;
import dev.purser.access.IssuedKey;
import dev.purser.access.KeyChange;
import dev.purser.access.KeyRegister;
import dev.purser.access.NewKey;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.Page;
import dev.purser.http.Pages;
import dev.purser.http.Paging;
import dev.purser.http.PostJson;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Keys", description = "The keys of principals, with their roles and grants.")
class KeyController {
    /** Twice the length of a body that has the most grants with the longest ids. */
    private static final int MAX_BODY_BYTES = 1 << 18;

    private final KeyRegister register;
    private final Allotments allotments;
    private final Pages pages;

    KeyController(KeyRegister register, Allotments allotments, Pages pages) {
        this.register = register;
        this.allotments = allotments;
        this.pages = pages;
    }

    @Bean
    static BodyForm<KeyChange> changeBody(KeyRegister register) {
        return BodyForm.of(KeyChange.class, in -> KeyChange.read(in, register.now()))
                .atMost(MAX_BODY_BYTES)
                .described(KeyChange.FORM, new BodyForm.Example("visits", "Other grants for a key", KeyChange.VISITS));
    }

    @Bean
    static BodyForm<NewKey> keyBody(KeyRegister register, AccessSettings settings) {
        String issuer = settings.identity().issuer();
        return BodyForm.of(NewKey.class, in -> NewKey.read(in, register.now(), issuer))
                .atMost(MAX_BODY_BYTES)
                .described(NewKey.FORM, new BodyForm.Example("ana", "An analyst of one dataset", NewKey.ANA));
    }

    @PostJson("/v1/keys")
    @PermittedTo({})
    @Refuses(ProblemType.ALREADY_EXISTS)
    @Operation(
            operationId = "createKey",
            summary = "Makes a key for a principal, or replaces one",
            description =
                    "The key is shown only once, because only a salted hash of it is kept. With `replaces`, the key of"
                            + " that id is revoked at the same moment. Role and grants are those of this request. With"
                            + " `identity` there is no key to show: its holder signs in with tokens of the issuer.")
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    ResponseEntity<NewKeyView> create(Principal administrator, @Body NewKey requested) {
        KeyRegister.Issued issued = register.issue(requested);
        IssuedKey key = issued.key();
        return ResponseEntity.status(201)
                .body(new NewKeyView(
                        key.keyId(), key.name(), key.role(), issued.token().isEmpty() ? null : issued.token()));
    }

    @GetMapping(path = "/v1/keys", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({})
    @Operation(
            operationId = "listKeys",
            summary = "Lists keys by id, including revoked and expired ones",
            description = "Secrets are never listed. The administrator's own key has no id and is not listed.")
    Page<KeyView> list(Paging paging) {
        Instant now = register.now();
        return pages.byId(
                paging,
                (after, count) -> register.list(paging.order(), after, count),
                key -> KeyView.of(key, now),
                IssuedKey::keyId);
    }

    @GetMapping(path = "/v1/keys/self", produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN, Role.ANALYST, Role.VIEWER, Role.COLLECTOR, Role.AUDITOR, Role.OPERATOR})
    @Operation(operationId = "getOwnKey", summary = "Shows the key of this request and its permissions")
    OwnKeyView self(Principal principal) {
        return OwnKeyView.of(principal, allotments.of(principal));
    }

    @PatchMapping(
            path = "/v1/keys/{keyId}",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({})
    @Refuses(ProblemType.KEY_REVOKED)
    @Operation(
            operationId = "changeKey",
            summary = "Changes the grants or the expiry of a key",
            description = "What is absent stays; `[]` takes all grants, and `null` removes the expiry. Name and role of"
                    + " a key never change. The holder keeps the same key.")
    KeyView change(@PathVariable String keyId, Principal administrator, @Body KeyChange change) {
        return KeyView.of(register.change(keyId, change), register.now());
    }

    @DeleteMapping("/v1/keys/{keyId}")
    @PermittedTo({})
    @Operation(
            operationId = "revokeKey",
            summary = "Revokes a key at once and for good",
            description =
                    "Every later request is refused, on every instance of the service. Revoking a key again changes"
                            + " nothing. The administrator's own key has no id and is replaced in the configuration.")
    @ApiResponse(responseCode = "204", description = "Revoked")
    ResponseEntity<Void> revoke(@PathVariable String keyId) {
        register.revoke(keyId);
        return ResponseEntity.noContent().build();
    }
}
