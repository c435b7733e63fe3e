package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.json.Text;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.sql.SqlExpression.ArrayOf;
import dev.purser.sql.SqlExpression.Call;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Star;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate of a SELECT, as the question asks it.
 *
 * @param word its field in a question of the kind {@code aggregate}; {@code quantile} for a probability
 * @param column null for a count
 * @param probability of a quantile; null for others
 * @param counted what a count counts; null for others
 */
record SqlMeasure(
        String word,
        Column.@Nullable Numeric column,
        @Nullable BigDecimal probability,
        @Nullable String counted) {
    static final String QUANTILE = "quantile";

    private static final Map<String, String> WORDS =
            Map.of("sum", "sum", "avg", "mean", "var_pop", "variance", "stddev_pop", "standardDeviation");

    /** What others would be, and what to write in their place. */
    private static final Map<String, String> WAYS_OUT = Map.of(
            "min", "the least value is one person's; write APPROX_PERCENTILE(column, 0.01)",
            "max", "the largest value is one person's; write APPROX_PERCENTILE(column, 0.99)",
            "median", "write APPROX_PERCENTILE(column, 0.5)",
            "variance", "variances are of the rows that are there: write VAR_POP",
            "var_samp", "variances are of the rows that are there: write VAR_POP",
            "stddev", "deviations are of the rows that are there: write STDDEV_POP",
            "stddev_samp", "deviations are of the rows that are there: write STDDEV_POP",
            "approx_distinct", "distinct values are not counted; write SELECT DISTINCT column",
            "count_if", "write COUNT(*) and the condition in WHERE");

    private static final Set<String> OTHERS = Set.of("approx_percentile", "count");

    /** Whether an expression is to be an aggregate; {@link #of} then says which, or refuses it. */
    static boolean isMeasure(SqlExpression expression) {
        return expression instanceof Call(String function, boolean _, List<SqlExpression> _)
                && (WORDS.containsKey(function) || OTHERS.contains(function) || WAYS_OUT.containsKey(function));
    }

    static SqlMeasure of(Call call, SqlColumns columns) {
        String function = call.function();
        if (WAYS_OUT.containsKey(function)) {
            throw SqlRefusal.unsupported(call.shown() + " is not answered: " + WAYS_OUT.get(function));
        }
        if (function.equals("count")) {
            return count(call, columns);
        }
        if (call.distinct() || call.arguments().isEmpty() || !(call.arguments().getFirst() instanceof Name name)) {
            throw SqlRefusal.unsupported(function.toUpperCase(Locale.ROOT)
                    + " takes one column without DISTINCT, and no expression, because values are clamped to the bounds"
                    + " of their column before they are added up; was " + call.shown());
        }
        if (function.equals("approx_percentile")) {
            return quantile(call, columns.numeric(name));
        }
        if (call.arguments().size() != 1) {
            throw SqlRefusal.unsupported(function + " takes one column, was " + call.shown());
        }
        return new SqlMeasure(WORDS.getOrDefault(function, function), columns.numbers(name), null, null);
    }

    private static SqlMeasure count(Call call, SqlColumns columns) {
        SqlExpression argument =
                call.arguments().isEmpty() ? new Star() : call.arguments().getFirst();
        if (call.arguments().size() <= 1 && argument instanceof Star && !call.distinct()) {
            return new SqlMeasure("count", null, null, "rows");
        }
        if (call.arguments().size() == 1 && call.distinct() && argument instanceof Name name && columns.isUnit(name)) {
            return new SqlMeasure("count", null, null, "units");
        }
        String units = columns.dataset().privacyUnit() instanceof PrivacyUnit.Column unit
                ? ", or COUNT(DISTINCT " + Text.quoted(unit.column()) + ") for the privacy units"
                : "";
        throw SqlRefusal.unsupported(
                "COUNT counts rows: write COUNT(*), since no value is NULL" + units + "; was " + call.shown());
    }

    private static SqlMeasure quantile(Call call, Column.Numeric column) {
        if (call.arguments().size() == 2 && call.arguments().getLast() instanceof Literal(BigDecimal probability)) {
            return new SqlMeasure(QUANTILE, column, SqlKey.plain(probability), null);
        }
        throw SqlRefusal.unsupported("APPROX_PERCENTILE takes a column and one probability, such as 0.5"
                + (call.arguments().getLast() instanceof ArrayOf ? "; write it once for each probability" : "")
                + "; was " + call.shown());
    }

    boolean isQuantile() {
        return word.equals(QUANTILE);
    }

    /** The aggregate in a question of the kind {@code aggregate}. Rows are what a count counts by default. */
    Map<String, Object> request() {
        return Map.of(
                word,
                column != null
                        ? Map.of("column", column.name())
                        : "units".equals(counted) ? Map.of("of", "units") : Map.of());
    }

    SqlType type(boolean areAllCounts) {
        return column == null
                ? areAllCounts ? SqlType.BIGINT : SqlType.DOUBLE
                : isQuantile() ? SqlType.of(column) : SqlType.DOUBLE;
    }

    /**
     * A twentieth of how far the aggregate can be apart for so many rows: the width of the column's range, times the
     * rows where it adds them up. Of a quantile it is of ranks.
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
