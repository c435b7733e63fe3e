package dev.purser.access;

import dev.purser.http.ReadFromRows;
import dev.purser.journal.DecidingRows.Version;
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
 * @param key the key that was sent, as it was read; null for the administrator's key, which has no row
 */
public record Principal(String name, Role role, @Nullable Version<IssuedKey> key, Grants datasets, Grants collections)
        implements java.security.Principal, ReadFromRows {
    /** The holder of the key that the operator keeps. No created key can have this name. */
    static final Principal ADMINISTRATOR = new Principal("admin", Role.ADMINISTRATOR, null, Grants.ALL, Grants.ALL);

    /** Names that no key can have. The second name stands for the person who accepts a restored ledger. */
    static final Set<String> RESERVED = Set.of(ADMINISTRATOR.name(), "operator");

    /** The holder of this key. An administrator is granted everything, whatever the key was granted. */
    static Principal holding(Version<IssuedKey> version) {
        IssuedKey key = version.row();
        boolean everything = key.role() == Role.ADMINISTRATOR;
        return new Principal(
                key.name(),
                key.role(),
                version,
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

    /** The row of its key. The administrator's key has none. */
    @Override
    public Map<String, Long> rows() {
        return key == null
                ? Map.of()
                : Map.of(JournaledKeys.KEYS.object(key.row().keyId()), key.entry());
    }

    /** Omits what the key says of its holder, because the text of a value may end up in a log. */
    @Override
    public String toString() {
        return "Principal[" + name + ", " + role + ", "
                + (key == null ? "" : key.row().keyId()) + "]";
    }

    @Override
    public String getName() {
        return name;
    }
}
