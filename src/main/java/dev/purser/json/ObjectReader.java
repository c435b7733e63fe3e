package dev.purser.json;

import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonNull;
import dev.purser.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads one JSON object field by field. A broken rule is noted at its place and reading continues, so that the sender
 * gets all violations at once. A field that is never read is unknown, and unknown fields are refused. An optional field
 * that is {@code null} is as if absent.
 */
public final class ObjectReader {
    private final Pointer pointer;
    private final JsonObject object;
    private final FoundViolations notes;
    private final int notesBefore;
    /** Each once. A list, because an object has few fields and a request can have many objects. */
    private final List<String> known = new ArrayList<>();

    private final List<String> ofOtherForms = new ArrayList<>(0);

    ObjectReader(Pointer pointer, JsonObject object, FoundViolations notes) {
        this.pointer = pointer;
        this.object = object;
        this.notes = notes;
        this.notesBefore = notes.count();
    }

    /** The object as it was sent. */
    public JsonObject sent() {
        return object;
    }

    /** A required field; {@code null} is refused. */
    public ValueReader required(String name) {
        know(name);
        Optional<JsonValue> value = Optional.ofNullable(object.members().get(name));
        if (value.isEmpty()) {
            refuse(name, name + " is required");
        }
        return reader(name, value);
    }

    /** An optional field. */
    public ValueReader optional(String name) {
        return reader(name, sent(name));
    }

    /** Whether the field was sent. */
    public boolean has(String name) {
        return sent(name).isPresent();
    }

    /** Whether the field was sent, and not as an empty array: for a field whose array must have elements. */
    public boolean hasElements(String name) {
        return sent(name).filter(value -> !isAsIfAbsent(value)).isPresent();
    }

    /**
     * Declares fields that only other forms of the same object have. A client with one type for all forms sends them as
     * {@code null} or as an empty array; with any other value they are unknown.
     */
    public void notInThisForm(String... names) {
        ofOtherForms.addAll(Arrays.asList(names));
    }

    /** The one of {@code names} that was sent; none or several of them break a rule. */
    public Optional<String> exactlyOne(String... names) {
        Arrays.asList(names).forEach(this::know);
        List<String> sent = Arrays.stream(names).filter(this::has).toList();
        if (sent.size() == 1) {
            return Optional.of(sent.getFirst());
        }
        refuse("exactly one of " + quoted(Arrays.asList(names)) + " is required, "
                + (sent.isEmpty() ? "none was sent" : quoted(sent) + " were sent"));
        return Optional.empty();
    }

    /** Notes a rule that a field, or its absence, breaks. The sentence names the rule and the value sent. */
    public void refuse(String name, String detail) {
        notes.add(pointer.child(name), detail);
    }

    /** Notes a rule that the whole object breaks. */
    public void refuse(String detail) {
        notes.add(pointer, detail);
    }

    /**
     * Ends reading: notes every unknown field, and creates the value if the object broke no rule.
     *
     * @param made called if every required field was read and every field kept its rule
     */
    public <T> Optional<T> complete(Supplier<T> made) {
        object.members().forEach((name, value) -> {
            if (!known.contains(name) && !(ofOtherForms.contains(name) && isAsIfAbsent(value))) {
                refuse(
                        name,
                        "unknown field " + Text.quoted(name) + "; "
                                + (known.isEmpty()
                                        ? "there are no fields here"
                                        : "the fields here are " + quoted(known)));
            }
        });
        return isIntact() ? Optional.of(made.get()) : Optional.empty();
    }

    /** Whether the object and all its content have broken no rule so far. */
    public boolean isIntact() {
        return notes.wholeDocument() && notes.count() == notesBefore;
    }

    /** The value of an optional field. Clients of typed languages send {@code null} for what they do not set. */
    private Optional<JsonValue> sent(String name) {
        know(name);
        return Optional.ofNullable(object.members().get(name)).filter(value -> !(value instanceof JsonNull));
    }

    private void know(String name) {
        if (!known.contains(name)) {
            known.add(name);
        }
    }

    private static boolean isAsIfAbsent(JsonValue value) {
        return value instanceof JsonNull || value instanceof JsonArray(List<JsonValue> elements) && elements.isEmpty();
    }

    private ValueReader reader(String name, Optional<JsonValue> value) {
        return new ValueReader(name, pointer.child(name), value, notes);
    }

    private static String quoted(Iterable<String> names) {
        StringBuilder list = new StringBuilder();
        for (String name : names) {
            list.append(list.isEmpty() ? "\"" : ", \"").append(name).append('"');
        }
        return list.toString();
    }
}
