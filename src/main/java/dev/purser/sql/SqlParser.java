package dev.purser.sql;

import dev.purser.json.Text;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import dev.purser.sql.SqlSelect.From;
import dev.purser.sql.SqlSelect.Item;
import dev.purser.sql.SqlSelect.Order;
import dev.purser.sql.SqlToken.Kind;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the words of a statement, and its SELECT by recursive descent. The grammar has the statements that are
 * answered, and little more. An unknown construct is a syntax error, so nothing is skipped. docs/adr/0050 says why this
 * parser is not a library.
 */
final class SqlParser {
    private static final int MOST_DEPTH = 40;

    /** The most signs of arithmetic: each makes an expression deeper. */
    private static final int MOST_SIGNS = 200;

    /** The most keys of GROUP BY, and of ORDER BY. */
    private static final int MOST_KEYS = 50;

    private static final Set<String> COMPARISONS = Set.of("=", "<>", "<", "<=", ">", ">=");

    /** Words that end an item, so they cannot be an alias without AS. */
    private static final Set<String> RESERVED = Set.of("""
            from where group having order limit offset fetch union intersect except as on join inner \
            left right full cross natural using and or not between in like is escape select with \
            case when then else end window over filter within tablesample by distinct values exists""".split(" "));

    /**
     * Words that many statements have and that are not answered. After the words stands the end of the sentence that
     * refuses them. It says what to write instead.
     */
    private static final Map<String, String> WAYS_OUT = """
            join cross inner left right full natural: tables are not joined here; ask about one dataset at a time
            ,: tables are not joined here, and GROUP BY has a list of keys; ask about one dataset at a time
            union intersect except: ask each SELECT by itself
            over window: there are no window functions; write GROUP BY
            filter within: write the condition in WHERE
            case: write width_bucket(column, ARRAY[…]) in GROUP BY, or conditions in WHERE
            select exists: no expression has a SELECT; ask it first, and write the value that it returns
            offset fetch: write LIMIT
            sets: write the keys of GROUP BY as a list
            tablesample: all rows are asked about; leave it out
            with: write the inner SELECT after FROM, in parentheses
            ilike similar: write the texts in IN (…)
            nulls: nulls come last; leave it out
            insert update delete create drop alter merge grant truncate: SQL only asks questions here; write SELECT
            start commit rollback: there are no transactions; leave autocommit on
            """.lines()
            .map(line -> line.split(": ", 2))
            .flatMap(line -> Stream.of(line[0].split(" ")).map(word -> Map.entry(word, line[1])))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private final String sql;
    private final List<SqlToken> tokens;
    private int at;
    private int depth;
    private int signs;

    SqlParser(String sql) {
        this(sql, SqlToken.of(sql));
    }

    private SqlParser(String sql, List<SqlToken> tokens) {
        this.sql = sql;
        this.tokens = tokens;
    }

    // Words

    private SqlToken next() {
        return tokens.get(at);
    }

    boolean isNext(String word) {
        return next().is(word);
    }

    boolean skip(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (at + i >= tokens.size() || !tokens.get(at + i).is(words[i])) {
                return false;
            }
        }
        at += words.length;
        return true;
    }

    void require(String word) {
        if (!skip(word)) {
            throw expected(Text.quoted(word));
        }
    }

    private String require(Kind kind, String what) {
        if (next().kind() != kind) {
            throw expected(what);
        }
        return tokens.get(at++).text();
    }

    /** Requires that nothing follows. */
    void end() {
        boolean isEnded = skip(";");
        if (next().kind() != Kind.END) {
            throw isEnded
                    ? SqlRefusal.malformed("a request has one statement: send what follows the semicolon by itself")
                    : expected("the end");
        }
    }

    /** The refusal of the next token. */
    SqlRefusal expected(String what) {
        SqlToken token = next();
        String wayOut = token.kind() == Kind.WORD || token.kind() == Kind.SIGN ? WAYS_OUT.get(token.text()) : null;
        return wayOut == null
                ? SqlRefusal.malformed("the statement must have " + what + " at character " + token.position()
                        + ", has " + token.shown())
                : SqlRefusal.unsupported(Text.quoted(token.text().toUpperCase(Locale.ROOT)) + " at character "
                        + token.position() + " is not answered: " + wayOut);
    }

    /** A name: a word that is not reserved, or any word in quotation marks. */
    String name() {
        if (!isNameNext()) {
            throw expected("a name");
        }
        return tokens.get(at++).text();
    }

    private boolean isNameNext() {
        return next().kind() == Kind.QUOTED_NAME || next().kind() == Kind.WORD && !RESERVED.contains(next().text());
    }

    List<String> path() {
        List<String> parts = new ArrayList<>(List.of(name()));
        while (skip(".")) {
            parts.add(name());
        }
        return parts;
    }

    /** A text in single quotation marks. */
    String text() {
        return require(Kind.TEXT, "a text in single quotation marks");
    }

    /** The words up to FROM, IN, LIKE or the end. */
    String words() {
        StringBuilder words = new StringBuilder();
        while (next().kind() == Kind.WORD && !isNext("from") && !isNext("in") && !isNext("like")) {
            words.append(words.isEmpty() ? "" : " ").append(tokens.get(at++).text());
        }
        return words.toString();
    }

    /** The rest of the statement, whatever it is. */
    String rest() {
        String rest = sql.substring(next().position() - 1);
        at = tokens.size() - 1;
        return rest;
    }

    private <T> List<T> list(Supplier<T> element) {
        List<T> all = new ArrayList<>();
        do {
            all.add(element.get());
        } while (skip(","));
        return all;
    }

    private <T> T within(String open, Supplier<T> inner, String close) {
        require(open);
        T read = inner.get();
        require(close);
        return read;
    }

    /** Refuses deep nesting before the stack overflows. */
    private <T> T nested(Supplier<T> inner) {
        if (++depth > MOST_DEPTH) {
            throw SqlRefusal.malformed("a statement may be nested at most " + MOST_DEPTH + " deep");
        }
        T read = inner.get();
        depth--;
        return read;
    }

    // Prepared statements

    /** The number of parameters of a statement. A parameter is written {@code ?}. */
    static int parameters(String sql) {
        return (int) SqlToken.of(sql).stream().filter(token -> token.is("?")).count();
    }

    /**
     * The statement that EXECUTE executes, with its parameters in their places. Only literals can be parameters.
     *
     * @param prepared the statements that the client prepared, by name
     */
    SqlParser executed(Map<String, String> prepared) {
        String text = skip("immediate") ? text() : prepared(name(), prepared);
        List<List<SqlToken>> values = skip("using") ? list(this::literalTokens) : List.of();
        List<SqlToken> filled = new ArrayList<>();
        int used = 0;
        for (SqlToken token : SqlToken.of(text)) {
            if (!token.is("?")) {
                filled.add(token);
            } else if (used++ < values.size()) {
                values.get(used - 1).forEach(value -> filled.add(value.at(token.position())));
            }
        }
        if (used != values.size()) {
            throw SqlRefusal.failed(
                    "the prepared statement has " + used + " parameters, and " + values.size() + " were sent");
        }
        return new SqlParser(text, filled);
    }

    /** Whether a statement, which need not be well-formed, is a query of the names and types that clients look up. */
    static boolean isOfNames(String sql) {
        List<SqlToken> tokens = SqlToken.of(sql);
        List<SqlToken> source = tokens.stream()
                .dropWhile(token -> !token.is("from"))
                .skip(1)
                .limit(1)
                .toList();
        return tokens.getFirst().is("select")
                && source.stream().anyMatch(first -> first.is("system") || first.is("information_schema"));
    }

    static String prepared(String name, Map<String, String> prepared) {
        String text = prepared.get(name);
        if (text == null) {
            throw new SqlRefusal(
                    SqlRefusal.Error.NOT_FOUND, "no statement was prepared with the name " + Text.quoted(name));
        }
        return text;
    }

    private List<SqlToken> literalTokens() {
        int begin = at;
        literal();
        return List.copyOf(tokens.subList(begin, at));
    }

    // SELECT

    SqlSelect select() {
        if (isNext("(")) {
            return within("(", () -> nested(this::select), ")");
        }
        require("select");
        boolean distinct = skip("distinct");
        if (!distinct) {
            skip("all");
        }
        List<Item> items = list(() -> new Item(skip("*") ? SqlExpression.STAR : expression(), alias()));
        From from = skip("from") ? from() : null;
        SqlExpression where = skip("where") ? expression() : null;
        List<SqlExpression> groupBy = skip("group", "by") ? keys("GROUP BY", this::expression) : List.of();
        SqlExpression having = skip("having") ? expression() : null;
        List<Order> order = skip("order", "by") ? keys("ORDER BY", this::order) : List.of();
        Long limit = skip("limit") && !skip("all") ? Long.valueOf(count()) : null;
        return new SqlSelect(distinct, items, from, where, groupBy, having, order, limit);
    }

    private <T> List<T> keys(String clause, Supplier<T> key) {
        List<T> keys = list(key);
        if (keys.size() > MOST_KEYS) {
            throw SqlRefusal.failed(clause + " may have at most " + MOST_KEYS + " keys, this has " + keys.size());
        }
        return keys;
    }

    private long count() {
        String number = require(Kind.NUMBER, "a number");
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException tooLarge) {
            throw SqlRefusal.malformed("a number of rows must be an integer below 2^63, was " + Text.quoted(number));
        }
    }

    private @Nullable String alias() {
        return skip("as") || isNameNext() ? name() : null;
    }

    private From from() {
        return isNext("(") ? new From(List.of(), nested(this::select), alias()) : new From(path(), null, alias());
    }

    private Order order() {
        SqlExpression value = expression();
        boolean descending = skip("desc");
        if (!descending) {
            skip("asc");
        }
        skip("nulls", "last");
        return new Order(value, descending);
    }

    // Expressions, from the operator that binds least to the operator that binds most

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
        return skip("not") ? not(true, nested(this::negation)) : comparison();
    }

    private static SqlExpression not(boolean isNot, SqlExpression condition) {
        return isNot ? new Operation("not", List.of(condition)) : condition;
    }

    private SqlExpression comparison() {
        SqlExpression left = sum();
        if (next().kind() == Kind.SIGN && COMPARISONS.contains(next().text())) {
            return new Operation(tokens.get(at++).text(), List.of(left, sum()));
        }
        if (skip("is")) {
            boolean isNot = skip("not");
            require("null");
            return not(isNot, new Operation("is null", List.of(left)));
        }
        boolean isNot = skip("not");
        if (skip("between")) {
            SqlExpression low = sum();
            require("and");
            return not(isNot, new Operation("between", List.of(left, low, sum())));
        }
        if (skip("in")) {
            List<SqlExpression> listed = within("(", () -> list(this::sum), ")");
            return not(
                    isNot,
                    new Operation(
                            "in",
                            Stream.concat(Stream.of(left), listed.stream()).toList()));
        }
        if (skip("like")) {
            SqlExpression pattern = sum();
            return not(
                    isNot,
                    new Operation("like", skip("escape") ? List.of(left, pattern, sum()) : List.of(left, pattern)));
        }
        if (isNot) {
            throw expected("\"in\", \"between\" or \"like\"");
        }
        return left;
    }

    private SqlExpression sum() {
        return arithmetic(Set.of("+", "-", "||"), () -> arithmetic(Set.of("*", "/", "%"), this::signed));
    }

    private SqlExpression arithmetic(Set<String> operators, Supplier<SqlExpression> operand) {
        SqlExpression left = operand.get();
        while (next().kind() == Kind.SIGN && operators.contains(next().text())) {
            if (++signs > MOST_SIGNS) {
                throw SqlRefusal.malformed("a statement may have at most " + MOST_SIGNS + " signs of arithmetic");
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
                    : new Operation("-", List.of(value));
        }
        return skip("+") ? nested(this::signed) : primary();
    }

    private SqlExpression primary() {
        if (isNext("(")) {
            return within("(", this::expression, ")");
        }
        if (isLiteralNext()) {
            return literal();
        }
        if (skip("cast") || skip("try_cast")) {
            return within("(", this::cast, ")");
        }
        if (skip("array")) {
            return new Operation("array", within("[", () -> list(this::expression), "]"));
        }
        if (!isNameNext()) {
            throw expected("an expression");
        }
        List<String> path = path();
        return isNext("(") ? within("(", () -> call(String.join(".", path)), ")") : new Name(path);
    }

    private SqlExpression call(String function) {
        if (isNext(")")) {
            return new Operation(function + "(", List.of());
        }
        return new Operation(
                function + (skip("distinct") ? "(distinct " : "("),
                list(() -> skip("*") ? SqlExpression.STAR : expression()));
    }

    private SqlExpression cast() {
        SqlExpression value = expression();
        require("as");
        String name = name();
        List<Integer> arguments = isNext("(")
                ? within("(", () -> list(() -> (int) Math.min(Integer.MAX_VALUE, count())), ")")
                : List.of();
        if (name.equals("varchar") && !arguments.isEmpty()) {
            throw SqlRefusal.unsupported("texts are not cut to a length: write varchar without one");
        }
        SqlType type = name.equals("varchar") ? SqlType.VARCHAR : new SqlType(name, arguments);
        return new Operation("cast", List.of(value, new Literal(type)));
    }

    // Literals

    private boolean isLiteralNext() {
        Kind kind = next().kind();
        boolean isTyped = kind == Kind.WORD && tokens.get(at + 1).kind() == Kind.TEXT;
        return isTyped
                || kind == Kind.NUMBER
                || kind == Kind.TEXT
                || isNext("true")
                || isNext("false")
                || isNext("null");
    }

    Literal literal() {
        if (skip("-")) {
            return new Literal(new BigDecimal(require(Kind.NUMBER, "a number")).negate());
        }
        if (!isLiteralNext()) {
            throw expected("a literal");
        }
        SqlToken token = tokens.get(at++);
        return new Literal(
                switch (token.kind()) {
                    case NUMBER -> new BigDecimal(token.text());
                    case TEXT -> token.text();
                    case WORD, QUOTED_NAME, SIGN, END ->
                        switch (token.text()) {
                            case "true" -> true;
                            case "false" -> false;
                            case "null" -> null;
                            default -> typed(token.text(), tokens.get(at++).text());
                        };
                });
    }

    /** A typed literal, for example {@code DATE '2026-01-31'}. Drivers write parameters of prepared statements so. */
    private static Object typed(String type, String text) {
        try {
            return new SqlType(type, List.of()).read(text);
        } catch (DateTimeException | IllegalArgumentException unreadable) {
            throw SqlRefusal.malformed(
                    "a literal with a type must be like DATE '2026-01-31', TIMESTAMP '2026-01-31 12:00:00 UTC' or"
                            + " BIGINT '5', was " + Text.quoted(type) + " " + Text.quoted(text));
        }
    }
}
