package dev.purser.access;

import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The valid credentials: the administrator's key, the keys created with it, and tokens of identities that have a key.
 */
@Component
final class Keys {
    private final AdministratorKey administratorKey;
    private final KeyRegister register;
    private final IdentityTokens tokens;

    Keys(AdministratorKey administratorKey, KeyRegister register, IdentityTokens tokens) {
        this.tokens = tokens;
        this.administratorKey = administratorKey;
        this.register = register;
    }

    /**
     * The principal of this credential; empty if it is not valid, for any reason.
     *
     * @throws dev.purser.problem.ProblemException {@code temporarily-unavailable} if nobody can tell at present
     */
    Optional<Principal> principalOf(String credential) {
        if (administratorKey.matches(credential)) {
            return Optional.of(Principal.ADMINISTRATOR);
        }
        Optional<KeyToken> key = KeyToken.parse(credential);
        return key.isPresent()
                ? key.flatMap(register::opened)
                : tokens.identityOf(credential).flatMap(register::opened);
    }
}
