package dev.purser.access;

import java.util.Optional;
import org.springframework.stereotype.Component;

/** The keys that open the service. */
@Component
final class Keys {
    private static final Principal ADMINISTRATOR = new Principal("admin", Role.ADMINISTRATOR);

    private final AdministratorKey administratorKey;

    Keys(AdministratorKey administratorKey) {
        this.administratorKey = administratorKey;
    }

    /** Whose key this is. */
    Optional<Principal> principalOf(String key) {
        return administratorKey.matches(key) ? Optional.of(ADMINISTRATOR) : Optional.empty();
    }
}
