package dev.purser.dataset;

import dev.purser.json.FieldType;
import dev.purser.json.ValueReader;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The form of a column's categories in requests, uploads and answers. For numbers, this is {@link Notation}. */
public enum Spelling {
    /** Categories are written by name. */
    NAMES("category") {
        @Override
        Optional<String> category(ValueReader sent) {
            return ColumnReader.CATEGORY.read(sent);
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

    /** Categories are truth values, {@code false} and {@code true}. */
    TRUTH("boolean") {
        @Override
        Optional<String> category(ValueReader sent) {
            return FALSE_AND_TRUE.stream()
                    .filter(sent::isText)
                    .findFirst()
                    .or(() -> FieldType.BOOLEAN.read(sent).map(String::valueOf));
        }

        @Override
        public String categoryInUpload(String field) {
            int position = TRUTHS.indexOf(field.toLowerCase(Locale.ROOT));
            return position < 0 ? field : FALSE_AND_TRUE.get(position % 2);
        }

        @Override
        Object shown(String category) {
            return Boolean.valueOf(category);
        }
    };

    /** The categories of {@link #TRUTH}. */
    static final List<String> FALSE_AND_TRUE = List.of("false", "true");

    /**
     * The words that {@link #TRUTH} reads in an upload, in upper or lower case. Words for false and for true alternate.
     */
    public static final List<String> TRUTHS =
            List.of("false", "true", "f", "t", "no", "yes", "n", "y", "0", "1", "0.0", "1.0");

    private final String type;

    Spelling(String type) {
        this.type = type;
    }

    /** The column's type, as its registration names it. */
    String type() {
        return type;
    }

    /** The category that a request names. The column may not have it. */
    abstract Optional<String> category(ValueReader sent);

    /** The category that a field of an upload names. The column may not have it. */
    public abstract String categoryInUpload(String field);

    /** A category as a JSON value. */
    abstract Object shown(String category);
}
