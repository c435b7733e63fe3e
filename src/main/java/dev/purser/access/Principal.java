package dev.purser.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who is asking, as the key of this one request says. Controllers receive it with {@code @AuthenticationPrincipal Principal
 * principal}; which datasets it may see is decided in one place, {@code VisibleDatasets}.
 *
 * @param name unique for ever, whatever keys carry it; also the ledger's {@code analyst}
 * @param keyId the key that was sent; null for the administrator's own, which has no row
 */
public record Principal(String name, Role role, @Nullable String keyId, Grants datasets, Grants collections)
        implements java.security.Principal {
    /** The holder of the key that the operator keeps. No key that is made can have this name. */
    static final Principal ADMINISTRATOR = new Principal("admin", Role.ADMINISTRATOR, null, Grants.ALL, Grants.ALL);

    /** Names that no key can have; the second is whoever accepts a restored ledger. */
    static final Set<String> RESERVED = Set.of(ADMINISTRATOR.name(), "operator");

    /** Whoever holds this key. An administrator's grants are everything, whatever the key was given. */
    static Principal holding(IssuedKey key) {
        boolean everything = key.role() == Role.ADMINISTRATOR;
        return new Principal(
                key.name(),
                key.role(),
                key.keyId(),
                everything ? Grants.ALL : key.datasets(),
                everything ? Grants.ALL : key.collections());
    }

    /** Whether everything is permitted. */
    public boolean isAdministrator() {
        return role == Role.ADMINISTRATOR;
    }

    @Override
    public String getName() {
        return name;
    }
}
