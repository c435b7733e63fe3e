package dev.purser.json;

import dev.purser.json.JsonValue.JsonObject;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violations;
import java.util.Optional;
import java.util.function.Function;

/**
 * One JSON document as it was sent, with the rules that its form already broke.
 *
 * <pre>{@code
 * CountRequest request = JsonDocument.parse(body).read(CountRequest::read);
 *
 * static final Field<Epsilon> EPSILON = Field.required("epsilon", FieldType.epsilon(LEAST, MOST), "…");
 * static final Field<Boolean> EXACT = Field.optional("exact", FieldType.BOOLEAN, "…").withDefault(false);
 *
 * static Optional<CountRequest> read(ObjectReader in) {
 *     Optional<Epsilon> epsilon = in.read(EPSILON);
 *     Optional<Boolean> exact = in.read(EXACT);
 *     return in.complete(() -> new CountRequest(epsilon.orElseThrow(), exact.orElseThrow()));
 * }
 * }</pre>
 */
public final class JsonDocument {
    private final JsonValue root;
    private final Violations violations;

    private JsonDocument(JsonValue root, Violations violations) {
        this.root = root;
        this.violations = violations;
    }

    /** A document that is already a tree. */
    public static JsonDocument of(JsonObject root) {
        return new JsonDocument(root, new Violations());
    }

    /** Parses with the {@linkplain JsonLimits#DEFAULT default limits}. */
    public static JsonDocument parse(byte[] body) {
        return parse(body, JsonLimits.DEFAULT);
    }

    /**
     * Parses strictly: UTF-8 without a byte order mark, one document, no comments, nothing after it. Repeated fields
     * and exceeded limits are collected, and {@link #read} refuses them together with its own findings.
     *
     * @throws ProblemException {@link ProblemType#MALFORMED_REQUEST} if the bytes are not one JSON document
     */
    public static JsonDocument parse(byte[] body, JsonLimits limits) {
        Violations violations = new Violations();
        return new JsonDocument(JsonParsing.parse(body, limits, violations), violations);
    }

    /** The document as a tree. Values beyond a limit are {@linkplain JsonValue.JsonOmitted omitted}. */
    public JsonValue root() {
        return root;
    }

    /** The rules broken so far. */
    public Violations violations() {
        return violations;
    }

    /**
     * Reads a document that must be an object.
     *
     * @param decoder ends with {@link ObjectReader#complete}
     * @throws ProblemException {@link ProblemType#VALIDATION_FAILED} with every broken rule of the document
     */
    public <T> T read(Function<ObjectReader, Optional<T>> decoder) {
        FoundViolations notes = new FoundViolations(violations, violations.isEmpty());
        ValueReader document = new ValueReader("the document", Pointer.ROOT, Optional.of(root), notes);
        Optional<T> decoded = document.object(decoder);
        violations.throwIfAny();
        return decoded.orElseThrow(() -> new IllegalStateException("a decoder returned nothing, without a violation"));
    }
}
