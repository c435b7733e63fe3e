package dev.purser.tables;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A piece of a statement with its parameters, in order. Pieces are composed of templates from this program, identifiers
 * that the dialect quoted, and other pieces. Every value is a parameter.
 *
 * @param parameters numbers, {@code byte[]}, {@code long[]} or {@code String[]}
 */
public record Sql(String text, List<Object> parameters) {
    private static final String HOLE = "{}";

    public Sql {
        parameters = List.copyOf(parameters);
    }

    /**
     * Fills the holes <code>{}</code> of a template.
     *
     * @param fillings one per hole: a piece is inserted as text, a value as a parameter
     */
    public static Sql of(String template, Object... fillings) {
        StringBuilder text = new StringBuilder();
        List<Object> parameters = new ArrayList<>();
        int from = 0;
        for (Object filling : fillings) {
            int hole = template.indexOf(HOLE, from);
            if (hole < 0) {
                throw new IllegalArgumentException("more fillings than holes");
            }
            text.append(template, from, hole);
            if (filling instanceof Sql piece) {
                text.append(piece.text);
                parameters.addAll(piece.parameters);
            } else {
                text.append('?');
                parameters.add(filling);
            }
            from = hole + HOLE.length();
        }
        if (template.indexOf(HOLE, from) >= 0) {
            throw new IllegalArgumentException("more holes than fillings");
        }
        return new Sql(text.append(template, from, template.length()).toString(), parameters);
    }

    /** Concatenates pieces, with {@code separator} between them. */
    public static Sql join(String separator, List<Sql> pieces) {
        String template = pieces.isEmpty() ? "" : String.join(separator, Collections.nCopies(pieces.size(), HOLE));
        return of(template, pieces.toArray());
    }

    /** The identifier {@code name}, which may have any characters, between two of {@code quote}. */
    static Sql identifier(String name, char quote) {
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("no identifier has the character 0");
        }
        String once = String.valueOf(quote);
        return new Sql(quote + name.replace(once, once + once) + quote, List.of());
    }
}
