package dev.purser.tables;

import java.util.Optional;

/**
 * A table by its full name, character by character as in the database's catalogue. The schema is required, because the
 * meaning of a bare name can change.
 *
 * @param schema the schema, without a dot
 * @param name the name in the schema, without a dot
 */
public record TableName(String schema, String name) {
    /** The longest accepted name, in characters: each part has at most 128. */
    public static final int MAX_LENGTH = 257;

    private static final int MAX_PART = 128;

    public TableName {
        if (!isPart(schema) || !isPart(name)) {
            throw new IllegalArgumentException("a schema and a table name, 1 to " + MAX_PART + " characters each");
        }
    }

    /** Reads {@code schema.table}; empty if the text has another form. */
    public static Optional<TableName> parse(String text) {
        int dot = text.indexOf('.');
        return dot >= 0 && isPart(text.substring(0, dot)) && isPart(text.substring(dot + 1))
                ? Optional.of(new TableName(text.substring(0, dot), text.substring(dot + 1)))
                : Optional.empty();
    }

    private static boolean isPart(String text) {
        return !text.isEmpty() && text.length() <= MAX_PART && text.indexOf('.') < 0;
    }

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
