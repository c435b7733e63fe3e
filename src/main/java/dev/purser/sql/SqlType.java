package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.dataset.Notation;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.JDBCType;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A type of Trino.
 *
 * @param raw the name without arguments
 * @param arguments lengths and digits
 */
public record SqlType(String raw, List<Integer> arguments) {
    static final SqlType VARCHAR = new SqlType("varchar", List.of(Integer.MAX_VALUE));
    static final SqlType BIGINT = new SqlType("bigint", List.of());
    static final SqlType DOUBLE = new SqlType("double", List.of());
    static final SqlType BOOLEAN = new SqlType("boolean", List.of());
    static final SqlType DATE = new SqlType("date", List.of());

    private static final String ZONED = "timestamp with time zone";
    private static final int MOST_DIGITS = 38;

    /** The most fraction digits of a decimal, and of a second. */
    private static final int MOST_SCALE = 12;

    private static final int LONGEST_NUMBER = 60;

    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendPattern("['T'][' ']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendPattern("[' ']['UTC'][XXX]")
            .toFormatter()
            .withResolverStyle(ResolverStyle.STRICT);

    /** The type of a column's values. */
    static SqlType of(Column column) {
        return switch (column) {
            case Column.Category category -> category.hasNames() ? VARCHAR : BOOLEAN;
            case Column.Numeric numeric ->
                switch (numeric.notation()) {
                    case Notation.Numbers(boolean whole, var _) ->
                        whole && scale(numeric) == 0 ? BIGINT : decimal(scale(numeric));
                    case Notation.Dates() -> DATE;
                    case Notation.Timestamps _ -> new SqlType(ZONED, List.of(Math.min(MOST_SCALE, scale(numeric))));
                };
        };
    }

    /** The fraction digits of a column's values. */
    private static int scale(Column.Numeric column) {
        return Math.max(0, column.grid().resolution().stripTrailingZeros().scale());
    }

    private static SqlType decimal(int scale) {
        return scale > MOST_SCALE ? DOUBLE : new SqlType("decimal", List.of(MOST_DIGITS, scale));
    }

    /** The type of a literal. */
    static SqlType of(@Nullable Object literal) {
        return switch (literal) {
            case BigDecimal number -> number.scale() <= 0 ? BIGINT : DOUBLE;
            case Boolean _ -> BOOLEAN;
            case null, default -> VARCHAR;
        };
    }

    /** The name as clients show it. */
    @Override
    public String toString() {
        String listed = arguments.stream().map(String::valueOf).collect(Collectors.joining(","));
        return equals(VARCHAR) || arguments.isEmpty()
                ? raw
                : raw.equals(ZONED) ? "timestamp(" + listed + ") with time zone" : raw + "(" + listed + ")";
    }

    /** The number of the type in JDBC. */
    int jdbcCode() {
        String name = raw.replace("time zone", "timezone").replace(' ', '_').toUpperCase(Locale.ROOT);
        return JDBCType.valueOf(name).getVendorTypeNumber();
    }

    /** Some value of the type. */
    Object sample() {
        return switch (raw) {
            case "boolean" -> false;
            case "date" -> LocalDate.EPOCH;
            case ZONED -> Instant.EPOCH;
            case "varchar" -> "";
            default -> BigDecimal.ZERO;
        };
    }

    /**
     * Reads a text as a value of the type. A time without a zone is in UTC.
     *
     * @throws DateTimeException or IllegalArgumentException if it is not a value of this type
     */
    Object read(String text) {
        return switch (raw) {
            case "boolean" ->
                switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException("no truth value");
                };
            case "varchar", "char" -> text;
            case "date" -> LocalDate.parse(text);
            case ZONED, "timestamp" -> instant(text);
            case "tinyint", "smallint", "integer", "int", "bigint", "real", "double", "decimal" -> number(text);
            default -> throw new IllegalArgumentException("no literal has the type " + raw);
        };
    }

    /** Reads a value of an answer, which has this type. */
    Object read(JsonNode value) {
        return value.isNumber() ? value.decimalValue() : read(value.asString());
    }

    private static BigDecimal number(String text) {
        BigDecimal number = text.length() > LONGEST_NUMBER ? null : new BigDecimal(text);
        if (number == null || Math.abs(number.scale()) > LONGEST_NUMBER) {
            throw new NumberFormatException("too many digits");
        }
        return number;
    }

    static Instant instant(String text) {
        TemporalAccessor read = TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
        return switch (read) {
            case OffsetDateTime zoned -> zoned.toInstant();
            case LocalDateTime local -> local.toInstant(ZoneOffset.UTC);
            default -> LocalDate.from(read).atStartOfDay(ZoneOffset.UTC).toInstant();
        };
    }

    /** The value of this type that a literal stands for; null if there is none. A date as a time is its midnight. */
    @Nullable
    Object meant(@Nullable Object literal) {
        boolean isOfTime = equals(DATE) || raw.equals(ZONED);
        try {
            Object value = isOfTime && (literal instanceof String || literal instanceof LocalDate)
                    ? read(literal.toString())
                    : literal;
            return sample().getClass().isInstance(value) ? value : null;
        } catch (DateTimeException none) {
            return null;
        }
    }

    /** A value as the protocol sends it. */
    @Nullable
    Object sent(@Nullable Object value) {
        return switch (value) {
            case BigDecimal number
            when raw.equals("decimal") ->
                number.setScale(arguments.getLast(), RoundingMode.HALF_EVEN).toPlainString();
            case BigDecimal number when equals(BIGINT) -> number.toBigInteger();
            // Drivers take a number without a point for an integer.
            case BigDecimal number when equals(DOUBLE) -> number.scale() < 1 ? number.setScale(1) : number;
            case LocalDate date -> date.toString();
            case Instant time ->
                DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss" + fraction())
                                .withZone(ZoneOffset.UTC)
                                .format(time) + " UTC";
            case null, default -> value;
        };
    }

    private String fraction() {
        int digits = arguments.isEmpty() ? 0 : Math.min(9, arguments.getFirst());
        return digits == 0 ? "" : "." + "S".repeat(digits);
    }
}
