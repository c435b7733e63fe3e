package dev.purser.json;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of a request. An {@link ObjectReader} reads it, and the API describes it.
 *
 * @param description empty if the type's description suffices
 * @param absent the value that is read if the field is absent; null for none
 * @param defaultValue {@code absent} as JSON, as the API describes it; null if it describes none
 * @param example the example as JSON; null for none
 */
public record Field<T>(
        String name,
        FieldType<T> type,
        boolean isRequired,
        String description,
        @Nullable T absent,
        @Nullable Object defaultValue,
        @Nullable Object example) {
    /** A required field. */
    public static <T> Field<T> required(String name, FieldType<T> type, String description) {
        return new Field<>(name, type, true, description, null, null, null);
    }

    /** An optional field. */
    public static <T> Field<T> optional(String name, FieldType<T> type, String description) {
        return new Field<>(name, type, false, description, null, null, null);
    }

    /** A required field with an example. */
    public static <T> Field<T> required(String name, FieldType<T> type, String description, Object example) {
        return required(name, type, description).withExample(example);
    }

    /** An optional field with an example. */
    public static <T> Field<T> optional(String name, FieldType<T> type, String description, Object example) {
        return optional(name, type, description).withExample(example);
    }

    /** An optional field that holds the name of an enumeration constant. */
    public static <T extends Enum<T>> Field<T> choice(String name, T byDefault, String description) {
        T[] constants = byDefault.getDeclaringClass().getEnumConstants();
        return optional(name, FieldType.choice(constants), description)
                .withDefault(byDefault, FieldType.word(byDefault));
    }

    /** All fields of several lists, in order. */
    @SafeVarargs
    public static List<Field<?>> all(List<? extends Field<?>>... lists) {
        return Stream.of(lists).<Field<?>>flatMap(List::stream).toList();
    }

    /** The same field, optional. */
    public Field<T> asOptional() {
        return new Field<>(name, type, false, description, absent, defaultValue, example);
    }

    /** The same field with another description. */
    public Field<T> describedAs(String other) {
        return new Field<>(name, type, isRequired, other, absent, defaultValue, example);
    }

    /** The field of the same name with another type, such as a narrower type. */
    public <R> Field<R> of(FieldType<R> other) {
        return new Field<>(name, other, isRequired, description, null, null, example);
    }

    /** The same field with a default, which is also its example. */
    public Field<T> withDefault(T value) {
        return withDefault(value, value);
    }

    /** The same field with a default, which is also its example and is written as this JSON. */
    public Field<T> withDefault(T value, Object json) {
        return new Field<>(name, type, isRequired, description, value, json, json);
    }

    /** The same field without an example: the API's description shows none for it. */
    public Field<T> withoutExample() {
        return new Field<>(name, type, isRequired, description, absent, defaultValue, null);
    }

    /** The same field with an example. */
    public Field<T> withExample(Object json) {
        return new Field<>(name, type, isRequired, description, absent, defaultValue, json);
    }

    /** Its name, for sentences and pointers. */
    @Override
    public String toString() {
        return name;
    }
}
