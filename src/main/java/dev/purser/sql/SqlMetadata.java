package dev.purser.sql;

import dev.purser.access.Principal;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.Alternatives;
import dev.purser.problem.ProblemException;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlSelect.From;
import dev.purser.sql.SqlSelect.Item;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import static java.util.Map.entry;

/**
 * The names and types that clients look up when they connect and browse: a catalogue, a schema, a table for each
 * dataset that the key sees, and its columns. All these are public to a principal who may ask. An unknown table is
 * empty, because a client shows nothing at all after an error.
 */
@Component
class SqlMetadata {
    /** The most datasets that are listed. */
    private static final int MOST_TABLES = 1_000;

    /** The beginning of the names of tables that only SHOW reads. */
    private static final String SHOW = "show.";

    /** The things that the rows of a table of names and types are about. */
    private enum About {
        NOTHING,
        SCHEMA,
        TYPE,
        TABLE,
        COLUMN
    }

    /** The reply about something unknown. */
    static final SqlTable UNKNOWN = SqlTable.ofTexts("Result", List.of());

    /**
     * The known tables, the tables of SHOW included: what their rows are about, and their columns. A column shows the
     * fact that has its name in lower case, or the fact after {@code =}. Columns with {@code #} are of numbers.
     */
    private static final Map<String, Known> KNOWN = """
            show.catalogs SCHEMA Catalog=catalog_name
            show.schemas SCHEMA Schema=schema_name
            show.tables TABLE Table=table_name
            show.columns COLUMN Column=column_name Type=type_name Extra Comment
            system.jdbc.catalogs SCHEMA TABLE_CAT=catalog_name
            system.jdbc.schemas SCHEMA TABLE_SCHEM=schema_name TABLE_CATALOG=catalog_name
            system.jdbc.table_types SCHEMA TABLE_TYPE
            system.jdbc.tables TABLE TABLE_CAT=catalog_name TABLE_SCHEM=schema_name TABLE_NAME TABLE_TYPE \
            REMARKS=none TYPE_CAT TYPE_SCHEM TYPE_NAME SELF_REFERENCING_COL_NAME REF_GENERATION
            system.jdbc.columns COLUMN TABLE_CAT=catalog_name TABLE_SCHEM=schema_name TABLE_NAME COLUMN_NAME \
            DATA_TYPE# TYPE_NAME COLUMN_SIZE# BUFFER_LENGTH# DECIMAL_DIGITS# NUM_PREC_RADIX# NULLABLE# \
            REMARKS=comment COLUMN_DEF SQL_DATA_TYPE# SQL_DATETIME_SUB# CHAR_OCTET_LENGTH# ORDINAL_POSITION# \
            IS_NULLABLE SCOPE_CATALOG SCOPE_SCHEMA SCOPE_TABLE SOURCE_DATA_TYPE# IS_AUTOINCREMENT=is_nullable \
            IS_GENERATEDCOLUMN=is_nullable
            system.jdbc.types TYPE TYPE_NAME DATA_TYPE# PRECISION# LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS \
            NULLABLE# CASE_SENSITIVE SEARCHABLE# UNSIGNED_ATTRIBUTE FIXED_PREC_SCALE AUTO_INCREMENT LOCAL_TYPE_NAME \
            MINIMUM_SCALE# MAXIMUM_SCALE# SQL_DATA_TYPE# SQL_DATETIME_SUB# NUM_PREC_RADIX#
            system.metadata.catalogs SCHEMA catalog_name
            system.metadata.table_comments TABLE catalog_name schema_name table_name comment
            information_schema.schemata SCHEMA catalog_name schema_name
            information_schema.tables TABLE table_catalog=catalog_name table_schema=schema_name table_name \
            table_type=base_type
            information_schema.columns COLUMN table_catalog=catalog_name table_schema=schema_name table_name \
            column_name ordinal_position# column_default is_nullable data_type=type_name comment
            information_schema.views NOTHING table_catalog table_schema table_name view_definition
            """.lines()
            .map(line -> line.split(" "))
            .collect(Collectors.toUnmodifiableMap(words -> words[0], Known::of));

    /** A table of names and types: a row for each thing that it is about, and the fact of each column. */
    private record Known(About about, List<SqlTable.Column> columns, List<String> facts) {
        static Known of(String[] words) {
            List<SqlTable.Column> columns = new ArrayList<>();
            List<String> facts = new ArrayList<>();
            for (String word : List.of(words).subList(2, words.length)) {
                String name = word.replaceAll("[#=].*", "");
                columns.add(new SqlTable.Column(name, word.endsWith("#") ? SqlType.BIGINT : SqlType.VARCHAR));
                facts.add(word.replaceAll(".*=|#", "").toLowerCase(Locale.ROOT));
            }
            return new Known(About.valueOf(words[1]), columns, facts);
        }

        List<@Nullable Object> row(Map<String, Object> about) {
            return facts.stream().<@Nullable Object>map(about::get).toList();
        }
    }

    /** The facts that are the same for all rows. */
    private static final Map<String, Object> HERE = Map.ofEntries(
            entry("catalog_name", SqlStatements.CATALOG),
            entry("schema_name", SqlStatements.SCHEMA),
            entry("table_type", "TABLE"),
            entry("base_type", "BASE TABLE"),
            entry("num_prec_radix", BigDecimal.TEN),
            entry("nullable", BigDecimal.ZERO),
            entry("is_nullable", "NO"),
            entry("extra", ""));

    /** The names of the only schema. */
    private static final List<List<String>> SCHEMAS =
            List.of(List.of(), List.of(SqlStatements.SCHEMA), List.of(SqlStatements.CATALOG, SqlStatements.SCHEMA));

    private static final List<SqlType> TYPES =
            List.of(SqlType.VARCHAR, SqlType.BIGINT, SqlType.DOUBLE, SqlType.BOOLEAN, SqlType.DATE);

    private final VisibleDatasets datasets;

    SqlMetadata(VisibleDatasets datasets) {
        this.datasets = datasets;
    }

    /** Whether this is the name of a table of names and types, known or not. */
    static boolean isMetadata(List<String> table) {
        return table.isEmpty()
                || table.contains("information_schema")
                || table.size() > 1 && table.getFirst().equals("system")
                || table.getLast().contains("$");
    }

    /** The reply to a SELECT from a table of names and types. */
    SqlTable select(Principal principal, From from, SqlSelect select) {
        List<String> name = from.table();
        String path =
                String.join(".", name.subList(name.getFirst().equals(SqlStatements.CATALOG) ? 1 : 0, name.size()));
        Known known = path.startsWith(SHOW) ? null : KNOWN.get(path);
        if (known != null && select.groupBy().isEmpty() && select.having() == null) {
            try {
                String called = from.alias() == null ? name.getLast() : from.alias();
                SqlRows.named(new SqlTable(known.columns(), List.of()), called).check(select, select.where(), 0);
                List<List<@Nullable Object>> rows =
                        rows(principal, known.about()).map(known::row).toList();
                return SqlRows.named(new SqlTable(known.columns(), rows), called)
                        .select(select, select.where());
            } catch (SqlRefusal refusal) {
                if (refusal.error() == SqlRefusal.Error.GENERIC_USER_ERROR) {
                    throw refusal;
                }
            }
        }
        List<SqlTable.Column> columns = new ArrayList<>();
        for (Item item : select.items()) {
            String own = item.value() instanceof Name column ? column.last() : "_col" + columns.size();
            columns.add(SqlTable.text(item.name() == null ? own : item.name()));
        }
        return new SqlTable(columns, List.of());
    }

    private Stream<Map<String, Object>> rows(Principal principal, About about) {
        return switch (about) {
            case NOTHING -> Stream.of();
            case SCHEMA -> Stream.of(HERE);
            case TYPE -> TYPES.stream().map(SqlMetadata::ofType);
            case TABLE -> ids(principal).map(id -> with(HERE, "table_name", id));
            case COLUMN ->
                ids(principal).map(id -> datasets.require(principal, id)).flatMap(SqlMetadata::ofColumns);
        };
    }

    private Stream<String> ids(Principal principal) {
        return datasets.ids(principal, MOST_TABLES).stream();
    }

    private static Map<String, Object> with(Map<String, Object> facts, String name, Object fact) {
        Map<String, Object> more = new HashMap<>(facts);
        more.put(name, fact);
        return more;
    }

    private static Map<String, Object> ofType(SqlType type) {
        Map<String, Object> facts = with(HERE, "type_name", type.toString());
        facts.put("data_type", BigDecimal.valueOf(type.jdbcCode()));
        List<String> digits = List.of("column_size", "decimal_digits");
        for (int digit = 0; digit < type.arguments().size(); digit++) {
            facts.put(digits.get(digit), BigDecimal.valueOf(type.arguments().get(digit)));
        }
        return facts;
    }

    private static Stream<Map<String, Object>> ofColumns(Dataset dataset) {
        return IntStream.range(0, dataset.columns().size()).mapToObj(i -> {
            Column column = dataset.columns().get(i);
            Map<String, Object> facts = with(ofType(SqlType.of(column)), "table_name", dataset.id());
            facts.put("column_name", column.name());
            facts.put("ordinal_position", BigDecimal.valueOf(i + 1L));
            facts.put("comment", comment(column));
            return facts;
        });
    }

    /** The bounds or the categories of a column. */
    private static String comment(Column column) {
        return switch (column) {
            case Column.Category category -> Alternatives.listed(category.categories());
            case Column.Numeric numeric ->
                numeric.notation().shown(numeric.lower()) + " to "
                        + numeric.notation().shown(numeric.upper()) + ", in steps of "
                        + numeric.notation().distance(1);
        };
    }

    /**
     * The reply to SHOW and DESCRIBE.
     *
     * @param what the words after SHOW, or {@code columns} for DESCRIBE
     * @param of the name after FROM or IN; empty without one
     */
    SqlTable show(Principal principal, String what, List<String> of) {
        Known known = KNOWN.get(SHOW + what);
        if (known == null) {
            return UNKNOWN;
        }
        Stream<Map<String, Object>> rows = switch (known.about()) {
            case COLUMN -> isMetadata(of) ? Stream.of() : ofColumns(dataset(principal, of));
            case SCHEMA ->
                Stream.of(with(HERE, "schema_name", "information_schema"), HERE)
                        .skip(what.equals("schemas") ? 0 : 1)
                        .filter(here -> of.isEmpty() || of.equals(List.of(SqlStatements.CATALOG)));
            case NOTHING, TYPE, TABLE -> rows(principal, known.about()).filter(table -> SCHEMAS.contains(of));
        };
        return new SqlTable(known.columns(), rows.map(known::row).toList());
    }

    /** Refuses the name of an unknown schema. */
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
            return datasets.require(principal, new SqlNames(ids).meant(id, "table", SqlRefusal.Error.TABLE_NOT_FOUND));
        }
    }
}
