package dev.purser.sql;

import dev.purser.access.Principal;
import dev.purser.dataset.Column;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.TranslatedQuestions;
import dev.purser.query.TranslatedQuestions.Translated;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlSelect.From;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Runs statements. A SELECT about a dataset is checked as a whole, with everything that is done after the noise, before
 * its one question is asked. No other statement asks anything.
 */
@Service
public class SqlStatements {
    /** The version of Trino that clients are told. */
    public static final String VERSION = "480";

    public static final String CATALOG = "purser";
    public static final String SCHEMA = "main";

    private static final String OPERATION = "POST /v1/statement";

    private final TranslatedQuestions questions;
    private final VisibleDatasets datasets;
    private final SqlMetadata metadata;

    SqlStatements(TranslatedQuestions questions, VisibleDatasets datasets, SqlMetadata metadata) {
        this.questions = questions;
        this.datasets = datasets;
        this.metadata = metadata;
    }

    /**
     * A SELECT that was checked.
     *
     * @param question the question that it asks; null if nothing is asked
     * @param table the reply if nothing is asked; otherwise the reply without its rows
     * @param mostRows the most rows that it can return
     * @param shown makes the reply from the rows of the question
     */
    private record Plan(@Nullable SqlQuestion question, SqlTable table, long mostRows, UnaryOperator<SqlTable> shown) {
        static Plan free(SqlTable table) {
            return new Plan(null, table, table.rows().size(), rows -> rows);
        }
    }

    /**
     * Runs a statement.
     *
     * @param statement the statement in UTF-8
     * @param request keeps the answer, for the log
     * @throws SqlRefusal if it is refused as SQL
     * @throws ProblemException if its question is refused
     */
    public SqlReply run(Principal principal, byte[] statement, SqlSession session, HttpServletRequest request) {
        String sql = decoded(statement);
        Supplier<SqlReply> read;
        try {
            read = new Sent(principal, session, request).read(new SqlParser(sql), session.prepared());
        } catch (SqlRefusal refusal) {
            if (SqlParser.isOfNames(sql)) {
                return SqlReply.of(SqlMetadata.UNKNOWN);
            }
            throw refusal;
        }
        return read.get();
    }

    private static String decoded(byte[] statement) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(statement))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw SqlRefusal.malformed("a statement must be text in UTF-8");
        }
    }

    /** A statement that was sent. */
    private final class Sent {
        private final Principal principal;
        private final SqlSession session;
        private final HttpServletRequest request;

        Sent(Principal principal, SqlSession session, HttpServletRequest request) {
            this.principal = principal;
            this.session = session;
            this.request = request;
        }

        /** Reads a statement to its end. It runs when the result is called. */
        Supplier<SqlReply> read(SqlParser in, Map<String, String> prepared) {
            if (in.skip("execute")) {
                SqlParser executed = in.executed(prepared);
                in.end();
                return read(executed, Map.of());
            }
            Supplier<SqlReply> statement = statement(in);
            in.end();
            return statement;
        }

        private Supplier<SqlReply> statement(SqlParser in) {
            if (in.isNext("select") || in.isNext("(")) {
                SqlSelect select = in.select();
                return () -> run(plan(select));
            }
            if (in.skip("explain")) {
                if (in.isNext("(") || in.isNext("analyze")) {
                    throw SqlRefusal.unsupported("EXPLAIN has no options here: write EXPLAIN SELECT …");
                }
                SqlSelect select = in.select();
                return () -> explain(plan(select));
            }
            if (in.skip("show")) {
                return shown(in);
            }
            if (in.skip("describe", "output")) {
                String text = SqlParser.prepared(in.name(), session.prepared());
                return () -> SqlReply.of(SqlTable.ofTexts(
                        "Column Name, Catalog, Schema, Table, Type, Type Size, Aliased", outputs(text)));
            }
            if (in.skip("describe", "input")) {
                int count = SqlParser.parameters(SqlParser.prepared(in.name(), session.prepared()));
                return () -> SqlReply.of(SqlTable.ofTexts(
                        "Position, Type",
                        IntStream.range(0, count)
                                .mapToObj(i -> List.<@Nullable Object>of(String.valueOf(i), "unknown"))
                                .toList()));
            }
            if (in.skip("describe") || in.skip("desc")) {
                List<String> table = in.path();
                return () -> SqlReply.of(metadata.show(principal, "columns", table));
            }
            return setting(in);
        }

        private Supplier<SqlReply> shown(SqlParser in) {
            String what = in.words();
            if (what.startsWith("create ") || what.startsWith("stats ")) {
                // These name something, and there is nothing to show about it.
                in.rest();
            }
            List<String> of = in.skip("from") || in.skip("in") ? in.path() : List.of();
            String like = in.skip("like") ? in.text() : null;
            if (in.skip("escape") && !in.text().equals("\\")) {
                throw SqlRefusal.unsupported("SHOW takes no ESCAPE but the backslash: write ESCAPE '\\'");
            }
            return () -> {
                boolean isOfSession = what.equals("session") && of.isEmpty();
                SqlTable all = isOfSession ? session.table() : metadata.show(principal, what, of);
                return SqlReply.of(like == null ? all : all.like(like));
            };
        }

        // Statements that change a session

        private static Supplier<SqlReply> setting(SqlParser in) {
            if (in.skip("set", "session")) {
                String name = String.join(".", in.path());
                in.require("=");
                Object literal = in.literal().value();
                String value = literal instanceof BigDecimal number ? number.toPlainString() : String.valueOf(literal);
                SqlSession.check(name, value);
                return () -> SqlReply.done("SET SESSION").with("Set-Session", name + "=" + SqlSession.encoded(value));
            }
            if (in.skip("reset", "session")) {
                String name = SqlSession.named(String.join(".", in.path()));
                return () -> SqlReply.done("RESET SESSION").with("Clear-Session", name);
            }
            if (in.skip("use")) {
                SqlMetadata.requireSchema(in.path());
                return () -> SqlReply.done("USE").with("Set-Catalog", CATALOG).with("Set-Schema", SCHEMA);
            }
            if (in.skip("prepare")) {
                String name = in.name();
                in.require("from");
                String prepared = SqlSession.encoded(name) + "=" + SqlSession.encoded(in.rest());
                return () -> SqlReply.done("PREPARE").with("Added-Prepare", prepared);
            }
            if (in.skip("deallocate", "prepare")) {
                String name = SqlSession.encoded(in.name());
                return () -> SqlReply.done("DEALLOCATE").with("Deallocated-Prepare", name);
            }
            if (in.skip("call", "system", ".", "runtime", ".", "kill_query")) {
                // A statement is complete when its reply is sent.
                in.rest();
                return () -> SqlReply.done("CALL");
            }
            throw in.expected("SELECT, EXPLAIN, SHOW, DESCRIBE, SET SESSION, RESET SESSION, USE, PREPARE or EXECUTE");
        }

        /** The columns of a prepared statement. A statement with parameters has none before their values are known. */
        private List<List<@Nullable Object>> outputs(String text) {
            SqlParser in = new SqlParser(text);
            if (SqlParser.parameters(text) > 0 || !in.isNext("select") && !in.isNext("(")) {
                return List.of();
            }
            SqlSelect select = in.select();
            in.end();
            return plan(select).table().columns().stream()
                    .map(column -> List.<@Nullable Object>of(
                            column.name(), CATALOG, SCHEMA, "", column.type().toString(), "8", "true"))
                    .toList();
        }

        // Plans

        private Plan plan(SqlSelect select) {
            From from = select.from();
            if (from == null) {
                if (!select.groupBy().isEmpty() || select.having() != null) {
                    throw SqlRefusal.unsupported("GROUP BY and HAVING need a table after FROM");
                }
                return free(select, new SqlTable(List.of(), List.of(List.of())), null);
            }
            if (from.inner() != null) {
                return around(select, plan(from.inner()), from.alias());
            }
            if (SqlMetadata.isMetadata(from.table())) {
                return Plan.free(metadata.select(principal, from, select));
            }
            return about(select, new SqlColumns(metadata.dataset(principal, from.table()), from.alias()));
        }

        private static Plan free(SqlSelect select, SqlTable table, @Nullable String called) {
            SqlRows rows = SqlRows.named(table, called);
            // The rows that meet the condition are counted when they are selected.
            rows.check(select, select.where(), 0);
            return Plan.free(rows.select(select, select.where()));
        }

        private static Plan around(SqlSelect outer, Plan inner, @Nullable String alias) {
            if (outer.where() != null
                    || outer.having() != null
                    || !outer.groupBy().isEmpty()
                    || outer.distinct()) {
                throw SqlRefusal.unsupported(
                        "around a SELECT there is * or a list of its columns, ORDER BY and LIMIT: write"
                                + " conditions in its WHERE or HAVING, and GROUP BY in it");
            }
            SqlRows.named(inner.table(), alias).check(outer, null, inner.mostRows());
            return new Plan(
                    outer.isOfNoRows() ? null : inner.question(),
                    SqlRows.named(inner.table(), alias).select(outer, null),
                    SqlRows.most(outer, inner.mostRows()),
                    rows -> SqlRows.named(inner.shown().apply(rows), alias).select(outer, null));
        }

        private Plan about(SqlSelect select, SqlColumns columns) {
            boolean hasMeasure =
                    select.items().stream().anyMatch(item -> SqlMeasure.isIn(item.value())) || select.having() != null;
            if (!hasMeasure && (select.isOfNoRows() || select.where() != null && SqlRows.isFalse(select.where()))) {
                List<SqlTable.Column> all = columns.dataset().columns().stream()
                        .map(column -> new SqlTable.Column(column.name(), SqlType.of(column)))
                        .toList();
                return Plan.free(SqlRows.named(new SqlTable(all, List.of()), columns.called())
                        .select(select, null));
            }
            if (select.items().stream().anyMatch(item -> item.value().equals(SqlExpression.STAR))) {
                throw SqlRefusal.unsupported(
                        "rows are not shown: write aggregates of groups, such as SELECT key, COUNT(*)" + " FROM "
                                + columns.dataset().id() + " GROUP BY key");
            }
            if (!hasMeasure) {
                return categories(select, columns);
            }
            SqlQuestion question = new SqlQuestion(select, columns, session);
            return new Plan(
                    select.isOfNoRows() ? null : question,
                    question.table(MissingNode.getInstance()),
                    question.mostRows(),
                    rows -> rows);
        }

        /** The categories of a column are public. A condition can be on them alone. */
        private static Plan categories(SqlSelect select, SqlColumns columns) {
            SqlExpression item = select.items().getFirst().value();
            List<SqlExpression> key = select.groupBy();
            boolean isGrouped = key.equals(List.of(item)) || key.equals(List.of(new Literal(BigDecimal.ONE)));
            boolean isList = select.items().size() == 1 && (select.distinct() ? key.isEmpty() : isGrouped);
            if (!isList || !(item instanceof Name name) || !(columns.named(name) instanceof Column.Category category)) {
                throw SqlRefusal.unsupported(
                        "rows are not shown: write aggregates of groups, such as COUNT(*) with GROUP BY, or SELECT"
                                + " DISTINCT column for the categories of one column (DESCRIBE shows the range of"
                                + " another); was " + item.shown());
            }
            SqlType type = SqlType.of(category);
            List<List<@Nullable Object>> rows = new ArrayList<>();
            category.categories().forEach(each -> rows.add(List.of(type.read(each))));
            return free(
                    select, new SqlTable(List.of(new SqlTable.Column(category.name(), type)), rows), columns.called());
        }

        // Running

        private SqlReply run(Plan plan) {
            if (plan.question() == null) {
                return SqlReply.of(plan.table());
            }
            JsonNode envelope = ask(plan.question());
            SqlTable rows = plan.question().table(envelope.path("answer"));
            return new SqlReply(
                    envelope.path("queryId").asString(), plan.shown().apply(rows), null, Map.of());
        }

        private JsonNode ask(SqlQuestion question) {
            Translated translated = question.translated();
            // As for every question, it is checked here whether the dataset may be asked about now.
            Translated asked = new Translated(
                            datasets.requireReady(
                                    principal, translated.dataset().id()),
                            translated.kind(),
                            translated.fields())
                    .with(session.reuse());
            String epsilon = session.epsilon();
            return epsilon == null ? stored(question, asked.with(Map.of("spend", false))) : ask(asked, epsilon);
        }

        private JsonNode ask(Translated asked, String epsilon) {
            return questions.ask(principal, asked.with(Map.of("epsilon", epsilon)), OPERATION, request);
        }

        /** The stored answer with the largest epsilon. Nothing is charged. */
        private JsonNode stored(SqlQuestion question, Translated asked) {
            for (String epsilon : questions.storedEpsilons(question.translated())) {
                try {
                    return ask(asked, epsilon);
                } catch (ProblemException refusal) {
                    if (refusal.type() != ProblemType.NOTHING_STORED) {
                        throw refusal;
                    }
                }
            }
            String enough;
            try {
                enough = "with epsilon " + quote(question).path("epsilon").asString()
                        + " the first aggregate is expected within 5 % of its range";
            } catch (ProblemException unmet) {
                enough = "no epsilon brings the first aggregate within 5 % of its range";
            }
            throw SqlRefusal.failed(
                    "no answer to this is stored, and the session has no epsilon to ask it with: SET SESSION"
                            + " epsilon = '0.1', or sessionProperties=epsilon:0.1 in JDBC; " + enough);
        }

        /**
         * The quote of a question. Without an epsilon, it quotes the epsilon that is enough for the first aggregate.
         */
        private JsonNode quote(SqlQuestion question) {
            String epsilon = session.epsilon();
            return questions.quote(
                    principal,
                    question.translated()
                            .with(
                                    epsilon == null
                                            ? Map.of("targetAlpha", question.target())
                                            : Map.of("epsilon", epsilon)));
        }

        /** The question, and the main members of its quote, one line for each value. */
        private SqlReply explain(Plan plan) {
            List<String> lines = new ArrayList<>();
            if (plan.question() == null) {
                lines.add("Nothing is asked, and nothing is charged.");
            } else {
                Translated asked = plan.question().translated();
                lines.add("question: " + asked.kind() + " of " + asked.dataset().id() + " " + asked.fields());
                JsonNode quote = quote(plan.question());
                for (String member : List.of("epsilon", "charge", "affordable", "accuracy", "freeFrom")) {
                    add(member, quote.path(member), lines);
                }
            }
            return SqlReply.of(SqlTable.ofTexts(
                    "Query Plan",
                    lines.stream()
                            .map(Collections::<@Nullable Object>singletonList)
                            .toList()));
        }

        private static void add(String name, JsonNode value, List<String> lines) {
            if (value.isObject()) {
                value.forEachEntry((member, inner) -> add(name + "." + member, inner, lines));
            } else if (value.isString() || value.isNumber() || value.isBoolean()) {
                lines.add(name + ": " + value.asString());
            }
        }
    }
}
