package dev.purser.tables;

import java.sql.Connection;
import java.sql.DriverManager;
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
        WAREHOUSE.execute("CREATE SEQUENCE IF NOT EXISTS census.numbers");
        for (String grant : grants) {
            WAREHOUSE.execute(grant.replace("ROLE", role).replace("%s", WAREHOUSE.database()));
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
                "GRANT REFERENCES ON census.granted TO ROLE",
                "GRANT TRIGGER ON census.granted TO ROLE",
                "GRANT MAINTAIN ON census.granted TO ROLE",
                "GRANT SELECT ON census.granted TO ROLE WITH GRANT OPTION",
                "GRANT SELECT (a) ON census.granted TO ROLE WITH GRANT OPTION",
                "GRANT USAGE ON SEQUENCE census.numbers TO ROLE",
                "GRANT UPDATE ON SEQUENCE census.numbers TO ROLE",
                "GRANT CREATE ON SCHEMA census TO ROLE",
                "GRANT CREATE ON DATABASE %s TO ROLE",
            })
    void refusesARoleThatMayDoMoreThanRead(String grant) {
        TableConnection connection = connection(newRole("GRANT SELECT ON census.granted TO ROLE", grant));
        assertThatThrownBy(() -> connection.open(TIMEOUT))
                .isInstanceOf(UnfitConnectionException.class)
                .hasMessageContaining("its role can do more than read");
    }

    @Test
    void refusesARoleIfEverybodyMayDoMoreThanRead() {
        PostgresWarehouse own = PostgresWarehouse.create();
        own.execute("CREATE TABLE census.open (a integer)");
        own.execute("GRANT TRIGGER ON census.open TO PUBLIC");
        assertThatThrownBy(() -> connection(own.settings()).open(TIMEOUT)).isInstanceOf(UnfitConnectionException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER ROLE ROLE CREATEROLE",
                "ALTER ROLE ROLE CREATEDB",
                "ALTER ROLE ROLE REPLICATION",
                "GRANT pg_execute_server_program TO ROLE",
                "GRANT pg_write_all_data TO ROLE",
            })
    void refusesARoleThatWasGivenMoreThanReading(String gift) {
        ConnectionSettings role = newRole();
        WAREHOUSE
                .server()
                .execute(gift.replace(" ROLE", " " + role.user()).replace("ALTER " + role.user(), "ALTER ROLE"));
        assertThatThrownBy(() -> connection(role).open(TIMEOUT)).isInstanceOf(UnfitConnectionException.class);
    }

    /** RESET ROLE would give back all rights. */
    @Test
    void refusesARoleThatOnlyPlaysAnother() {
        ConnectionSettings boss = newRole("GRANT INSERT ON census.granted TO ROLE");
        WAREHOUSE.server().execute("GRANT " + WAREHOUSE.reader() + " TO " + boss.user());
        WAREHOUSE.server().execute("ALTER ROLE " + boss.user() + " SET role = '" + WAREHOUSE.reader() + "'");
        assertThatThrownBy(() -> connection(boss).open(TIMEOUT)).isInstanceOf(UnfitConnectionException.class);
    }

    @Test
    void aTemporaryTableOfAnotherSessionIsNobodysBusiness() throws SQLException {
        ConnectionSettings role = newRole();
        String url = "jdbc:postgresql://127.0.0.1:" + WAREHOUSE.port() + "/" + WAREHOUSE.database();
        try (Connection other = DriverManager.getConnection(url, role.user(), role.password());
                Statement statement = other.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE scratch (a integer)");
            connection(role).open(TIMEOUT).close();
        }
    }

    @Test
    void takesARoleThatMayReadEverything() throws SQLException {
        ConnectionSettings role = newRole("GRANT SELECT ON SEQUENCE census.numbers TO ROLE");
        WAREHOUSE.server().execute("GRANT pg_read_all_data, pg_monitor TO " + role.user());
        try (TableSession session = connection(role).open(TIMEOUT)) {
            assertThat(session.columns(new TableName("census", "granted"))).hasSize(1);
            assertThat(session.columns(new TableName("pg_catalog", "pg_attribute")))
                    .isEmpty();
            assertThat(session.columns(new TableName("information_schema", "sql_features")))
                    .isEmpty();
        }
    }

    /** The test has its own warehouse, which may hold foreign tables. */
    @Test
    void readsNoTableOfWhichARowIsElsewhere() throws SQLException {
        PostgresWarehouse own = PostgresWarehouse.create();
        own.executeAsSuperuser("CREATE FOREIGN DATA WRAPPER anything");
        own.executeAsSuperuser("CREATE SERVER elsewhere FOREIGN DATA WRAPPER anything");
        own.executeAsSuperuser("GRANT USAGE ON FOREIGN SERVER elsewhere TO " + own.database());
        own.execute("CREATE TABLE census.parted (a integer) PARTITION BY LIST (a)");
        own.execute("CREATE TABLE census.here PARTITION OF census.parted FOR VALUES IN (1)");
        own.execute("CREATE TABLE census.parent (a integer)");
        own.execute("CREATE TABLE census.child () INHERITS (census.parent)");
        own.execute("CREATE TABLE census.grandchild () INHERITS (census.child)");
        assertThat(columns(own, "parted")).containsKey("a");
        assertThat(columns(own, "parent")).containsKey("a");
        own.execute("CREATE FOREIGN TABLE census.far PARTITION OF census.parted FOR VALUES IN (2) SERVER elsewhere");
        own.execute("CREATE FOREIGN TABLE census.farther () INHERITS (census.grandchild) SERVER elsewhere");
        assertThat(columns(own, "parted")).isEmpty();
        assertThat(columns(own, "here")).containsKey("a");
        assertThat(columns(own, "parent")).isEmpty();
        assertThat(columns(own, "far")).isEmpty();
    }

    @Test
    void readsNoTableToWhichPoliciesAddAnExpression() throws SQLException {
        WAREHOUSE.execute("CREATE TABLE census.policed (a integer)");
        assertThat(columns(WAREHOUSE, "policed")).containsKey("a");
        WAREHOUSE.execute("ALTER TABLE census.policed ENABLE ROW LEVEL SECURITY");
        assertThat(columns(WAREHOUSE, "policed")).isEmpty();
    }

    /** Such a column fails where its expression fails. */
    @Test
    void readsNoColumnThatIsComputedWhenItIsRead() throws SQLException {
        WAREHOUSE.execute("CREATE TABLE census.computed (x integer, a integer GENERATED ALWAYS AS (100 / x) VIRTUAL,"
                + " b integer GENERATED ALWAYS AS (2 * x) STORED)");
        assertThat(columns(WAREHOUSE, "computed"))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("x", ColumnType.INTEGER, "a", ColumnType.OTHER, "b", ColumnType.INTEGER));
    }

    private static Map<String, ColumnType> columns(PostgresWarehouse warehouse, String table) throws SQLException {
        try (TableSession session = connection(warehouse.settings()).open(TIMEOUT)) {
            return session.columns(new TableName("census", table));
        }
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
