package dev.purser.tables;

import java.util.Optional;

/**
 * A table by its full name, letter for letter as the database's catalogue has it. Never without the schema: what a bare name
 * means can change.
 *
 * @param schema without a dot
 * @param name without a dot
 */
public record TableName(String schema, String name) {
    /** The longest name that is taken, in characters: each part has at most 128. */
    public static final int MAX_LENGTH = 257;

    private static final int MAX_PART = 128;

    public TableName {
        if (!isPart(schema) || !isPart(name)) {
            throw new IllegalArgumentException("a schema and a table name, 1 to " + MAX_PART + " characters each");
        }
    }

    /** Reads {@code schema.table}; empty if it has another form. */
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
