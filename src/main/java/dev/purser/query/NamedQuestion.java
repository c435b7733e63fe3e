package dev.purser.query;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A question that names its kind: an object with {@code kind}, and {@code request} as the kind's path takes it. */
public final class NamedQuestion {
    private static final String KIND = "kind";
    private static final String REQUEST = "request";

    private NamedQuestion() {}

    /**
     * The form of such an object.
     *
     * @param name also the end of the names of its alternatives
     * @param request the form of the request of a kind
     */
    public static FieldType.OneOf form(
            String name, String description, Function<QuestionKind, FieldType.ObjectOf> request) {
        SequencedMap<String, FieldType.ObjectOf> alternatives = new LinkedHashMap<>();
        for (QuestionKind kind : QuestionKinds.ALL) {
            alternatives.put(
                    kind.name(),
                    new FieldType.ObjectOf(
                            kind.typeName() + name,
                            kind.summary(),
                            List.of(
                                    Field.required(
                                            KIND,
                                            new FieldType.Word(kind.name()),
                                            "The kind of question, as in its path."),
                                    Field.required(
                                            REQUEST, request.apply(kind), "The body that would be sent by itself."))));
        }
        return new FieldType.OneOf(name, description, KIND, alternatives);
    }

    /** Reads such an object, and its request as {@code reader} does. */
    public static <T> Optional<T> read(ObjectReader in, BiFunction<ObjectReader, QuestionKind, Optional<T>> reader) {
        Optional<String> name = in.required(KIND).string("the name of a kind of question", Optional::of);
        Optional<QuestionKind> kind = name.flatMap(QuestionKinds::named);
        name.filter(sent -> kind.isEmpty())
                .ifPresent(sent -> in.refuse(KIND, KIND + " must be " + QuestionKinds.unlisted(sent)));
        ValueReader request = in.required(REQUEST);
        Optional<T> question = kind.flatMap(known -> request.object(inner -> reader.apply(inner, known)));
        return in.complete(question::orElseThrow);
    }
}
