package dev.purser.query;

import dev.purser.json.FieldType;
import java.util.regex.Pattern;

/** Ids of questions, and of the answers and synopses that are called like the question that made them. */
public final class IdFields {
    private static final Pattern FORM = Pattern.compile("[0-9A-Z]{26}");

    private IdFields() {}

    /**
     * The type of an id that a request names.
     *
     * @param what it is the id of, in words
     */
    public static FieldType<String> of(String what) {
        return FieldType.text(FORM, "the id of " + what);
    }
}
