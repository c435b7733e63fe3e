package dev.purser.sql;

import dev.purser.json.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression as it was written. Two expressions in the same words are equal. */
sealed interface SqlExpression {
    /** All columns, or {@code COUNT}'s star. */
    SqlExpression STAR = new Operation("*", List.of());

    /** A name, with its qualifiers. Words are in lower case. */
    record Name(List<String> parts) implements SqlExpression {
        String last() {
            return parts.getLast();
        }
    }

    /**
     * A literal, or the type of a cast.
     *
     * @param value a {@code String}, {@code BigDecimal}, {@code Boolean}, {@code LocalDate}, {@code Instant} or
     *     {@code SqlType}; null for NULL
     */
    record Literal(@Nullable Object value) implements SqlExpression {}

    /**
     * An operator and its operands. The operator is a word or sign such as {@code and}, {@code is null} or
     * {@code cast}. The operator of a function ends with a parenthesis: {@code avg(}, or {@code avg(distinct } with
     * DISTINCT.
     */
    record Operation(String operator, List<SqlExpression> operands) implements SqlExpression {
        boolean isCall() {
            return operator.contains("(");
        }

        private String shown(List<String> texts) {
            return switch (operator) {
                case "*" -> texts.isEmpty() ? operator : String.join(" * ", texts);
                case "is null" -> texts.getFirst() + " is null";
                case "in" -> texts.getFirst() + " in (" + String.join(", ", texts.subList(1, texts.size())) + ")";
                case "between" -> texts.getFirst() + " between " + texts.get(1) + " and " + texts.get(2);
                case "cast" -> "cast(" + String.join(" as ", texts) + ")";
                case "array" -> "array[" + String.join(", ", texts) + "]";
                default ->
                    isCall()
                            ? operator + String.join(", ", texts) + ")"
                            : texts.size() == 1
                                    ? operator + " " + texts.getFirst()
                                    : String.join(" " + operator + " ", texts);
            };
        }
    }

    /** The expression in a sentence. */
    default String shown() {
        return switch (this) {
            case Name(List<String> parts) -> String.join(".", parts);
            case Literal(Object value) -> value instanceof String text ? Text.quoted(text) : String.valueOf(value);
            case Operation operation ->
                operation.shown(
                        operation.operands.stream().map(SqlExpression::shown).toList());
        };
    }
}
