package dev.purser.tables;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Sessions on a real PostgreSQL: what their roles may do. */
class PostgresDialectTests {
    private static final PostgresWarehouse WAREHOUSE = PostgresWarehouse.create();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static int roles;

    private static TableConnection connection(ConnectionSettings settings) {
        return new TableConnection("warehouse", settings);
    }

    private static ConnectionSettings newRole(String... grants) {
        String role = "role" + ++roles + "_of_" + WAREHOUSE.database();
        WAREHOUSE.server().execute("CREATE ROLE " + role + " LOGIN PASSWORD 'p'");
        WAREHOUSE.execute("CREATE TABLE IF NOT EXISTS census.granted (a integer)");
        WAREHOUSE.execute("GRANT USAGE ON SCHEMA census TO " + role);
        for (String grant : grants) {
            WAREHOUSE.execute(grant.replace("ROLE", role));
        }
        return WAREHOUSE.settings(role, "p");
    }

    @Test
    void takesARoleThatOnlyReads() throws SQLException {
        try (TableSession session =
                connection(newRole("GRANT SELECT ON census.granted TO ROLE")).open(TIMEOUT)) {
            assertThat(session.columns(new TableName("census", "granted")))
                    .containsExactly(Map.entry("a", ColumnType.INTEGER));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GRANT INSERT ON census.granted TO ROLE",
                "GRANT UPDATE ON census.granted TO ROLE",
                "GRANT DELETE ON census.granted TO ROLE",
                "GRANT TRUNCATE ON census.granted TO ROLE",
                "GRANT UPDATE (a) ON census.granted TO ROLE",
                "GRANT INSERT (a) ON census.granted TO ROLE",
            })
    void refusesARoleThatMayWrite(String grant) {
        TableConnection connection = connection(newRole("GRANT SELECT ON census.granted TO ROLE", grant));
        assertThatThrownBy(() -> connection.open(TIMEOUT))
                .isInstanceOf(UnfitConnectionException.class)
                .hasMessageContaining("its role can change tables");
    }

    @Test
    void refusesOwnersSuperusersAndThoseWhoMayBecomeThem() {
        ConnectionSettings member = newRole();
        WAREHOUSE.server().execute("GRANT " + WAREHOUSE.database() + " TO " + member.user() + " WITH INHERIT FALSE");
        for (ConnectionSettings unfit : List.of(
                member, WAREHOUSE.settings(WAREHOUSE.database(), "secret"), WAREHOUSE.settings("postgres", ""))) {
            assertThatThrownBy(() -> connection(unfit).open(TIMEOUT))
                    .as(unfit.user())
                    .isInstanceOf(UnfitConnectionException.class);
        }
    }

    @Test
    void refusesAnOwnerWhoTookItsOwnPrivileges() {
        PostgresWarehouse own = PostgresWarehouse.create();
        own.execute("CREATE TABLE census.own (a integer)");
        own.execute("REVOKE ALL ON census.own FROM " + own.database());
        assertThatThrownBy(
                        () -> connection(own.settings(own.database(), "secret")).open(TIMEOUT))
                .isInstanceOf(UnfitConnectionException.class);
    }

    @Test
    void aSessionCanWriteNothingEvenIfItsRoleCouldByThen() throws SQLException {
        ConnectionSettings settings = newRole("GRANT SELECT ON census.granted TO ROLE");
        try (TableSession session = connection(settings).open(TIMEOUT);
                Statement statement = session.connection().createStatement()) {
            WAREHOUSE.execute("GRANT INSERT ON census.granted TO " + settings.user());
            assertThatThrownBy(() -> statement.execute("INSERT INTO census.granted VALUES (1)"))
                    .hasMessageContaining("read-only");
        }
    }

    @Test
    void aSessionSeesOneStateOfATable() throws SQLException {
        WAREHOUSE.execute("CREATE TABLE census.moving (a integer)");
        try (TableSession session = connection(WAREHOUSE.settings()).open(TIMEOUT);
                Statement statement = session.connection().createStatement()) {
            assertThat(count(statement)).isZero();
            WAREHOUSE.execute("INSERT INTO census.moving VALUES (1)");
            assertThat(count(statement)).isZero();
        }
    }

    private static int count(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM census.moving")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void noMoreSessionsAreOpenThanPermitted() throws SQLException {
        ConnectionSettings one = new ConnectionSettings(
                ConnectionSettings.Type.POSTGRESQL,
                "127.0.0.1",
                WAREHOUSE.port(),
                WAREHOUSE.database(),
                WAREHOUSE.reader(),
                "reads",
                ConnectionSettings.Tls.OFF,
                1);
        TableConnection connection = connection(one);
        try (TableSession session = connection.open(TIMEOUT)) {
            assertThat(session.connection().isReadOnly()).isTrue();
            assertThatThrownBy(() -> connection.open(Duration.ofMillis(50)))
                    .hasMessageContaining("no session became free");
        }
        connection.open(TIMEOUT).close();
    }

    @Test
    void aServerWithoutTheTlsThatIsAskedForIsNotTalkedTo() {
        ConnectionSettings verified = new ConnectionSettings(
                ConnectionSettings.Type.POSTGRESQL,
                "127.0.0.1",
                WAREHOUSE.port(),
                WAREHOUSE.database(),
                WAREHOUSE.reader(),
                "reads",
                ConnectionSettings.Tls.VERIFY,
                1);
        assertThatThrownBy(() -> connection(verified).open(TIMEOUT)).hasMessageContaining("SSL");
    }
}
