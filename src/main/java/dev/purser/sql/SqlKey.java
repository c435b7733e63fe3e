package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.sql.SqlExpression.ArrayOf;
import dev.purser.sql.SqlExpression.Call;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A key of GROUP BY, as a key of the question. The groups of every key hold all values of its column, so that no row is
 * left out.
 *
 * @param request the key as the question has it
 * @param groups how many there are
 * @param shown what of a group's place is its value
 * @param edges the edges of buckets that have numbers; empty otherwise
 * @param firstBucket the number of the first of them
 */
record SqlKey(
        Map<String, Object> request, long groups, Shown shown, SqlType type, List<BigDecimal> edges, int firstBucket) {
    /** What of a group's place is shown. */
    enum Shown {
        CATEGORY("category"),
        LOWER("lower"),
        BUCKET("lower"),
        BLOCK("block");

        private final String member;

        Shown(String member) {
            this.member = member;
        }
    }

    /** A Monday that begins a year, before all times of columns. Units of time are counted from it, in UTC. */
    private static final LocalDateTime MONDAY = LocalDateTime.of(1, 1, 1, 0, 0);

    private static final Map<String, TemporalUnit> UNITS = Map.of(
            "year", ChronoUnit.YEARS,
            "quarter", IsoFields.QUARTER_YEARS,
            "month", ChronoUnit.MONTHS,
            "week", ChronoUnit.WEEKS,
            "day", ChronoUnit.DAYS,
            "hour", ChronoUnit.HOURS,
            "minute", ChronoUnit.MINUTES);

    /** As many as a question can have. */
    private static final int MOST_GROUPS = 100_000;

    private static SqlKey of(Map<String, Object> request, long groups, Shown shown, SqlType type) {
        return new SqlKey(request, groups, shown, type, List.of(), 0);
    }

    /** The key that an expression is; empty if it has another form than keys have. */
    static Optional<SqlKey> of(SqlExpression expression, SqlColumns columns) {
        return switch (expression) {
            case Name name -> Optional.of(ofColumn(columns.named(name), columns.dataset()));
            case Call(String function, boolean _, List<SqlExpression> arguments)
            when function.equals("date_trunc")
                    && arguments.size() == 2
                    && arguments.getFirst() instanceof Literal(String unit)
                    && arguments.getLast() instanceof Name name -> Optional.of(truncated(unit, columns.numeric(name)));
            case Call(String function, boolean _, List<SqlExpression> arguments)
            when function.equals("width_bucket")
                    && arguments.size() == 2
                    && arguments.getFirst() instanceof Name name
                    && arguments.getLast() instanceof ArrayOf(List<SqlExpression> edges) ->
                Optional.of(buckets(columns.numbers(name), edges));
            case Operation(String times, List<SqlExpression> factors)
            when times.equals("*")
                    && factors.getFirst() instanceof Call(String floor, boolean _, List<SqlExpression> floored)
                    && floor.equals("floor")
                    && floored.size() == 1
                    && floored.getFirst() instanceof Operation(String over, List<SqlExpression> parts)
                    && over.equals("/")
                    && parts.getFirst() instanceof Name name
                    && parts.getLast() instanceof Literal(BigDecimal width)
                    && factors.getLast() instanceof Literal(BigDecimal again)
                    && width.signum() > 0
                    && width.compareTo(again) == 0 -> Optional.of(steps(columns.numbers(name), width));
            default -> Optional.empty();
        };
    }

    private static SqlKey ofColumn(Column column, Dataset dataset) {
        if (column instanceof Column.Category category) {
            return of(
                    Map.of("column", column.name()), category.categories().size(), Shown.CATEGORY, SqlType.of(column));
        }
        boolean isOfBlocks = dataset.blockColumn()
                .filter(divided -> divided.column().name().equals(column.name()))
                .isPresent();
        if (isOfBlocks) {
            int blocks = dataset.blocks().orElseThrow().count();
            return of(Map.of("column", column.name()), blocks, Shown.BLOCK, SqlType.VARCHAR);
        }
        String name = SqlColumns.written(column);
        throw SqlRefusal.unsupported("the column " + name + " of type " + column.type()
                + " is no key by itself, because it has no public list of values: write "
                + (((Column.Numeric) column).notation() instanceof Notation.Numbers
                        ? "FLOOR(" + name + " / 10) * 10 or width_bucket(" + name + ", ARRAY[…])"
                        : "date_trunc('month', " + name + ")"));
    }

    /** From the multiple of the width at or below the lower bound on; a step, if that is the bound. */
    private static SqlKey steps(Column.Numeric column, BigDecimal width) {
        BigDecimal lower = column.grid().toDecimal(column.lower());
        BigDecimal upper = column.grid().toDecimal(column.upper());
        BigDecimal first = lower.divide(width, 0, RoundingMode.FLOOR).multiply(width);
        long groups = few(upper.subtract(first).divide(width, 0, RoundingMode.FLOOR)) + 1;
        SqlType type = SqlType.of(column);
        if (first.compareTo(lower) == 0) {
            return of(Map.of("column", column.name(), "step", plain(width)), groups, Shown.LOWER, type);
        }
        List<Object> edges = new ArrayList<>();
        for (long i = 0; i <= groups; i++) {
            edges.add(plain(first.add(width.multiply(BigDecimal.valueOf(i)))));
        }
        return of(Map.of("column", column.name(), "edges", edges), groups, Shown.LOWER, type);
    }

    /** The buckets of {@code width_bucket}: also below the first edge, and from the last edge on. */
    private static SqlKey buckets(Column.Numeric column, List<SqlExpression> written) {
        List<BigDecimal> edges = new ArrayList<>();
        for (SqlExpression each : written) {
            if (!(each instanceof Literal(BigDecimal edge))
                    || !edges.isEmpty() && edge.compareTo(edges.getLast()) <= 0) {
                throw SqlRefusal.unsupported(
                        "width_bucket takes an array of strictly ascending numbers, such as ARRAY[0, 30, 50], was "
                                + each.shown());
            }
            edges.add(plain(edge));
        }
        BigDecimal lower = plain(column.grid().toDecimal(column.lower()));
        boolean hasBelow = lower.compareTo(edges.getFirst()) < 0;
        if (hasBelow) {
            edges.addFirst(lower);
        }
        BigDecimal beyond = plain(column.grid().toDecimal(column.upper() + 1));
        if (edges.getLast().compareTo(beyond) < 0) {
            edges.add(beyond);
        }
        return new SqlKey(
                Map.of("column", column.name(), "edges", List.copyOf(edges)),
                edges.size() - 1L,
                Shown.BUCKET,
                SqlType.BIGINT,
                edges,
                hasBelow ? 0 : 1);
    }

    private static SqlKey truncated(String unit, Column.Numeric column) {
        boolean isDate = column.notation() instanceof Notation.Dates;
        if (column.notation() instanceof Notation.Numbers) {
            throw SqlRefusal.unsupported("date_trunc is for dates and timestamps, but " + SqlColumns.written(column)
                    + " is of type " + column.type());
        }
        SqlType type = SqlType.of(column);
        if (isDate && unit.equals("day")) {
            long groups = few(BigDecimal.valueOf(column.upper() - column.lower())) + 1;
            return of(Map.of("column", column.name(), "step", BigDecimal.ONE), groups, Shown.LOWER, type);
        }
        TemporalUnit cut = UNITS.get(unit);
        if (cut == null || isDate && cut.isTimeBased()) {
            throw SqlRefusal.unsupported("date_trunc takes 'year', 'quarter', 'month', 'week' or 'day', of"
                    + " timestamps also 'hour' or 'minute', was " + new Literal(unit).shown());
        }
        long first = cut.between(MONDAY, time(column, column.lower()));
        long groups = few(BigDecimal.valueOf(cut.between(MONDAY, time(column, column.upper())) - first)) + 1;
        List<String> edges = LongStream.rangeClosed(first, first + groups)
                .mapToObj(i -> MONDAY.plus(i, cut))
                .map(edge -> isDate
                        ? edge.toLocalDate().toString()
                        : edge.toInstant(ZoneOffset.UTC).toString())
                .toList();
        return of(Map.of("column", column.name(), "edges", edges), groups, Shown.LOWER, type);
    }

    private static LocalDateTime time(Column.Numeric column, long steps) {
        return LocalDateTime.ofInstant(
                SqlParser.instant(column.notation().shown(steps).toString()), ZoneOffset.UTC);
    }

    private static long few(BigDecimal groups) {
        if (groups.compareTo(BigDecimal.valueOf(MOST_GROUPS)) > 0) {
            throw SqlRefusal.unsupported("a key may have at most " + MOST_GROUPS + " groups: write a larger width");
        }
        return groups.longValueExact();
    }

    /** Whether the key is this column, and not made of it. */
    boolean isColumn(Column column) {
        return (shown == Shown.CATEGORY || shown == Shown.BLOCK)
                && column.name().equals(request.get("column"));
    }

    /** Equal numbers are written alike. */
    static BigDecimal plain(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    /** The value of the key in a group. */
    @Nullable
    Object value(JsonObject place) {
        String text = switch (place.members().get(shown.member)) {
            case JsonString(String sent) -> sent;
            case JsonNumber(String token) -> token;
            case null, default -> throw new IllegalStateException("a group without its place");
        };
        return switch (shown) {
            case CATEGORY -> type.equals(SqlType.BOOLEAN) ? (Object) Boolean.valueOf(text) : text;
            case BLOCK -> text;
            case BUCKET -> BigDecimal.valueOf(edges.indexOf(plain(new BigDecimal(text))) + firstBucket);
            case LOWER ->
                type.equals(SqlType.DATE)
                        ? LocalDate.parse(text)
                        : type.raw().startsWith("timestamp") ? Instant.parse(text) : new BigDecimal(text);
        };
    }
}
