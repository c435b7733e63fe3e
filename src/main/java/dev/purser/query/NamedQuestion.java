package dev.purser.query;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A question that names its kind: an object with {@code kind}, and {@code request}, the body for the kind's path. */
public final class NamedQuestion {
    private static final Field<String> KIND = Field.required(
            "kind",
            new FieldType<>(
                    new Shape.Of(String.class), in -> in.string("the name of a kind of question", Optional::of)),
            "The kind of question, as in its path.");
    private static final Field<ValueReader> REQUEST = Field.required(
            "request", FieldType.unread(new Shape.Of(Object.class)), "The body that would be sent by itself.");

    private NamedQuestion() {}

    /**
     * The form of a question that names its kind.
     *
     * @param name the name of the form, which is also the end of the names of its alternatives
     * @param request the form of the request of a kind
     */
    public static FieldType<ObjectReader> form(
            String name, String description, Function<QuestionKind, Shape.ObjectOf> request) {
        SequencedMap<String, Shape.ObjectOf> alternatives = new LinkedHashMap<>();
        for (QuestionKind kind : QuestionKinds.ALL) {
            alternatives.put(
                    kind.name(),
                    new Shape.ObjectOf(
                            kind.typeName() + name,
                            kind.summary(),
                            List.of(
                                    KIND.of(FieldType.unread(new Shape.Word(kind.name()))),
                                    REQUEST.of(FieldType.object(request.apply(kind))))));
        }
        return FieldType.object(new Shape.OneOf(name, description, KIND.name(), alternatives));
    }

    /** Reads a question that names its kind. {@code reader} reads its request. */
    public static <T> Optional<T> read(ObjectReader in, BiFunction<ObjectReader, QuestionKind, Optional<T>> reader) {
        Optional<String> name = in.read(KIND);
        Optional<QuestionKind> kind = name.flatMap(QuestionKinds::named);
        name.filter(sent -> kind.isEmpty())
                .ifPresent(sent -> in.refuse(KIND, "kind must be " + QuestionKinds.unlisted(sent)));
        Optional<T> question = in.read(REQUEST)
                .flatMap(sent -> kind.flatMap(known -> sent.object(inner -> reader.apply(inner, known))));
        return in.complete(question::orElseThrow);
    }
}
