package dev.purser.json;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The type of a request's field: how a value of it is read, and how the API describes it.
 *
 * <p>Some values are understood only by code that knows more than the request, such as the dataset. Their type hands
 * over the value, the object or the elements, to be read by that code.
 *
 * @param reader empty if the value broke a rule, which is then noted
 * @param isNoneAbsent whether an empty array in an optional field counts as absent
 */
public record FieldType<T>(Shape shape, Function<ValueReader, Optional<T>> reader, boolean isNoneAbsent) {
    public FieldType(Shape shape, Function<ValueReader, Optional<T>> reader) {
        this(shape, reader, false);
    }

    /** True or false. */
    public static final FieldType<Boolean> BOOLEAN = new FieldType<>(new Shape.Of(boolean.class), ValueReader::bool);

    /** A number of any size that can be read. */
    public static final FieldType<BigDecimal> NUMBER =
            new FieldType<>(new Shape.Decimal(null, null), ValueReader::decimal);

    /** An instant, handed over as it was sent. */
    public static final FieldType<ValueReader> INSTANT = unread(new Shape.Of(Instant.class));

    /** A value that is handed over as it was sent. */
    public static FieldType<ValueReader> unread(Shape shape) {
        return new FieldType<>(shape, Optional::of);
    }

    /** An integer of 32 bits, both ends included. */
    public static FieldType<Integer> integer(int least, int most) {
        return new FieldType<>(
                new Shape.Whole(false, least, most),
                in -> in.integer(least, most).map(Long::intValue));
    }

    /** An integer of 64 bits, both ends included. */
    public static FieldType<Long> longInteger(long least, long most) {
        return new FieldType<>(new Shape.Whole(true, least, most), in -> in.integer(least, most));
    }

    /** A number, both ends included. */
    public static FieldType<BigDecimal> number(BigDecimal least, BigDecimal most) {
        return new FieldType<>(new Shape.Decimal(least, most), in -> in.decimal(least, most));
    }

    /** An exact epsilon, both ends included. */
    public static FieldType<Epsilon> epsilon(Epsilon least, Epsilon most) {
        return new FieldType<>(new Shape.Of(Epsilon.class), in -> in.epsilon(least, most));
    }

    /** An exact delta from zero. */
    public static FieldType<Delta> delta(Delta most) {
        return new FieldType<>(new Shape.Of(Delta.class), in -> in.delta(Delta.ZERO, most));
    }

    /** A string of {@code leastLength} to {@code mostLength} characters, without control characters. */
    public static FieldType<String> text(int leastLength, int mostLength) {
        return new FieldType<>(new Shape.Text(leastLength, mostLength), in -> in.string(leastLength, mostLength));
    }

    /**
     * A string that matches a pattern as a whole.
     *
     * @param form completes the sentence "must be …"
     */
    public static FieldType<String> text(Pattern pattern, String form) {
        return new FieldType<>(new Shape.Matching(pattern), in -> in.string(pattern, form));
    }

    /** One of a few values, by its word. */
    public static <T> FieldType<T> choice(List<T> values, Function<T, String> wordOf) {
        List<String> words = values.stream().map(wordOf).toList();
        return new FieldType<>(
                new Shape.Choice(words), in -> in.word(words).map(word -> values.get(words.indexOf(word))));
    }

    /** One of several words. */
    public static FieldType<String> choice(String... words) {
        return choice(List.of(words), Function.identity());
    }

    /** One of several constants, by its {@link #word}. */
    public static <T extends Enum<T>> FieldType<T> choice(T[] constants) {
        return choice(List.of(constants), FieldType::word);
    }

    /** A constant's name in lower case, with hyphens: the name is part of the API. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** An array of {@code least} to {@code most} elements. */
    public static <T> FieldType<List<T>> listOf(FieldType<T> element, int least, int most) {
        return new FieldType<>(
                new Shape.ListOf(element.shape, least, most), in -> in.list(least, most, element.reader));
    }

    /** An array of {@code least} to {@code most} different elements. */
    public static <T> FieldType<List<T>> setOf(FieldType<T> element, int least, int most) {
        return listOf(element, least, most).then((in, read) -> {
            boolean differ = new HashSet<>(read).size() == read.size();
            return differ ? Optional.of(read) : in.refused("must differ from each other");
        });
    }

    /** An array of {@code least} to {@code most} elements, which are handed over one by one. */
    public static <T> FieldType<Elements<T>> elements(FieldType<T> element, int least, int most) {
        return new FieldType<>(
                new Shape.ListOf(element.shape, least, most),
                in -> Optional.of(new Elements<>(in, element, least, most)));
    }

    /** The same type of arrays, for optional fields in which an empty array counts as absent. */
    public FieldType<T> orNone() {
        return shape instanceof Shape.ListOf(Shape element, int _, int most)
                ? new FieldType<>(new Shape.ListOf(element, 0, most), reader, true)
                : this;
    }

    /** An object that is handed over to the code that reads it. */
    public static FieldType<ObjectReader> object(Shape shape) {
        return object(shape, Optional::of);
    }

    /**
     * An object.
     *
     * @param decoder ends with {@link ObjectReader#complete}
     */
    public static <T> FieldType<T> object(Shape shape, Function<ObjectReader, Optional<T>> decoder) {
        return new FieldType<>(shape, in -> in.object(decoder));
    }

    /** Reads a value; empty if it broke a rule, which is then noted. */
    public Optional<T> read(ValueReader sent) {
        return reader.apply(sent);
    }

    /**
     * The same type with a further rule, or with another value made of it.
     *
     * @param more empty if the value breaks a rule, which is then noted
     */
    public <R> FieldType<R> then(BiFunction<ValueReader, T, Optional<R>> more) {
        return new FieldType<>(shape, in -> read(in).flatMap(read -> more.apply(in, read)), isNoneAbsent);
    }
}
