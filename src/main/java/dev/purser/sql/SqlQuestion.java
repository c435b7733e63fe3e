package dev.purser.sql;

import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.sql.SqlExpression.Call;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import dev.purser.sql.SqlExpression.Place;
import dev.purser.sql.SqlStatement.Item;
import dev.purser.sql.SqlStatement.Order;
import dev.purser.sql.SqlStatement.Select;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT about a dataset as one question, and what to make of its answer. The question follows from the statement and
 * the dataset's public facts alone. What the statement says that is not in the question is done after the noise.
 */
final class SqlQuestion {
    /** The columns of a measure in the table that the answer is read to: its value and both ends of its interval. */
    private static final int PARTS = 3;

    private final Select select;
    private final SqlColumns columns;
    private final List<SqlKey> keys = new ArrayList<>();
    private final List<SqlMeasure> measures = new ArrayList<>();
    private final List<Map<String, Object>> where;

    private final boolean hasIntervals;

    private SqlQuestion(Select select, SqlColumns columns, boolean hasIntervals) {
        this.select = select;
        this.columns = columns;
        this.hasIntervals = hasIntervals;
        this.where = select.where() == null ? List.of() : SqlWhere.read(select.where(), columns);
    }

    /**
     * Reads a SELECT with aggregates.
     *
     * @param hasIntervals whether the ends of its interval follow each aggregate
     * @throws SqlRefusal if no question answers it
     */
    static SqlQuestion of(Select select, SqlColumns columns, boolean hasIntervals) {
        SqlQuestion question = new SqlQuestion(select, columns, hasIntervals);
        for (SqlExpression each : select.groupBy()) {
            question.keys.add(question.key(each));
        }
        select.items().forEach(item -> question.addMeasures(item.value()));
        if (select.having() != null) {
            question.addMeasures(select.having());
        }
        select.order().stream().map(Order::value).forEach(question::addMeasures);
        question.check();
        return question;
    }

    /** A key is written out, or named by the place or the name of an item. */
    private SqlKey key(SqlExpression written) {
        SqlExpression key = written instanceof Literal(BigDecimal place)
                ? numbered(place).value()
                : written instanceof Name name && columns.find(name).isPresent()
                        ? written
                        : item(written).map(Item::value).orElse(written);
        return SqlKey.of(key, columns)
                .orElseThrow(() -> SqlRefusal.unsupported(
                        "a key of GROUP BY is a column of categories, date_trunc('month', column),"
                                + " FLOOR(column / 10) * 10 or width_bucket(column, ARRAY[…]), was " + key.shown()));
    }

    /** The item that a name calls by what comes after its AS, if it is not a column that is selected under it. */
    private Optional<Item> item(SqlExpression name) {
        return name instanceof Name(List<String> parts) && parts.size() == 1
                ? select.items().stream()
                        .filter(item -> item.name() != null && SqlNames.areAlike(item.name(), parts.getFirst()))
                        .findFirst()
                : Optional.empty();
    }

    private void addMeasures(SqlExpression expression) {
        switch (expression) {
            case Call call
            when SqlMeasure.isMeasure(call) -> {
                SqlMeasure measure = SqlMeasure.of(call, columns);
                if (!measures.contains(measure)) {
                    measures.add(measure);
                }
            }
            case Operation(String _, List<SqlExpression> operands) -> operands.forEach(this::addMeasures);
            default -> {}
        }
    }

    private void check() {
        if (select.distinct()) {
            throw SqlRefusal.unsupported("SELECT DISTINCT takes one column of categories and no aggregate");
        }
        if (measures.isEmpty()) {
            throw SqlRefusal.unsupported("HAVING is for a SELECT with aggregates; write conditions in WHERE");
        }
        if (isOfQuantiles() && measures.stream().anyMatch(each -> !each.isQuantile() || !isOfFirstColumn(each))) {
            throw SqlRefusal.unsupported("APPROX_PERCENTILE is a question of its own: a SELECT has percentiles of one"
                    + " column, or other aggregates; ask two");
        }
        long groups = groups();
        if (groups > SqlRows.MOST_VALUES || groups * (keys.size() + measures.size()) > SqlRows.MOST_VALUES) {
            throw SqlRefusal.unsupported("the reply may have at most " + SqlRows.MOST_VALUES + " values, and " + groups
                    + " groups of " + (keys.size() + measures.size())
                    + " columns have more: write fewer groups, or ask POST /v1/datasets/"
                    + columns.dataset().id()
                    + "/queries/aggregate");
        }
        for (Item item : select.items()) {
            if (place(item.value()).isEmpty()) {
                throw noItem(item.value());
            }
        }
        rows(List.of()).check(shown(), select.having(), groups);
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

    private boolean isOfFirstColumn(SqlMeasure measure) {
        return Objects.equals(measure.column(), measures.getFirst().column());
    }

    private long groups() {
        long groups = 1;
        for (SqlKey key : keys) {
            groups = Math.min(Integer.MAX_VALUE, groups * key.groups());
        }
        return groups;
    }

    /** Which of the columns of the table that the answer is read to an expression is. */
    private OptionalInt place(SqlExpression expression) {
        if (expression instanceof Call call && SqlMeasure.isMeasure(call)) {
            return OptionalInt.of(keys.size() + PARTS * measures.indexOf(SqlMeasure.of(call, columns)));
        }
        if (expression instanceof Name name) {
            return OptionalInt.of(placeOf(name));
        }
        Optional<SqlKey> key = SqlKey.of(expression, columns);
        return key.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(require(keys.indexOf(key.orElseThrow()), expression));
    }

    private int placeOf(Name name) {
        return require(
                columns.find(name)
                        .map(column -> IntStream.range(0, keys.size())
                                .filter(i -> keys.get(i).isColumn(column))
                                .findFirst()
                                .orElse(-1))
                        .orElse(-1),
                name);
    }

    private int require(int place, SqlExpression expression) {
        if (place < 0) {
            if (expression instanceof Name name) {
                columns.named(name);
            }
            throw SqlRefusal.unsupported(
                    expression.shown() + " must be in GROUP BY, or within an aggregate such as AVG or COUNT(*)");
        }
        return place;
    }

    /** The kind of the question. */
    String kind() {
        return isOfQuantiles() ? "quantile" : "aggregate";
    }

    /** The question without its epsilon, as its kind reads it. */
    Map<String, Object> request() {
        Map<String, Object> request = new LinkedHashMap<>();
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
        if (!where.isEmpty()) {
            request.put("where", where);
        }
        return request;
    }

    /** How far the first aggregate may be off where no epsilon was set: {@link SqlMeasure#twentieth}. */
    BigDecimal target() {
        return measures.getFirst().twentieth(Math.max(1, columns.dataset().maxRows() / groups()));
    }

    /** The most rows that the reply can have. */
    long mostRows() {
        return SqlRows.most(select, groups());
    }

    /** Whether the reply has no rows, whatever the answer is. */
    boolean returnsNothing() {
        return select.limit() != null && select.limit() == 0;
    }

    /** The columns of the reply. */
    SqlTable nothing() {
        return rows(List.of()).select(shown(), null);
    }

    /** The reply for an answer. */
    SqlTable reply(JsonObject answer) {
        List<List<@Nullable Object>> groups = new ArrayList<>();
        List<JsonValue> sent = elements(answer, "groups");
        for (JsonValue group : sent.isEmpty() ? List.<JsonValue>of(answer) : sent) {
            groups.add(row((JsonObject) group));
        }
        return rows(groups).select(shown(), select.having());
    }

    /** The ends of an interval are columns behind their value. */
    private Select shown() {
        if (!hasIntervals) {
            return select;
        }
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < select.items().size(); i++) {
            Item item = select.items().get(i);
            items.add(item);
            int place = place(item.value()).orElseThrow();
            if (place >= keys.size()) {
                String name = item.name() == null ? "_col" + i : item.name();
                items.add(new Item(new Place(place + 1, name + "_low"), name + "_low"));
                items.add(new Item(new Place(place + 2, name + "_high"), name + "_high"));
            }
        }
        List<Order> order = select.order().stream()
                .map(each -> each.value() instanceof Literal(BigDecimal place)
                        ? new Order(numbered(place).value(), each.descending())
                        : each)
                .toList();
        return new Select(false, items, select.from(), null, select.groupBy(), null, order, select.limit());
    }

    /** The item that a number names. */
    private Item numbered(BigDecimal place) {
        return select.items().get(SqlRows.place(place, select.items().size()));
    }

    private SqlRows rows(List<List<@Nullable Object>> groups) {
        List<SqlTable.Column> table = new ArrayList<>();
        for (SqlKey key : keys) {
            table.add(new SqlTable.Column(String.valueOf(key.request().get("column")), key.type()));
        }
        boolean areAllCounts = measures.stream().allMatch(each -> each.column() == null);
        for (SqlMeasure measure : measures) {
            for (int part = 0; part < PARTS; part++) {
                table.add(new SqlTable.Column(measure.word(), measure.type(areAllCounts)));
            }
        }
        return new SqlRows(new SqlTable(table, groups), this::place);
    }

    private List<@Nullable Object> row(JsonObject group) {
        List<@Nullable Object> row = new ArrayList<>();
        List<JsonValue> places = elements(group, "key");
        for (int i = 0; i < keys.size(); i++) {
            row.add(keys.get(i).value((JsonObject) places.get(i)));
        }
        List<JsonValue> values = elements(group, isOfQuantiles() ? "quantiles" : "values");
        for (int i = 0; i < measures.size(); i++) {
            JsonObject value = (JsonObject) values.get(i);
            JsonObject interval =
                    (JsonObject) Objects.requireNonNull(value.members().get("interval"));
            row.add(value(value, "value", measures.get(i)));
            row.add(value(interval, "low", measures.get(i)));
            row.add(value(interval, "high", measures.get(i)));
        }
        return row;
    }

    private static Object value(JsonObject in, String member, SqlMeasure measure) {
        return switch (in.members().get(member)) {
            case JsonNumber(String token) -> new BigDecimal(token);
            case JsonString(String text) ->
                measure.type(false).equals(SqlType.DATE) ? (Object) LocalDate.parse(text) : Instant.parse(text);
            case null, default -> throw new IllegalStateException("an aggregate without its " + member);
        };
    }

    private static List<JsonValue> elements(JsonObject in, String member) {
        return in.members().get(member) instanceof JsonArray(List<JsonValue> elements) ? elements : List.of();
    }
}
