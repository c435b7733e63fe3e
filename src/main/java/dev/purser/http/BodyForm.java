package dev.purser.http;

import dev.purser.json.JsonDocument;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.openapi.Schemas;
import dev.purser.problem.ProblemException;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.parameters.RequestBody;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The form of a request's body: how the body is read, and how it is described. Each form is a bean, beside the handlers
 * that take it as their {@link Body}.
 *
 * @param type the type that it is read to
 * @param maxBytes the most bytes; the operator's limit can be lower
 * @param reader reads the body, or refuses it with all its violations
 * @param described the description of the body; empty if the operation's description has it
 * @param refusal adds to a refusal of the body, or of the work on it
 */
public record BodyForm<T>(
        Class<T> type,
        int maxBytes,
        BiFunction<JsonDocument, HandlerArguments, T> reader,
        Optional<Described> described,
        UnaryOperator<ProblemException> refusal) {
    /**
     * The description of a body.
     *
     * @param schema the schema of the whole body
     * @param examples the examples; each is answered, once the examples before it are sent
     */
    public record Described(Shape schema, List<Example> examples) {}

    /**
     * A body that can be sent as it is.
     *
     * @param name the name of what it makes or is about
     * @param summary what it says, in a few words
     * @param json the body
     */
    public record Example(String name, String summary, String json) {}

    /** A form whose reader needs only the body. */
    public static <T> BodyForm<T> of(Class<T> type, Function<ObjectReader, Optional<T>> reader) {
        return of(type, (in, arguments) -> reader.apply(in));
    }

    /** A form whose reader needs other arguments of the handler. */
    public static <T> BodyForm<T> of(Class<T> type, BiFunction<ObjectReader, HandlerArguments, Optional<T>> reader) {
        return ofDocument(type, (document, arguments) -> document.read(in -> reader.apply(in, arguments)));
    }

    /** A form that is not read at once. */
    public static <T> BodyForm<T> ofDocument(Class<T> type, BiFunction<JsonDocument, HandlerArguments, T> reader) {
        return new BodyForm<>(type, Integer.MAX_VALUE, reader, Optional.empty(), refusal -> refusal);
    }

    /** The same form with a limit of its own. */
    public BodyForm<T> atMost(int bytes) {
        return new BodyForm<>(type, bytes, reader, described, refusal);
    }

    /** The same form, described. */
    public BodyForm<T> described(Shape schema, Example... examples) {
        return new BodyForm<>(type, maxBytes, reader, Optional.of(new Described(schema, List.of(examples))), refusal);
    }

    /** The same form, whose refusals say more. */
    public BodyForm<T> refusing(UnaryOperator<ProblemException> more) {
        return new BodyForm<>(type, maxBytes, reader, described, more);
    }

    void describe(Operation operation, Schemas schemas) {
        described.ifPresent(body -> {
            SequencedMap<String, io.swagger.v3.oas.models.examples.Example> examples = new LinkedHashMap<>();
            body.examples().forEach(each -> examples.put(each.name(), Schemas.example(each.summary(), each.json())));
            RequestBody json = schemas.body(body.schema(), examples);
            if (operation.getRequestBody() != null) {
                operation.getRequestBody().getContent().forEach(json.getContent()::addMediaType);
            }
            operation.setRequestBody(json);
        });
    }
}
