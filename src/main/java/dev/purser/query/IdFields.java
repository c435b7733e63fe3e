package dev.purser.query;

import dev.purser.json.FieldType;
import java.util.regex.Pattern;

/** Ids of questions. An answer or a synopsis has the id of the question that made it. */
public final class IdFields {
    private static final Pattern FORM = Pattern.compile("[0-9A-Z]{26}");

    private IdFields() {}

    /**
     * The type of an id that a request names.
     *
     * @param what the thing that has the id, in words
     */
    public static FieldType<String> of(String what) {
        return FieldType.text(FORM, "the id of " + what);
    }
}
