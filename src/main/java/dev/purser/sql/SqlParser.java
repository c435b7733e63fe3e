package dev.purser.sql;

import dev.purser.json.Text;
import dev.purser.sql.SqlExpression.ArrayOf;
import dev.purser.sql.SqlExpression.Call;
import dev.purser.sql.SqlExpression.Cast;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import dev.purser.sql.SqlExpression.Star;
import dev.purser.sql.SqlStatement.From;
import dev.purser.sql.SqlStatement.Item;
import dev.purser.sql.SqlStatement.Order;
import dev.purser.sql.SqlStatement.Select;
import dev.purser.sql.SqlToken.Kind;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads a statement by recursive descent. The grammar has what is answered and little more. A construct that it does
 * not know is a syntax error, so nothing is read over. Why it is no library: docs/adr/0050.
 */
final class SqlParser {
    private static final int MOST_DEPTH = 40;
    private static final int MOST_ORDER_KEYS = 50;

    private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");

    /** Words that end an item, so they are no alias without AS. */
    private static final Set<String> RESERVED = words("""
            from where group having order limit offset fetch union intersect except as on join inner \
            left right full cross natural using and or not between in like is escape select with \
            case when then else end window over filter within tablesample by distinct values exists""");

    private static final Set<String> NUMBERS = words("tinyint smallint integer int bigint real double decimal");

    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendPattern("['T'][' ']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .appendPattern("[' ']['UTC'][XXX]")
            .optionalEnd()
            .toFormatter();

    private final List<SqlToken> tokens;
    private int at;
    private int depth;

    private static Set<String> words(String several) {
        return Set.of(several.split(" "));
    }

    private SqlParser(List<SqlToken> tokens) {
        this.tokens = tokens;
    }

    /**
     * Reads a statement. EXECUTE is replaced by what it executes.
     *
     * @param prepared the statements that the client prepared, by name
     */
    static SqlStatement read(String sql, Map<String, String> prepared) {
        SqlParser parser = new SqlParser(SqlToken.of(sql));
        SqlStatement statement = parser.statement(sql, prepared);
        parser.skip(";");
        parser.require(Kind.END);
        return statement;
    }

    /** How many parameters a statement has, which begin with {@code ?}. */
    static int parameters(String sql) {
        return (int) SqlToken.of(sql).stream().filter(token -> token.is("?")).count();
    }

    // Tokens

    private SqlToken next() {
        return tokens.get(at);
    }

    private boolean isNext(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (at + i >= tokens.size() || !tokens.get(at + i).is(words[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean skip(String... words) {
        boolean isHere = isNext(words);
        at += isHere ? words.length : 0;
        return isHere;
    }

    private void require(String word) {
        if (!skip(word)) {
            throw expected(Text.quoted(word));
        }
    }

    private SqlToken require(Kind kind) {
        if (next().kind() != kind) {
            throw expected(
                    switch (kind) {
                        case END -> "the end";
                        case TEXT -> "a text in single quotation marks";
                        case NUMBER -> "a number";
                        case WORD, QUOTED_NAME, SIGN -> "a name";
                    });
        }
        return kind == Kind.END ? next() : tokens.get(at++);
    }

    private SqlRefusal expected(String what) {
        return new SqlRefusal(
                SqlRefusal.Error.SYNTAX_ERROR,
                "the statement must have " + what + " at character " + next().position() + ", has "
                        + next().shown()
                        + hint());
    }

    /** What to write in place of the constructs that are asked for most. */
    private String hint() {
        return switch (next().text()) {
            case "join", "cross", "inner", "left", "right", "full", "natural" ->
                ": tables are not joined here; ask about one dataset at a time";
            case "union", "intersect", "except" -> ": ask each SELECT by itself";
            case "," -> ": tables are not joined here, and GROUP BY has a list of keys without sets";
            case "over", "window" -> ": there are no window functions; write GROUP BY";
            case "filter", "within" -> ": write the condition in WHERE";
            case "case" ->
                ": there is no CASE; write width_bucket(column, ARRAY[…]) in GROUP BY, or conditions in WHERE";
            case "select", "exists" ->
                ": no expression has a SELECT; ask it first, and write the value that it returns";
            case "offset", "fetch" -> ": write LIMIT";
            case "tablesample" -> ": all rows are asked about";
            case "with" -> ": write the inner SELECT after FROM, in parentheses";
            case "insert", "update", "delete", "create", "drop", "alter", "merge", "grant", "truncate" ->
                ": SQL only asks questions here";
            case "start", "commit", "rollback" -> ": there are no transactions; leave autocommit on";
            default -> "";
        };
    }

    /** A name: a word that is not reserved, or one in quotation marks. */
    private String name() {
        SqlToken token = next();
        if (token.kind() == Kind.QUOTED_NAME || token.kind() == Kind.WORD && !RESERVED.contains(token.text())) {
            at++;
            return token.text();
        }
        throw expected("a name");
    }

    private List<String> path() {
        List<String> parts = new ArrayList<>(List.of(name()));
        while (skip(".")) {
            parts.add(name());
        }
        return parts;
    }

    private <T> List<T> list(Supplier<T> element) {
        List<T> all = new ArrayList<>(List.of(element.get()));
        while (skip(",")) {
            all.add(element.get());
        }
        return all;
    }

    /** Deep nesting ends in a refusal, not in the end of the stack. */
    private <T> T nested(Supplier<T> inner) {
        if (++depth > MOST_DEPTH) {
            throw new SqlRefusal(
                    SqlRefusal.Error.SYNTAX_ERROR, "a statement may be nested at most " + MOST_DEPTH + " deep");
        }
        T read = inner.get();
        depth--;
        return read;
    }

    // Statements

    private SqlStatement statement(String sql, Map<String, String> prepared) {
        if (isNext("select") || isNext("(")) {
            return new SqlStatement.Query(select());
        }
        if (skip("explain")) {
            if (isNext("(") || isNext("analyze")) {
                throw SqlRefusal.unsupported("EXPLAIN has no options here: write EXPLAIN SELECT …");
            }
            return new SqlStatement.Explain(select());
        }
        if (skip("prepare")) {
            String name = name();
            require("from");
            String text = sql.substring(next().position() - 1);
            at = tokens.size() - 1;
            return new SqlStatement.Prepare(name, text);
        }
        if (skip("execute")) {
            return executed(prepared);
        }
        if (skip("deallocate", "prepare")) {
            return new SqlStatement.Deallocate(name());
        }
        if (skip("describe", "output")) {
            return new SqlStatement.DescribePrepared(true, name());
        }
        if (skip("describe", "input")) {
            return new SqlStatement.DescribePrepared(false, name());
        }
        return setting();
    }

    private SqlStatement setting() {
        if (skip("set", "session")) {
            String name = String.join(".", path());
            require("=");
            return new SqlStatement.SetSession(name, String.valueOf(literal().value()));
        }
        if (skip("reset", "session")) {
            return new SqlStatement.SetSession(String.join(".", path()), null);
        }
        if (skip("use")) {
            return new SqlStatement.Use(path());
        }
        if (skip("call", "system", ".", "runtime", ".", "kill_query")) {
            at = tokens.size() - 1;
            return new SqlStatement.Kill();
        }
        if (skip("describe") || skip("desc")) {
            return new SqlStatement.Show("columns", path(), null);
        }
        if (skip("show")) {
            return show();
        }
        throw expected("SELECT, EXPLAIN, SHOW, DESCRIBE, SET SESSION, RESET SESSION, USE, PREPARE or EXECUTE");
    }

    private SqlStatement show() {
        StringBuilder what = new StringBuilder();
        while (next().kind() == Kind.WORD && !isNext("from") && !isNext("in") && !isNext("like")) {
            what.append(what.isEmpty() ? "" : " ").append(tokens.get(at++).text());
            if (what.toString().startsWith("create ") || what.toString().equals("stats")) {
                // SHOW CREATE TABLE and SHOW STATS FOR name something; there is nothing to say about it.
                at = tokens.size() - 1;
            }
        }
        List<String> of = skip("from") || skip("in") ? path() : List.of();
        String like = skip("like") ? require(Kind.TEXT).text() : null;
        if (skip("escape") && !require(Kind.TEXT).text().equals("\\")) {
            throw SqlRefusal.unsupported("SHOW takes no ESCAPE but the backslash: write ESCAPE '\\'");
        }
        return new SqlStatement.Show(what.toString(), of, like);
    }

    /** The prepared statement, with its parameters in their places. Only literals can be parameters. */
    private SqlStatement executed(Map<String, String> prepared) {
        String text;
        if (skip("immediate")) {
            text = require(Kind.TEXT).text();
        } else {
            String name = name();
            text = prepared.get(name);
            if (text == null) {
                throw notPrepared(name);
            }
        }
        List<List<SqlToken>> values = skip("using") ? list(this::literalTokens) : List.of();
        List<SqlToken> filled = new ArrayList<>();
        int used = 0;
        for (SqlToken token : SqlToken.of(text)) {
            if (!token.is("?")) {
                filled.add(token);
            } else if (used < values.size()) {
                values.get(used).forEach(value -> filled.add(value.at(token.position())));
                used++;
            } else {
                used++;
            }
        }
        if (used != values.size()) {
            throw new SqlRefusal(
                    SqlRefusal.Error.GENERIC_USER_ERROR,
                    "the prepared statement has " + used + " parameters, and " + values.size() + " were sent");
        }
        SqlParser inner = new SqlParser(filled);
        SqlStatement statement = inner.statement(text, Map.of());
        inner.skip(";");
        inner.require(Kind.END);
        return statement;
    }

    static SqlRefusal notPrepared(String name) {
        return new SqlRefusal(
                SqlRefusal.Error.NOT_FOUND, "no statement was prepared with the name " + Text.quoted(name));
    }

    private List<SqlToken> literalTokens() {
        int begin = at;
        literal();
        return List.copyOf(tokens.subList(begin, at));
    }

    // SELECT

    private Select select() {
        if (skip("(")) {
            Select inner = nested(this::select);
            require(")");
            return inner;
        }
        require("select");
        boolean distinct = skip("distinct");
        if (!distinct) {
            skip("all");
        }
        List<Item> items = list(this::item);
        From from = skip("from") ? from() : null;
        SqlExpression where = skip("where") ? expression() : null;
        List<SqlExpression> groupBy = skip("group", "by") ? list(this::expression) : List.of();
        SqlExpression having = skip("having") ? expression() : null;
        List<Order> order = skip("order", "by") ? list(this::order) : List.of();
        if (order.size() > MOST_ORDER_KEYS) {
            throw SqlRefusal.tooLarge(
                    "ORDER BY may have at most " + MOST_ORDER_KEYS + " keys, this has " + order.size());
        }
        Long limit = skip("limit") && !skip("all") ? Long.valueOf(count()) : null;
        return new Select(distinct, items, from, where, groupBy, having, order, limit);
    }

    private long count() {
        SqlToken token = require(Kind.NUMBER);
        try {
            return Long.parseLong(token.text());
        } catch (NumberFormatException tooLarge) {
            throw new SqlRefusal(
                    SqlRefusal.Error.SYNTAX_ERROR,
                    "a number of rows must be an integer below 2^63, was " + Text.quoted(token.text()));
        }
    }

    private Item item() {
        SqlExpression value = skip("*") ? new Star() : expression();
        boolean isNamed = skip("as") || isNameNext();
        return new Item(value, isNamed ? name() : null);
    }

    private boolean isNameNext() {
        return next().kind() == Kind.QUOTED_NAME || next().kind() == Kind.WORD && !RESERVED.contains(next().text());
    }

    private From from() {
        if (isNext("(")) {
            Select inner = nested(this::select);
            return new From.Inner(inner, skip("as") || isNameNext() ? name() : null);
        }
        List<String> name = path();
        return new From.Table(name, skip("as") || isNameNext() ? name() : null);
    }

    private Order order() {
        SqlExpression value = expression();
        boolean descending = skip("desc");
        if (!descending) {
            skip("asc");
        }
        return new Order(value, descending);
    }

    // Expressions, from the operator that binds least

    private SqlExpression expression() {
        return nested(() -> chain("or", () -> chain("and", this::negation)));
    }

    /** One or more operands of AND, or of OR, which need no parentheses between them. */
    private SqlExpression chain(String operator, Supplier<SqlExpression> operand) {
        List<SqlExpression> operands = new ArrayList<>(List.of(operand.get()));
        while (skip(operator)) {
            operands.add(operand.get());
        }
        return operands.size() == 1 ? operands.getFirst() : new Operation(operator, operands);
    }

    private SqlExpression negation() {
        return skip("not") ? not(nested(this::negation)) : comparison();
    }

    private static SqlExpression not(SqlExpression negated) {
        return new Operation("not", List.of(negated));
    }

    private SqlExpression comparison() {
        SqlExpression left = sum();
        SqlToken operator = next();
        if (operator.kind() == Kind.SIGN && COMPARISONS.contains(operator.text())) {
            at++;
            return new Operation(operator.text(), List.of(left, sum()));
        }
        if (skip("is")) {
            boolean isNot = skip("not");
            require("null");
            SqlExpression isNull = new Operation("is null", List.of(left));
            return isNot ? not(isNull) : isNull;
        }
        boolean isNot = skip("not");
        SqlExpression test = test(left);
        if (test == left && isNot) {
            throw expected("\"in\", \"between\" or \"like\"");
        }
        return isNot ? not(test) : test;
    }

    private SqlExpression test(SqlExpression left) {
        if (skip("between")) {
            SqlExpression low = sum();
            require("and");
            return new Operation("between", List.of(left, low, sum()));
        }
        if (skip("in")) {
            require("(");
            List<SqlExpression> operands = new ArrayList<>(List.of(left));
            operands.addAll(list(this::sum));
            require(")");
            return new Operation("in", operands);
        }
        if (skip("like")) {
            SqlExpression pattern = sum();
            return new Operation("like", skip("escape") ? List.of(left, pattern, sum()) : List.of(left, pattern));
        }
        return left;
    }

    private SqlExpression sum() {
        return arithmetic(Set.of("+", "-", "||"), () -> arithmetic(Set.of("*", "/", "%"), this::signed));
    }

    private SqlExpression arithmetic(Set<String> operators, Supplier<SqlExpression> operand) {
        SqlExpression left = operand.get();
        for (int chained = 0; next().kind() == Kind.SIGN && operators.contains(next().text()); chained++) {
            if (chained > MOST_DEPTH) {
                throw SqlRefusal.unsupported("an expression may have at most " + MOST_DEPTH + " signs in a row");
            }
            left = new Operation(tokens.get(at++).text(), List.of(left, operand.get()));
        }
        return left;
    }

    private SqlExpression signed() {
        if (skip("-")) {
            SqlExpression value = nested(this::signed);
            return value instanceof Literal(BigDecimal number)
                    ? new Literal(number.negate())
                    : new Operation("negate", List.of(value));
        }
        return skip("+") ? nested(this::signed) : primary();
    }

    private SqlExpression primary() {
        SqlToken token = next();
        if (skip("(")) {
            SqlExpression inner = expression();
            require(")");
            return inner;
        }
        if (isLiteralNext()) {
            return literal();
        }
        if (skip("cast") || skip("try_cast")) {
            require("(");
            SqlExpression value = expression();
            require("as");
            SqlType type = type();
            require(")");
            return new Cast(value, type);
        }
        if (skip("array")) {
            require("[");
            List<SqlExpression> elements = list(this::expression);
            require("]");
            return new ArrayOf(elements);
        }
        if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED_NAME) {
            throw expected("an expression");
        }
        List<String> path = path();
        return skip("(") ? call(String.join(".", path)) : new Name(path);
    }

    private SqlExpression call(String function) {
        if (skip(")")) {
            return new Call(function, false, List.of());
        }
        boolean distinct = skip("distinct");
        List<SqlExpression> arguments = list(() -> skip("*") ? new Star() : expression());
        require(")");
        return new Call(function, distinct, arguments);
    }

    private SqlType type() {
        String name = name();
        List<Integer> arguments = new ArrayList<>();
        if (skip("(")) {
            arguments.addAll(list(() -> (int) Math.min(Integer.MAX_VALUE, count())));
            require(")");
        }
        if (!name.equals("varchar")) {
            return new SqlType(name, arguments);
        }
        if (!arguments.isEmpty()) {
            throw SqlRefusal.unsupported("texts are not cut to a length: write varchar without one");
        }
        return SqlType.VARCHAR;
    }

    // Literals

    private boolean isLiteralNext() {
        SqlToken token = next();
        boolean isTyped = at + 1 < tokens.size() && tokens.get(at + 1).kind() == Kind.TEXT;
        return token.kind() == Kind.NUMBER
                || token.kind() == Kind.TEXT
                || token.is("true")
                || token.is("false")
                || token.is("null")
                || isTyped && token.kind() == Kind.WORD;
    }

    private Literal literal() {
        if (skip("-")) {
            return new Literal(new BigDecimal(require(Kind.NUMBER).text()).negate());
        }
        SqlToken token = next();
        if (!isLiteralNext()) {
            throw expected("a literal");
        }
        at++;
        return switch (token.kind()) {
            case NUMBER -> new Literal(new BigDecimal(token.text()));
            case TEXT -> new Literal(token.text());
            case WORD, QUOTED_NAME, SIGN, END ->
                switch (token.text()) {
                    case "true" -> new Literal(true);
                    case "false" -> new Literal(false);
                    case "null" -> new Literal(null);
                    default -> typed(token.text(), tokens.get(at++));
                };
        };
    }

    /** For example {@code DATE '2026-01-31'}, as drivers write the parameters of prepared statements. */
    private Literal typed(String type, SqlToken text) {
        try {
            if (NUMBERS.contains(type) && text.text().length() <= 60) {
                BigDecimal number = new BigDecimal(text.text());
                if (Math.abs(number.scale()) <= 60) {
                    return new Literal(number);
                }
            }
            switch (type) {
                case "varchar", "char" -> {
                    return new Literal(text.text());
                }
                case "date" -> {
                    return new Literal(LocalDate.parse(text.text()));
                }
                case "timestamp" -> {
                    return new Literal(instant(text.text()));
                }
                default -> {}
            }
        } catch (DateTimeException | NumberFormatException unreadable) {
            // As below.
        }
        throw new SqlRefusal(
                SqlRefusal.Error.SYNTAX_ERROR,
                "a literal with a type must be like DATE '2026-01-31', TIMESTAMP '2026-01-31 12:00:00 UTC' or"
                        + " BIGINT '5', was " + Text.quoted(type) + " " + Text.quoted(text.text()));
    }

    /**
     * A time without a zone is in UTC.
     *
     * @throws DateTimeException if it is none
     */
    static Instant instant(String text) {
        TemporalAccessor read = TIMESTAMP.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
        return switch (read) {
            case OffsetDateTime zoned -> zoned.toInstant();
            case LocalDateTime local -> local.toInstant(ZoneOffset.UTC);
            default -> LocalDate.from(read).atStartOfDay(ZoneOffset.UTC).toInstant();
        };
    }
}
