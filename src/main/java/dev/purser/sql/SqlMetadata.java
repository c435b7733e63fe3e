package dev.purser.sql;

import dev.purser.access.Principal;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.Alternatives;
import dev.purser.problem.ProblemException;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlStatement.Item;
import dev.purser.sql.SqlStatement.Select;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The names and types that clients look up when they connect and browse: a catalogue, a schema, a table for each
 * dataset that the key sees, and its columns. All of it is public to who may ask. What is not known is empty, because a
 * client shows nothing at all after an error.
 */
@Component
class SqlMetadata {
    /** So many datasets are listed. */
    private static final int MOST_TABLES = 1_000;

    private static final int NULLABLE_NO = 0;

    private final VisibleDatasets datasets;

    SqlMetadata(VisibleDatasets datasets) {
        this.datasets = datasets;
    }

    /** Whether a table of this name is one of names and types, known or not. */
    static boolean isMetadata(List<String> table) {
        return table.isEmpty()
                || table.contains("information_schema")
                || table.size() > 1 && table.getFirst().equals("system")
                || table.getLast().contains("$");
    }

    /** What a SELECT from such a table returns. */
    SqlTable select(Principal principal, List<String> table, Select select) {
        try {
            return table(principal, table)
                    .filter(known -> select.groupBy().isEmpty() && select.having() == null)
                    .map(known -> SqlRows.named(known).select(select, select.where()))
                    .orElseGet(() -> nothing(select));
        } catch (SqlRefusal unknown) {
            return nothing(select);
        }
    }

    /** An empty table with the columns that are asked for. */
    private static SqlTable nothing(Select select) {
        List<String> names = new ArrayList<>();
        for (Item item : select.items()) {
            if (item.name() != null) {
                names.add(item.name());
            } else if (item.value() instanceof Name name) {
                names.add(name.last());
            } else {
                names.add("_col" + names.size());
            }
        }
        return SqlTable.ofTexts(names, List.of());
    }

    private Optional<SqlTable> table(Principal principal, List<String> name) {
        List<String> path = name.getFirst().equals(SqlStatements.CATALOG) ? name.subList(1, name.size()) : name;
        return switch (String.join(".", path)) {
            case "system.jdbc.catalogs", "system.metadata.catalogs" -> texts("TABLE_CAT", row(SqlStatements.CATALOG));
            case "system.jdbc.schemas" ->
                texts("TABLE_SCHEM,TABLE_CATALOG", row(SqlStatements.SCHEMA, SqlStatements.CATALOG));
            case "system.jdbc.table_types" -> texts("TABLE_TYPE", row("TABLE"));
            case "system.jdbc.tables" -> jdbcTables(principal);
            case "system.jdbc.columns" -> jdbcColumns(principal);
            case "system.jdbc.types" -> Optional.of(types());
            case "system.metadata.table_comments" ->
                texts("catalog_name,schema_name,table_name,comment", tables(principal, 4));
            case "information_schema.schemata" ->
                texts("catalog_name,schema_name", row(SqlStatements.CATALOG, SqlStatements.SCHEMA));
            case "information_schema.tables" ->
                texts("table_catalog,table_schema,table_name,table_type", tables(principal, 4, "BASE TABLE"));
            case "information_schema.columns" -> Optional.of(schemaColumns(principal));
            case "information_schema.views" ->
                texts("table_catalog,table_schema,table_name,view_definition", Stream.of());
            default -> Optional.empty();
        };
    }

    private static Stream<List<@Nullable Object>> row(@Nullable Object... values) {
        return Stream.of(Arrays.asList(values));
    }

    private static Optional<SqlTable> texts(String names, Stream<List<@Nullable Object>> rows) {
        return Optional.of(SqlTable.ofTexts(List.of(names.split(",")), rows.toList()));
    }

    private Stream<String> ids(Principal principal) {
        return datasets.ids(principal, MOST_TABLES).stream();
    }

    /** A row for each table: catalogue, schema, name, then these values, then NULLs. */
    private Stream<List<@Nullable Object>> tables(Principal principal, int width, Object... after) {
        return ids(principal).map(id -> {
            List<@Nullable Object> row = new ArrayList<>(List.of(SqlStatements.CATALOG, SqlStatements.SCHEMA, id));
            row.addAll(List.of(after));
            while (row.size() < width) {
                row.add(null);
            }
            return row;
        });
    }

    private Optional<SqlTable> jdbcTables(Principal principal) {
        return texts(
                "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,TABLE_TYPE,REMARKS,TYPE_CAT,TYPE_SCHEM,TYPE_NAME,"
                        + "SELF_REFERENCING_COL_NAME,REF_GENERATION",
                tables(principal, 10, "TABLE"));
    }

    private Stream<Dataset> all(Principal principal) {
        return ids(principal).map(id -> datasets.require(principal, id));
    }

    private SqlTable schemaColumns(Principal principal) {
        return table(
                "table_catalog,table_schema,table_name,column_name,ordinal_position#,column_default,is_nullable,"
                        + "data_type,comment",
                all(principal)
                        .flatMap(dataset -> IntStream.range(0, dataset.columns().size())
                                .mapToObj(i -> {
                                    Column column = dataset.columns().get(i);
                                    return Arrays.<@Nullable Object>asList(
                                            SqlStatements.CATALOG,
                                            SqlStatements.SCHEMA,
                                            dataset.id(),
                                            column.name(),
                                            BigDecimal.valueOf(i + 1L),
                                            null,
                                            "NO",
                                            SqlType.of(column).text(),
                                            comment(column));
                                })));
    }

    private Optional<SqlTable> jdbcColumns(Principal principal) {
        return Optional.of(table(
                "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,COLUMN_NAME,DATA_TYPE#,TYPE_NAME,COLUMN_SIZE#,BUFFER_LENGTH#,"
                        + "DECIMAL_DIGITS#,NUM_PREC_RADIX#,NULLABLE#,REMARKS,COLUMN_DEF,SQL_DATA_TYPE#,"
                        + "SQL_DATETIME_SUB#,CHAR_OCTET_LENGTH#,ORDINAL_POSITION#,IS_NULLABLE,SCOPE_CATALOG,"
                        + "SCOPE_SCHEMA,SCOPE_TABLE,SOURCE_DATA_TYPE#,IS_AUTOINCREMENT,IS_GENERATEDCOLUMN",
                all(principal)
                        .flatMap(dataset ->
                                IntStream.range(0, dataset.columns().size()).mapToObj(i -> jdbcColumn(dataset, i)))));
    }

    private static List<@Nullable Object> jdbcColumn(Dataset dataset, int position) {
        Column column = dataset.columns().get(position);
        SqlType type = SqlType.of(column);
        List<@Nullable Object> row = new ArrayList<>(Arrays.<@Nullable Object>asList(
                SqlStatements.CATALOG,
                SqlStatements.SCHEMA,
                dataset.id(),
                column.name(),
                BigDecimal.valueOf(type.jdbcCode()),
                type.text(),
                type.arguments().isEmpty()
                        ? null
                        : BigDecimal.valueOf(type.arguments().getFirst()),
                null,
                type.arguments().size() < 2
                        ? null
                        : BigDecimal.valueOf(type.arguments().getLast()),
                BigDecimal.TEN,
                BigDecimal.valueOf(NULLABLE_NO),
                comment(column)));
        row.addAll(Arrays.asList(null, null, null, null, BigDecimal.valueOf(position + 1L), "NO"));
        row.addAll(Arrays.asList(null, null, null, null, "NO", "NO"));
        return row;
    }

    private static SqlTable types() {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (SqlType type : List.of(SqlType.VARCHAR, SqlType.BIGINT, SqlType.DOUBLE, SqlType.BOOLEAN, SqlType.DATE)) {
            List<@Nullable Object> row =
                    new ArrayList<>(Arrays.<@Nullable Object>asList(type.raw(), BigDecimal.valueOf(type.jdbcCode())));
            while (row.size() < 18) {
                row.add(null);
            }
            rows.add(row);
        }
        return table(
                "TYPE_NAME,DATA_TYPE#,PRECISION#,LITERAL_PREFIX,LITERAL_SUFFIX,CREATE_PARAMS,NULLABLE#,"
                        + "CASE_SENSITIVE,SEARCHABLE#,UNSIGNED_ATTRIBUTE,FIXED_PREC_SCALE,AUTO_INCREMENT,"
                        + "LOCAL_TYPE_NAME,MINIMUM_SCALE#,MAXIMUM_SCALE#,SQL_DATA_TYPE#,SQL_DATETIME_SUB#,"
                        + "NUM_PREC_RADIX#",
                rows.stream());
    }

    /** The names that end with {@code #} are of numbers. */
    private static SqlTable table(String names, Stream<List<@Nullable Object>> rows) {
        return new SqlTable(
                Arrays.stream(names.split(","))
                        .map(name -> name.endsWith("#")
                                ? new SqlTable.Column(name.substring(0, name.length() - 1), SqlType.BIGINT)
                                : SqlTable.text(name))
                        .toList(),
                rows.toList());
    }

    /** The bounds or the categories. */
    private static String comment(Column column) {
        return switch (column) {
            case Column.Category category -> Alternatives.listed(category.categories());
            case Column.Numeric numeric ->
                numeric.notation().shown(numeric.lower()) + " to "
                        + numeric.notation().shown(numeric.upper()) + ", in steps of "
                        + numeric.notation().distance(1);
        };
    }

    /** The reply to SHOW and DESCRIBE. */
    SqlTable show(Principal principal, SqlStatement.Show show, SqlSession session) {
        return switch (show.what()) {
            case "catalogs" -> like(show, "Catalog", Stream.of(SqlStatements.CATALOG));
            case "schemas" ->
                like(
                        show,
                        "Schema",
                        show.of().isEmpty() || show.of().equals(List.of(SqlStatements.CATALOG))
                                ? Stream.of("information_schema", SqlStatements.SCHEMA)
                                : Stream.of());
            case "tables" -> like(show, "Table", isHere(show.of()) ? ids(principal) : Stream.of());
            case "columns" -> columns(principal, show);
            case "session" -> session(session);
            default -> SqlTable.ofTexts(List.of("Result"), List.of());
        };
    }

    private static boolean isHere(List<String> schema) {
        return schema.isEmpty() || schema.getLast().toLowerCase(Locale.ROOT).equals(SqlStatements.SCHEMA);
    }

    private static SqlTable like(SqlStatement.Show show, String column, Stream<String> names) {
        return SqlTable.ofTexts(
                List.of(column),
                names.filter(name -> show.like() == null || SqlRows.isLike(name, show.like(), "\\"))
                        .map(List::<@Nullable Object>of)
                        .toList());
    }

    private SqlTable columns(Principal principal, SqlStatement.Show show) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        if (!isMetadata(show.of())) {
            for (Column column : dataset(principal, show.of()).columns()) {
                rows.add(List.of(column.name(), SqlType.of(column).text(), "", comment(column)));
            }
        }
        return SqlTable.ofTexts(List.of("Column", "Type", "Extra", "Comment"), rows);
    }

    private static SqlTable session(SqlSession session) {
        return SqlTable.ofTexts(
                List.of("Name", "Value", "Default", "Type", "Description"),
                Arrays.stream(SqlSession.Property.values())
                        .map(each -> List.<@Nullable Object>of(
                                each.label(), session.value(each).orElse(""), "", each.type, each.description))
                        .toList());
    }

    /** The dataset that a table's name means. */
    Dataset dataset(Principal principal, List<String> table) {
        String id = table.getLast();
        List<String> schema = table.subList(0, table.size() - 1);
        if (schema.size() > 2
                || !schema.isEmpty() && !schema.getLast().equals(SqlStatements.SCHEMA)
                || schema.size() == 2 && !schema.getFirst().equals(SqlStatements.CATALOG)) {
            throw new SqlRefusal(
                    SqlRefusal.Error.SCHEMA_NOT_FOUND,
                    "the only schema is " + SqlStatements.CATALOG + "." + SqlStatements.SCHEMA + ", was "
                            + String.join(".", schema));
        }
        try {
            return datasets.require(principal, id);
        } catch (ProblemException notFound) {
            List<String> ids = datasets.ids(principal, MOST_TABLES);
            return datasets.require(principal, SqlNames.meant(id, ids, "table", SqlRefusal.Error.TABLE_NOT_FOUND));
        }
    }
}
