package dev.purser.tables;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.ssl.DefaultJavaSSLFactory;

/** PostgreSQL 15 or later. Its {@code numeric} computes, also with {@code div}, exactly at any size. */
final class PostgresDialect implements Dialect {
    private static final int OLDEST = 150_000;
    private static final int CONNECT_SECONDS = 5;
    private static final int FETCH_ROWS = 1_000;

    /**
     * Whether the role, or a role that it may become, can do more than read: by a privilege of its own or of PUBLIC, as
     * an owner, or by a role attribute. All roles of which it is a member count, because SET ROLE gives it their
     * privileges.
     */
    private static final String MAY_DO_MORE = """
            SELECT EXISTS (
                SELECT FROM pg_roles AS role
                WHERE (pg_has_role(current_user, role.oid, 'MEMBER')
                        OR pg_has_role(session_user, role.oid, 'MEMBER')) AND (
                    role.rolsuper OR role.rolcreaterole OR role.rolcreatedb OR role.rolreplication
                    OR starts_with(role.rolname, 'pg_') AND role.rolname NOT IN ('pg_read_all_data',
                        'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables', 'pg_monitor')
                    OR has_database_privilege(role.oid, current_database(), 'CREATE')
                    OR EXISTS (
                        SELECT FROM pg_namespace AS schema
                        WHERE has_schema_privilege(role.oid, schema.oid, 'CREATE'))
                    OR EXISTS (
                        SELECT FROM pg_class AS class JOIN pg_namespace AS schema ON schema.oid = class.relnamespace
                        WHERE class.relkind IN ('r', 'p', 'v', 'f', 'm', 'S') AND class.relpersistence <> 't'
                            AND schema.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
                            AND (class.relowner = role.oid
                                OR EXISTS (
                                    SELECT FROM aclexplode(class.relacl) AS given
                                    WHERE given.grantee IN (0, role.oid)
                                        AND (given.privilege_type <> 'SELECT' OR given.is_grantable))
                                OR EXISTS (
                                    SELECT FROM pg_attribute AS attribute, aclexplode(attribute.attacl) AS given
                                    WHERE attribute.attrelid = class.oid AND given.grantee IN (0, role.oid)
                                        AND (given.privilege_type <> 'SELECT' OR given.is_grantable))))))
            """;

    private static final String SERVER = """
            SELECT current_setting('server_version_num')::int AS version,
                current_setting('server_encoding') AS encoding,
                current_setting('transaction_read_only') AS read_only
            """;

    /**
     * The columns of a table whose rows, with the rows of its partitions and inheriting tables, are all stored here,
     * and to which no policy adds an expression. A virtual column is computed when it is read, and can fail at a row.
     */
    private static final String COLUMNS = """
            WITH RECURSIVE tree (oid) AS (
                SELECT class.oid
                FROM pg_class AS class JOIN pg_namespace AS schema ON schema.oid = class.relnamespace
                WHERE schema.nspname = ? AND class.relname = ? AND NOT row_security_active(class.oid)
                    AND schema.nspname NOT IN ('pg_catalog', 'information_schema')
                UNION
                SELECT child.inhrelid FROM pg_inherits AS child JOIN tree ON child.inhparent = tree.oid)
            SELECT attribute.column_name, attribute.data_type, attribute.numeric_scale, EXISTS (
                    SELECT FROM pg_attribute AS part JOIN tree ON tree.oid = part.attrelid
                    WHERE part.attname = attribute.column_name AND part.attgenerated = 'v') AS virtual
            FROM information_schema.columns AS attribute
            WHERE attribute.table_schema = ? AND attribute.table_name = ? AND EXISTS (SELECT FROM tree)
                AND NOT EXISTS (
                    SELECT FROM tree JOIN pg_class AS class USING (oid) WHERE class.relkind NOT IN ('r', 'p'))
                AND has_column_privilege(
                    format('%I.%I', attribute.table_schema, attribute.table_name), attribute.column_name, 'SELECT')
            """;

    @Override
    public Connection open(String host, int port, ConnectionSettings settings, Duration timeout) throws SQLException {
        Connection session = source(host, port, settings, timeout).getConnection();
        try {
            session.setReadOnly(true);
            session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            session.setAutoCommit(false);
            return session;
        } catch (SQLException failure) {
            session.close();
            throw failure;
        }
    }

    /**
     * Functions and operators are looked up in {@code pg_catalog} only, so that no user who can create functions in the
     * database can replace one of them.
     */
    private static PGSimpleDataSource source(String host, int port, ConnectionSettings settings, Duration timeout) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {host});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(settings.database());
        source.setUser(settings.user());
        source.setPassword(settings.password());
        source.setApplicationName("purser-tables");
        source.setOptions("-c default_transaction_read_only=on -c search_path=pg_catalog -c statement_timeout="
                + timeout.toMillis());
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(Math.toIntExact(timeout.toSeconds()) + CONNECT_SECONDS);
        source.setTcpKeepAlive(true);
        source.setDefaultRowFetchSize(FETCH_ROWS);
        switch (settings.tls()) {
            case OFF -> source.setSslMode("disable");
            case VERIFY -> {
                source.setSslMode("verify-full");
                source.setSslfactory(DefaultJavaSSLFactory.class.getName());
            }
        }
        return source;
    }

    @Override
    public Optional<String> objection(Connection session) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet server = statement.executeQuery(SERVER)) {
            server.next();
            if (server.getInt("version") < OLDEST) {
                return Optional.of("its server is older than PostgreSQL 15");
            }
            if (!server.getString("encoding").equals("UTF8")) {
                return Optional.of("its database is not in UTF8");
            }
            if (!server.getString("read_only").equals("on")) {
                return Optional.of("its sessions are not read-only");
            }
        }
        try (Statement statement = session.createStatement();
                ResultSet role = statement.executeQuery(MAY_DO_MORE)) {
            role.next();
            return role.getBoolean(1)
                    ? Optional.of("its role can do more than read: it must have only SELECT, on tables that"
                            + " another role owns")
                    : Optional.empty();
        }
    }

    @Override
    public Map<String, ColumnType> columns(Connection session, TableName table) throws SQLException {
        Map<String, ColumnType> columns = new HashMap<>();
        try (PreparedStatement statement = session.prepareStatement(COLUMNS)) {
            for (int i = 1; i <= 3; i += 2) {
                statement.setString(i, table.schema());
                statement.setString(i + 1, table.name());
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    ColumnType type = type(row.getString(2), row.getObject(3));
                    columns.put(row.getString(1), row.getBoolean(4) ? ColumnType.OTHER : type);
                }
            }
        }
        return columns;
    }

    private static ColumnType type(String dataType, @Nullable Object scale) {
        return switch (dataType) {
            case "smallint", "integer", "bigint" -> ColumnType.INTEGER;
            case "numeric" -> Integer.valueOf(0).equals(scale) ? ColumnType.WHOLE_DECIMAL : ColumnType.DECIMAL;
            case "real", "double precision" -> ColumnType.FLOATING;
            case "text", "character varying" -> ColumnType.TEXT;
            case "boolean" -> ColumnType.BOOLEAN;
            case "date" -> ColumnType.DATE;
            case "timestamp without time zone" -> ColumnType.LOCAL_TIME;
            case "timestamp with time zone" -> ColumnType.INSTANT;
            default -> ColumnType.OTHER;
        };
    }

    @Override
    public Sql identifier(String name) {
        return Sql.identifier(name, '"');
    }

    /** A binary fraction is converted from its text, because the cast to {@code numeric} would cut it to 15 digits. */
    @Override
    public Sql number(Sql column, ColumnType type) {
        return switch (type) {
            case FLOATING -> finite(column, Sql.of("CAST(CAST({} AS text) AS numeric)", column));
            case WHOLE_DECIMAL, DECIMAL -> finite(column, column);
            case DATE -> ours(column, "DATE '%s'", Sql.of("CAST({} - DATE '1970-01-01' AS bigint)", column));
            case LOCAL_TIME -> ours(column, "TIMESTAMP '%s 00:00:00'", Sql.of("extract(epoch FROM {})", column));
            case INSTANT -> ours(column, "TIMESTAMPTZ '%s 00:00:00+00'", Sql.of("extract(epoch FROM {})", column));
            case INTEGER, TEXT, BOOLEAN, OTHER -> column;
        };
    }

    private static Sql finite(Sql column, Sql number) {
        return Sql.of("CASE WHEN {} NOT IN ('NaN', 'Infinity', '-Infinity') THEN {} END", column, number);
    }

    /** NULL outside of the years 1 to 9999, and so for the infinities and for years before Christ. */
    private static Sql ours(Sql column, String literal, Sql number) {
        Sql first = new Sql(literal.formatted("0001-01-01"), List.of());
        Sql end = new Sql(literal.formatted("10000-01-01"), List.of());
        return Sql.of("CASE WHEN {} >= {} AND {} < {} THEN {} END", column, first, column, end, number);
    }

    /**
     * After clamping x to [lower, upper], {@code x - lower} is not negative. {@code div}, which truncates towards zero,
     * is then the floor: {@code floor(x/r + 1/2) = lower/r + div(2(x - lower) + r, 2r)}. The bounds lie on the grid, so
     * clamping may precede rounding. {@code least} and {@code greatest} ignore NULL, so NULL is handled first.
     */
    @Override
    public Sql gridded(Sql number, GridBounds bounds, long missing) {
        BigDecimal twice = bounds.resolution().multiply(BigDecimal.TWO);
        return Sql.of(
                "CAST(CASE WHEN {} IS NULL THEN {}"
                        + " ELSE {} + div(2 * (least(greatest({}, {}), {}) - {}) + {}, {}) END AS bigint)",
                number,
                numeric(BigDecimal.valueOf(missing)),
                numeric(BigDecimal.valueOf(bounds.lowerSteps())),
                Sql.of("CAST({} AS numeric)", number),
                numeric(bounds.lower()),
                numeric(bounds.upper()),
                numeric(bounds.lower()),
                numeric(bounds.resolution()),
                numeric(twice));
    }

    private static Sql numeric(BigDecimal value) {
        return Sql.of("CAST({} AS numeric)", value);
    }

    @Override
    public Sql position(Sql column, ColumnType type, List<String> texts, long missing) {
        return Sql.of(
                "coalesce(CAST(array_position(CAST({} AS text[]), CAST({} AS text) COLLATE \"C\") - 1 AS bigint), {})",
                texts.toArray(String[]::new),
                column,
                Sql.of("CAST({} AS bigint)", missing));
    }

    @Override
    public Sql unitName(Sql column, ColumnType type) {
        Sql name = Sql.of("CAST({} AS text)", column);
        return Sql.of(
                "CASE WHEN octet_length({}) <= {} THEN nullif({} COLLATE \"C\", '') END", name, MAX_UNIT_BYTES, name);
    }

    @Override
    public Sql bucket(Sql value, long[] edges) {
        return Sql.of("width_bucket({}, CAST({} AS bigint[]))", value, edges);
    }

    /** The result is a {@code numeric} of any size. */
    @Override
    public Sql sum(Sql integers) {
        return Sql.of("sum({})", integers);
    }

    /** A product of bigints fails beyond 64 bits. A {@code numeric} can have any size. */
    @Override
    public Sql sumOfSquares(Sql integers) {
        Sql exact = Sql.of("CAST({} AS numeric)", integers);
        return Sql.of("sum({} * {})", exact, exact);
    }

    /** The text of a row keeps its fields apart: characters that could be taken for a separator are quoted. */
    @Override
    public Sql keyedHash(byte[] key, Sql text, List<Sql> integers) {
        return Sql.of(
                "sha256(CAST({} AS bytea) || convert_to(CAST(ROW({}, {}) AS text), 'UTF8'))",
                key,
                text,
                Sql.join(", ", integers));
    }

    @Override
    public void bind(PreparedStatement statement, int index, Object parameter) throws SQLException {
        switch (parameter) {
            case long[] edges ->
                statement.setArray(
                        index,
                        statement
                                .getConnection()
                                .createArrayOf(
                                        "bigint", Arrays.stream(edges).boxed().toArray()));
            case String[] texts ->
                statement.setArray(index, statement.getConnection().createArrayOf("text", texts));
            default -> statement.setObject(index, parameter);
        }
    }
}
