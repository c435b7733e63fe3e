package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.tables.PostgresWarehouse;
import dev.purser.tables.TableConnections;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tables of a real PostgreSQL. */
class PostgresTableEngineTests extends TableEngineContract {
    private static final PostgresWarehouse WAREHOUSE = PostgresWarehouse.create();

    private static final Map<Kind, List<String>> TYPES = Map.of(
            Kind.INTEGER, List.of("smallint", "integer", "bigint", "numeric(20,0)"),
            Kind.DECIMAL, List.of("smallint", "bigint", "numeric(30,6)", "numeric", "real", "double precision"),
            Kind.CATEGORY, List.of("text", "varchar(20)", "boolean", "integer"),
            Kind.BOOLEAN, List.of("boolean", "text", "varchar(20)", "integer"),
            Kind.DATE, List.of("date"),
            Kind.TIMESTAMP, List.of("timestamp", "timestamptz", "timestamp(3)", "date"));

    @Override
    TableConnections connections() {
        return WAREHOUSE.connections();
    }

    @Override
    Connection owner() throws SQLException {
        return WAREHOUSE.owner();
    }

    @Override
    List<String> types(Kind kind) {
        return Objects.requireNonNull(TYPES.get(kind));
    }

    @Override
    List<String> noValues(String type) {
        return switch (type) {
            case "numeric", "real", "double precision" -> List.of("'NaN'", "'Infinity'", "'-Infinity'");
            case "numeric(30,6)", "numeric(20,0)" -> List.of("'NaN'");
            case "date" -> List.of("'infinity'", "'-infinity'", "'0044-03-15 BC'", "'10000-01-01'");
            case "timestamp", "timestamptz", "timestamp(3)" ->
                List.of("'infinity'", "'-infinity'", "'0044-03-15 12:00:00 BC'", "'12000-01-01 00:00:00'");
            default -> List.of();
        };
    }

    @Override
    void copy(Connection owner, String table, Stream<String> lines) throws SQLException, IOException {
        PostgresWarehouse.copy(owner, table, lines);
    }

    @Tag("full")
    @Test
    @Override
    void readsColumnsOfEverySize() throws Exception {
        super.readsColumnsOfEverySize();
    }

    @Tag("full")
    @Test
    @Override
    void filtersByTensOfThousandsOfCategories() throws Exception {
        super.filtersByTensOfThousandsOfCategories();
    }

    /** In lower case, such a text would not fit the server's memory. The failure would reveal the row. */
    @Tag("full")
    @Test
    void aTextOfAnyLengthIsNoTruthValue() throws Exception {
        Dataset dataset = dataset("huge", DatasetsForTests.truth("v", 1));
        execute("CREATE COLLATION census.of_any_locale (provider = libc, locale = 'C.utf8')");
        create(dataset, "v text COLLATE census.of_any_locale");
        execute("INSERT INTO " + table(dataset) + " SELECT repeat('x', 270000000)");
        Filter missing = new Filter(List.of(new Filter.OneOf(
                (Column.Category) dataset.columns().getFirst(), new CategorySet(new TreeSet<>(List.of(1)), false))));
        assertThat(count(dataset, missing)).isEqualTo(1);
    }
}
