package dev.purser.sql;

import dev.purser.json.Text;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An expression as it was written. Two that say the same in the same words are equal. */
sealed interface SqlExpression {
    /** A name, with what qualifies it. Words are in lower case. */
    record Name(List<String> parts) implements SqlExpression {
        String last() {
            return parts.getLast();
        }
    }

    /**
     * A literal.
     *
     * @param value a {@code String}, {@code BigDecimal}, {@code Boolean}, {@code LocalDate} or {@code Instant}; null
     *     for NULL
     */
    record Literal(@Nullable Object value) implements SqlExpression {}

    /** A call of a function, the name in lower case. */
    record Call(String function, boolean distinct, List<SqlExpression> arguments) implements SqlExpression {}

    /** All columns, or {@code COUNT}'s star. */
    record Star() implements SqlExpression {}

    /** {@code ARRAY[…]}. */
    record ArrayOf(List<SqlExpression> elements) implements SqlExpression {}

    /**
     * A column of a table in memory, by its place. No statement can write it.
     *
     * @param written what stood there, for a sentence
     */
    record Place(int place, String written) implements SqlExpression {}

    /** A cast of a value to a type. */
    record Cast(SqlExpression value, SqlType type) implements SqlExpression {}

    /**
     * An operator and its operands: {@code and}, {@code or}, {@code not}, a comparison, an arithmetic sign, {@code
     * between}, {@code in}, {@code like}, {@code is null}, {@code negate}.
     */
    record Operation(String operator, List<SqlExpression> operands) implements SqlExpression {}

    /** The expression in a sentence. */
    default String shown() {
        return switch (this) {
            case Name name -> String.join(".", name.parts());
            case Literal(Object value) -> value instanceof String text ? Text.quoted(text) : String.valueOf(value);
            case Call(String function, boolean distinct, List<SqlExpression> arguments) ->
                function + (distinct ? "(distinct " : "(") + shown(arguments, ", ") + ")";
            case Star() -> "*";
            case Place(int _, String written) -> written;
            case ArrayOf(List<SqlExpression> elements) -> "array[" + shown(elements, ", ") + "]";
            case Cast(SqlExpression value, SqlType type) -> "cast(" + value.shown() + " as " + type.text() + ")";
            case Operation(String operator, List<SqlExpression> operands) ->
                switch (operator) {
                    case "is null" -> operands.getFirst().shown() + " is null";
                    case "in" ->
                        operands.getFirst().shown() + " in (" + shown(operands.subList(1, operands.size()), ", ") + ")";
                    case "between" ->
                        operands.getFirst().shown() + " between " + shown(operands.subList(1, 3), " and ");
                    default ->
                        operands.size() == 1
                                ? operator + " " + operands.getFirst().shown()
                                : shown(operands, " " + operator + " ");
                };
        };
    }

    private static String shown(List<SqlExpression> several, String between) {
        return several.stream().map(SqlExpression::shown).collect(Collectors.joining(between));
    }
}
