package dev.purser.sql;

import dev.purser.access.Principal;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.Alternatives;
import dev.purser.problem.ProblemException;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlStatement.From;
import dev.purser.sql.SqlStatement.Item;
import dev.purser.sql.SqlStatement.Select;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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

    /** What the rows of a table of names and types are about. */
    private enum About {
        NOTHING,
        SCHEMA,
        TYPE,
        TABLE,
        COLUMN
    }

    /** A table of names and types: a row for each thing that it is about. */
    private record Known(About about, List<SqlTable.Column> columns) {
        /** Columns that differ only in case have one value, unless there is one for the name as it is. */
        List<@Nullable Object> row(Map<String, Object> facts) {
            List<@Nullable Object> row = new ArrayList<>();
            for (SqlTable.Column column : columns) {
                row.add(facts.getOrDefault(
                        column.name(), facts.get(column.name().toUpperCase(Locale.ROOT))));
            }
            return row;
        }
    }

    /** The tables that are known, with what they are about and their columns. Those with {@code #} are of numbers. */
    private static final Map<String, Known> KNOWN = """
            system.jdbc.catalogs SCHEMA TABLE_CAT
            system.jdbc.schemas SCHEMA TABLE_SCHEM TABLE_CATALOG
            system.jdbc.table_types SCHEMA TABLE_TYPE
            system.jdbc.tables TABLE TABLE_CAT TABLE_SCHEM TABLE_NAME TABLE_TYPE REMARKS TYPE_CAT TYPE_SCHEM TYPE_NAME \
            SELF_REFERENCING_COL_NAME REF_GENERATION
            system.jdbc.columns COLUMN TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME DATA_TYPE# TYPE_NAME COLUMN_SIZE# \
            BUFFER_LENGTH# DECIMAL_DIGITS# NUM_PREC_RADIX# NULLABLE# REMARKS COLUMN_DEF SQL_DATA_TYPE# \
            SQL_DATETIME_SUB# CHAR_OCTET_LENGTH# ORDINAL_POSITION# IS_NULLABLE SCOPE_CATALOG SCOPE_SCHEMA SCOPE_TABLE \
            SOURCE_DATA_TYPE# IS_AUTOINCREMENT IS_GENERATEDCOLUMN
            system.jdbc.types TYPE TYPE_NAME DATA_TYPE# PRECISION# LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS \
            NULLABLE# CASE_SENSITIVE SEARCHABLE# UNSIGNED_ATTRIBUTE FIXED_PREC_SCALE AUTO_INCREMENT LOCAL_TYPE_NAME \
            MINIMUM_SCALE# MAXIMUM_SCALE# SQL_DATA_TYPE# SQL_DATETIME_SUB# NUM_PREC_RADIX#
            system.metadata.catalogs SCHEMA catalog_name
            system.metadata.table_comments TABLE catalog_name schema_name table_name comment
            information_schema.schemata SCHEMA catalog_name schema_name
            information_schema.tables TABLE table_catalog table_schema table_name table_type
            information_schema.columns COLUMN table_catalog table_schema table_name column_name ordinal_position# \
            column_default is_nullable data_type comment
            information_schema.views NOTHING table_catalog table_schema table_name view_definition
            """.lines().map(line -> line.split(" ")).collect(
            Collectors.toUnmodifiableMap(
                    words -> words[0],
                    words -> new Known(
                            About.valueOf(words[1]),
                            Arrays.stream(words)
                                    .skip(2)
                                    .map(SqlMetadata::column)
                                    .toList())));

    /** What is the same for all rows. */
    private static final Map<String, Object> HERE = Map.ofEntries(
            Map.entry("TABLE_CAT", SqlStatements.CATALOG),
            Map.entry("TABLE_CATALOG", SqlStatements.CATALOG),
            Map.entry("CATALOG_NAME", SqlStatements.CATALOG),
            Map.entry("TABLE_SCHEM", SqlStatements.SCHEMA),
            Map.entry("TABLE_SCHEMA", SqlStatements.SCHEMA),
            Map.entry("SCHEMA_NAME", SqlStatements.SCHEMA),
            Map.entry("TABLE_TYPE", "TABLE"),
            Map.entry("table_type", "BASE TABLE"),
            Map.entry("NUM_PREC_RADIX", BigDecimal.TEN),
            Map.entry("NULLABLE", BigDecimal.ZERO),
            Map.entry("IS_NULLABLE", "NO"),
            Map.entry("IS_AUTOINCREMENT", "NO"),
            Map.entry("IS_GENERATEDCOLUMN", "NO"));

    /** The names of the only schema. */
    private static final List<List<String>> SCHEMAS =
            List.of(List.of(), List.of(SqlStatements.SCHEMA), List.of(SqlStatements.CATALOG, SqlStatements.SCHEMA));

    private static final List<SqlType> TYPES =
            List.of(SqlType.VARCHAR, SqlType.BIGINT, SqlType.DOUBLE, SqlType.BOOLEAN, SqlType.DATE);

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
    SqlTable select(Principal principal, From.Table from, Select select) {
        try {
            String called = from.alias() == null ? from.name().getLast() : from.alias();
            return table(principal, from.name())
                    .filter(known -> select.groupBy().isEmpty() && select.having() == null)
                    .map(known -> SqlRows.named(known, called).select(select, select.where()))
                    .orElseGet(() -> nothing(select));
        } catch (SqlRefusal refusal) {
            if (refusal.isOfSize()) {
                throw refusal;
            }
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
        return Optional.ofNullable(KNOWN.get(String.join(".", path))).map(known -> {
            Stream<Map<String, Object>> rows = switch (known.about()) {
                case NOTHING -> Stream.of();
                case SCHEMA -> Stream.of(HERE);
                case TYPE -> TYPES.stream().map(SqlMetadata::ofType);
                case TABLE -> ids(principal).map(SqlMetadata::ofTable);
                case COLUMN ->
                    ids(principal).map(id -> datasets.require(principal, id)).flatMap(SqlMetadata::ofColumns);
            };
            return new SqlTable(known.columns(), rows.map(known::row).toList());
        });
    }

    private Stream<String> ids(Principal principal) {
        return datasets.ids(principal, MOST_TABLES).stream();
    }

    private static Map<String, Object> ofType(SqlType type) {
        return Map.of("TYPE_NAME", type.raw(), "DATA_TYPE", BigDecimal.valueOf(type.jdbcCode()));
    }

    private static Map<String, Object> ofTable(String id) {
        Map<String, Object> facts = new HashMap<>(HERE);
        facts.put("TABLE_NAME", id);
        return facts;
    }

    private static Stream<Map<String, Object>> ofColumns(Dataset dataset) {
        return IntStream.range(0, dataset.columns().size()).mapToObj(i -> {
            Column column = dataset.columns().get(i);
            SqlType type = SqlType.of(column);
            Map<String, Object> facts = ofTable(dataset.id());
            facts.putAll(ofType(type));
            facts.put("COLUMN_NAME", column.name());
            facts.put("ORDINAL_POSITION", BigDecimal.valueOf(i + 1L));
            facts.put("TYPE_NAME", type.text());
            facts.put("data_type", type.text());
            facts.put("REMARKS", comment(column));
            facts.put("COMMENT", comment(column));
            List<String> digits = List.of("COLUMN_SIZE", "DECIMAL_DIGITS");
            for (int digit = 0; digit < type.arguments().size(); digit++) {
                facts.put(digits.get(digit), BigDecimal.valueOf(type.arguments().get(digit)));
            }
            return facts;
        });
    }

    private static SqlTable.Column column(String name) {
        return name.endsWith("#")
                ? new SqlTable.Column(name.substring(0, name.length() - 1), SqlType.BIGINT)
                : SqlTable.text(name);
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

    /** Refuses the name of a schema that there is not. */
    static void requireSchema(List<String> schema) {
        if (!SCHEMAS.contains(schema)) {
            throw new SqlRefusal(
                    SqlRefusal.Error.SCHEMA_NOT_FOUND,
                    "the only schema is " + SqlStatements.CATALOG + "." + SqlStatements.SCHEMA + ", was "
                            + String.join(".", schema));
        }
    }

    /** The dataset that a table's name means. */
    Dataset dataset(Principal principal, List<String> table) {
        String id = table.getLast();
        requireSchema(table.subList(0, table.size() - 1));
        try {
            return datasets.require(principal, id);
        } catch (ProblemException notFound) {
            List<String> ids = datasets.ids(principal, MOST_TABLES);
            return datasets.require(principal, SqlNames.meant(id, ids, "table", SqlRefusal.Error.TABLE_NOT_FOUND));
        }
    }
}
