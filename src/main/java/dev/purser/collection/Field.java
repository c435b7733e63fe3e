package dev.purser.collection;

import org.jspecify.annotations.Nullable;

/**
 * A field of declarations or of reports.
 *
 * @param type of a field that one protocol has; null if several have it, as the request's description then shows it
 * @param description for a reader of the API; {@link ProtocolNames} are filled in
 */
record Field(String name, @Nullable Class<?> type, String description) {
    /** A field of one protocol. */
    static Field own(String name, Class<?> type, String description) {
        return new Field(name, type, description);
    }

    /** A field of several protocols. */
    static Field shared(String name) {
        return new Field(name, null, "");
    }
}
