package dev.purser.engine;

import dev.purser.tables.ColumnType;
import dev.purser.tables.MariaDbWarehouse;
import dev.purser.tables.TableConnections;
import dev.purser.tables.TableName;
import dev.purser.tables.TableSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tables of a real MariaDB, with {@code -Dtests.only=mariadb}. */
@Tag("mariadb")
class MariaDbTableEngineTests extends TableEngineContract {
    @AutoClose
    private static final MariaDbWarehouse WAREHOUSE = MariaDbWarehouse.start();

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Map<Kind, List<String>> TYPES = Map.of(
            Kind.INTEGER, List.of("smallint", "integer", "bigint", "decimal(20,0)"),
            Kind.DECIMAL, List.of("smallint", "bigint", "decimal(30,6)", "decimal(65,38)"),
            Kind.CATEGORY, List.of("text", "varchar(20)", "boolean", "integer"),
            Kind.BOOLEAN, List.of("boolean", "text", "varchar(20)", "integer"),
            Kind.DATE, List.of("date"),
            Kind.TIMESTAMP, List.of("datetime(6)", "datetime", "timestamp(6)", "date"));

    private static int users;

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
    String type(Kind kind) {
        return switch (kind) {
            case INTEGER -> "bigint";
            case DECIMAL -> "decimal(20,2)";
            case CATEGORY, BOOLEAN -> "varchar(10)";
            case DATE -> "date";
            case TIMESTAMP -> "datetime(6)";
        };
    }

    @Override
    String longText() {
        return "longtext";
    }

    @Override
    String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }

    @Override
    String text(String column, String type) {
        return "CAST(" + column + " AS char)";
    }

    @Override
    List<String> noValues(String type) {
        return switch (type) {
            case "date" -> List.of("'0000-00-00'", "'2020-00-15'", "'2020-02-31'", "'0000-01-01'");
            case "datetime", "datetime(6)" ->
                List.of("'0000-00-00 00:00:00'", "'2020-05-00 01:00:00'", "'2021-02-29 10:00:00'");
            case "timestamp(6)" -> List.of("'0000-00-00 00:00:00'");
            default -> List.of();
        };
    }

    @Override
    int firstYear(String type) {
        return type.equals("timestamp(6)") ? 1971 : super.firstYear(type);
    }

    @Override
    int lastYear(String type) {
        return type.equals("timestamp(6)") ? 2037 : super.lastYear(type);
    }

    @Override
    void copy(Connection owner, String table, Stream<String> lines) throws SQLException {
        Iterator<String[]> rows = lines.map(line -> line.split("\t", -1)).iterator();
        if (!rows.hasNext()) {
            return;
        }
        String[] row = rows.next();
        String holes = String.join(", ", Collections.nCopies(row.length, "?"));
        owner.setAutoCommit(false);
        try (PreparedStatement insert = owner.prepareStatement("INSERT INTO " + table + " VALUES (" + holes + ")")) {
            add(insert, row);
            while (rows.hasNext()) {
                add(insert, rows.next());
            }
            insert.executeBatch();
        }
        owner.commit();
    }

    private static void add(PreparedStatement insert, String[] row) throws SQLException {
        for (int i = 0; i < row.length; i++) {
            insert.setString(i + 1, row[i]);
        }
        insert.addBatch();
    }

    private static TableConnections newUser(String... grants) {
        String user = "user" + ++users;
        WAREHOUSE.execute("CREATE USER " + user + " IDENTIFIED BY 'p'");
        for (String grant : grants) {
            WAREHOUSE.execute(grant.replace("USER", user));
        }
        return WAREHOUSE.connections(user, "p");
    }

    private static TableSession open(TableConnections connections) throws SQLException {
        return connections.find("warehouse").orElseThrow().open(TIMEOUT);
    }

    @Test
    void takesAUserWhoOnlyReads() throws SQLException {
        WAREHOUSE.execute("CREATE TABLE census.some_columns (a int, b int)");
        open(newUser("GRANT SELECT (a, b) ON census.some_columns TO USER", "GRANT SHOW VIEW ON census.* TO USER"))
                .close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GRANT INSERT ON census.* TO USER",
                "GRANT SELECT, UPDATE ON census.* TO USER",
                "GRANT UPDATE (a) ON census.granted TO USER",
                "GRANT DELETE ON census.granted TO USER",
                "GRANT SELECT ON census.granted TO USER WITH GRANT OPTION",
                "GRANT ALL ON *.* TO USER",
                "GRANT FILE ON *.* TO USER",
                "GRANT CREATE TEMPORARY TABLES ON census.* TO USER",
                "GRANT writers TO USER",
            })
    void refusesAUserWhoMayDoMoreThanRead(String grant) {
        WAREHOUSE.execute("CREATE TABLE IF NOT EXISTS census.granted (a int)");
        WAREHOUSE.execute("CREATE ROLE IF NOT EXISTS writers");
        assertThatThrownBy(() -> open(newUser("GRANT SELECT ON census.* TO USER", grant)))
                .hasMessageContaining("can do more than read");
    }

    /** Over another connection, the table of another database would be the table of another account. */
    @Test
    void readsNoTableOfAnotherDatabase() throws SQLException {
        WAREHOUSE.execute("CREATE DATABASE other");
        WAREHOUSE.execute("CREATE TABLE other.secret (a int)");
        WAREHOUSE.execute("CREATE TABLE census.open_to_all (a int)");
        try (TableSession session = open(newUser("GRANT SELECT ON *.* TO USER"))) {
            assertThat(session.columns(new TableName("other", "secret"))).isEmpty();
            assertThat(session.columns(new TableName("census", "open_to_all"))).containsOnlyKeys("a");
        }
    }

    @Test
    void readsNoColumnThatIsComputedWhenItIsRead() throws SQLException {
        WAREHOUSE.execute("CREATE TABLE census.computed (x int, a int AS (100 / x) VIRTUAL, b int AS (2 * x) STORED)");
        try (TableSession session = open(newUser("GRANT SELECT ON census.computed TO USER"))) {
            assertThat(session.columns(new TableName("census", "computed")))
                    .containsExactlyInAnyOrderEntriesOf(
                            Map.of("x", ColumnType.INTEGER, "a", ColumnType.OTHER, "b", ColumnType.INTEGER));
        }
    }

    @Test
    void refusesAUserIfEverybodyMayWrite() {
        WAREHOUSE.execute("GRANT INSERT ON census.* TO PUBLIC");
        assertThatThrownBy(() -> open(newUser())).hasMessageContaining("can do more than read");
        WAREHOUSE.execute("REVOKE INSERT ON census.* FROM PUBLIC");
    }

    @Test
    void aSessionCanWriteNothingEvenIfItsUserCouldByThen() throws SQLException {
        WAREHOUSE.execute("CREATE TABLE census.late (a int)");
        try (TableSession session = open(newUser("GRANT SELECT ON census.late TO USER"));
                Statement statement = session.connection().createStatement()) {
            WAREHOUSE.execute("GRANT INSERT ON census.late TO user" + users);
            assertThatThrownBy(() -> statement.execute("INSERT INTO census.late VALUES (1)"))
                    .hasMessageContaining("READ ONLY");
        }
    }

    @Test
    void aSessionSeesOneStateOfATable() throws SQLException {
        WAREHOUSE.execute("CREATE TABLE census.moving (a int)");
        try (TableSession session = open(connections());
                Statement statement = session.connection().createStatement()) {
            WAREHOUSE.execute("INSERT INTO census.moving VALUES (1)");
            try (ResultSet row = statement.executeQuery("SELECT count(*) FROM census.moving")) {
                row.next();
                assertThat(row.getInt(1)).isZero();
            }
        }
    }

    @Test
    void aStatementEndsWhenItsTimeIsOver() throws SQLException {
        try (TableSession session =
                        connections().find("warehouse").orElseThrow().open(Duration.ofSeconds(1));
                Statement statement = session.connection().createStatement()) {
            assertThatThrownBy(() -> statement.execute("SELECT sleep(20)")).hasMessageContaining("max_statement_time");
        }
    }

    /** The rows of such a table are not the rows of one moment. */
    @Test
    void aTableWithoutTransactionsIsNone() throws SQLException {
        WAREHOUSE.execute("CREATE TABLE census.without (a int) ENGINE = MyISAM");
        try (TableSession session = open(connections())) {
            assertThat(session.columns(new TableName("census", "without"))).isEmpty();
        }
    }
}
