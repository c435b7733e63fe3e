package dev.purser.json;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * The elements of an array in a long document: the first elements as values, and the later elements as places in the
 * bytes of the document. A later element is parsed again when it is read, so that it takes eight bytes of memory
 * instead of a hundred.
 */
final class LateElements extends AbstractList<JsonValue> implements RandomAccess {
    private final List<JsonValue> first;
    private final Parser parser;
    private int[] bounds = {};
    private int late;

    /** Parses the value that has these bytes of the document. */
    @FunctionalInterface
    interface Parser {
        JsonValue parse(int from, int to);
    }

    LateElements(List<JsonValue> first, Parser parser) {
        this.first = first;
        this.parser = parser;
    }

    /** Appends the value that has these bytes. */
    void append(int from, int to) {
        if (2 * late == bounds.length) {
            bounds = Arrays.copyOf(bounds, Math.max(8, 4 * late));
        }
        bounds[2 * late] = from;
        bounds[2 * late + 1] = to;
        late++;
    }

    @Override
    public JsonValue get(int index) {
        if (index < first.size()) {
            return first.get(index);
        }
        int place = index - first.size();
        return parser.parse(bounds[2 * place], bounds[2 * place + 1]);
    }

    @Override
    public int size() {
        return first.size() + late;
    }
}
