package dev.purser.access;

import java.util.Optional;
import org.springframework.stereotype.Component;

/** The keys that open the service: the administrator's, and those that were made since. */
@Component
final class Keys {
    private final AdministratorKey administratorKey;
    private final KeyRegister register;

    Keys(AdministratorKey administratorKey, KeyRegister register) {
        this.administratorKey = administratorKey;
        this.register = register;
    }

    /** Whose key this is; empty if it opens nothing, for whatever reason. */
    Optional<Principal> principalOf(String key) {
        return administratorKey.matches(key)
                ? Optional.of(Principal.ADMINISTRATOR)
                : KeyToken.parse(key).flatMap(register::opened).map(Principal::holding);
    }
}
