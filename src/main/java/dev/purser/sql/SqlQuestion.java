package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.query.TranslatedQuestions.Translated;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import dev.purser.sql.SqlSelect.Item;
import dev.purser.sql.SqlSelect.Order;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A SELECT about a dataset as one question, and the way from its answer to a reply. The question follows from the
 * statement and the dataset's public facts alone. The rest of the statement is done after the noise.
 */
final class SqlQuestion {
    /** A measure's columns in the table that the answer is read into: its value and both ends of its interval. */
    private static final List<String> PARTS = List.of("", "_low", "_high");

    private final SqlSelect select;
    private final SqlColumns columns;
    private final List<SqlKey> keys;
    private final List<SqlMeasure> measures;
    private final Translated translated;

    /** The SELECT with the ends of intervals, if they are to follow their aggregates. */
    private final SqlSelect shown;

    /** @throws SqlRefusal if no question answers it */
    SqlQuestion(SqlSelect select, SqlColumns columns, SqlSession session) {
        this.select = select;
        this.columns = columns;
        this.keys = select.groupBy().stream().map(this::key).toList();
        this.measures = Stream.of(
                        select.items().stream().map(Item::value),
                        Stream.ofNullable(select.having()),
                        select.order().stream().map(Order::value))
                .flatMap(expressions -> expressions.flatMap(this::measures))
                .distinct()
                .toList();
        checkMeasures();
        for (Item item : select.items()) {
            if (place(item.value()).isEmpty()) {
                throw noItem(item.value());
            }
        }
        this.shown = session.hasIntervals() ? withIntervals() : select;
        this.translated = translated(session);
        rows(List.of()).check(shown, select.having(), groups());
    }

    /** Reads a key. It is written out, or named by the place or the name of an item. */
    private SqlKey key(SqlExpression written) {
        SqlExpression key = written instanceof Literal(BigDecimal place)
                ? numbered(place)
                : written instanceof Name name && columns.find(name).isEmpty()
                        ? item(name).orElse(written)
                        : written;
        return SqlKey.of(key, columns)
                .orElseThrow(() -> SqlRefusal.unsupported(
                        "a key of GROUP BY is a column of categories, date_trunc('month', column),"
                                + " FLOOR(column / 10) * 10 or width_bucket(column, ARRAY[…]), was " + key.shown()));
    }

    /** The item that a number names. */
    private SqlExpression numbered(BigDecimal place) {
        return select.items().get(SqlRows.place(place, select.items().size())).value();
    }

    /** The item that has this name after its AS. */
    private Optional<SqlExpression> item(Name name) {
        return select.items().stream()
                .filter(item ->
                        name.parts().size() == 1 && item.name() != null && SqlNames.areAlike(item.name(), name.last()))
                .map(Item::value)
                .findFirst();
    }

    private Stream<SqlMeasure> measures(SqlExpression expression) {
        return !(expression instanceof Operation operation)
                ? Stream.of()
                : SqlMeasure.isMeasure(operation)
                        ? Stream.of(SqlMeasure.of(operation, columns))
                        : operation.operands().stream().flatMap(this::measures);
    }

    private void checkMeasures() {
        if (select.distinct()) {
            throw SqlRefusal.unsupported("SELECT DISTINCT takes one column of categories and no aggregate");
        }
        if (measures.isEmpty()) {
            throw SqlRefusal.unsupported("HAVING is for a SELECT with aggregates; write conditions in WHERE");
        }
        boolean isOfOneColumn =
                measures.stream().map(SqlMeasure::column).distinct().count() == 1;
        if (isOfQuantiles() && !(isOfOneColumn && measures.stream().allMatch(SqlMeasure::isQuantile))) {
            throw SqlRefusal.unsupported("APPROX_PERCENTILE is a question of its own: a SELECT has percentiles of one"
                    + " column, or other aggregates; ask two");
        }
        long groups = groups();
        int parts = keys.size() + measures.size();
        if (groups > SqlRows.MOST_VALUES || groups * parts > SqlRows.MOST_VALUES) {
            throw SqlRefusal.unsupported("the reply may have at most " + SqlRows.MOST_VALUES + " values, and " + groups
                    + " groups of " + parts + " columns have more: write fewer groups, or ask POST /v1/datasets/"
                    + columns.dataset().id() + "/queries/aggregate");
        }
    }

    /** The refusal of an item that is neither a key nor an aggregate. */
    static SqlRefusal noItem(SqlExpression item) {
        return SqlRefusal.unsupported(
                "an item of SELECT is a key of GROUP BY or an aggregate of a column: COUNT(*), SUM,"
                        + " AVG, VAR_POP, STDDEV_POP or APPROX_PERCENTILE, without arithmetic; was " + item.shown());
    }

    private boolean isOfQuantiles() {
        return measures.stream().anyMatch(SqlMeasure::isQuantile);
    }

    private long groups() {
        return keys.stream()
                .mapToLong(SqlKey::groups)
                .reduce(1, (all, groups) -> Math.min(Integer.MAX_VALUE, all * groups));
    }

    /** The place of an expression among the columns of the table that the answer is read into. */
    private OptionalInt place(SqlExpression expression) {
        if (expression instanceof Operation(String operator, List<SqlExpression> operands)
                && PARTS.contains(operator)) {
            return OptionalInt.of(place(operands.getFirst()).orElseThrow() + PARTS.indexOf(operator));
        }
        if (expression instanceof Operation operation && SqlMeasure.isMeasure(operation)) {
            int measure = measures.indexOf(SqlMeasure.of(operation, columns));
            return OptionalInt.of(keys.size() + PARTS.size() * measure);
        }
        Predicate<SqlKey> isKey;
        if (expression instanceof Name name) {
            Column column = columns.named(name);
            isKey = key -> key.isColumn(column);
        } else {
            Optional<SqlKey> key = SqlKey.of(expression, columns);
            if (key.isEmpty()) {
                return OptionalInt.empty();
            }
            isKey = key.orElseThrow()::isSame;
        }
        OptionalInt place = IntStream.range(0, keys.size())
                .filter(i -> isKey.test(keys.get(i)))
                .findFirst();
        if (place.isEmpty()) {
            throw SqlRefusal.unsupported(
                    expression.shown() + " must be in GROUP BY, or within an aggregate such as AVG or COUNT(*)");
        }
        return place;
    }

    /** The question without its epsilon. */
    Translated translated() {
        return translated;
    }

    private Translated translated(SqlSession session) {
        Map<String, Object> request = new LinkedHashMap<>(session.fields());
        if (!keys.isEmpty()) {
            request.put("groupBy", keys.stream().map(SqlKey::request).toList());
        }
        if (isOfQuantiles()) {
            request.put(
                    "column",
                    Objects.requireNonNull(measures.getFirst().column()).name());
            request.put(
                    "probabilities",
                    measures.stream().map(SqlMeasure::probability).toList());
        } else {
            request.put("aggregates", measures.stream().map(SqlMeasure::request).toList());
        }
        if (select.where() != null) {
            request.put("where", SqlWhere.read(select.where(), columns));
        }
        return new Translated(columns.dataset(), isOfQuantiles() ? "quantile" : "aggregate", request);
    }

    /** The aimed error of the first aggregate if no epsilon was set: {@link SqlMeasure#twentieth}. */
    BigDecimal target() {
        return measures.getFirst().twentieth(Math.max(1, columns.dataset().maxRows() / groups()));
    }

    /** The most rows that the reply can have. */
    long mostRows() {
        return SqlRows.most(select, groups());
    }

    private SqlSelect withIntervals() {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < select.items().size(); i++) {
            SqlExpression value = select.items().get(i).value();
            String name = select.items().get(i).name();
            String called = name != null || value instanceof Name ? name : "_col" + i;
            if (!SqlMeasure.isMeasure(value)) {
                items.add(new Item(value, called));
            } else {
                PARTS.forEach(part -> items.add(new Item(new Operation(part, List.of(value)), called + part)));
            }
        }
        List<Order> order = select.order().stream()
                .map(each -> each.value() instanceof Literal(BigDecimal place)
                        ? new Order(numbered(place), each.descending())
                        : each)
                .toList();
        return new SqlSelect(false, items, select.from(), null, select.groupBy(), null, order, select.limit());
    }

    /** The reply for an answer. It has no rows if the answer is missing. */
    SqlTable table(JsonNode answer) {
        List<List<@Nullable Object>> groups = new ArrayList<>();
        if (answer.has("groups")) {
            answer.path("groups").forEach(group -> groups.add(row(group)));
        } else if (answer.isObject()) {
            groups.add(row(answer));
        }
        return rows(groups).select(shown, select.having());
    }

    private List<@Nullable Object> row(JsonNode group) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            row.add(keys.get(i).value().apply(group.path("key").path(i)));
        }
        JsonNode values = group.path(isOfQuantiles() ? "quantiles" : "values");
        for (int i = 0; i < measures.size(); i++) {
            SqlType type = measures.get(i).type(false);
            JsonNode value = values.path(i);
            JsonNode interval = value.path("interval");
            for (JsonNode part : List.of(value.path("value"), interval.path("low"), interval.path("high"))) {
                row.add(type.read(part));
            }
        }
        return row;
    }

    private SqlRows rows(List<List<@Nullable Object>> groups) {
        List<SqlTable.Column> table = new ArrayList<>();
        keys.forEach(key -> table.add(new SqlTable.Column(key.column(), key.type())));
        boolean areAllCounts = measures.stream().allMatch(each -> each.column() == null);
        for (SqlMeasure measure : measures) {
            PARTS.forEach(part -> table.add(new SqlTable.Column(measure.word(), measure.type(areAllCounts))));
        }
        return new SqlRows(new SqlTable(table, groups), this::place);
    }
}
