package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import tools.jackson.databind.JsonNode;

/**
 * A key of GROUP BY, as a key of the question. The groups of every key hold all values of its column, so that no row is
 * left out. Edges are made only when the question is made, because a short statement can name many.
 *
 * @param column the name of its column
 * @param cut how its groups are made: {@link #WHOLE}, a width, a unit of time, or the edges of buckets
 * @param groups the number of groups
 * @param ranges the field of the ranges in the question, and its value
 * @param value reads the value of a group's place
 */
record SqlKey(
        String column,
        Object cut,
        long groups,
        SqlType type,
        Supplier<Map<String, Object>> ranges,
        Function<JsonNode, Object> value) {
    /** The cut of a key whose groups are the categories or blocks of the column. */
    private static final String WHOLE = "";

    /** A Monday on 1 January, before all times of columns. Units of time are counted from it, in UTC. */
    private static final LocalDateTime MONDAY = LocalDateTime.of(1, 1, 1, 0, 0);

    private static final Map<String, TemporalUnit> UNITS = Map.of(
            "year", ChronoUnit.YEARS,
            "quarter", IsoFields.QUARTER_YEARS,
            "month", ChronoUnit.MONTHS,
            "week", ChronoUnit.WEEKS,
            "day", ChronoUnit.DAYS,
            "hour", ChronoUnit.HOURS,
            "minute", ChronoUnit.MINUTES);

    /** The most groups that a question can have. */
    private static final int MOST_GROUPS = 100_000;

    /** The key that an expression states; empty if it does not have the form of a key. */
    static Optional<SqlKey> of(SqlExpression expression, SqlColumns columns) {
        return switch (expression) {
            case Name name -> Optional.of(ofColumn(columns.named(name), columns.dataset()));
            case Operation(String operator, List<SqlExpression> operands)
            when operands.size() == 2 ->
                switch (operator) {
                    case "date_trunc(" ->
                        operands.getFirst() instanceof Literal(String unit) && operands.getLast() instanceof Name name
                                ? Optional.of(truncated(unit, columns.numeric(name)))
                                : Optional.empty();
                    case "width_bucket(" ->
                        operands.getFirst() instanceof Name name
                                        && operands.getLast()
                                                instanceof Operation(String array, List<SqlExpression> edges)
                                        && array.equals("array")
                                ? Optional.of(buckets(columns.numbers(name), edges))
                                : Optional.empty();
                    case "*" -> steps(operands.getFirst(), operands.getLast(), columns);
                    default -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    private static SqlKey ofColumn(Column column, Dataset dataset) {
        if (column instanceof Column.Category category) {
            return whole(column, category.categories().size(), SqlType.of(column), "category");
        }
        var blocks = dataset.blocks().filter(divided -> divided.column().equals(column.name()));
        if (blocks.isPresent()) {
            return whole(column, blocks.get().count(), SqlType.VARCHAR, "block");
        }
        String name = SqlColumns.written(column);
        throw SqlRefusal.unsupported("the column " + name + " of type " + column.type()
                + " is no key by itself, because it has no public list of values: write "
                + (((Column.Numeric) column).notation() instanceof Notation.Numbers
                        ? "FLOOR(" + name + " / 10) * 10 or width_bucket(" + name + ", ARRAY[…])"
                        : "date_trunc('month', " + name + ")"));
    }

    private static SqlKey whole(Column column, long groups, SqlType type, String member) {
        return new SqlKey(column.name(), WHOLE, groups, type, Map::of, place -> type.read(place.path(member)));
    }

    /** {@code FLOOR(column / width) * width}. */
    private static Optional<SqlKey> steps(SqlExpression floored, SqlExpression again, SqlColumns columns) {
        return floored instanceof Operation(String floor, List<SqlExpression> quotients)
                        && floor.equals("floor(")
                        && quotients.size() == 1
                        && quotients.getFirst() instanceof Operation(String over, List<SqlExpression> parts)
                        && over.equals("/")
                        && parts.getFirst() instanceof Name name
                        && parts.getLast() instanceof Literal(BigDecimal width)
                        && again instanceof Literal(BigDecimal factor)
                        && width.signum() > 0
                        && width.compareTo(factor) == 0
                ? Optional.of(steps(columns.numbers(name), width))
                : Optional.empty();
    }

    /**
     * The first group begins at the multiple of the width at or below the lower bound. If this multiple is the bound,
     * the question has a step and no edges.
     */
    private static SqlKey steps(Column.Numeric column, BigDecimal width) {
        BigDecimal lower = column.grid().toDecimal(column.lower());
        BigDecimal first = lower.divide(width, 0, RoundingMode.FLOOR).multiply(width);
        BigDecimal upper = column.grid().toDecimal(column.upper());
        BigDecimal last = upper.subtract(first).divide(width, 0, RoundingMode.FLOOR);
        return first.compareTo(lower) == 0
                ? ranged(column, plain(width), few(last), () -> Map.of("step", plain(width)))
                : ofEdges(
                        column, plain(width), few(last), i -> plain(first.add(width.multiply(BigDecimal.valueOf(i)))));
    }

    private static SqlKey ofEdges(Column.Numeric column, Object cut, long groups, LongFunction<Object> edge) {
        return ranged(
                column,
                cut,
                groups,
                () -> Map.of(
                        "edges",
                        LongStream.rangeClosed(0, groups).mapToObj(edge).toList()));
    }

    private static SqlKey ranged(Column.Numeric column, Object cut, long groups, Supplier<Map<String, Object>> ranges) {
        SqlType type = SqlType.of(column);
        return new SqlKey(column.name(), cut, groups, type, ranges, place -> type.read(place.path("lower")));
    }

    /** The number of groups if the last group has this place. Refuses too many groups. */
    private static long few(BigDecimal last) {
        if (last.compareTo(BigDecimal.valueOf(MOST_GROUPS)) >= 0) {
            throw SqlRefusal.unsupported("a key may have at most " + MOST_GROUPS + " groups: write a larger width");
        }
        return last.longValueExact() + 1;
    }

    /** The buckets of {@code width_bucket}, with a bucket below the first edge and a bucket from the last edge on. */
    private static SqlKey buckets(Column.Numeric column, List<SqlExpression> written) {
        List<BigDecimal> buckets = new ArrayList<>();
        for (SqlExpression each : written) {
            if (!(each instanceof Literal(BigDecimal edge))
                    || !buckets.isEmpty() && edge.compareTo(buckets.getLast()) <= 0) {
                throw SqlRefusal.unsupported(
                        "width_bucket takes an array of strictly ascending numbers, such as ARRAY[0, 30, 50], was "
                                + each.shown());
            }
            buckets.add(plain(edge));
        }
        List<BigDecimal> edges = new ArrayList<>(buckets);
        BigDecimal lower = plain(column.grid().toDecimal(column.lower()));
        if (lower.compareTo(edges.getFirst()) < 0) {
            edges.addFirst(lower);
        }
        BigDecimal beyond = plain(column.grid().toDecimal(column.upper() + 1));
        if (edges.getLast().compareTo(beyond) < 0) {
            edges.add(beyond);
        }
        return new SqlKey(
                column.name(),
                buckets,
                edges.size() - 1L,
                SqlType.BIGINT,
                () -> Map.of("edges", edges),
                place -> bucket(place.path("lower").decimalValue(), buckets));
    }

    /** The number of the edges at or below a value. */
    private static BigDecimal bucket(BigDecimal value, List<BigDecimal> edges) {
        return BigDecimal.valueOf(
                edges.stream().filter(edge -> edge.compareTo(value) <= 0).count());
    }

    private static SqlKey truncated(String unit, Column.Numeric column) {
        boolean isDate = column.notation() instanceof Notation.Dates;
        if (column.notation() instanceof Notation.Numbers) {
            throw SqlRefusal.unsupported("date_trunc is for dates and timestamps, but " + SqlColumns.written(column)
                    + " is of type " + column.type());
        }
        if (isDate && unit.equals("day")) {
            return steps(column, BigDecimal.ONE);
        }
        TemporalUnit cut = UNITS.get(unit);
        if (cut == null || isDate && cut.isTimeBased()) {
            throw SqlRefusal.unsupported("date_trunc takes 'year', 'quarter', 'month', 'week' or 'day', of"
                    + " timestamps also 'hour' or 'minute', was " + new Literal(unit).shown());
        }
        long first = cut.between(MONDAY, time(column, column.lower()));
        long last = cut.between(MONDAY, time(column, column.upper())) - first;
        return ofEdges(column, unit, few(BigDecimal.valueOf(last)), i -> {
            LocalDateTime edge = MONDAY.plus(first + i, cut);
            return isDate
                    ? edge.toLocalDate().toString()
                    : edge.toInstant(ZoneOffset.UTC).toString();
        });
    }

    private static LocalDateTime time(Column.Numeric column, long steps) {
        return LocalDateTime.ofInstant(
                SqlType.instant(column.notation().shown(steps).toString()), ZoneOffset.UTC);
    }

    /** The key in the form of the question. */
    Map<String, Object> request() {
        Map<String, Object> request = new LinkedHashMap<>(Map.of("column", column));
        request.putAll(ranges.get());
        return request;
    }

    /** Whether the key is this column itself, and not an expression of the column. */
    boolean isColumn(Column other) {
        return cut.equals(WHOLE) && column.equals(other.name());
    }

    /** Whether both are written alike, apart from the notation of numbers. */
    boolean isSame(SqlKey other) {
        return column.equals(other.column) && cut.equals(other.cut);
    }

    /** One notation for equal numbers. */
    static BigDecimal plain(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
