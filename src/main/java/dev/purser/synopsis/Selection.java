package dev.purser.synopsis;

import dev.purser.mechanism.CellWeights.Run;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A linear question about a synopsis: for some of its columns, which cells are taken and with which weights. The weight
 * of a cell of several columns is the product of its weights. Columns that are not named are taken as a whole.
 *
 * @param parts the parts by the places of their columns
 */
record Selection(SortedMap<Integer, Part> parts) {
    /** The cells of one column. */
    record Part(Weight weight, List<Run> runs) {}

    /** The weight of a cell. */
    enum Weight {
        /** 1. */
        ONE,
        /** The middle of its values. */
        VALUE,
        /** The distance of the middle of its values from the middle of the column's range. */
        DEVIATION,
        /** The square of this distance. */
        SQUARED_DEVIATION
    }

    /** Cells that are counted. */
    static Selection of(SortedMap<Integer, List<Run>> cells) {
        SortedMap<Integer, Part> parts = new TreeMap<>();
        cells.forEach((column, runs) -> parts.put(column, new Part(Weight.ONE, runs)));
        return new Selection(parts);
    }

    /** The same cells; the cells of one column have this weight. */
    Selection weighted(int column, Weight weight, List<Run> all) {
        Part present = parts.get(column);
        return with(column, new Part(weight, present == null ? all : present.runs()));
    }

    /** The same question, with these cells of one column. */
    Selection with(int column, Part part) {
        SortedMap<Integer, Part> changed = new TreeMap<>(parts);
        changed.put(column, part);
        return new Selection(changed);
    }

    Part part(int column) {
        return Objects.requireNonNull(parts.get(column));
    }

    List<Integer> divided() {
        return List.copyOf(parts.keySet());
    }

    boolean isEmpty() {
        return parts.values().stream().anyMatch(part -> part.runs().isEmpty());
    }

    /** How many boxes of neighbouring cells it has. */
    long boxes() {
        return parts.values().stream().mapToLong(part -> part.runs().size()).reduce(1, Math::multiplyExact);
    }
}
