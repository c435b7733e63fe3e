package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Dataset;
import dev.purser.engine.CategorySet;
import dev.purser.engine.Filter;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.Text;
import dev.purser.json.ValueReader;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The {@code where} of a request: a conjunction of conditions, merged to one per column.
 *
 * @param ranges the ranges, by column of numbers, dates or timestamps
 * @param categories the permitted categories, by category column
 */
public record Where(SortedMap<Column.Numeric, Range> ranges, SortedMap<Column.Category, CategorySet> categories) {
    private static final int MAX_CONDITIONS = 100;
    private static final int MAX_CATEGORIES = 10_000;
    private static final long SEED = new SecureRandom().nextLong();
    private static final Comparator<Column> BY_NAME = Comparator.comparing(Column::name);
    private static final Where ALL_ROWS = new Where(new TreeMap<>(BY_NAME), new TreeMap<>(BY_NAME));

    private static final Field<Elements<ValueReader>> IN =
            categoriesField("in", "Permitted categories; of a column of truth values \"false\" and \"true\".");
    private static final Field<Elements<ValueReader>> NOT_IN =
            categoriesField("notIn", "All categories but these; what `missing` stores is a category.");

    /** Not a field of a condition. Some clients send it. */
    private static final Field<ValueReader> EQUALS = Field.optional("equals", FieldType.unread(ColumnValue.SHAPE), "");

    static final FieldType<ObjectReader> CONDITION = FieldType.object(new Shape.ObjectOf(
            "Condition",
            "A range of a column of numbers, dates or timestamps, its ends written as the column's type writes them,"
                    + " or either `in` or `notIn` of a column of categories or truth values.",
            Field.all(List.of(Columns.field("A column of any type.")), Range.ENDS, List.of(IN, NOT_IN))));

    /** The field as the API describes it. */
    public static final Field<Elements<ObjectReader>> FIELD = Field.optional(
            "where",
            FieldType.elements(CONDITION, 0, MAX_CONDITIONS),
            "A conjunction of conditions; empty means every row.");

    private static Field<Elements<ValueReader>> categoriesField(String name, String description) {
        FieldType<ValueReader> category = FieldType.unread(new Shape.Of(String.class));
        return Field.optional(
                name, FieldType.elements(category, 1, MAX_CATEGORIES).orNone(), description);
    }

    /** A request can have a hundred thousand of these objects, so an empty map takes no memory. */
    public Where {
        ranges = ranges.isEmpty() ? Collections.emptySortedMap() : ranges;
        categories = categories.isEmpty() ? Collections.emptySortedMap() : categories;
    }

    static Where allRows() {
        return ALL_ROWS;
    }

    /** Reads a list of conditions; an absent list permits all rows. */
    public static Optional<Where> read(ObjectReader in, Dataset dataset) {
        return in.has(FIELD)
                ? in.read(FIELD)
                        .flatMap(all -> all.read(each -> condition(each, dataset)))
                        .map(Where::all)
                : Optional.of(allRows());
    }

    /** Reads one condition. */
    static Optional<Filter.Condition> one(ObjectReader in, Dataset dataset) {
        return condition(in, dataset).map(where -> where.filter().conditions().getFirst());
    }

    private static Optional<Where> condition(ObjectReader in, Dataset dataset) {
        return Columns.any(in, dataset)
                .filter(column -> requireNoEquals(in, column))
                .flatMap(column -> switch (column) {
                    case Column.Numeric ordered -> range(in, ordered);
                    case Column.Category category -> categories(in, category);
                });
    }

    private static boolean requireNoEquals(ObjectReader in, Column column) {
        boolean isSent = in.sent().members().containsKey(EQUALS.name());
        if (isSent) {
            String wayOut = switch (column) {
                case Column.Numeric _ -> "use atLeast and atMost, both with this value";
                case Column.Category category ->
                    "use in, with a list such as ["
                            + Text.quoted(category.categories().getFirst()) + "]";
            };
            in.refuse(EQUALS, "unknown field \"equals\": " + wayOut);
        }
        return !isSent;
    }

    private static Optional<Where> range(ObjectReader in, Column.Numeric column) {
        for (Field<?> field : List.of(IN, NOT_IN)) {
            if (in.has(field)) {
                in.refuse(
                        field,
                        field.name() + " is for categories, but \"" + column.name() + "\" is of type " + column.type()
                                + ": use above, atLeast, below or atMost");
                return Optional.empty();
            }
        }
        Optional<Range> range = Range.readEnds(in, column.notation()).map(Range.Sent::range);
        return in.complete(() -> new Where(only(column, range.orElseThrow()), ALL_ROWS.categories));
    }

    private static Optional<Where> categories(ObjectReader in, Column.Category column) {
        Range.notHere(in);
        boolean inverted = in.has(NOT_IN);
        if (in.has(IN) == inverted) {
            in.refuse(
                    inverted ? NOT_IN : IN,
                    inverted
                            ? "in and notIn were both sent: a condition has one of them"
                            : "in or notIn is required: \"" + column.name() + "\" is of type " + column.type()
                                    + " and has no ranges");
            return Optional.empty();
        }
        Optional<List<Integer>> named = in.required(inverted ? NOT_IN : IN).flatMap(all -> all.read(column::read));
        return in.complete(() ->
                new Where(ALL_ROWS.ranges, only(column, new CategorySet(named.orElseThrow(), inverted))));
    }

    private static <C extends Column, V> SortedMap<C, V> only(C column, V condition) {
        SortedMap<C, V> conditions = new TreeMap<>(BY_NAME);
        conditions.put(column, condition);
        return conditions;
    }

    /** Whether all rows pass. */
    public boolean isEmpty() {
        return ranges.isEmpty() && categories.isEmpty();
    }

    /** How many columns have a condition. */
    int size() {
        return ranges.size() + categories.size();
    }

    /** The sum of {@link #hashOfRange} over all ranges and of the same hash over all categories. */
    long hashOfConditions() {
        long hash = 0;
        for (Column.Numeric column : ranges.keySet()) {
            hash += hashOfRange(column);
        }
        for (Map.Entry<Column.Category, CategorySet> set : categories.entrySet()) {
            hash += mixed(set.getKey().name().hashCode(), set.getValue().hashCode(), 0);
        }
        return hash;
    }

    /** A keyed hash of one column's range. The sender of a request cannot predict it. */
    long hashOfRange(Column.Numeric column) {
        Range range = Objects.requireNonNull(ranges.get(column));
        return mixed(column.name().hashCode(), range.from(), range.to());
    }

    private static long mixed(long one, long two, long three) {
        return mixed(mixed(mixed(SEED ^ one) ^ two) ^ three);
    }

    /** The finalizer of MurmurHash3. */
    private static long mixed(long bits) {
        long mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }

    /** Whether both have the same conditions, apart from their ranges on {@code aside}. Both must have such a range. */
    boolean agreesBut(Column.Numeric aside, Where other) {
        if (this == other) {
            return true;
        }
        if (ranges.size() != other.ranges.size() || !categories.equals(other.categories)) {
            return false;
        }
        Iterator<Map.Entry<Column.Numeric, Range>> theirs =
                other.ranges.entrySet().iterator();
        for (Map.Entry<Column.Numeric, Range> mine : ranges.entrySet()) {
            Map.Entry<Column.Numeric, Range> counterpart = theirs.next();
            boolean same = mine.getKey().equals(counterpart.getKey())
                    && (mine.getKey().equals(aside) || mine.getValue().equals(counterpart.getValue()));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /** The rows that pass both conditions. */
    Where and(Where other) {
        if (isEmpty()) {
            return other;
        }
        if (other.isEmpty()) {
            return this;
        }
        return all(List.of(this, other));
    }

    /** The rows that pass all conditions. */
    private static Where all(List<Where> conditions) {
        SortedMap<Column.Numeric, Range> ranges = new TreeMap<>(BY_NAME);
        SortedMap<Column.Category, CategorySet> categories = new TreeMap<>(BY_NAME);
        for (Where each : conditions) {
            each.ranges.forEach((column, range) -> ranges.merge(column, range, Range::and));
            each.categories.forEach((column, set) -> categories.merge(column, set, CategorySet::and));
        }
        return new Where(ranges, categories);
    }

    /** The same conditions without the range on one column. */
    Where without(Column.Numeric column) {
        SortedMap<Column.Numeric, Range> rest = new TreeMap<>(BY_NAME);
        rest.putAll(ranges);
        rest.remove(column);
        return new Where(rest, categories);
    }

    /** The same conditions in the form that an engine takes. */
    public Filter filter() {
        List<Filter.Condition> conditions = new ArrayList<>();
        for (Map.Entry<Column.Numeric, Range> range : ranges.entrySet()) {
            conditions.add(new Filter.Between(
                    range.getKey(), range.getValue().from(), range.getValue().to()));
        }
        categories.forEach((column, set) -> conditions.add(new Filter.OneOf(column, set)));
        return new Filter(conditions);
    }
}
