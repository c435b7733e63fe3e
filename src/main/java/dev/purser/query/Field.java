package dev.purser.query;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of a request as the API describes it. It stands beside the code that reads it, and
 * {@code DescribedFieldsTests} holds the two against each other.
 *
 * @param description empty if the type's own says it all
 * @param defaultValue what a request without the field means, as JSON; null if nothing in particular
 * @param example as JSON; null for none
 */
public record Field(
        String name,
        FieldType type,
        boolean isRequired,
        String description,
        @Nullable Object defaultValue,
        @Nullable Object example) {
    /** A field that has to be there. */
    public static Field required(String name, FieldType type, String description) {
        return new Field(name, type, true, description, null, null);
    }

    /** A field that may be left out. */
    public static Field optional(String name, FieldType type, String description) {
        return new Field(name, type, false, description, null, null);
    }

    /** A field that may be left out and holds one of an enumeration's words. */
    static <T extends Enum<T>> Field choice(String name, T byDefault, String description) {
        T[] constants = byDefault.getDeclaringClass().getEnumConstants();
        return optional(name, FieldType.Choice.of(constants), description)
                .withDefault(FieldType.Choice.word(byDefault));
    }

    /** All fields of several lists, in order. */
    @SafeVarargs
    static List<Field> all(List<Field>... lists) {
        return Stream.of(lists).flatMap(List::stream).toList();
    }

    /** The same field, which may be left out. */
    public Field asOptional() {
        return new Field(name, type, false, description, defaultValue, example);
    }

    /** The same field with a default, which is its example too. */
    Field withDefault(Object json) {
        return new Field(name, type, isRequired, description, json, json);
    }

    /** The same field with an example. */
    public Field withExample(Object json) {
        return new Field(name, type, isRequired, description, defaultValue, json);
    }
}
