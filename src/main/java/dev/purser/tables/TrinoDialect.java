package dev.purser.tables;

import io.trino.jdbc.TrinoDriver;
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
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Trino 476 or later: the tables of all its connectors, by catalog (the connection's database), schema and name, in
 * lower case. Its {@code decimal} computes exactly with 38 digits and fails beyond, so every number is kept within 18
 * digits before and 18 after the point.
 *
 * <p>A connector reads the rows of each statement at its own time: two passes of a question may see two states.
 */
final class TrinoDialect implements Dialect {
    private static final int OLDEST = 476;
    private static final int PERMISSION_DENIED = 4;
    private static final int NOT_SUPPORTED = 13;
    private static final Pattern DECIMAL = Pattern.compile("decimal\\([0-9]+,\\s?([0-9]+)\\)");
    private static final int MAX_SCALE = 18;

    private static final String COLUMNS = """
            SELECT column_name, data_type
            FROM information_schema.tables JOIN information_schema.columns USING (table_schema, table_name)
            WHERE table_type = 'BASE TABLE' AND table_schema <> 'information_schema'
                AND table_schema = ? AND table_name = ?
            """;

    @Override
    public Connection open(String host, int port, ConnectionSettings settings, Duration timeout) throws SQLException {
        String url = "jdbc:trino://" + host + ":" + port + "/" + settings.database() + "/information_schema";
        Connection session = new TrinoDriver().connect(url, properties(settings, timeout));
        try {
            session.setReadOnly(true);
            session.setAutoCommit(false);
            return session;
        } catch (SQLException failure) {
            session.close();
            throw failure;
        }
    }

    private static Properties properties(ConnectionSettings settings, Duration timeout) {
        Properties properties = new Properties();
        properties.setProperty("user", settings.user());
        properties.setProperty("source", "purser-tables");
        properties.setProperty("timezone", "UTC");
        properties.setProperty("explicitPrepare", "false");
        properties.setProperty("sessionProperties", "query_max_run_time:" + Math.max(1, timeout.toSeconds()) + "s");
        if (!settings.password().isEmpty()) {
            properties.setProperty("password", settings.password());
        }
        switch (settings.tls()) {
            case OFF -> properties.setProperty("SSL", "false");
            case VERIFY -> {
                properties.setProperty("SSL", "true");
                properties.setProperty("SSLVerification", "FULL");
            }
        }
        return properties;
    }

    @Override
    public Optional<String> objection(Connection session) throws SQLException {
        try (Statement statement = session.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT node_version FROM system.runtime.nodes WHERE coordinator")) {
            if (!row.next() || Integer.parseInt(row.getString(1).replaceAll("\\D.*", "")) < OLDEST) {
                return Optional.of("its server is not Trino " + OLDEST + " or later");
            }
        }
        return isPermitted(session, "CREATE TABLE information_schema.purser AS SELECT 1 AS a")
                ? Optional.of("its user may create tables: Trino's access control must permit it only to read")
                : Optional.empty();
    }

    /** Whether the access control permits a statement, without running it, outside the read-only transaction. */
    private static boolean isPermitted(Connection session, String sql) throws SQLException {
        session.setAutoCommit(true);
        try (Statement statement = session.createStatement()) {
            statement.execute("EXPLAIN (TYPE VALIDATE) " + sql);
            return true;
        } catch (SQLException refused) {
            if (refused.getErrorCode() == PERMISSION_DENIED || refused.getErrorCode() == NOT_SUPPORTED) {
                return false;
            }
            throw refused;
        } finally {
            session.setAutoCommit(false);
        }
    }

    @Override
    public Map<String, ColumnType> columns(Connection session, TableName table) throws SQLException {
        Map<String, ColumnType> columns = new HashMap<>();
        try (PreparedStatement statement = session.prepareStatement(COLUMNS)) {
            statement.setString(1, table.schema());
            statement.setString(2, table.name());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    columns.put(row.getString(1), type(row.getString(2)));
                }
            }
        }
        return columns.isEmpty() || !isReadOnly(session, table) ? Map.of() : columns;
    }

    /** A user's permissions are known for one table at a time. A table that the user can change is not read here. */
    private boolean isReadOnly(Connection session, TableName table) throws SQLException {
        String name = identifier(table.schema()).text() + "."
                + identifier(table.name()).text();
        return !isPermitted(session, "INSERT INTO " + name + " SELECT * FROM " + name)
                && !isPermitted(session, "DELETE FROM " + name);
    }

    /** Binary fractions are not read: their decimal value is not exact here. */
    private static ColumnType type(String dataType) {
        Matcher decimal = DECIMAL.matcher(dataType);
        if (decimal.matches()) {
            int scale = Integer.parseInt(decimal.group(1));
            return scale == 0 ? ColumnType.WHOLE_DECIMAL : scale <= MAX_SCALE ? ColumnType.DECIMAL : ColumnType.OTHER;
        }
        return switch (dataType.replaceAll("\\([0-9]+\\)", "")) {
            case "tinyint", "smallint", "integer", "bigint" -> ColumnType.INTEGER;
            case "varchar" -> ColumnType.TEXT;
            case "boolean" -> ColumnType.BOOLEAN;
            case "date" -> ColumnType.DATE;
            case "timestamp" -> ColumnType.LOCAL_TIME;
            case "timestamp with time zone" -> ColumnType.INSTANT;
            default -> ColumnType.OTHER;
        };
    }

    @Override
    public Sql identifier(String name) {
        return Sql.identifier(name, '"');
    }

    @Override
    public Sql number(Sql column, ColumnType type) {
        return switch (type) {
            case DATE ->
                Sql.of(
                        "CASE WHEN {} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
                                + " THEN date_diff('day', DATE '1970-01-01', {}) END",
                        column,
                        column);
            case LOCAL_TIME -> seconds(Sql.of("CAST({} AS timestamp(12))", column));
            case INSTANT -> seconds(Sql.of("CAST({} AT TIME ZONE 'UTC' AS timestamp(12))", column));
            case INTEGER, WHOLE_DECIMAL, DECIMAL, FLOATING, TEXT, BOOLEAN, OTHER -> column;
        };
    }

    /** Whole seconds, and the twelve digits after the point of the time's text. */
    private static Sql seconds(Sql time) {
        return once(
                time,
                new Sql(
                        "CASE WHEN x >= TIMESTAMP '0001-01-01 00:00:00' AND x < TIMESTAMP '10000-01-01 00:00:00' THEN"
                                + " CAST(date_diff('second', TIMESTAMP '1970-01-01 00:00:00', date_trunc('second', x))"
                                + " AS decimal(18, 0))"
                                + " + CAST(substr(CAST(x AS varchar), -12) AS decimal(12, 0))"
                                + " * DECIMAL '0.000000000001' END",
                        List.of()));
    }

    /** Evaluates {@code body} with x bound to {@code value}, which is then in the statement only once. */
    private static Sql once(Sql value, Sql body) {
        return Sql.of("transform(ARRAY[{}], x -> {})[1]", value, body);
    }

    /**
     * Within the bounds {@code x - lower} is not negative. {@code y - mod(y, 2r)} is then the multiple of 2r at or
     * below y and is divided without a remainder: {@code floor(x/r + 1/2) = lower/r + floor(y / 2r)} for
     * {@code y = 2(x - lower) + r}. A number with more than 20 digits before the point is beyond all bounds.
     */
    @Override
    public Sql gridded(Sql number, GridBounds bounds, long missing) {
        Sql kept = new Sql("TRY_CAST(x AS decimal(38, 18))", List.of());
        Sql resolution = decimal(bounds.resolution());
        Sql twice = Sql.of("({} + {})", resolution, resolution);
        Sql distance = Sql.of(
                "(least(greatest({}, {}), {}) - {})",
                kept,
                decimal(bounds.lower()),
                decimal(bounds.upper()),
                decimal(bounds.lower()));
        Sql dividend = Sql.of("({} + {} + {})", distance, distance, resolution);
        return once(
                number,
                Sql.of(
                        "CASE WHEN x IS NULL THEN {} WHEN {} IS NULL THEN CASE WHEN x > 0 THEN {} ELSE {} END"
                                + " ELSE {} + CAST(({} - mod({}, {})) / {} AS bigint) END",
                        missing,
                        kept,
                        bounds.upperSteps(),
                        bounds.lowerSteps(),
                        bounds.lowerSteps(),
                        dividend,
                        dividend,
                        twice,
                        twice));
    }

    private static Sql decimal(Object number) {
        return Sql.of("CAST({} AS decimal(38, 18))", number);
    }

    @Override
    public Sql position(Sql column, ColumnType type, List<String> texts, long missing) {
        List<Sql> listed = texts.stream().map(text -> Sql.of("{}", text)).toList();
        return Sql.of(
                "coalesce(nullif(array_position(ARRAY[{}], CAST({} AS varchar)), 0) - 1, {})",
                Sql.join(", ", listed),
                column,
                missing);
    }

    @Override
    public Sql unitName(Sql column, ColumnType type) {
        return once(
                Sql.of("CAST({} AS varchar)", column),
                Sql.of("CASE WHEN length(to_utf8(x)) <= {} THEN nullif(x, '') END", MAX_UNIT_BYTES));
    }

    /** The only function that searches a list takes doubles, which are exact for integers within 2^53 of zero. */
    @Override
    public Sql bucket(Sql value, long[] edges) {
        String list = Arrays.stream(edges).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]"));
        return edges.length == 0
                ? new Sql("0", List.of())
                : Sql.of("width_bucket(CAST({} AS double), CAST(json_parse({}) AS array(double)))", value, list);
    }

    /** The sum has 38 digits, because a sum of bigints fails beyond 64 bits. */
    @Override
    public Sql sum(Sql integers) {
        return Sql.of("sum(CAST({} AS decimal(38, 0)))", integers);
    }

    /** A product of bigints fails beyond 64 bits. The product of any two as decimals has at most 38 digits. */
    @Override
    public Sql sumOfSquares(Sql integers) {
        Sql exact = Sql.of("CAST({} AS decimal(19, 0))", integers);
        return Sql.of("sum({} * {})", exact, exact);
    }

    /** The digest of a unit has a fixed length, so no part of it can be taken for a separator. */
    @Override
    public Sql keyedHash(byte[] key, Sql text, List<Sql> integers) {
        List<Sql> texts =
                integers.stream().map(one -> Sql.of("CAST({} AS varchar)", one)).toList();
        return Sql.of(
                "sha256(CAST({} AS varbinary) || sha256(to_utf8({})) || to_utf8(concat_ws(',', {})))",
                key,
                text,
                Sql.join(", ", texts));
    }

    @Override
    public void bind(PreparedStatement statement, int index, Object parameter) throws SQLException {
        statement.setObject(index, parameter);
    }
}
