package dev.purser.json;

import java.util.List;
import java.util.Map;

/**
 * One value of a JSON document, exactly as sent. Numbers keep their raw token; the reader that knows a number's meaning
 * converts it.
 */
public sealed interface JsonValue {
    /** @param members the fields in document order; a repeated field has its first value */
    record JsonObject(Map<String, JsonValue> members) implements JsonValue {}

    record JsonArray(List<JsonValue> elements) implements JsonValue {}

    record JsonString(String text) implements JsonValue {}

    /** An array with more elements than the document's limit. They are not kept, and the array's reader refuses it. */
    record JsonOversizedArray(int size, int limit) implements JsonValue {}

    /** @param token the characters of the number, for example {@code 1.50e3} */
    record JsonNumber(String token) implements JsonValue {}

    record JsonBoolean(boolean value) implements JsonValue {}

    record JsonNull() implements JsonValue {}

    /**
     * A value that exceeded a limit and was not kept. Its violation is already noted, so reading it adds no violation.
     */
    record JsonOmitted() implements JsonValue {}
}
