package dev.purser.mechanism;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How finely a table divides each column: a level of every column's {@link Hierarchy}. A column at its top level is not
 * divided, so the table does not tell its values apart.
 */
public record Grain(List<Integer> levels) {
    public Grain {
        levels = List.copyOf(levels);
    }

    /** Single cells of some columns, all others undivided. */
    static Grain cellsOf(List<Hierarchy> columns, List<Integer> divided) {
        return new Grain(IntStream.range(0, columns.size())
                .map(column ->
                        divided.contains(column) ? 0 : columns.get(column).top())
                .boxed()
                .toList());
    }

    int level(int column) {
        return levels.get(column);
    }

    Grain with(int column, int level) {
        List<Integer> changed = new ArrayList<>(levels);
        changed.set(column, level);
        return new Grain(changed);
    }

    /** The number of nodes of a table. */
    long nodes(List<Hierarchy> columns) {
        return IntStream.range(0, levels.size())
                .mapToLong(column -> columns.get(column).nodes(level(column)))
                .reduce(1, Math::multiplyExact);
    }

    /** All grains that are coarser than this one, and this one. */
    List<Grain> coarser(List<Hierarchy> columns) {
        List<Grain> all = List.of(this);
        for (int column = 0; column < levels.size(); column++) {
            int own = column;
            int top = columns.get(column).top();
            if (level(column) < top) {
                all = all.stream()
                        .flatMap(grain ->
                                IntStream.rangeClosed(level(own), top).mapToObj(level -> grain.with(own, level)))
                        .toList();
            }
        }
        return all;
    }

    /** The columns that are divided, in their order. */
    public List<Integer> divided(List<Hierarchy> columns) {
        return IntStream.range(0, levels.size())
                .filter(column -> level(column) < columns.get(column).top())
                .boxed()
                .toList();
    }
}
