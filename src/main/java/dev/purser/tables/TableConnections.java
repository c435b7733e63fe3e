package dev.purser.tables;

import dev.purser.store.StartupRefusal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The connections of this service, by name, from its configuration alone. */
public final class TableConnections {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    private final Map<String, TableConnection> connections = new TreeMap<>();

    /** @throws StartupRefusal if a setting is missing or out of range */
    public TableConnections(Map<String, ConnectionSettings> settings) {
        settings.forEach((name, one) -> {
            if (!NAME.matcher(name).matches()) {
                throw new StartupRefusal(
                        "A connection's name must be a lower-case letter and up to 62 lower-case letters, digits or"
                                + " hyphens.",
                        "Rename it in purser.connections.");
            }
            connections.put(name, new TableConnection(name, one));
        });
    }

    /** The connection of this name. */
    public Optional<TableConnection> find(String name) {
        return Optional.ofNullable(connections.get(name));
    }

    Iterable<TableConnection> all() {
        return connections.values();
    }
}
