package dev.purser.console;

import io.swagger.v3.oas.annotations.Hidden;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tells the console whether a proxy adds a credential to what a browser sends. Without this, the console would have to
 * try a request without a key, and every first page would begin with a refusal.
 */
@Hidden
@RestController
final class AddedCredential {
    @GetMapping(path = "/console/credential", produces = "application/json")
    boolean isAdded(@RequestHeader(name = "Authorization", required = false) @Nullable String credential) {
        return credential != null;
    }
}
