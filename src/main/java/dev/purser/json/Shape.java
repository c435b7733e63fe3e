package dev.purser.json;

import java.math.BigDecimal;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The description of the values of a field in the API. {@link FieldType} reads the values. */
public sealed interface Shape {
    /** The JSON form of a Java type. */
    record Of(Class<?> type) implements Shape {}

    /** A string of {@code least} to {@code most} characters. */
    record Text(int least, int most) implements Shape {}

    /** A string that matches a regular expression as a whole. */
    record Matching(Pattern pattern) implements Shape {}

    /** An integer, both ends included. */
    record Whole(boolean isLong, long least, long most) implements Shape {}

    /** A number, both ends included; null if the range depends on other things. */
    record Decimal(@Nullable BigDecimal least, @Nullable BigDecimal most) implements Shape {}

    /** One of a few words. */
    record Choice(List<String> words) implements Shape {}

    /** An array. */
    record ListOf(Shape element, int least, int most) implements Shape {}

    /**
     * An object, described once under its name.
     *
     * @param description empty if the name suffices
     */
    record ObjectOf(String name, String description, List<Field<?>> fields) implements Shape {
        /** An object whose name suffices. */
        public ObjectOf(String name, Field<?>... fields) {
            this(name, "", List.of(fields));
        }
    }

    /** Always this word, which tells one of several objects from the others. */
    record Word(String word) implements Shape {}

    /**
     * One of several objects, described once under its name.
     *
     * @param discriminator the name of the field that is a different {@link Word} in each alternative
     * @param alternatives the objects by that word, in order
     */
    record OneOf(String name, String description, String discriminator, SequencedMap<String, ObjectOf> alternatives)
            implements Shape {}
}
