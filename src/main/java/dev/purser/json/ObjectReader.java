package dev.purser.json;

import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonNull;
import dev.purser.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Reads one JSON object field by field. A broken rule is noted at its place and reading continues, so that the sender
 * gets all violations at once. A field that is never read is unknown, and unknown fields are refused. An optional field
 * that is {@code null} counts as absent.
 */
public final class ObjectReader {
    private final Pointer pointer;
    private final JsonObject object;
    private final FoundViolations notes;
    private final int notesBefore;
    /**
     * The names of known fields, each once. It is a list, because an object has few fields and a request can have many
     * objects.
     */
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

    /** Reads a field; empty if it broke a rule, or if it is absent and has no default. */
    public <T> Optional<T> read(Field<T> field) {
        Optional<ValueReader> sent = value(field, field.isRequired());
        return sent.isPresent() ? sent.flatMap(field.type().reader()) : Optional.ofNullable(field.absent());
    }

    /**
     * Reads a field, and applies a rule that only the caller knows; empty if the field is absent.
     *
     * @param more empty if the value broke a rule, which is then noted
     */
    public <T, R> Optional<R> read(Field<T> field, BiFunction<ValueReader, T, Optional<R>> more) {
        return value(field, field.isRequired())
                .flatMap(sent -> field.type().read(sent).flatMap(read -> more.apply(sent, read)));
    }

    /** Reads a field that this form of the object needs; {@code null} is refused. */
    public <T> Optional<T> required(Field<T> field) {
        return value(field, true).flatMap(field.type().reader());
    }

    /** Clients of typed languages send {@code null} for a field that they do not set. */
    private Optional<ValueReader> value(Field<?> field, boolean isRequired) {
        String name = field.name();
        know(name);
        JsonValue value = object.members().get(name);
        if (value == null && isRequired) {
            refuse(name, name + " is required");
        }
        return value == null || !isRequired && isAsIfAbsent(field, value)
                ? Optional.empty()
                : Optional.of(reader(name, Optional.of(value)));
    }

    private static boolean isAsIfAbsent(Field<?> field, JsonValue value) {
        return field.type().isNoneAbsent() ? isAsIfAbsent(value) : value instanceof JsonNull;
    }

    /** Declares fields as known, whether or not they will be read. */
    public void know(Field<?>... fields) {
        for (Field<?> field : fields) {
            know(field.name());
        }
    }

    /** Whether the field was sent. */
    public boolean has(Field<?> field) {
        know(field.name());
        JsonValue value = object.members().get(field.name());
        return value != null && !isAsIfAbsent(field, value);
    }

    /**
     * Declares fields that only other forms of the same object have. A client with one type for all forms sends them as
     * {@code null} or as an empty array. With any other value, such a field is unknown.
     */
    public void notInThisForm(Field<?>... fields) {
        notInThisForm(Arrays.asList(fields));
    }

    /** Declares fields, as {@link #notInThisForm(Field...)} does. */
    public void notInThisForm(List<Field<?>> fields) {
        fields.forEach(field -> ofOtherForms.add(field.name()));
    }

    /** Finds which of the fields was sent. It breaks a rule if none or several of them were sent. */
    public <F extends Field<?>> Optional<F> exactlyOne(List<F> fields) {
        List<F> sent = fields.stream().filter(this::has).toList();
        if (sent.size() == 1) {
            return Optional.of(sent.getFirst());
        }
        refuse("exactly one of " + quoted(names(fields)) + " is required, "
                + (sent.isEmpty() ? "none was sent" : quoted(names(sent)) + " were sent"));
        return Optional.empty();
    }

    private static List<String> names(List<? extends Field<?>> fields) {
        return fields.stream().<String>map(Field::name).toList();
    }

    /** Notes a rule that a field, or its absence, breaks. The sentence names the rule and the value sent. */
    public void refuse(Field<?> field, String detail) {
        refuse(field.name(), detail);
    }

    private void refuse(String name, String detail) {
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
