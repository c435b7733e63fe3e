package dev.purser.json;

import java.util.List;
import java.util.Map;

/**
 * One value of a JSON document, exactly as sent. Numbers keep their raw token: what becomes of it is decided by the reader
 * that knows what the number means.
 */
public sealed interface JsonValue {
    /** @param members in the order of the document; of a repeated field the first value */
    record JsonObject(Map<String, JsonValue> members) implements JsonValue {}

    record JsonArray(List<JsonValue> elements) implements JsonValue {}

    record JsonString(String text) implements JsonValue {}

    /** @param token the characters of the number, for example {@code 1.50e3} */
    record JsonNumber(String token) implements JsonValue {}

    record JsonBoolean(boolean value) implements JsonValue {}

    record JsonNull() implements JsonValue {}

    /** A value that passed a limit and was not kept. Its violation is already noted, so reading it notes no other. */
    record JsonOmitted() implements JsonValue {}
}
