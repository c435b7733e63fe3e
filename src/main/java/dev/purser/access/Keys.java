package dev.purser.access;

import java.util.Optional;
import org.springframework.stereotype.Component;

/** The valid keys: the administrator's, and those created with it. */
@Component
final class Keys {
    private final AdministratorKey administratorKey;
    private final KeyRegister register;

    Keys(AdministratorKey administratorKey, KeyRegister register) {
        this.administratorKey = administratorKey;
        this.register = register;
    }

    /** The principal of this key; empty if the key is not valid, for any reason. */
    Optional<Principal> principalOf(String key) {
        return administratorKey.matches(key)
                ? Optional.of(Principal.ADMINISTRATOR)
                : KeyToken.parse(key).flatMap(register::opened).map(Principal::holding);
    }
}
