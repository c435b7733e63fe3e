package dev.purser.json;

import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonBoolean;
import dev.purser.json.JsonValue.JsonNull;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonOmitted;
import dev.purser.json.JsonValue.JsonOversizedArray;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.problem.Violations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * One pass over the tokens of a document. The pass continues to the last byte even if it finds broken rules. Bytes that
 * are not a document are therefore distinguished from a document that breaks a rule, wherever the invalid bytes are.
 */
final class JsonParsing {
    /** The pass ends at a greater depth, because the nesting itself would use memory. */
    static final int HARD_DEPTH = 1_000;

    /** The pass ends at a longer field name, because the parser's symbol table holds names. */
    static final int HARD_NAME_LENGTH = 1_000;

    /** The most tokens that are kept as values: about 5 MB. Later elements of arrays are kept as places only. */
    private static final int KEPT_TOKENS = 50_000;

    /** The most fields that are kept outside of later elements of arrays. No form of a request needs more. */
    static final int KEPT_FIELDS = 50_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(HARD_DEPTH)
                    .maxNameLength(HARD_NAME_LENGTH)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private static final JsonNull NULL = new JsonNull();
    private static final JsonBoolean TRUE = new JsonBoolean(true);
    private static final JsonBoolean FALSE = new JsonBoolean(false);
    private static final JsonOmitted OMITTED = new JsonOmitted();

    private final byte[] body;
    private final int start;
    private final JsonParser parser;
    private final JsonLimits limits;
    private final Violations violations;
    private int tokens;
    private int fields;
    private int depth;

    private JsonParsing(byte[] body, int start, int end, JsonLimits limits, Violations violations) {
        this.body = body;
        this.start = start;
        this.parser = FACTORY.createParser(ObjectReadContext.empty(), body, start, end - start);
        this.limits = limits;
        this.violations = violations;
    }

    static JsonValue parse(byte[] body, JsonLimits limits, Violations violations) {
        if (!Utf8.isText(body)) {
            throw malformed("the body is not text in UTF-8 without a byte order mark");
        }
        try {
            return new JsonParsing(body, 0, body.length, limits, violations).document();
        } catch (StreamConstraintsException tooMuch) {
            violations.add(Violation.atPointer(
                    "",
                    "a document must be nested at most " + limits.maxDepth()
                            + " deep and its field names must have at most " + limits.maxNameLength()
                            + " characters; reading stopped where one of them was far exceeded"));
            return OMITTED;
        } catch (JacksonException notJson) {
            // The parser's message may quote the body, so only the place is reported.
            var place = notJson.getLocation();
            throw malformed(
                    place == null || place.getLineNr() < 1
                            ? "the body is not one JSON document"
                            : "the body is not one JSON document: line " + place.getLineNr() + ", column "
                                    + place.getColumnNr());
        }
    }

    private static ProblemException malformed(String detail) {
        return ProblemException.of(ProblemType.MALFORMED_REQUEST, detail);
    }

    private JsonValue document() {
        JsonToken first = next();
        if (first == null) {
            throw malformed("the body is empty; it must be one JSON document");
        }
        JsonValue root = value(first);
        if (next() != null) {
            throw malformed("the body has content after the end of the JSON document");
        }
        if (tokens > limits.maxTokens()) {
            note(
                    "",
                    "a document must have at most " + limits.maxTokens() + " names, values and brackets, had "
                            + tokens);
        }
        return root;
    }

    private @Nullable JsonToken next() {
        JsonToken token = parser.nextToken();
        if (token != null) {
            tokens++;
        }
        return token;
    }

    private JsonToken nextInside() {
        JsonToken token = next();
        if (token == null) {
            // The parser itself refuses an end of input inside an object or array.
            throw new IllegalStateException("end of input inside a container");
        }
        return token;
    }

    /** The value that starts with {@code token}, the parser's current token. */
    private JsonValue value(JsonToken token) {
        boolean kept = tokens <= limits.maxTokens();
        return switch (token) {
            case START_OBJECT, START_ARRAY -> kept ? container(token) : skipped(token);
            case VALUE_STRING -> kept ? string() : OMITTED;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> kept ? number() : OMITTED;
            case VALUE_TRUE -> TRUE;
            case VALUE_FALSE -> FALSE;
            case VALUE_NULL -> NULL;
            case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw new IllegalStateException("a value cannot start with " + token);
        };
    }

    private JsonValue container(JsonToken start) {
        if (depth == limits.maxDepth()) {
            note(pointer(), "a document must be nested at most " + limits.maxDepth() + " deep");
            return skipped(start);
        }
        depth++;
        JsonValue container = start == JsonToken.START_OBJECT ? object() : array();
        depth--;
        return container;
    }

    private JsonObject object() {
        Map<String, JsonValue> members = new LinkedHashMap<>(4);
        while (nextInside() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            boolean keptName = nameIsKept(name, members);
            JsonToken start = nextInside();
            if (keptName) {
                members.put(name, value(start));
            } else {
                skipped(start);
            }
        }
        return new JsonObject(members);
    }

    private boolean nameIsKept(String name, Map<String, JsonValue> members) {
        if (name.length() > limits.maxNameLength() || !Text.isWellFormed(name)) {
            note(
                    parser.streamReadContext().getParent().pathAsPointer().toString(),
                    "a field name must be well-formed Unicode of at most " + limits.maxNameLength()
                            + " characters, was " + Text.quoted(name));
            return false;
        }
        if (members.containsKey(name)) {
            note(pointer(), "a field must appear once, " + Text.quoted(name) + " appears again");
            return false;
        }
        fields++;
        if (fields == KEPT_FIELDS + 1) {
            note("", "a document must have at most " + KEPT_FIELDS + " fields that are not in a long list");
        }
        return fields <= KEPT_FIELDS && tokens <= limits.maxTokens();
    }

    /** Only the reader of an array knows the limit of its field, so the reader refuses an array that is too long. */
    private JsonValue array() {
        List<JsonValue> first = new ArrayList<>(4);
        LateElements late = null;
        int size = 0;
        for (JsonToken token = nextInside(); token != JsonToken.END_ARRAY; token = nextInside()) {
            size++;
            if (size > limits.maxArrayElements()) {
                skipped(token);
            } else if (tokens <= KEPT_TOKENS) {
                first.add(value(token));
            } else {
                late = late == null ? new LateElements(List.copyOf(first), laterParser(depth)) : late;
                int fieldsBefore = fields;
                int from = place(parser.currentTokenLocation());
                JsonValue value = value(token);
                late.append(from, value == OMITTED ? from : place(parser.currentLocation()));
                fields = fieldsBefore;
            }
        }
        if (size > limits.maxArrayElements()) {
            return new JsonOversizedArray(size, limits.maxArrayElements());
        }
        return late == null ? new JsonArray(List.copyOf(first)) : new JsonArray(late);
    }

    private int place(TokenStreamLocation location) {
        return start + Math.toIntExact(location.getByteOffset());
    }

    /** Parses elements once more. Their violations were noted the first time, and are not noted again. */
    private LateElements.Parser laterParser(int depth) {
        return (from, to) -> {
            if (from == to) {
                return OMITTED;
            }
            JsonParsing again = new JsonParsing(body, from, to, limits, new Violations());
            again.depth = depth;
            return again.value(again.nextInside());
        };
    }

    /** Skips the rest of the value that starts with {@code token}. */
    private JsonValue skipped(JsonToken token) {
        if (token.isStructStart()) {
            skipToEndOfContainer();
        }
        return OMITTED;
    }

    /** Skips everything up to the end of the currently open container. */
    private void skipToEndOfContainer() {
        int open = 1;
        while (open > 0) {
            JsonToken token = nextInside();
            if (token.isStructStart()) {
                open++;
            } else if (token.isStructEnd()) {
                open--;
            }
        }
    }

    private JsonValue string() {
        if (parser.getStringLength() > limits.maxStringLength()) {
            note(
                    pointer(),
                    "a string must have at most " + limits.maxStringLength() + " characters, had "
                            + parser.getStringLength());
            return OMITTED;
        }
        String text = parser.getString();
        if (!Text.isWellFormed(text)) {
            note(pointer(), "a string must be well-formed Unicode, was " + Text.quoted(text));
            return OMITTED;
        }
        return new JsonString(text);
    }

    private JsonValue number() {
        if (parser.getStringLength() > limits.maxNumberLength()) {
            note(
                    pointer(),
                    "a number must have at most " + limits.maxNumberLength() + " characters, had "
                            + parser.getStringLength());
            return OMITTED;
        }
        return new JsonNumber(parser.getString());
    }

    private String pointer() {
        return parser.streamReadContext().pathAsPointer().toString();
    }

    private void note(String pointer, String detail) {
        violations.add(Violation.atPointer(pointer, detail));
    }
}
