package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.dataset.Spelling;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.tables.ColumnType;
import dev.purser.tables.Dialect;
import dev.purser.tables.Sql;
import dev.purser.tables.TableName;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes one pass over a table as one statement. Its rows are the buckets of groups that are not empty: the number of
 * the group, the number of edges at or below the bucket, count, sum, sum of squares.
 *
 * <pre>
 * SELECT group, bucket, count(*), sum(c3), 0 FROM (
 *   SELECT unit, c0, c3, row_number() OVER (PARTITION BY unit ORDER BY keyed hash of unit, c0, c1, c2, c3) AS place
 *   FROM (
 *     SELECT unit, values as they would be stored AS c0, c1, c2, c3 FROM table) WHERE unit IS NOT NULL)
 * WHERE place &lt;= m AND filter AND in a group of every key GROUP BY group, bucket
 * </pre>
 *
 * The two inner lines with the place exist only if the privacy unit is a column. At most m rows of a unit stay. The
 * choice is a function of that unit's own registered rows alone, made before the filter. Rows of another unit change
 * nothing, so adding or removing a unit changes every count by at most m. Rows with equal hashes have the same values,
 * so any of them may stay. A row without a unit name belongs to no unit and is left out.
 *
 * <p>If units are counted, {@code count(DISTINCT unit)} takes the place of {@code count(*)}. It counts the units of the
 * rows that stayed, under the equality of the partition.
 *
 * <p>If the dataset has blocks, PARTITION BY has unit and block. So at most m rows of a unit stay in each block, and
 * the choice does not depend on the unit's rows in other blocks. With a bound over all asked blocks, a row that is
 * removed from one block would admit a row of another block. Every filter has the window of the blocks that paid. Rows
 * outside of the window are not ranked, which only saves time.
 *
 * <p>The dialect quotes names of the schema. Every value is a parameter, except positions in lists of categories.
 */
final class TableQuery {
    /** One character more than the longest truth value. A text that is cut to this length is not a truth value. */
    private static final Sql LETTERS = new Sql(
            String.valueOf(
                    1 + Spelling.TRUTHS.stream().mapToInt(String::length).max().orElseThrow()),
            List.of());

    private static final Sql ZERO = new Sql("0", List.of());
    private static final Sql COUNTED_ROWS = new Sql("count(*)", List.of());
    /** Units are counted under the same equality as in the partition that bounds their rows. */
    private static final Sql COUNTED_UNITS = new Sql("count(DISTINCT unit)", List.of());

    private static final Sql STORED = new Sql("stored", List.of());

    private final Dialect dialect;
    private final Dataset dataset;
    private final TableName table;
    private final Map<String, ColumnType> types;
    private final byte[] rankingKey;
    private final Optional<TableBlocks> paid;

    /**
     * @param types the types of the table's columns, each readable as registered
     * @param rankingKey the key of the hash that ranks the dataset's rows
     * @param paid the blocks whose rows are read; empty if the dataset has none
     */
    TableQuery(
            Dialect dialect,
            Dataset dataset,
            TableName table,
            Map<String, ColumnType> types,
            byte[] rankingKey,
            Optional<TableBlocks> paid) {
        this.dialect = dialect;
        this.dataset = dataset;
        this.table = table;
        this.types = types;
        this.rankingKey = rankingKey;
        this.paid = paid;
    }

    /** The statement of one pass. */
    Sql of(TablePass pass) {
        Column column = pass.shared().column();
        Sql rows = kept(pass);
        Sql where = Sql.join(" AND ", conditions(pass));
        Sql counted = pass.shared().units() ? COUNTED_UNITS : COUNTED_ROWS;
        if (column == null && pass.keys().isEmpty()) {
            return Sql.of("SELECT 0, 0, {}, 0, 0 FROM {} WHERE {}", counted, rows, where);
        }
        Sql value = column == null ? ZERO : stored(column);
        return Sql.of(
                "SELECT key_group, bucket, {}, {}, {} FROM"
                        + " (SELECT {}{} AS key_group, {} AS bucket, {} AS stored FROM {} WHERE {}) AS bucketed"
                        + " GROUP BY key_group, bucket",
                counted,
                column == null ? ZERO : dialect.sum(STORED),
                pass.squares() ? dialect.sumOfSquares(STORED) : ZERO,
                new Sql(pass.shared().units() ? "unit, " : "", List.of()),
                group(pass.keys()),
                column == null ? ZERO : dialect.bucket(value, pass.edges()),
                value,
                rows,
                where);
    }

    /** The number of the group of a row that is in a group of every key. */
    private Sql group(List<TablePass.Key> keys) {
        List<Sql> parts = new ArrayList<>();
        parts.add(ZERO);
        for (TablePass.Key key : keys) {
            parts.add(Sql.of("{} * {}", position(key), (long) key.step()));
        }
        return Sql.of("({})", Sql.join(" + ", parts));
    }

    /** The number of parting edges at or below a value. */
    private Sql position(TablePass.Key key) {
        Sql value = stored(key.key().column());
        return key.isByValue() ? Sql.of("({} - {})", value, key.lowest()) : dialect.bucket(value, key.parting());
    }

    private Sql kept(TablePass pass) {
        return switch (dataset.privacyUnit()) {
            case PrivacyUnit.Row row -> Sql.of("(SELECT {} FROM {}) AS kept", values(needed(pass)), table());
            case PrivacyUnit.Column unit -> keptOfUnits(unit);
        };
    }

    /** The positions of the columns that the pass needs. */
    private SequencedSet<Integer> needed(TablePass pass) {
        SequencedSet<Integer> needed = new LinkedHashSet<>();
        SharedPass shared = pass.shared();
        if (shared.column() != null) {
            needed.add(dataset.columns().indexOf(shared.column()));
        }
        shared.filter()
                .conditions()
                .forEach(condition -> needed.add(dataset.columns().indexOf(condition.column())));
        shared.keys().forEach(key -> needed.add(dataset.columns().indexOf(key.column())));
        return needed;
    }

    private Sql keptOfUnits(PrivacyUnit.Column unit) {
        List<Integer> all = IntStream.range(0, dataset.columns().size()).boxed().toList();
        List<Sql> stored = all.stream().map(TableQuery::stored).toList();
        Sql name = dialect.unitName(dialect.identifier(unit.column()), type(unit.column()));
        Sql named = Sql.of("(SELECT {} AS unit, {} FROM {}) AS named", name, values(all), table());
        Sql hash = dialect.keyedHash(rankingKey, new Sql("unit", List.of()), stored);
        Sql placed = Sql.of(
                "(SELECT unit, {}, row_number() OVER (PARTITION BY {} ORDER BY {}) AS place"
                        + " FROM {} WHERE {}) AS placed",
                Sql.join(", ", stored),
                partition(),
                hash,
                named,
                ranked());
        return Sql.of("(SELECT unit, {} FROM {} WHERE place <= {}) AS kept", Sql.join(", ", stored), placed, (long)
                unit.maxRows());
    }

    /**
     * The block is the dialect's bucket of the stored integer between the starts of blocks. This works for months too.
     * It needs no date function and no rounding of a division that would have to be the same in all databases.
     */
    private Sql partition() {
        return paid.map(blocks -> Sql.of("unit, {}", dialect.bucket(stored(blocks.column()), blocks.edges())))
                .orElse(new Sql("unit", List.of()));
    }

    private Sql ranked() {
        Sql named = new Sql("unit IS NOT NULL", List.of());
        return paid.map(blocks -> Sql.of("{} AND {}", named, condition(blocks.window())))
                .orElse(named);
    }

    private Sql values(Iterable<Integer> positions) {
        List<Sql> values = new ArrayList<>();
        for (int position : positions) {
            Sql value = value(dataset.columns().get(position));
            values.add(Sql.of("{} AS {}", value, stored(position)));
        }
        return values.isEmpty() ? new Sql("1 AS counted", List.of()) : Sql.join(", ", values);
    }

    /** The integer that an upload of this value would store. */
    private Sql value(Column column) {
        Sql name = dialect.identifier(column.name());
        ColumnType type = type(column.name());
        return switch (column) {
            case Column.Numeric numeric ->
                dialect.gridded(number(numeric, name, type), bounds(numeric), missing(numeric));
            case Column.Category category -> category(category, name, type);
        };
    }

    /**
     * The number in the unit of the column's grid: in a column of timestamps, a day is the second of its midnight.
     * Times are put on the grid by rounding down. For this, half a step is subtracted before rounding to the nearest
     * point.
     */
    private Sql number(Column.Numeric column, Sql name, ColumnType type) {
        Sql number = dialect.number(name, type);
        if (!(column.notation() instanceof Notation.Timestamps)) {
            return number;
        }
        Sql seconds = type == ColumnType.DATE ? Sql.of("(86400 * {})", number) : number;
        String halfAStep = column.grid().resolution().divide(BigDecimal.TWO).toPlainString();
        return Sql.of("({} - " + halfAStep + ")", seconds);
    }

    private Sql category(Column.Category column, Sql name, ColumnType type) {
        return switch (column.spelling()) {
            case NAMES -> dialect.position(name, type, column.categories(), missing(column));
            case TRUTH -> {
                // Several texts stand for a truth value, in any case. A missing value is a category, which mod does not
                // change.
                Sql text = type == ColumnType.TEXT ? Sql.of("lower(substr({}, 1, {}))", name, LETTERS) : name;
                Sql position = dialect.position(text, type, Spelling.TRUTHS, missing(column));
                yield Sql.of("mod({}, 2)", position);
            }
        };
    }

    private static Dialect.GridBounds bounds(Column.Numeric column) {
        Grid grid = column.grid();
        return new Dialect.GridBounds(
                grid.resolution(),
                column.lower(),
                column.upper(),
                grid.toDecimal(column.lower()),
                grid.toDecimal(column.upper()));
    }

    private static long missing(Column column) {
        Number missing = column.missing();
        if (missing == null) {
            throw new IllegalArgumentException("a table's column without a value for missing: " + column.name());
        }
        return missing.longValue();
    }

    private List<Sql> conditions(TablePass pass) {
        List<Sql> conditions = new ArrayList<>();
        conditions.add(new Sql("1 = 1", List.of()));
        pass.shared().keys().forEach(key -> conditions.addAll(inAGroup(key, stored(key.column()))));
        pass.shared().filter().conditions().forEach(condition -> conditions.add(condition(condition)));
        return conditions;
    }

    private Sql condition(Filter.Condition condition) {
        Sql stored = stored(condition.column());
        return switch (condition) {
            case Filter.Between between -> Sql.of("{} >= {} AND {} < {}", stored, between.from(), stored, between.to());
            case Filter.OneOf oneOf -> oneOf(stored, oneOf);
        };
    }

    /** The conditions of a key. There are none if its groups cover all values of the column. */
    private static List<Sql> inAGroup(GroupKey key, Sql stored) {
        List<Sql> conditions = new ArrayList<>();
        long[] edges = key.edges();
        long end = edges[edges.length - 1];
        if (edges[0] > key.column().range().lower()) {
            conditions.add(Sql.of("{} >= {}", stored, edges[0]));
        }
        if (end <= key.column().range().upper()) {
            conditions.add(Sql.of("{} < {}", stored, end));
        }
        return conditions;
    }

    /** The positions are digits in the statement text, because they may outnumber a statement's possible parameters. */
    private static Sql oneOf(Sql stored, Filter.OneOf oneOf) {
        CategorySet set = oneOf.categories();
        if (set.named().findAny().isEmpty()) {
            return new Sql(set.inverted() ? "1 = 1" : "1 = 0", List.of());
        }
        String indices = set.named().mapToObj(String::valueOf).collect(Collectors.joining(", "));
        return Sql.of(set.inverted() ? "{} NOT IN ({})" : "{} IN ({})", stored, new Sql(indices, List.of()));
    }

    private Sql table() {
        return Sql.of("{}.{}", dialect.identifier(table.schema()), dialect.identifier(table.name()));
    }

    private Sql stored(Column column) {
        return stored(dataset.columns().indexOf(column));
    }

    private static Sql stored(int position) {
        return new Sql("c" + position, List.of());
    }

    private ColumnType type(String column) {
        ColumnType type = types.get(column);
        if (type == null) {
            throw new IllegalStateException("a column of the table is gone");
        }
        return type;
    }
}
