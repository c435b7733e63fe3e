package dev.purser.query;

import dev.purser.json.ValueReader;
import java.util.Optional;
import java.util.regex.Pattern;

/** Ids of questions, and of the answers and synopses that are called like the question that made them. */
public final class IdFields {
    private static final Pattern FORM = Pattern.compile("[0-9A-Z]{26}");

    private IdFields() {}

    /**
     * Reads an id that a request names.
     *
     * @param what it is the id of, in words
     */
    public static Optional<String> read(ValueReader sent, String what) {
        return sent.string(FORM, "the id of " + what);
    }
}
