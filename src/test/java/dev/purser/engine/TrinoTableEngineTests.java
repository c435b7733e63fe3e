package dev.purser.engine;

import dev.purser.tables.PostgresWarehouse;
import dev.purser.tables.TableConnections;
import dev.purser.tables.TableSession;
import dev.purser.tables.TrinoWarehouse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tables of a PostgreSQL, through a real Trino, with {@code -Dtests.only=trino}: docs/engines.md. */
@Tag("trino")
class TrinoTableEngineTests extends TableEngineContract {
    private static final PostgresWarehouse TABLES = PostgresWarehouse.create();

    @AutoClose
    private static final TrinoWarehouse WAREHOUSE = TrinoWarehouse.start(TABLES);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Map<Kind, List<String>> TYPES = Map.of(
            Kind.INTEGER, List.of("smallint", "integer", "bigint", "numeric(20,0)"),
            Kind.DECIMAL, List.of("smallint", "bigint", "numeric(30,6)", "numeric(38,18)", "numeric(38,0)"),
            Kind.CATEGORY, List.of("text", "varchar(20)", "boolean", "integer"),
            Kind.BOOLEAN, List.of("boolean", "text", "varchar(20)", "integer"),
            Kind.DATE, List.of("date"),
            Kind.TIMESTAMP, List.of("timestamp", "timestamptz", "timestamp(3)", "date"));

    @Override
    TableConnections connections() {
        return WAREHOUSE.connections("reader");
    }

    @Override
    Connection owner() throws SQLException {
        return TABLES.owner();
    }

    @Override
    List<String> types(Kind kind) {
        return Objects.requireNonNull(TYPES.get(kind));
    }

    @Override
    List<String> noValues(String type) {
        return type.equals("date") ? List.of("'0044-03-15 BC'", "'10000-01-01'") : List.of();
    }

    @Override
    void copy(Connection owner, String table, Stream<String> lines) throws SQLException, IOException {
        PostgresWarehouse.copy(owner, table, lines);
    }

    /** The connector for PostgreSQL shows views as tables. */
    @Override
    boolean tellsViews() {
        return false;
    }

    /** Fewer names, because Trino plans a query for each. */
    @Override
    int hostileNames() {
        return 300;
    }

    private static TableSession open(TableConnections connections, Duration timeout) throws SQLException {
        return connections.find("warehouse").orElseThrow().open(timeout);
    }

    @Test
    void refusesAUserWhoMayWrite() {
        assertThatThrownBy(() -> open(WAREHOUSE.connections("writer"), TIMEOUT))
                .hasMessageContaining("its user may create tables");
    }

    @Test
    void aSessionCanWriteNothing() throws SQLException {
        TABLES.execute("CREATE TABLE census.quiet (a integer)");
        try (TableSession session = open(connections(), TIMEOUT);
                Statement statement = session.connection().createStatement()) {
            assertThat(session.connection().isReadOnly()).isTrue();
            assertThatThrownBy(() -> statement.execute("INSERT INTO census.quiet VALUES (1)"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aStatementEndsWhenItsTimeIsOver() throws SQLException {
        try (TableSession session = open(connections(), Duration.ofSeconds(2));
                Statement statement = session.connection().createStatement()) {
            assertThatThrownBy(() -> {
                        try (ResultSet row =
                                statement.executeQuery("SELECT count(*) FROM UNNEST(sequence(1, 10000)) AS a(x),"
                                        + " UNNEST(sequence(1, 10000)) AS b(y), UNNEST(sequence(1, 10000)) AS c(z)"
                                        + " WHERE x * y * z % 7 = 1")) {
                            row.next();
                        }
                    })
                    .hasMessageContaining("exceeded maximum time limit");
        }
    }
}
