package dev.purser.collection;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of declarations or of reports.
 *
 * @param type null if several protocols have it: the request then describes it itself
 * @param description as {@link ProtocolNames} completes it
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

    /** Fields of several protocols. */
    static List<Field> allShared(String... names) {
        return Stream.of(names).map(Field::shared).toList();
    }
}
