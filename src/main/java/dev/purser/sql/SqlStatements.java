package dev.purser.sql;

import dev.purser.access.Principal;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.TranslatedQuestions;
import dev.purser.query.TranslatedQuestions.Translated;
import dev.purser.sql.SqlExpression.Literal;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlExpression.Operation;
import dev.purser.sql.SqlExpression.Star;
import dev.purser.sql.SqlStatement.From;
import dev.purser.sql.SqlStatement.Item;
import dev.purser.sql.SqlStatement.Select;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

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
    private static final String PREPARED = "PREPARE";

    private final TranslatedQuestions questions;
    private final VisibleDatasets datasets;
    private final SqlMetadata metadata;

    SqlStatements(TranslatedQuestions questions, VisibleDatasets datasets, SqlMetadata metadata) {
        this.questions = questions;
        this.datasets = datasets;
        this.metadata = metadata;
    }

    /** Whose statement it is, and what its client sent with it. */
    private record Asker(Principal principal, SqlSession session, HttpServletRequest request) {}

    /** A SELECT that was checked. */
    private sealed interface Plan {
        /** Nothing is asked. */
        record Free(SqlTable table) implements Plan {}

        record Asked(SqlQuestion question, Translated translated) implements Plan {}

        /** @param outer what is done with the rows of the inner one */
        record Outer(Select outer, Plan inner, @Nullable String alias) implements Plan {
            SqlTable rows(SqlTable of) {
                return SqlRows.named(of, alias).select(outer, null);
            }
        }
    }

    /**
     * Runs a statement.
     *
     * @param statement in UTF-8
     * @param request keeps the answer, for the log
     * @throws SqlRefusal if it is refused as SQL
     * @throws ProblemException if its question is refused
     */
    public SqlReply run(Principal principal, byte[] statement, SqlSession session, HttpServletRequest request) {
        Asker asker = new Asker(principal, session, request);
        return switch (read(decoded(statement), session)) {
            case SqlStatement.Query(Select select) -> run(plan(select, asker), asker);
            case SqlStatement.Explain(Select select) -> explain(plan(select, asker), asker);
            case SqlStatement.SetSession(String name, String value) -> set(name, value);
            case SqlStatement.Use(List<String> schema) -> use(schema);
            case SqlStatement.Prepare(String name, String text) ->
                SqlReply.done(PREPARED).with("Added-Prepare", SqlHeaders.pair(name, text));
            case SqlStatement.Deallocate(String name) ->
                SqlReply.done("DEALLOCATE").with("Deallocated-Prepare", SqlHeaders.encoded(name));
            case SqlStatement.DescribePrepared described -> described(described, asker);
            case SqlStatement.Show show -> SqlReply.of(metadata.show(principal, show, session));
            case SqlStatement.Kill() -> SqlReply.done("CALL");
        };
    }

    private static String decoded(byte[] statement) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(statement))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new SqlRefusal(SqlRefusal.Error.SYNTAX_ERROR, "a statement must be text in UTF-8");
        }
    }

    /** A query of names and types that cannot be read is one that is not known. */
    private static SqlStatement read(String statement, SqlSession session) {
        try {
            return SqlParser.read(statement, session.prepared());
        } catch (SqlRefusal refusal) {
            List<SqlToken> tokens = SqlToken.of(statement);
            int from = 0;
            while (from < tokens.size() - 1 && !tokens.get(from).is("from")) {
                from++;
            }
            SqlToken source = tokens.get(Math.min(from + 1, tokens.size() - 1));
            if (tokens.getFirst().is("select") && (source.is("system") || source.is("information_schema"))) {
                return new SqlStatement.Show("what is not known", List.of(), null);
            }
            throw refusal;
        }
    }

    // Plans

    private Plan plan(Select select, Asker asker) {
        return switch (select.from()) {
            case null -> free(select, new SqlTable(List.of(), List.of(List.of())));
            case From.Inner(Select inner, String alias) -> outer(select, plan(inner, asker), alias);
            case From.Table table
            when SqlMetadata.isMetadata(table.name()) ->
                new Plan.Free(metadata.select(asker.principal(), table, select));
            case From.Table(List<String> name, String alias) ->
                about(select, new SqlColumns(metadata.dataset(asker.principal(), name), alias), asker);
        };
    }

    private static Plan free(Select select, SqlTable table) {
        if (!select.groupBy().isEmpty() || select.having() != null) {
            throw SqlRefusal.unsupported("GROUP BY and HAVING need a table after FROM");
        }
        return rows(select, table, null);
    }

    private static Plan rows(Select select, SqlTable table, @Nullable String called) {
        SqlRows rows = SqlRows.named(table, called);
        // What the condition leaves is counted when it is taken.
        rows.check(select, select.where(), 0);
        return new Plan.Free(rows.select(select, select.where()));
    }

    private static Plan outer(Select select, Plan inner, @Nullable String alias) {
        if (select.where() != null
                || select.having() != null
                || !select.groupBy().isEmpty()
                || select.distinct()) {
            throw SqlRefusal.unsupported(
                    "around a SELECT there is * or a list of its columns, ORDER BY and LIMIT: write"
                            + " conditions in its WHERE or HAVING, and GROUP BY in it");
        }
        SqlRows.named(empty(inner), alias).check(select, null, mostRows(inner));
        return new Plan.Outer(select, inner, alias);
    }

    private Plan about(Select select, SqlColumns columns, Asker asker) {
        boolean hasMeasure =
                select.items().stream().anyMatch(item -> SqlMeasure.isMeasure(item.value())) || select.having() != null;
        if (!hasMeasure && returnsNothing(select)) {
            List<SqlTable.Column> all = columns.dataset().columns().stream()
                    .map(column -> new SqlTable.Column(column.name(), SqlType.of(column)))
                    .toList();
            return new Plan.Free(SqlRows.named(new SqlTable(all, List.of()), columns.called())
                    .select(select, null));
        }
        if (select.items().stream().anyMatch(item -> item.value() instanceof Star)) {
            throw SqlRefusal.unsupported("rows are not shown: write aggregates of groups, such as SELECT key, COUNT(*)"
                    + " FROM " + columns.dataset().id() + " GROUP BY key");
        }
        if (!hasMeasure) {
            return categories(select, columns);
        }
        SqlQuestion question = SqlQuestion.of(select, columns, asker.session().hasIntervals());
        Translated translated = new Translated(
                columns.dataset(), question.kind(), asker.session().fields());
        for (Map.Entry<String, Object> field : question.request().entrySet()) {
            translated = translated.with(field.getKey(), field.getValue());
        }
        return new Plan.Asked(question, translated);
    }

    /** Clients look at the columns of what has no rows. */
    private static boolean returnsNothing(Select select) {
        return Optional.ofNullable(select.limit()).equals(Optional.of(0L))
                || select.where() != null && isConstant(select.where()) && !SqlRows.isTrue(select.where());
    }

    private static boolean isConstant(SqlExpression expression) {
        return switch (expression) {
            case Literal _ -> true;
            case Operation(String _, List<SqlExpression> operands) ->
                operands.stream().allMatch(SqlStatements::isConstant);
            default -> false;
        };
    }

    /** The categories of a column are public. A condition can be on them alone. */
    private static Plan categories(Select select, SqlColumns columns) {
        select.items().stream()
                .map(Item::value)
                .filter(item -> !(item instanceof Name))
                .findFirst()
                .ifPresent(item -> {
                    throw SqlQuestion.noItem(item);
                });
        SqlExpression item = select.items().getFirst().value();
        boolean isList = select.distinct() && select.groupBy().isEmpty()
                || !select.distinct()
                        && select.groupBy().size() == 1
                        && isSame(select.groupBy().getFirst(), item);
        if (!isList || select.items().size() > 1 || !(item instanceof Name name)) {
            throw SqlRefusal.unsupported(
                    "rows are not shown: write aggregates of groups, such as COUNT(*) with GROUP BY,"
                            + " or SELECT DISTINCT column for the categories of one column");
        }
        if (!(columns.named(name) instanceof Column.Category category)) {
            throw SqlRefusal.unsupported("SELECT DISTINCT is for a column with categories, and "
                    + SqlColumns.written(columns.named(name)) + " has a range: DESCRIBE shows it");
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        category.categories()
                .forEach(each -> rows.add(List.of(category.hasNames() ? each : (Object) Boolean.valueOf(each))));
        return rows(
                select,
                new SqlTable(List.of(new SqlTable.Column(category.name(), SqlType.of(category))), rows),
                columns.called());
    }

    private static boolean isSame(SqlExpression key, SqlExpression item) {
        return key.equals(item) || key instanceof Literal(BigDecimal place) && place.compareTo(BigDecimal.ONE) == 0;
    }

    /** The table that a plan returns, without its rows. */
    private static SqlTable empty(Plan plan) {
        return switch (plan) {
            case Plan.Free(SqlTable table) -> new SqlTable(table.columns(), List.of());
            case Plan.Asked(SqlQuestion question, Translated _) -> question.nothing();
            case Plan.Outer outer -> outer.rows(empty(outer.inner()));
        };
    }

    private static long mostRows(Plan plan) {
        return switch (plan) {
            case Plan.Free(SqlTable table) -> table.rows().size();
            case Plan.Asked(SqlQuestion question, Translated _) -> question.mostRows();
            case Plan.Outer(Select outer, Plan inner, String _) -> SqlRows.most(outer, mostRows(inner));
        };
    }

    // Running

    private SqlReply run(Plan plan, Asker asker) {
        return switch (plan) {
            case Plan.Free(SqlTable table) -> SqlReply.of(table);
            case Plan.Outer outer -> {
                SqlReply ran =
                        returnsNothing(outer.outer()) ? SqlReply.of(empty(outer.inner())) : run(outer.inner(), asker);
                yield new SqlReply(ran.queryId(), outer.rows(ran.table()), null, Map.of());
            }
            case Plan.Asked asked when asked.question().returnsNothing() -> SqlReply.of(empty(asked));
            case Plan.Asked(SqlQuestion question, Translated translated) -> {
                JsonObject envelope = ask(question, translated, asker);
                yield new SqlReply(
                        text(envelope, "queryId"),
                        question.reply((JsonObject)
                                Objects.requireNonNull(envelope.members().get("answer"))),
                        null,
                        Map.of());
            }
        };
    }

    private JsonObject ask(SqlQuestion question, Translated translated, Asker asker) {
        // Whether it may be asked now is checked here, as for every question.
        Dataset ready =
                datasets.requireReady(asker.principal(), translated.dataset().id());
        Translated asked = new Translated(ready, translated.kind(), translated.fields());
        for (Map.Entry<String, Object> field : asker.session().reuse().entrySet()) {
            asked = asked.with(field.getKey(), field.getValue());
        }
        Optional<String> epsilon = asker.session().value(SqlSession.Property.EPSILON);
        return epsilon.isPresent()
                ? questions.ask(
                        asker.principal(), asked.with("epsilon", epsilon.orElseThrow()), OPERATION, asker.request())
                : stored(question, translated, asked.with("spend", false), asker);
    }

    /** The stored answer with the largest epsilon. None of them is charged. */
    private JsonObject stored(SqlQuestion question, Translated translated, Translated asked, Asker asker) {
        for (String epsilon : questions.storedEpsilons(translated)) {
            try {
                return questions.ask(asker.principal(), asked.with("epsilon", epsilon), OPERATION, asker.request());
            } catch (ProblemException refusal) {
                if (refusal.type() != ProblemType.NOTHING_STORED) {
                    throw refusal;
                }
            }
        }
        String enough;
        try {
            JsonObject quote = questions.quote(asker.principal(), translated.with("targetAlpha", question.target()));
            enough = "; with epsilon " + text(quote, "epsilon")
                    + " the first aggregate is expected within 5 % of its range";
        } catch (ProblemException unmet) {
            enough = "; no epsilon brings the first aggregate within 5 % of its range";
        }
        throw new SqlRefusal(
                SqlRefusal.Error.GENERIC_USER_ERROR,
                "no answer to this is stored, and the session has no epsilon to ask it with: SET SESSION epsilon ="
                        + " '0.1', or sessionProperties=epsilon:0.1 in JDBC" + enough);
    }

    private SqlReply explain(Plan plan, Asker asker) {
        return switch (plan) {
            case Plan.Free _ ->
                SqlReply.of(SqlTable.ofTexts(
                        List.of("Query Plan"), List.of(List.of("Nothing is asked, and nothing is charged."))));
            case Plan.Outer(Select _, Plan inner, String _) -> explain(inner, asker);
            case Plan.Asked(SqlQuestion question, Translated translated) -> {
                Optional<String> epsilon = asker.session().value(SqlSession.Property.EPSILON);
                JsonObject quote = questions.quote(
                        asker.principal(),
                        epsilon.isPresent()
                                ? translated.with("epsilon", epsilon.orElseThrow())
                                : translated.with("targetAlpha", question.target()));
                yield SqlReply.of(SqlQuotes.table(translated, quote));
            }
        };
    }

    private static String text(JsonObject in, String member) {
        return in.members().get(member) instanceof JsonString(String text) ? text : "";
    }

    // What changes a session

    private static SqlReply set(String name, @Nullable String value) {
        SqlSession.check(name, value == null ? "" : value, value == null);
        return value == null
                ? SqlReply.done("RESET SESSION").with("Clear-Session", name)
                : SqlReply.done("SET SESSION").with("Set-Session", SqlHeaders.pair(name, value));
    }

    private static SqlReply use(List<String> schema) {
        SqlMetadata.requireSchema(schema);
        return SqlReply.done("USE").with("Set-Catalog", CATALOG).with("Set-Schema", SCHEMA);
    }

    private SqlReply described(SqlStatement.DescribePrepared described, Asker asker) {
        String text = asker.session().prepared().get(described.name());
        if (text == null) {
            throw SqlParser.notPrepared(described.name());
        }
        if (!described.output()) {
            List<List<@Nullable Object>> parameters = new ArrayList<>();
            for (int i = 0; i < SqlParser.parameters(text); i++) {
                parameters.add(List.of(String.valueOf(i), "unknown"));
            }
            return SqlReply.of(SqlTable.ofTexts(List.of("Position", "Type"), parameters));
        }
        return SqlReply.of(SqlTable.ofTexts(
                List.of("Column Name", "Catalog", "Schema", "Table", "Type", "Type Size", "Aliased"),
                outputs(text, asker)));
    }

    /** Without values for its parameters, a statement has no columns yet. */
    private List<List<@Nullable Object>> outputs(String text, Asker asker) {
        if (SqlParser.parameters(text) > 0 || !(SqlParser.read(text, Map.of()) instanceof SqlStatement.Query query)) {
            return List.of();
        }
        return empty(plan(query.select(), asker)).columns().stream()
                .map(column -> List.<@Nullable Object>of(
                        column.name(), CATALOG, SCHEMA, "", column.type().text(), "8", "true"))
                .toList();
    }
}
