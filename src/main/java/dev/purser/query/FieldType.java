package dev.purser.query;

import dev.purser.dataset.ColumnValue;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a field of a request holds, as the API describes it. */
public sealed interface FieldType {
    /** Any string. */
    FieldType TEXT = new Plain(String.class);

    /** Any number. */
    FieldType NUMBER = new Plain(BigDecimal.class);

    /** A value as its column's type writes it. */
    FieldType COLUMN_VALUE = new Plain(ColumnValue.class);

    /** What JSON has for a Java type. */
    record Plain(Class<?> type) implements FieldType {}

    /** A number, both ends included. */
    record NumberBetween(BigDecimal least, BigDecimal greatest) implements FieldType {}

    /** One of a few words. */
    record Choice(List<String> words) implements FieldType {
        /** The words of an enumeration. */
        static Choice of(Enum<?>... constants) {
            return new Choice(Arrays.stream(constants).map(Choice::word).toList());
        }

        /** A constant's name in lower case, with hyphens: the name is part of the API. */
        static String word(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** An array. */
    record ListOf(FieldType element) implements FieldType {}

    /**
     * An object, described once under its name.
     *
     * @param description empty if the name says it all
     */
    record ObjectOf(String name, String description, List<Field> fields) implements FieldType {}

    /** An object of any of these. */
    record AnyOf(List<ObjectOf> alternatives) implements FieldType {}
}
