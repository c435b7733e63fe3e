package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.engine.CategorySet;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Text;
import dev.purser.mechanism.CellWeights.Run;
import dev.purser.query.AggregateKey;
import dev.purser.query.Range;
import dev.purser.query.Where;
import dev.purser.synopsis.Selection.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the columns and cells of a synopsis that a question is about. A question must take each cell as a whole or not
 * at all.
 *
 * @param in where violations are noted; null if they are not noted
 */
record ChosenCells(Synopsis synopsis, @Nullable ObjectReader in) {
    private static final FieldType<String> COLUMN_NAME = FieldType.text(1, 128);

    static final Field<String> COLUMN = Field.required("column", COLUMN_NAME, "A column of the synopsis.", "age");
    static final Field<Elements<String>> COLUMNS = columns(1, SynopsisCells.MAX_COLUMNS);

    /** The field of {@code least} to {@code most} columns. */
    static Field<Elements<String>> columns(int least, int most) {
        return Field.required(
                "columns", FieldType.elements(COLUMN_NAME, least, most), "Columns of the synopsis.", List.of("age"));
    }

    /** Notes why the synopsis does not answer. */
    <T> Optional<T> refuse(Field<?> field, String detail) {
        if (in != null) {
            in.refuse(field, detail);
        }
        return Optional.empty();
    }

    AggregateKey key(int place) {
        return synopsis.cells().keys().get(place);
    }

    /** Reads which cells a condition takes. */
    Optional<Selection> read(ObjectReader from) {
        return Where.read(from, synopsis.dataset()).flatMap(this::of);
    }

    /** The cells that a condition takes; empty if it is not about whole cells of one table. */
    Optional<Selection> of(Where where) {
        SortedMap<Integer, List<Run>> chosen = new TreeMap<>();
        boolean known = true;
        for (Map.Entry<Column.Numeric, Range> each : where.ranges().entrySet()) {
            known &= add(each.getKey(), chosen, key -> ofRange(key, each.getKey(), each.getValue()));
        }
        for (Map.Entry<Column.Category, CategorySet> each : where.categories().entrySet()) {
            known &= add(each.getKey(), chosen, key -> Optional.of(ofCategories(key, each.getValue())));
        }
        return known && requireTogether(List.copyOf(chosen.keySet()))
                ? Optional.of(Selection.of(chosen))
                : Optional.empty();
    }

    @FunctionalInterface
    private interface Choice {
        Optional<List<Run>> of(AggregateKey key);
    }

    private boolean add(Column column, SortedMap<Integer, List<Run>> to, Choice choice) {
        Optional<Integer> place = place(column.name(), Where.FIELD);
        Optional<List<Run>> runs = place.flatMap(known -> choice.of(key(known)));
        runs.ifPresent(found -> to.put(place.orElseThrow(), found));
        return runs.isPresent();
    }

    /** The place of a column in the synopsis. */
    Optional<Integer> place(String column, Field<?> field) {
        int place = synopsis.place(column);
        return place >= 0
                ? Optional.of(place)
                : refuse(
                        field,
                        field.name() + " names \"" + column + "\", and the synopsis is about other columns: "
                                + quoted(synopsis.names()));
    }

    /** The place of a column of numbers, dates or timestamps. */
    Optional<Integer> ordered(String column) {
        return place(column, COLUMN)
                .flatMap(place -> key(place).column() instanceof Column.Numeric
                        ? Optional.of(place)
                        : refuse(COLUMN, "column must be of numbers, dates or timestamps"));
    }

    /** The place of a column of numbers. */
    Optional<Integer> numbers(String column) {
        return place(column, COLUMN).filter(place -> requireNumbers(place, COLUMN));
    }

    /** Refuses, and returns false, if a column has no numbers. */
    boolean requireNumbers(int place, Field<?> field) {
        return key(place).hasNumbers()
                || refuse(field, field.name() + " must be of numbers").isPresent();
    }

    /** The column, if a table has it together with the columns of these cells. */
    Optional<Integer> together(Optional<Selection> cells, Optional<Integer> column) {
        return column.filter(place -> cells.filter(known -> requireTogether(
                        known.weighted(place, Weight.ONE, List.of()).divided()))
                .isPresent());
    }

    /** The places of distinct columns of one table. */
    Optional<List<Integer>> places(Elements<String> sent) {
        return sent.read(name -> place(name, COLUMNS))
                .flatMap(all -> all.stream().distinct().count() == all.size()
                        ? Optional.of(all)
                        : refuse(COLUMNS, "columns must differ"))
                .filter(all -> requireTogether(all.stream().sorted().toList()));
    }

    /** Refuses, and returns false, if no table has all these columns. */
    private boolean requireTogether(List<Integer> columns) {
        boolean together = synopsis.holds(columns);
        if (!together && in != null) {
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
        Optional<Integer> from = edge(key, column, range.from(), Where.FIELD);
        Optional<Integer> to = edge(key, column, range.to(), Where.FIELD);
        return from.flatMap(begin -> to.map(end -> begin < end ? List.of(new Run(begin, end)) : List.of()));
    }

    /** For each edge of bins, the number of cells below it; strictly ascending. */
    Optional<int[]> edges(AggregateKey key, Column.Numeric column, long[] values, Field<?> field) {
        List<Integer> edges = new ArrayList<>();
        for (long value : values) {
            edge(key, column, value, field).ifPresent(edges::add);
        }
        if (IntStream.range(1, edges.size()).anyMatch(i -> edges.get(i - 1) >= edges.get(i))) {
            return refuse(field, "edges must be strictly ascending, with a cell of the synopsis between any two");
        }
        return edges.size() == values.length
                ? Optional.of(edges.stream().mapToInt(Integer::intValue).toArray())
                : Optional.empty();
    }

    /** The number of cells below a value; empty if the value lies within a cell or outside all of them. */
    private Optional<Integer> edge(AggregateKey key, Column.Numeric column, long value, Field<?> field) {
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
        return refuse(
                field,
                field.name() + " must divide \"" + column.name() + "\" between cells of the synopsis, and "
                        + column.notation().shown(value) + " is no edge: the nearest are " + below + " and " + above);
    }

    private static String shown(AggregateKey key, Column.Numeric column, int edge) {
        return column.notation().shown(key.edge().applyAsLong(edge)).toString();
    }
}
