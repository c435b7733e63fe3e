package dev.purser.sql;

import dev.purser.json.Text;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import dev.purser.sql.SqlSelect.Item;
import dev.purser.sql.SqlSelect.Order;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work of a SELECT on the rows of a table in memory: it keeps the rows that meet a condition, sorts and limits
 * them, and takes columns. The rows are public or noisy already, so nothing here costs anything.
 */
final class SqlRows {
    /** The most values of a reply, which is held in memory until it is sent. */
    static final long MOST_VALUES = 20_000;

    /** The most columns of a SELECT, also of an inner SELECT. */
    private static final int MOST_COLUMNS = 2_000;

    /** The longest text, and the longest pattern, that LIKE compares. */
    private static final int LONGEST_LIKE = 1_000;

    /** The most work of a SELECT: the rows of a table, times the weight of the work on a row. */
    private static final long MOST_WORK = 10_000_000;

    /** The time to compare a text with one character of a pattern, in comparisons of numbers. */
    private static final int WEIGHT_OF_LIKE = 10;

    /** About how often a key is read to sort a row among the most rows. */
    private static final int WEIGHT_OF_ORDER = 16;

    /** The values of functions without arguments. */
    private static final Map<String, String> CONSTANTS = Map.of(
            "version(", SqlStatements.VERSION,
            "current_timezone(", "UTC",
            "current_catalog(", SqlStatements.CATALOG,
            "current_schema(", SqlStatements.SCHEMA);

    private final SqlTable source;
    private final Places places;
    private final List<Cell> cells;

    /** Finds the source's column that an expression is. */
    @FunctionalInterface
    interface Places {
        /** The place of the column; empty for an expression that is not a column. An unknown column is refused. */
        OptionalInt of(SqlExpression expression);
    }

    /**
     * The value of an expression in a row. Names are looked up once, before the rows.
     *
     * @param weight the time to compute it, in comparisons of numbers
     */
    private record Cell(SqlType type, long weight, Function<List<@Nullable Object>, @Nullable Object> in) {}

    /** A column of the reply. */
    private record Output(SqlTable.Column column, Cell cell) {}

    /** The work on each row. */
    private record Work(List<Output> outputs, @Nullable Cell condition, Comparator<List<@Nullable Object>> order) {
        boolean keeps(List<@Nullable Object> row) {
            return condition == null || Boolean.TRUE.equals(truth(condition.in().apply(row)));
        }

        List<@Nullable Object> shown(List<@Nullable Object> row) {
            return values(outputs.stream().map(Output::cell).toList(), row);
        }
    }

    SqlRows(SqlTable source, Places places) {
        this.source = source;
        this.places = places;
        this.cells = IntStream.range(0, source.columns().size())
                .mapToObj(i -> new Cell(source.columns().get(i).type(), 1, row -> row.get(i)))
                .toList();
    }

    /**
     * The rows of a table whose columns have names.
     *
     * @param called the name of the table, which may qualify a column; null if there is none
     */
    static SqlRows named(SqlTable source, @Nullable String called) {
        List<String> tables = called == null ? List.of() : List.of(called);
        SqlNames names = new SqlNames(source.names());
        return new SqlRows(
                source,
                expression -> expression instanceof Name name
                        ? OptionalInt.of(names.place(name, tables))
                        : OptionalInt.empty());
    }

    /** Whether a condition is about no column and is not true. */
    static boolean isFalse(SqlExpression condition) {
        try {
            SqlRows rows = named(new SqlTable(List.of(), List.of()), null);
            return !Boolean.TRUE.equals(truth(rows.cell(condition).in().apply(List.of())));
        } catch (SqlRefusal ofColumns) {
            return false;
        }
    }

    /**
     * Does the part of a SELECT that stands after its FROM.
     *
     * @param condition WHERE or HAVING; null without one
     */
    SqlTable select(SqlSelect select, @Nullable SqlExpression condition) {
        Work work = work(select, condition, source.rows().size());
        List<List<@Nullable Object>> kept = new ArrayList<>();
        source.rows().stream().filter(work::keeps).forEach(kept::add);
        long most = most(select, kept.size());
        requireFew(most, work.outputs().size());
        kept.sort(work.order());
        Stream<List<@Nullable Object>> shown = kept.stream().limit(most).map(work::shown);
        return new SqlTable(
                work.outputs().stream().map(Output::column).toList(),
                (select.distinct() ? shown.distinct() : shown)
                        .limit(select.limit() == null ? Long.MAX_VALUE : select.limit())
                        .toList());
    }

    /**
     * Refuses what {@link #select} would refuse for some row, before there is a row.
     *
     * @param condition WHERE or HAVING; null without one
     * @param rows the most rows that there will be
     */
    void check(SqlSelect select, @Nullable SqlExpression condition, long rows) {
        Work work = work(select, condition, rows);
        requireFew(most(select, rows), work.outputs().size());
        List<@Nullable Object> row = new ArrayList<>();
        source.columns().forEach(column -> row.add(column.type().sample()));
        work.shown(row);
        work.keeps(row);
        int unused = work.order().compare(row, row);
    }

    /** The most rows that are shown of {@code rows} rows. With DISTINCT all rows are looked at. */
    static long most(SqlSelect select, long rows) {
        return select.limit() == null || select.distinct() ? rows : Math.min(rows, select.limit());
    }

    private static void requireFew(long rows, int columns) {
        if (rows * columns > MOST_VALUES) {
            throw SqlRefusal.failed("the reply may have at most " + MOST_VALUES + " values, and " + rows + " rows of "
                    + columns + " columns have more: list fewer columns or groups, or write a LIMIT");
        }
    }

    private Work work(SqlSelect select, @Nullable SqlExpression condition, long rows) {
        List<Output> outputs = outputs(select.items());
        Cell resolved = condition == null ? null : cell(condition);
        long weight =
                outputs.stream().mapToLong(output -> output.cell().weight()).sum()
                        + (resolved == null ? 0 : resolved.weight());
        Comparator<List<@Nullable Object>> order = (one, other) -> 0;
        for (Order each : select.order()) {
            Cell key = sortedBy(each.value(), outputs);
            weight += WEIGHT_OF_ORDER * key.weight();
            order = order.thenComparing(
                    key.in(),
                    Comparator.nullsLast(each.descending() ? (one, other) -> compare(other, one) : SqlRows::compare));
        }
        if (rows * weight > MOST_WORK) {
            throw SqlRefusal.failed("the conditions and columns are too many for " + rows
                    + " rows: write fewer or shorter conditions, or fewer groups");
        }
        return new Work(outputs, resolved, order);
    }

    /** Columns are counted before they are made: a {@code *} stands for many, and nested SELECTs multiply them. */
    private List<Output> outputs(List<Item> items) {
        long count = items.stream()
                .mapToLong(item -> item.value().equals(SqlExpression.STAR) ? cells.size() : 1)
                .sum();
        if (count > MOST_COLUMNS) {
            throw SqlRefusal.failed("a SELECT may have at most " + MOST_COLUMNS + " columns, and one of this has "
                    + count + ": list those that you need, once each");
        }
        List<Output> outputs = new ArrayList<>();
        for (int position = 0; position < items.size(); position++) {
            Item item = items.get(position);
            if (item.value().equals(SqlExpression.STAR)) {
                for (int i = 0; i < cells.size(); i++) {
                    outputs.add(new Output(source.columns().get(i), cells.get(i)));
                }
            } else {
                Cell cell = cell(item.value());
                int place = cells.indexOf(cell);
                String own = place >= 0 && item.value() instanceof Name
                        ? source.columns().get(place).name()
                        : "_col" + position;
                outputs.add(
                        new Output(new SqlTable.Column(item.name() == null ? own : item.name(), cell.type()), cell));
            }
        }
        return outputs;
    }

    /** The value that rows are sorted by: a column of the reply, by its number or name, or any expression. */
    private Cell sortedBy(SqlExpression written, List<Output> outputs) {
        if (written instanceof Literal(BigDecimal place)) {
            return outputs.get(place(place, outputs.size())).cell();
        }
        if (written instanceof Name name && name.parts().size() == 1) {
            List<Output> alike = outputs.stream()
                    .distinct()
                    .filter(output -> SqlNames.areAlike(output.column().name(), name.last()))
                    .toList();
            if (!alike.isEmpty()) {
                List<String> names =
                        alike.stream().map(output -> output.column().name()).toList();
                return alike.get(new SqlNames(names).place(name, List.of())).cell();
            }
        }
        return cell(written);
    }

    /** The place in a list that a number names, from 1. */
    static int place(BigDecimal number, int size) {
        if (number.compareTo(BigDecimal.ONE) < 0
                || number.compareTo(BigDecimal.valueOf(size)) > 0
                || number.stripTrailingZeros().scale() > 0) {
            throw SqlRefusal.unsupported(
                    "a column's number must be an integer from 1 to " + size + ", was " + number.toPlainString());
        }
        return number.intValue() - 1;
    }

    // Expressions

    private Cell cell(SqlExpression expression) {
        OptionalInt place = places.of(expression);
        if (place.isPresent()) {
            return cells.get(place.getAsInt());
        }
        return switch (expression) {
            case Literal(Object value) -> new Cell(SqlType.of(value), 1, _ -> value);
            case Operation operation -> cell(operation);
            case Name _ -> throw notHere(expression);
        };
    }

    private Cell cell(Operation operation) {
        List<SqlExpression> operands = operation.operands();
        String constant = operands.isEmpty() ? CONSTANTS.get(operation.operator()) : null;
        if (constant != null) {
            return new Cell(SqlType.VARCHAR, 1, _ -> constant);
        }
        return switch (operation.operator()) {
            case "between" ->
                computed(
                        operands,
                        values -> all(
                                Arrays.asList(
                                        test(values.getFirst(), values.get(1), sign -> sign >= 0),
                                        test(values.getFirst(), values.getLast(), sign -> sign <= 0)),
                                false));
            case "cast" -> cast(operation, cell(operands.getFirst()), operands.getLast());
            case "not" -> computed(operands, truths -> not(truth(truths.getFirst())));
            case "is null" -> computed(operands, values -> values.getFirst() == null);
            // All operands are evaluated, so that an error in one operand shows for any values of the others.
            case "and" -> computed(operands, truths -> all(truths, false));
            case "or" -> computed(operands, truths -> all(truths, true));
            case "=", "in" -> compared(operands, sign -> sign == 0);
            case "<>" -> compared(operands, sign -> sign != 0);
            case "<" -> compared(operands, sign -> sign < 0);
            case "<=" -> compared(operands, sign -> sign <= 0);
            case ">" -> compared(operands, sign -> sign > 0);
            case ">=" -> compared(operands, sign -> sign >= 0);
            case "like" -> like(operation);
            default -> throw notHere(operation);
        };
    }

    private static SqlRefusal notHere(SqlExpression expression) {
        return SqlRefusal.unsupported("after the aggregates, columns are compared with literals, sorted and listed: "
                + expression.shown() + " is none of these");
    }

    private Cell computed(List<SqlExpression> operands, Function<List<@Nullable Object>, @Nullable Object> of) {
        List<Cell> inner = operands.stream().map(this::cell).toList();
        long weight = 1 + inner.stream().mapToLong(Cell::weight).sum();
        return new Cell(SqlType.BOOLEAN, weight, row -> of.apply(values(inner, row)));
    }

    private static List<@Nullable Object> values(List<Cell> cells, List<@Nullable Object> row) {
        List<@Nullable Object> values = new ArrayList<>();
        cells.forEach(cell -> values.add(cell.in().apply(row)));
        return values;
    }

    private static @Nullable Boolean not(@Nullable Boolean truth) {
        return truth == null ? null : !truth;
    }

    /** Null is neither true nor false. */
    private static @Nullable Boolean truth(@Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            return (Boolean) value;
        }
        throw SqlRefusal.unsupported("a condition must be true or false, was " + typeName(value));
    }

    /** The conjunction of the truths; their disjunction if {@code decisive} is true. */
    private static @Nullable Boolean all(List<@Nullable Object> truths, boolean decisive) {
        truths.forEach(SqlRows::truth);
        return truths.contains(decisive) ? Boolean.valueOf(decisive) : truths.contains(null) ? null : !decisive;
    }

    /** Whether the comparison of the first value with one of the others holds. */
    private Cell compared(List<SqlExpression> operands, IntPredicate holds) {
        return computed(
                operands,
                values -> all(
                        values.stream()
                                .skip(1)
                                .<@Nullable Object>map(each -> test(values.getFirst(), each, holds))
                                .toList(),
                        true));
    }

    private static @Nullable Boolean test(@Nullable Object one, @Nullable Object other, IntPredicate holds) {
        return one == null || other == null ? null : holds.test(compare(one, other));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static int compare(Object one, Object other) {
        if (one.getClass() != other.getClass() || !(one instanceof Comparable comparable)) {
            throw new SqlRefusal(
                    SqlRefusal.Error.TYPE_MISMATCH,
                    "a comparison must have two values of one type, such as DATE '2026-01-31' for a date, was of "
                            + typeName(one) + " and " + typeName(other));
        }
        return comparable.compareTo(other);
    }

    private static String typeName(Object value) {
        return switch (value) {
            case String _ -> "a text";
            case BigDecimal _ -> "a number";
            case Boolean _ -> "a truth value";
            default -> "a time";
        };
    }

    /** A cast changes no value: it names the type of NULL, or says that a text is a text. */
    private static Cell cast(SqlExpression written, Cell of, SqlExpression named) {
        SqlType type = named instanceof Literal(SqlType to) ? to : SqlType.VARCHAR;
        return new Cell(type, 1 + of.weight(), row -> {
            Object value = of.in().apply(row);
            if (value == null || value instanceof String && type.equals(SqlType.VARCHAR)) {
                return value;
            }
            throw notHere(written);
        });
    }

    private Cell like(Operation like) {
        Cell compared = computed(like.operands(), values -> {
            if (values.contains(null)) {
                return null;
            }
            if (!values.stream().allMatch(String.class::isInstance)) {
                throw notHere(like);
            }
            String escape = values.size() > 2 ? String.valueOf(values.getLast()) : "";
            if (values.size() > 2 && escape.length() != 1) {
                throw SqlRefusal.failed("ESCAPE must be one character, was " + Text.quoted(escape));
            }
            return isLike(String.valueOf(values.getFirst()), String.valueOf(values.get(1)), escape);
        });
        int length = like.operands().get(1) instanceof Literal(String pattern)
                ? Math.min(LONGEST_LIKE, pattern.length())
                : LONGEST_LIKE;
        return new Cell(SqlType.BOOLEAN, compared.weight() + WEIGHT_OF_LIKE * length, compared.in());
    }

    /**
     * Whether a text is like a pattern. For each beginning of the pattern, it computes which beginnings of the text are
     * like it. The work is the product of both lengths.
     */
    static boolean isLike(String text, String like, String escape) {
        if (text.length() > LONGEST_LIKE || like.length() > LONGEST_LIKE) {
            throw SqlRefusal.failed(
                    "LIKE compares texts and patterns of at most " + LONGEST_LIKE + " characters: write a shorter one");
        }
        boolean[] isLike = new boolean[text.length() + 1];
        isLike[0] = true;
        for (int i = 0; i < like.length(); i++) {
            boolean isEscaped = !escape.isEmpty() && like.startsWith(escape, i) && i + 1 < like.length();
            char next = like.charAt(isEscaped ? ++i : i);
            boolean isAny = next == '%' && !isEscaped;
            boolean isOne = next == '_' && !isEscaped;
            boolean[] longer = new boolean[isLike.length];
            longer[0] = isAny && isLike[0];
            for (int end = 1; end < longer.length; end++) {
                longer[end] = isAny
                        ? isLike[end] || longer[end - 1]
                        : isLike[end - 1] && (isOne || next == text.charAt(end - 1));
            }
            isLike = longer;
        }
        return isLike[text.length()];
    }
}
