package dev.purser.json;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.regex.Pattern;

/** The type of a request's field, as the API describes it. */
public sealed interface FieldType {
    /** Any string. */
    FieldType TEXT = new Plain(String.class);

    /** Any number. */
    FieldType NUMBER = new Plain(BigDecimal.class);

    /** An integer of 32 bits. */
    FieldType INTEGER = new Plain(int.class);

    /** The JSON form of a Java type. */
    record Plain(Class<?> type) implements FieldType {}

    /** A string that matches a regular expression as a whole. */
    record Text(Pattern pattern) implements FieldType {}

    /** A number, both ends included. */
    record NumberBetween(BigDecimal least, BigDecimal greatest) implements FieldType {}

    /** One of a few words. */
    record Choice(List<String> words) implements FieldType {
        /** The words of an enumeration. */
        public static Choice of(Enum<?>... constants) {
            return new Choice(Arrays.stream(constants).map(Choice::word).toList());
        }

        /** A constant's name in lower case, with hyphens: the name is part of the API. */
        public static String word(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** An array. */
    record ListOf(FieldType element) implements FieldType {}

    /**
     * An object, described once under its name.
     *
     * @param description empty if the name suffices
     */
    record ObjectOf(String name, String description, List<Field> fields) implements FieldType {
        /** An object whose name suffices. */
        public ObjectOf(String name, Field... fields) {
            this(name, "", List.of(fields));
        }
    }

    /** Always this word, by which one of several objects is told from the others. */
    record Word(String word) implements FieldType {}

    /**
     * One of several objects, described once under its name.
     *
     * @param discriminator the name of the field that is a different {@link Word} in each
     * @param alternatives by that word, in order
     */
    record OneOf(String name, String description, String discriminator, SequencedMap<String, ObjectOf> alternatives)
            implements FieldType {}
}
