package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.engine.CategorySet;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.json.Text;
import dev.purser.mechanism.CellWeights.Run;
import dev.purser.query.AggregateKey;
import dev.purser.query.Range;
import dev.purser.query.Where;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the cells of a synopsis that a condition takes. A condition must take each cell as a whole or not at all.
 *
 * @param in where violations are noted
 */
record ChosenCells(Synopsis synopsis, ObjectReader in, Field<?> field) {
    /** The cells by column; empty if the condition is not about whole cells of one table. */
    Optional<SortedMap<Integer, List<Run>>> of(Where where) {
        SortedMap<Integer, List<Run>> chosen = new TreeMap<>();
        boolean known = true;
        for (Map.Entry<Column.Numeric, Range> each : where.ranges().entrySet()) {
            known &= add(each.getKey(), chosen, key -> ofRange(key, each.getKey(), each.getValue()));
        }
        for (Map.Entry<Column.Category, CategorySet> each : where.categories().entrySet()) {
            known &= add(each.getKey(), chosen, key -> Optional.of(ofCategories(key, each.getValue())));
        }
        return known ? Optional.of(chosen) : Optional.empty();
    }

    @FunctionalInterface
    private interface Choice {
        Optional<List<Run>> of(AggregateKey key);
    }

    private boolean add(Column column, SortedMap<Integer, List<Run>> to, Choice choice) {
        int place = place(column.name());
        Optional<List<Run>> runs =
                place < 0 ? Optional.empty() : choice.of(synopsis.cells().keys().get(place));
        runs.ifPresent(found -> to.put(place, found));
        return runs.isPresent();
    }

    /** The place of a column in the synopsis; -1 if it has none, which is noted. */
    int place(String column) {
        int place = synopsis.place(column);
        if (place < 0) {
            in.refuse(
                    field,
                    field.name() + " names \"" + column + "\", and the synopsis is about other columns: "
                            + quoted(synopsis.names()));
        }
        return place;
    }

    /** Refuses, and returns false, if no table has all these columns. */
    boolean requireTogether(List<Integer> columns) {
        boolean together = synopsis.holds(columns);
        if (!together) {
            in.refuse("no table of the synopsis has "
                    + quoted(columns.stream().map(synopsis.names()::get).toList())
                    + " together: it has all tables of at most "
                    + synopsis.cells().together()
                    + " of its columns " + quoted(synopsis.names()));
        }
        return together;
    }

    private static String quoted(List<String> names) {
        return names.stream().map(Text::quoted).collect(Collectors.joining(", "));
    }

    private static List<Run> ofCategories(AggregateKey key, CategorySet set) {
        List<Run> runs = new ArrayList<>();
        int from = -1;
        for (int cell = 0; cell <= key.groups(); cell++) {
            boolean taken = cell < key.groups() && set.contains(cell);
            if (taken && from < 0) {
                from = cell;
            } else if (!taken && from >= 0) {
                runs.add(new Run(from, cell));
                from = -1;
            }
        }
        return runs;
    }

    private Optional<List<Run>> ofRange(AggregateKey key, Column.Numeric column, Range range) {
        Optional<Integer> from = edge(key, column, range.from());
        Optional<Integer> to = edge(key, column, range.to());
        return from.flatMap(begin -> to.map(end -> begin < end ? List.of(new Run(begin, end)) : List.of()));
    }

    /** The number of cells below a value; empty if the value lies within a cell or outside all of them. */
    Optional<Integer> edge(AggregateKey key, Column.Numeric column, long value) {
        if (value <= column.lower()) {
            return Optional.of(0);
        }
        if (value > column.upper()) {
            return Optional.of(key.groups());
        }
        int low = -1;
        int high = key.groups() + 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (key.edge().applyAsLong(middle) <= value) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (low >= 0 && key.edge().applyAsLong(low) == value) {
            return Optional.of(low);
        }
        String below = low < 0 ? "none below" : shown(key, column, low);
        String above = high > key.groups() ? "none above" : shown(key, column, high);
        in.refuse(
                field,
                field.name() + " must divide \"" + column.name() + "\" between cells of the synopsis, and "
                        + column.notation().shown(value) + " is no edge: the nearest are " + below + " and " + above);
        return Optional.empty();
    }

    private static String shown(AggregateKey key, Column.Numeric column, int edge) {
        return column.notation().shown(key.edge().applyAsLong(edge)).toString();
    }
}
