package dev.purser.sql;

import dev.purser.sql.SqlExpression.Call;
import dev.purser.sql.SqlExpression.Cast;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import dev.purser.sql.SqlExpression.Place;
import dev.purser.sql.SqlExpression.Star;
import dev.purser.sql.SqlStatement.Item;
import dev.purser.sql.SqlStatement.Order;
import dev.purser.sql.SqlStatement.Select;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a SELECT does with the rows of a table in memory: it keeps those that meet a condition, sorts and cuts them, and
 * takes columns. The rows are public or noisy already, so nothing here costs anything.
 */
final class SqlRows {
    /** A table is held in memory until it is sent. */
    static final long MOST_VALUES = 20_000;

    /** So many columns has a SELECT at most, also one within another. */
    private static final int MOST_COLUMNS = 2_000;

    /** The texts and the patterns that LIKE compares. */
    private static final int LONGEST_LIKE = 1_000;

    /** The rows of a table, times the weight of what is made of each. */
    private static final long MOST_WORK = 10_000_000;

    /** Comparing a text with one character of a pattern, in comparisons of numbers. */
    private static final int WEIGHT_OF_LIKE = 10;

    /** About how often a key is read to sort a row among so many. */
    private static final int WEIGHT_OF_ORDER = 16;

    /** What functions without arguments return. */
    private static final Map<String, String> CONSTANTS = Map.of(
            "version",
            SqlStatements.VERSION,
            "current_timezone",
            "UTC",
            "current_catalog",
            SqlStatements.CATALOG,
            "current_schema",
            SqlStatements.SCHEMA);

    /** Signs of a pattern, which no character is equal to. */
    private static final String ANY = "any characters";

    private static final String ONE = "one character";

    private final SqlTable source;
    private final Places places;

    /** Which of the source's columns an expression is. */
    @FunctionalInterface
    interface Places {
        /** The place; empty for an expression that is no column. A column that is not there is refused. */
        OptionalInt of(SqlExpression expression);
    }

    /** A column of the reply. */
    private record Output(SqlTable.Column column, SqlExpression value) {}

    /** What is made of each row. Its columns are places, so that no name is looked up for a row. */
    private record Work(
            List<Output> outputs, @Nullable SqlExpression condition, Comparator<List<@Nullable Object>> order) {}

    SqlRows(SqlTable source, Places places) {
        this.source = source;
        this.places = places;
    }

    /**
     * The rows of a table whose columns have names.
     *
     * @param called the name that may qualify them; null if there is none
     */
    static SqlRows named(SqlTable source, @Nullable String called) {
        List<String> tables = called == null ? List.of() : List.of(called);
        return new SqlRows(source, expression -> {
            if (!(expression instanceof Name name)) {
                return OptionalInt.empty();
            }
            SqlNames.requireTable(name, tables);
            return OptionalInt.of(SqlNames.place(name.last(), source.names()));
        });
    }

    /** Whether a condition holds that is about no table. */
    static boolean isTrue(SqlExpression constant) {
        return Boolean.TRUE.equals(
                named(new SqlTable(List.of(), List.of()), null).truth(constant, List.of()));
    }

    /**
     * Does what a SELECT says after its FROM.
     *
     * @param condition WHERE or HAVING; null without one
     */
    SqlTable select(Select select, @Nullable SqlExpression condition) {
        Work work = work(select, condition, source.rows().size());
        List<List<@Nullable Object>> kept = new ArrayList<>();
        for (List<@Nullable Object> row : source.rows()) {
            if (work.condition() == null || Boolean.TRUE.equals(truth(work.condition(), row))) {
                kept.add(row);
            }
        }
        long shownRows = most(select, kept.size());
        requireFew(shownRows, work.outputs().size());
        kept.sort(work.order());
        Collection<List<@Nullable Object>> rows = select.distinct() ? new LinkedHashSet<>() : new ArrayList<>();
        for (List<@Nullable Object> row : kept.subList(0, Math.toIntExact(shownRows))) {
            List<@Nullable Object> shown = new ArrayList<>();
            work.outputs().forEach(output -> shown.add(value(output.value(), row)));
            rows.add(shown);
        }
        List<List<@Nullable Object>> cut = new ArrayList<>(rows);
        int count = (int) Math.min(select.limit() == null ? cut.size() : select.limit(), cut.size());
        return new SqlTable(work.outputs().stream().map(Output::column).toList(), cut.subList(0, count));
    }

    /**
     * Refuses what {@link #select} would refuse for some row, before there is a row.
     *
     * @param condition as there
     * @param rows the most that there will be
     */
    void check(Select select, @Nullable SqlExpression condition, long rows) {
        List<@Nullable Object> row = new ArrayList<>();
        source.columns().forEach(column -> row.add(column.type().sample()));
        Work work = work(select, condition, rows);
        requireFew(most(select, rows), work.outputs().size());
        work.outputs().forEach(output -> value(output.value(), row));
        int unused = work.order().compare(row, row);
        if (work.condition() != null) {
            truth(work.condition(), row);
        }
    }

    private Work work(Select select, @Nullable SqlExpression condition, long rows) {
        List<Output> outputs = outputs(select.items());
        List<Order> order = select.order().stream()
                .map(each -> new Order(resolved(sortedBy(each.value(), outputs)), each.descending()))
                .toList();
        SqlExpression resolved = condition == null ? null : resolved(condition);
        long weight = (resolved == null ? 0 : weight(resolved))
                + outputs.stream().mapToLong(output -> weight(output.value())).sum()
                + order.stream()
                        .mapToLong(each -> WEIGHT_OF_ORDER * weight(each.value()))
                        .sum();
        if (rows * weight > MOST_WORK) {
            throw SqlRefusal.tooLarge("the conditions and columns are too many for " + rows
                    + " rows: write fewer or shorter conditions, or fewer groups");
        }
        return new Work(outputs, resolved, order(order));
    }

    /** The expression with places for its columns. */
    private SqlExpression resolved(SqlExpression expression) {
        OptionalInt place = place(expression);
        if (place.isPresent()) {
            return new Place(place.getAsInt(), expression.shown());
        }
        return switch (expression) {
            case Cast(SqlExpression inner, SqlType type) -> new Cast(resolved(inner), type);
            case Operation(String operator, List<SqlExpression> operands) ->
                new Operation(operator, operands.stream().map(this::resolved).toList());
            default -> expression;
        };
    }

    /** The time that it takes for a row, in comparisons of numbers. */
    private static long weight(SqlExpression expression) {
        return switch (expression) {
            case Cast(SqlExpression inner, SqlType _) -> 1 + weight(inner);
            case Operation(String operator, List<SqlExpression> operands) -> {
                int like = operator.equals("like") ? WEIGHT_OF_LIKE * patternLength(operands.get(1)) : 0;
                yield 1 + like + operands.stream().mapToLong(SqlRows::weight).sum();
            }
            default -> 1;
        };
    }

    private static int patternLength(SqlExpression pattern) {
        return pattern instanceof Literal(String like) ? Math.min(LONGEST_LIKE, like.length()) : LONGEST_LIKE;
    }

    /** How many rows of so many are shown at most. All are looked at for those that are distinct. */
    static long most(Select select, long rows) {
        return select.limit() == null || select.distinct() ? rows : Math.min(rows, select.limit());
    }

    private static void requireFew(long rows, int columns) {
        if (rows * columns > MOST_VALUES) {
            throw SqlRefusal.tooLarge("the reply may have at most " + MOST_VALUES + " values, and " + rows + " rows of "
                    + columns + " columns have more: list fewer columns or groups, or write a LIMIT");
        }
    }

    /** The columns are counted before there is one: a {@code *} has many, and SELECTs in one another multiply them. */
    private List<Output> outputs(List<Item> items) {
        long count = items.stream()
                .mapToLong(
                        item -> item.value() instanceof Star ? source.columns().size() : 1)
                .sum();
        if (count > MOST_COLUMNS) {
            throw SqlRefusal.tooLarge("a SELECT may have at most " + MOST_COLUMNS + " columns, and one of this has "
                    + count + ": list those that you need, once each");
        }
        return IntStream.range(0, items.size())
                .boxed()
                .flatMap(i -> outputs(items.get(i), i))
                .toList();
    }

    private Stream<Output> outputs(Item item, int position) {
        if (item.value() instanceof Star) {
            return IntStream.range(0, source.columns().size())
                    .mapToObj(i -> new Output(
                            source.columns().get(i),
                            new Place(i, source.columns().get(i).name())));
        }
        OptionalInt place = place(item.value());
        String name = item.name() != null
                ? item.name()
                : place.isPresent() && item.value() instanceof Name
                        ? source.columns().get(place.getAsInt()).name()
                        : "_col" + position;
        SqlType type =
                place.isPresent() ? source.columns().get(place.getAsInt()).type() : type(item.value());
        return Stream.of(new Output(new SqlTable.Column(name, type), resolved(item.value())));
    }

    private OptionalInt place(SqlExpression expression) {
        return expression instanceof Place(int place, String _) ? OptionalInt.of(place) : places.of(expression);
    }

    private static SqlType type(SqlExpression constant) {
        return switch (constant) {
            case Cast(SqlExpression _, SqlType type) -> type;
            case Literal(BigDecimal number) -> number.scale() <= 0 ? SqlType.BIGINT : SqlType.DOUBLE;
            case Literal(Boolean _) -> SqlType.BOOLEAN;
            case Operation _ -> SqlType.BOOLEAN;
            default -> SqlType.VARCHAR;
        };
    }

    // Order

    private Comparator<List<@Nullable Object>> order(List<Order> order) {
        Comparator<List<@Nullable Object>> all = (one, other) -> 0;
        for (Order each : order) {
            Comparator<List<@Nullable Object>> next = Comparator.comparing(
                    row -> value(each.value(), row),
                    Comparator.nullsLast(each.descending() ? (one, other) -> compare(other, one) : SqlRows::compare));
            all = all.thenComparing(next);
        }
        return all;
    }

    /** A column of the reply, by its number or name, or any expression. */
    private static SqlExpression sortedBy(SqlExpression written, List<Output> outputs) {
        return switch (written) {
            case Literal(BigDecimal place) ->
                outputs.get(place(place, outputs.size())).value();
            case Name(List<String> parts)
            when parts.size() == 1 -> named(parts.getFirst(), outputs).orElse(written);
            default -> written;
        };
    }

    /** The column with exactly this name comes before those with a like one. */
    private static Optional<SqlExpression> named(String name, List<Output> outputs) {
        List<Output> alike = outputs.stream()
                .filter(output -> SqlNames.areAlike(output.column().name(), name))
                .toList();
        List<Output> exact = alike.stream()
                .filter(output -> output.column().name().equals(name))
                .toList();
        List<SqlExpression> values = (exact.isEmpty() ? alike : exact)
                .stream().map(Output::value).distinct().toList();
        if (values.size() > 1) {
            throw SqlNames.ambiguous(name);
        }
        return values.stream().findFirst();
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

    // Values

    private @Nullable Object value(SqlExpression expression, List<@Nullable Object> row) {
        return switch (expression) {
            case Place(int place, String _) -> row.get(place);
            case Literal(Object value) -> value;
            case Cast(SqlExpression inner, SqlType type)
            when value(inner, row) instanceof String text && type.raw().equals("varchar") -> text;
            case Cast(SqlExpression inner, SqlType _) when value(inner, row) == null -> null;
            case Call(String function, boolean _, List<SqlExpression> arguments)
            when arguments.isEmpty() && CONSTANTS.containsKey(function) -> CONSTANTS.get(function);
            case Operation operation -> truth(operation, row);
            default -> throw notHere(expression);
        };
    }

    private static SqlRefusal notHere(SqlExpression expression) {
        return SqlRefusal.unsupported("after the aggregates, columns are compared with literals, sorted and listed: "
                + expression.shown() + " is none of these");
    }

    /** Null is neither true nor false. */
    private @Nullable Boolean truth(SqlExpression expression, List<@Nullable Object> row) {
        if (!(expression instanceof Operation operation)) {
            Object value = value(expression, row);
            if (value == null || value instanceof Boolean) {
                return (Boolean) value;
            }
            throw notHere(expression);
        }
        List<SqlExpression> operands = operation.operands();
        return switch (operation.operator()) {
            case "and" -> all(operands, row, false);
            case "or" -> all(operands, row, true);
            case "not" -> {
                Boolean negated = truth(operands.getFirst(), row);
                yield negated == null ? null : !negated;
            }
            case "is null" -> value(operands.getFirst(), row) == null;
            case "in" ->
                all(
                        operands.stream()
                                .skip(1)
                                .<SqlExpression>map(each -> new Operation("=", List.of(operands.getFirst(), each)))
                                .toList(),
                        row,
                        true);
            case "between" ->
                all(
                        List.of(
                                new Operation(">=", operands.subList(0, 2)),
                                new Operation("<=", List.of(operands.getFirst(), operands.getLast()))),
                        row,
                        false);
            default -> ofValues(operation.operator(), operands, row);
        };
    }

    /** The conjunction of the operands; their disjunction if {@code decisive} is true. */
    private @Nullable Boolean all(List<SqlExpression> operands, List<@Nullable Object> row, boolean decisive) {
        // All are evaluated, so that what is wrong with one of them does not depend on the others.
        List<@Nullable Boolean> truths = new ArrayList<>();
        operands.forEach(each -> truths.add(truth(each, row)));
        return truths.contains(decisive) ? Boolean.valueOf(decisive) : truths.contains(null) ? null : !decisive;
    }

    private @Nullable Boolean ofValues(String operator, List<SqlExpression> operands, List<@Nullable Object> row) {
        List<@Nullable Object> values = new ArrayList<>();
        operands.forEach(each -> values.add(value(each, row)));
        if (values.stream().anyMatch(Objects::isNull)) {
            return null;
        }
        Object left = Objects.requireNonNull(values.getFirst());
        Object right = Objects.requireNonNull(values.get(values.size() > 1 ? 1 : 0));
        return switch (operator) {
            case "=" -> compare(left, right) == 0;
            case "<>" -> compare(left, right) != 0;
            case "<" -> compare(left, right) < 0;
            case "<=" -> compare(left, right) <= 0;
            case ">" -> compare(left, right) > 0;
            case ">=" -> compare(left, right) >= 0;
            case "like" ->
                left instanceof String text
                        && right instanceof String like
                        && isLike(text, like, values.size() > 2 ? String.valueOf(values.getLast()) : "");
            default -> throw notHere(new Operation(operator, operands));
        };
    }

    /** Goes back to the last {@code %} only, so that the work is at most the product of both lengths. */
    static boolean isLike(String text, String like, String escape) {
        if (text.length() > LONGEST_LIKE || like.length() > LONGEST_LIKE) {
            throw SqlRefusal.tooLarge(
                    "LIKE compares texts and patterns of at most " + LONGEST_LIKE + " characters: write a shorter one");
        }
        List<String> pattern = new ArrayList<>();
        for (int i = 0; i < like.length(); i++) {
            boolean isEscaped = like.startsWith(escape, i) && !escape.isEmpty() && i + 1 < like.length();
            String next = like.substring(isEscaped ? ++i : i, i + 1);
            pattern.add(!isEscaped && next.equals("%") ? ANY : !isEscaped && next.equals("_") ? ONE : next);
        }
        int at = 0;
        int afterAny = -1;
        int takenByAny = 0;
        for (int i = 0; i < text.length(); ) {
            String next = at < pattern.size() ? pattern.get(at) : "";
            if (next.equals(ANY)) {
                afterAny = ++at;
                takenByAny = i;
            } else if (next.equals(ONE) || next.length() == 1 && next.charAt(0) == text.charAt(i)) {
                at++;
                i++;
            } else if (afterAny >= 0) {
                at = afterAny;
                i = ++takenByAny;
            } else {
                return false;
            }
        }
        return pattern.subList(at, pattern.size()).stream().allMatch(ANY::equals);
    }
}
