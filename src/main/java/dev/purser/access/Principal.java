package dev.purser.access;

import dev.purser.http.ReadFromRows;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request, according to its key. Handlers take it as a parameter of this type. Only
 * {@code VisibleDatasets} decides which datasets it may see.
 *
 * @param name the principal's name, which no other principal ever gets; the {@code analyst} of the ledger
 * @param key the key that was sent, as it was read; null for the administrator's key
 * @param rows the row of the key; none for the administrator's key
 */
public record Principal(
        String name, Role role, @Nullable IssuedKey key, Map<String, Long> rows, Grants datasets, Grants collections)
        implements java.security.Principal, ReadFromRows {
    /** The holder of the key that the operator keeps. No created key can have this name. */
    static final Principal ADMINISTRATOR =
            new Principal("admin", Role.ADMINISTRATOR, null, Map.of(), Grants.ALL, Grants.ALL);

    /** Names that no key can have. The second name stands for the person who accepts a restored ledger. */
    static final Set<String> RESERVED = Set.of(ADMINISTRATOR.name(), "operator");

    /** The holder of this key. An administrator is granted everything, whatever the key was granted. */
    static Principal holding(IssuedKey key, Map<String, Long> rows) {
        boolean everything = key.role() == Role.ADMINISTRATOR;
        return new Principal(
                key.name(),
                key.role(),
                key,
                rows,
                everything ? Grants.ALL : key.datasets(),
                everything ? Grants.ALL : key.collections());
    }

    /** The sender of a request; empty if it has no valid credential, or if its address needs none. */
    public static Optional<Principal> of(HttpServletRequest request) {
        return Optional.ofNullable((Principal) request.getAttribute(Principal.class.getName()));
    }

    /** Whether everything is permitted. */
    public boolean isAdministrator() {
        return role == Role.ADMINISTRATOR;
    }

    /** Omits what the key says of its holder, because the text of a value may end up in a log. */
    @Override
    public String toString() {
        return "Principal[" + name + ", " + role + ", " + (key == null ? "" : key.keyId()) + "]";
    }

    @Override
    public String getName() {
        return name;
    }
}
