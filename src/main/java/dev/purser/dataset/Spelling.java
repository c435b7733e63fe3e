package dev.purser.dataset;

import dev.purser.json.ValueReader;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** How the categories of a column are written in requests, uploads and answers: what {@link Notation} is to grid integers. */
public enum Spelling {
    /** By their names alone. */
    NAMES("category", "one of the categories") {
        @Override
        Optional<String> category(ValueReader sent) {
            return sent.string(0, 256);
        }

        @Override
        public String categoryInUpload(String field) {
            return field;
        }

        @Override
        Object shown(String category) {
            return category;
        }
    },

    /** As truth values: the categories are {@code false} and {@code true}. */
    TRUTH("boolean", "one of true/false, t/f, yes/no, y/n, 1/0") {
        @Override
        Optional<String> category(ValueReader sent) {
            return FALSE_AND_TRUE.stream()
                    .filter(sent::isText)
                    .findFirst()
                    .or(() -> sent.bool().map(String::valueOf));
        }

        @Override
        public String categoryInUpload(String field) {
            return TRUTHS.getOrDefault(field.toLowerCase(Locale.ROOT), field);
        }

        @Override
        Object shown(String category) {
            return Boolean.valueOf(category);
        }
    };

    /** The categories of {@link #TRUTH}. */
    static final List<String> FALSE_AND_TRUE = List.of("false", "true");

    private static final Map<String, String> TRUTHS = Map.of(
            "t", "true", "yes", "true", "y", "true", "1", "true", "true", "true", "f", "false", "no", "false", "n",
            "false", "0", "false", "false", "false");

    private final String type;
    private final String form;

    Spelling(String type, String form) {
        this.type = type;
        this.form = form;
    }

    /** The column's type, as its registration names it. */
    String type() {
        return type;
    }

    /** What a field of an upload has to be: completes "must be …". */
    public String form() {
        return form;
    }

    /** The category that a value of a request names; it may be none of the column's. */
    abstract Optional<String> category(ValueReader sent);

    /** The category that a field of an upload names; it may be none of the column's. */
    public abstract String categoryInUpload(String field);

    /** A category as a JSON value of its own. */
    abstract Object shown(String category);
}
