package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import java.math.BigDecimal;
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
        if (!(condition instanceof Operation(String operator, List<SqlExpression> operands))) {
            throw refused(condition);
        }
        if (operator.equals("and")) {
            operands.forEach(this::add);
        } else if (operator.equals("not")
                && operands.getFirst() instanceof Operation(String in, List<SqlExpression> listed)
                && in.equals("in")) {
            add(condition, "<>", listed);
        } else if (operands.size() == 2 && operands.getFirst() instanceof Literal) {
            add(condition, TURNED.getOrDefault(operator, operator), operands.reversed());
        } else {
            add(condition, operator.equals("in") ? "=" : operator, operands);
        }
    }

    /** Adds a condition on one column: the values that it has or does not have, or the ends of its range. */
    private void add(SqlExpression condition, String operator, List<SqlExpression> operands) {
        boolean isOfLiterals = operands.stream().skip(1).allMatch(Literal.class::isInstance);
        if (!(operands.getFirst() instanceof Name name) || operands.size() < 2 || !isOfLiterals) {
            throw refused(condition);
        }
        Column column = columns.named(name);
        List<Object> values = operands.stream()
                .skip(1)
                .map(each -> value(each, column, condition))
                .toList();
        boolean isEqual = operator.equals("=");
        Map<String, Object> sent = new LinkedHashMap<>(Map.of("column", column.name()));
        if (column instanceof Column.Category && (isEqual || operator.equals("<>"))) {
            sent.put(isEqual ? "in" : "notIn", values);
        } else if (isEqual && values.size() == 1 || operator.equals("between")) {
            columns.numeric(name);
            sent.put("atLeast", values.getFirst());
            sent.put("atMost", values.getLast());
        } else if (ENDS.containsKey(operator)) {
            columns.numeric(name);
            sent.put(ENDS.getOrDefault(operator, operator), values.getFirst());
        } else if (isEqual || operator.equals("<>")) {
            throw SqlRefusal.unsupported("a condition on the column " + SqlColumns.written(column) + " of type "
                    + column.type() + " is one range, so it has no " + (isEqual ? "IN" : "<> and no NOT IN")
                    + " of it: write =, <, <=, >, >= or BETWEEN, and ask about each range by itself; was "
                    + condition.shown());
        } else {
            throw refused(condition);
        }
        conditions.add(sent);
    }

    private static Object value(SqlExpression literal, Column column, SqlExpression condition) {
        SqlType type = SqlType.of(column);
        Object value = literal instanceof Literal(Object written) ? type.meant(written) : null;
        if (value == null) {
            throw SqlRefusal.unsupported("the column " + SqlColumns.written(column) + " of type " + column.type()
                    + " is compared with "
                    + switch (type.sample()) {
                        case String _ -> "texts such as 'x'";
                        case Boolean _ -> "true and false";
                        case BigDecimal _ -> "numbers such as 30";
                        default ->
                            "dates such as DATE '2026-01-31' or times such as TIMESTAMP '2026-01-31 12:00:00 UTC'";
                    }
                    + "; was " + condition.shown());
        }
        return value instanceof BigDecimal number ? SqlKey.plain(number) : value.toString();
    }

    private static SqlRefusal refused(SqlExpression condition) {
        String operator = condition instanceof Operation operation ? operation.operator() : "";
        String negated = condition instanceof Operation(String _, List<SqlExpression> operands)
                        && operator.equals("not")
                        && operands.getFirst() instanceof Operation inner
                ? inner.operator()
                : operator;
        String wayOut = switch (negated) {
            case "or" -> "OR is not answered: write one column's values in one IN (…), or ask twice";
            case "is null" -> "IS NULL is not answered: no value is NULL, so leave the condition out";
            case "like" -> "LIKE is not answered: write the categories that are meant in IN (…)";
            default ->
                operator.equals("not")
                        ? "NOT is not answered: write the condition for the rows that stay, or ask about both sides"
                        : "write a column, a sign and a literal";
        };
        return SqlRefusal.unsupported("WHERE has conditions on single columns, joined by AND: =, <>, <, <=, >, >=,"
                + " BETWEEN, IN and NOT IN, with literals. " + wayOut + "; was " + condition.shown());
    }
}
