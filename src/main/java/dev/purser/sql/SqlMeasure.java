package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.json.Text;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate of a SELECT, as the question asks for it.
 *
 * @param word its field in a question of the kind {@code aggregate}; {@code quantile} for a probability
 * @param column the column; null for a count
 * @param probability the probability of a quantile; null for other aggregates
 * @param ofUnits whether a count is of privacy units instead of rows
 */
record SqlMeasure(
        String word,
        Column.@Nullable Numeric column,
        @Nullable BigDecimal probability,
        boolean ofUnits) {
    private static final String QUANTILE = "quantile";
    private static final String SAMPLE = "it is of the rows that are there: write ";

    /** The aggregates by their functions. */
    private static final Map<String, String> WORDS = Map.of(
            "count", "count",
            "sum", "sum",
            "avg", "mean",
            "var_pop", "variance",
            "stddev_pop", "standardDeviation",
            "approx_percentile", QUANTILE);

    /** Aggregates that are not answered, and what to write in their place. */
    private static final Map<String, String> WAYS_OUT = Map.of(
            "min", "the least value is one person's; write APPROX_PERCENTILE(column, 0.01)",
            "max", "the largest value is one person's; write APPROX_PERCENTILE(column, 0.99)",
            "median", "write APPROX_PERCENTILE(column, 0.5)",
            "variance", SAMPLE + "VAR_POP",
            "var_samp", SAMPLE + "VAR_POP",
            "stddev", SAMPLE + "STDDEV_POP",
            "stddev_samp", SAMPLE + "STDDEV_POP",
            "approx_distinct", "distinct values are not counted; write SELECT DISTINCT column",
            "count_if", "write COUNT(*) and the condition in WHERE");

    private static String function(Operation call) {
        return call.operator().substring(0, Math.max(0, call.operator().lastIndexOf('(')));
    }

    /** Whether an expression is a call of an aggregate. {@link #of} then reads it, or refuses it. */
    static boolean isMeasure(SqlExpression expression) {
        return expression instanceof Operation call
                && (WORDS.containsKey(function(call)) || WAYS_OUT.containsKey(function(call)));
    }

    /** Whether there is an aggregate in an expression. */
    static boolean isIn(SqlExpression expression) {
        return isMeasure(expression)
                || expression instanceof Operation(String _, List<SqlExpression> operands)
                        && operands.stream().anyMatch(SqlMeasure::isIn);
    }

    static SqlMeasure of(Operation call, SqlColumns columns) {
        String function = function(call);
        String word = WORDS.get(function);
        if (word == null) {
            throw SqlRefusal.unsupported(call.shown() + " is not answered: " + WAYS_OUT.get(function));
        }
        boolean isDistinct = call.operator().endsWith(" ");
        List<SqlExpression> operands = call.operands();
        SqlExpression first = operands.isEmpty() ? SqlExpression.STAR : operands.getFirst();
        if (word.equals("count")) {
            boolean ofUnits = isDistinct && first instanceof Name name && columns.isUnit(name);
            if (operands.size() > 1 || !ofUnits && (isDistinct || !first.equals(SqlExpression.STAR))) {
                throw noCount(call, columns);
            }
            return new SqlMeasure(word, null, null, ofUnits);
        }
        if (isDistinct || !(first instanceof Name name)) {
            throw SqlRefusal.unsupported(function.toUpperCase(Locale.ROOT)
                    + " takes one column without DISTINCT, and no expression, because values are clamped to the bounds"
                    + " of their column before they are added up; was " + call.shown());
        }
        if (!word.equals(QUANTILE)) {
            if (operands.size() > 1) {
                throw SqlRefusal.unsupported(function + " takes one column, was " + call.shown());
            }
            return new SqlMeasure(word, columns.numbers(name), null, false);
        }
        if (operands.size() == 2 && operands.getLast() instanceof Literal(BigDecimal probability)) {
            return new SqlMeasure(word, columns.numeric(name), SqlKey.plain(probability), false);
        }
        throw SqlRefusal.unsupported("APPROX_PERCENTILE takes a column and one probability, such as 0.5; write it once"
                + " for each probability; was " + call.shown());
    }

    private static SqlRefusal noCount(Operation call, SqlColumns columns) {
        String units = columns.dataset().privacyUnit() instanceof PrivacyUnit.Column unit
                ? ", or COUNT(DISTINCT " + Text.quoted(unit.column()) + ") for the privacy units"
                : "";
        return SqlRefusal.unsupported(
                "COUNT counts rows: write COUNT(*), since no value is NULL" + units + "; was " + call.shown());
    }

    boolean isQuantile() {
        return word.equals(QUANTILE);
    }

    /** The aggregate in a question of the kind {@code aggregate}. A count counts rows by default. */
    Map<String, Object> request() {
        return Map.of(
                word, column != null ? Map.of("column", column.name()) : ofUnits ? Map.of("of", "units") : Map.of());
    }

    SqlType type(boolean areAllCounts) {
        return column == null
                ? areAllCounts ? SqlType.BIGINT : SqlType.DOUBLE
                : isQuantile() ? SqlType.of(column) : SqlType.DOUBLE;
    }

    /**
     * A twentieth of the range of the aggregate for this number of rows. The range of a sum is the width of the
     * column's range times the rows. The range of a count, and of the ranks of a quantile, is the number of rows.
     */
    BigDecimal twentieth(long rows) {
        BigDecimal width = column == null ? BigDecimal.ONE : column.grid().toDecimal(column.upper() - column.lower());
        BigDecimal range = switch (word) {
            case "count", QUANTILE -> BigDecimal.valueOf(rows);
            case "sum" -> width.multiply(BigDecimal.valueOf(rows));
            case "variance" -> width.multiply(width).multiply(new BigDecimal("0.25"));
            case "standardDeviation" -> width.multiply(new BigDecimal("0.5"));
            default -> width;
        };
        return SqlKey.plain(range.multiply(new BigDecimal("0.05")));
    }
}
