package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.dataset.Notation;
import dev.purser.json.Text;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a WHERE to the {@code where} of a question: a conjunction of conditions, each on one column. */
final class SqlWhere {
    private static final Map<String, String> ENDS = Map.of("<", "below", "<=", "atMost", ">", "above", ">=", "atLeast");
    private static final Map<String, String> TURNED = Map.of("<", ">", "<=", ">=", ">", "<", ">=", "<=");

    private final SqlColumns columns;
    private final List<Map<String, Object>> conditions = new ArrayList<>();

    private SqlWhere(SqlColumns columns) {
        this.columns = columns;
    }

    static List<Map<String, Object>> read(SqlExpression where, SqlColumns columns) {
        SqlWhere reading = new SqlWhere(columns);
        reading.add(where);
        return reading.conditions;
    }

    private void add(SqlExpression condition) {
        switch (condition) {
            case Operation(String operator, List<SqlExpression> operands)
            when operator.equals("and") -> operands.forEach(this::add);
            case Operation(String operator, List<SqlExpression> operands)
            when operator.equals("not")
                    && operands.getFirst() instanceof Operation(String in, List<SqlExpression> listed)
                    && in.equals("in") -> addList(condition, listed, true);
            case Operation(String operator, List<SqlExpression> operands)
            when operator.equals("in") -> addList(condition, operands, false);
            case Operation(String operator, List<SqlExpression> operands)
            when operator.equals("between") && operands.getFirst() instanceof Name name -> {
                addEnd(columns.numeric(name), "atLeast", operands.get(1), condition);
                addEnd(columns.numeric(name), "atMost", operands.get(2), condition);
            }
            case Operation(String operator, List<SqlExpression> operands)
            when operands.size() == 2 -> compare(condition, operator, operands.getFirst(), operands.getLast());
            default -> throw refused(condition);
        }
    }

    private void compare(SqlExpression condition, String operator, SqlExpression left, SqlExpression right) {
        if (left instanceof Literal && right instanceof Name) {
            compare(condition, TURNED.getOrDefault(operator, operator), right, left);
            return;
        }
        if (!(left instanceof Name name) || !(right instanceof Literal)) {
            throw refused(condition);
        }
        boolean isEqual = operator.equals("=");
        if (columns.named(name) instanceof Column.Category && (isEqual || operator.equals("<>"))) {
            addList(condition, List.of(left, right), !isEqual);
        } else if (isEqual) {
            addEnd(columns.numeric(name), "atLeast", right, condition);
            addEnd(columns.numeric(name), "atMost", right, condition);
        } else if (ENDS.containsKey(operator)) {
            addEnd(columns.numeric(name), ENDS.getOrDefault(operator, operator), right, condition);
        } else {
            throw refused(condition);
        }
    }

    /** The values of a list have to be literals of categories; one number is one value. */
    private void addList(SqlExpression condition, List<SqlExpression> operands, boolean inverted) {
        if (!(operands.getFirst() instanceof Name name)) {
            throw refused(condition);
        }
        Column column = columns.named(name);
        if (column instanceof Column.Category category) {
            List<Object> values = new ArrayList<>();
            for (SqlExpression each : operands.subList(1, operands.size())) {
                values.add(category(each, category, condition));
            }
            conditions.add(Map.of("column", column.name(), inverted ? "notIn" : "in", values));
        } else if (!inverted && operands.size() == 2) {
            compare(condition, "=", name, operands.getLast());
        } else {
            throw SqlRefusal.unsupported("the column " + SqlColumns.written(column) + " of type " + column.type()
                    + " has ranges: write =, <, <=, >, >= or BETWEEN; was " + condition.shown());
        }
    }

    private static String category(SqlExpression value, Column.Category column, SqlExpression condition) {
        return switch (value) {
            case Literal(String text) when column.hasNames() -> text;
            case Literal(Boolean truth) when !column.hasNames() -> String.valueOf(truth);
            default ->
                throw SqlRefusal.unsupported("the column " + SqlColumns.written(column) + " is compared with "
                        + (column.hasNames() ? "texts such as 'x'" : "true and false") + "; was " + condition.shown());
        };
    }

    /** Both ends of a range are one condition. A second end on the same side is another one. */
    private void addEnd(Column.Numeric column, String end, SqlExpression value, SqlExpression condition) {
        Object sent = value(column, value, condition);
        boolean isLower = isLower(end);
        for (Map<String, Object> other : conditions) {
            if (column.name().equals(other.get("column"))
                    && other.keySet().stream().noneMatch(key -> !key.equals("column") && isLower(key) == isLower)) {
                other.put(end, sent);
                return;
            }
        }
        Map<String, Object> range = new LinkedHashMap<>();
        range.put("column", column.name());
        range.put(end, sent);
        conditions.add(range);
    }

    private static boolean isLower(String end) {
        return end.equals("atLeast") || end.equals("above");
    }

    private static Object value(Column.Numeric column, SqlExpression value, SqlExpression condition) {
        return switch (column.notation()) {
            case Notation.Numbers _ when value instanceof Literal(BigDecimal number) -> SqlKey.plain(number);
            case Notation.Dates() when value instanceof Literal(LocalDate date) -> date.toString();
            case Notation.Dates() when value instanceof Literal(String date) -> date;
            case Notation.Timestamps _ when value instanceof Literal(Instant time) -> time.toString();
            case Notation.Timestamps _
            when value instanceof Literal(LocalDate date) -> start(date).toString();
            case Notation.Timestamps _
            when value instanceof Literal(String text) -> time(text).toString();
            default ->
                throw SqlRefusal.unsupported("the column " + SqlColumns.written(column) + " of type " + column.type()
                        + " is compared with "
                        + switch (column.notation()) {
                            case Notation.Numbers _ -> "numbers such as 30";
                            case Notation.Dates() -> "dates such as DATE '2026-01-31'";
                            case Notation.Timestamps _ -> "times such as TIMESTAMP '2026-01-31 12:00:00 UTC'";
                        }
                        + "; was " + condition.shown());
        };
    }

    private static Instant start(LocalDate date) {
        return date.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static Instant time(String text) {
        try {
            return SqlParser.instant(text);
        } catch (DateTimeException unreadable) {
            throw SqlRefusal.unsupported("a time must be like '2026-01-31 12:00:00 UTC', was " + Text.quoted(text));
        }
    }

    private static boolean isOfNull(SqlExpression condition) {
        return condition instanceof Operation(String operator, List<SqlExpression> _) && operator.equals("is null");
    }

    private static SqlRefusal refused(SqlExpression condition) {
        String inverted = "; one condition is one range: write what stays, or ask about both sides";
        String wayOut = switch (condition) {
            case Operation(String operator, List<SqlExpression> _)
            when operator.equals("or") -> "; write one column's values in one IN (…), or ask twice";
            case Operation(String operator, List<SqlExpression> _) when operator.equals("<>") -> inverted;
            case Operation(String operator, List<SqlExpression> operands)
            when operator.equals("not") && !isOfNull(operands.getFirst()) -> inverted;
            case Operation negated
            when isOfNull(negated) || isOfNull(negated.operands().getFirst()) ->
                "; no value is NULL: leave the condition out";
            default -> "";
        };
        return SqlRefusal.unsupported("WHERE has conditions on single columns, joined by AND: =, <>, <, <=, >, >=,"
                + " BETWEEN, IN and NOT IN, with literals" + wayOut + "; was " + condition.shown());
    }
}
