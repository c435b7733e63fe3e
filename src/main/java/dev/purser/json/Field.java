package dev.purser.json;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of a request as the API describes it. It is declared beside the code that reads it, and
 * {@code DescribedFieldsTests} checks that the two agree.
 *
 * @param description empty if the type's description suffices
 * @param defaultValue the value that an absent field stands for, as JSON; null if there is none
 * @param example as JSON; null for none
 */
public record Field(
        String name,
        FieldType type,
        boolean isRequired,
        String description,
        @Nullable Object defaultValue,
        @Nullable Object example) {
    /** A required field. */
    public static Field required(String name, FieldType type, String description) {
        return new Field(name, type, true, description, null, null);
    }

    /** An optional field. */
    public static Field optional(String name, FieldType type, String description) {
        return new Field(name, type, false, description, null, null);
    }

    /** An optional field that holds the name of an enumeration constant. */
    public static <T extends Enum<T>> Field choice(String name, T byDefault, String description) {
        T[] constants = byDefault.getDeclaringClass().getEnumConstants();
        return optional(name, FieldType.Choice.of(constants), description)
                .withDefault(FieldType.Choice.word(byDefault));
    }

    /** All fields of several lists, in order. */
    @SafeVarargs
    public static List<Field> all(List<Field>... lists) {
        return Stream.of(lists).flatMap(List::stream).toList();
    }

    /** The same field, optional. */
    public Field asOptional() {
        return new Field(name, type, false, description, defaultValue, example);
    }

    /** The same field with a default, which is also its example. */
    public Field withDefault(Object json) {
        return new Field(name, type, isRequired, description, json, json);
    }

    /** The same field without an example: the API's description shows none for it. */
    public Field withoutExample() {
        return new Field(name, type, isRequired, description, defaultValue, null);
    }

    /** The same field with an example. */
    public Field withExample(Object json) {
        return new Field(name, type, isRequired, description, defaultValue, json);
    }
}
