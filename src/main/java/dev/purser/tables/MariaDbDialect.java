package dev.purser.tables;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mariadb.jdbc.Driver;

/**
 * MariaDB 10.11 or later. Its {@code decimal} computes with 81 digits, in words of nine before and nine after the
 * point. Numbers with 18 and 38 digits there are therefore added, subtracted and divided ({@code DIV}) exactly.
 */
final class MariaDbDialect implements Dialect {
    private static final int CONNECT_MILLIS = 5_000;
    private static final Pattern VERSION = Pattern.compile("([0-9]+)\\.([0-9]+)\\..*MariaDB.*");
    private static final Pattern GRANT = Pattern.compile("GRANT (.*?) ON .*", Pattern.DOTALL);
    private static final Set<String> READS = Set.of("USAGE", "SELECT", "SHOW VIEW");

    /**
     * Reads only InnoDB tables of the connection's database, because a consistent snapshot covers only these. A virtual
     * column is computed when it is read.
     */
    private static final String COLUMNS = """
            SELECT column_name, data_type, numeric_scale, extra LIKE '%VIRTUAL%'
            FROM information_schema.tables JOIN information_schema.columns USING (table_schema, table_name)
            WHERE table_type = 'BASE TABLE' AND engine = 'InnoDB' AND FIND_IN_SET('select', privileges) > 0
                AND BINARY table_schema = BINARY database()
                AND BINARY table_schema = BINARY ? AND BINARY table_name = BINARY ?
            """;

    @Override
    public Connection open(String host, int port, ConnectionSettings settings, Duration timeout) throws SQLException {
        String url = "jdbc:mariadb://" + host + ":" + port + "/" + settings.database();
        Connection session = new Driver().connect(url, properties(settings, timeout));
        try (Statement statement = session.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
            return session;
        } catch (SQLException failure) {
            session.close();
            throw failure;
        }
    }

    /** Passwords are never sent in clear text, and no local file is sent on a server's request. */
    private static Properties properties(ConnectionSettings settings, Duration timeout) {
        Properties properties = new Properties();
        properties.setProperty("user", settings.user());
        properties.setProperty("password", settings.password());
        properties.setProperty("restrictedAuth", "mysql_native_password,client_ed25519,parsec");
        properties.setProperty("allowLocalInfile", "false");
        properties.setProperty(
                "sslMode",
                switch (settings.tls()) {
                    case OFF -> "disable";
                    case VERIFY -> "verify-full";
                });
        properties.setProperty("connectTimeout", Long.toString(CONNECT_MILLIS));
        properties.setProperty("socketTimeout", Long.toString(timeout.toMillis() + CONNECT_MILLIS));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty(
                "sessionVariables",
                "tx_isolation='REPEATABLE-READ',tx_read_only=1,time_zone='+00:00',sql_mode='STRICT_ALL_TABLES',"
                        + "max_statement_time=" + Math.max(1, timeout.toSeconds()));
        return properties;
    }

    @Override
    public Optional<String> objection(Connection session) throws SQLException {
        Matcher version = VERSION.matcher(ask(session, "SELECT version()").getFirst());
        if (!version.matches()
                || Integer.parseInt(version.group(1)) * 100 + Integer.parseInt(version.group(2)) < 1011) {
            return Optional.of("its server is not MariaDB 10.11 or later");
        }
        if (!ask(session, "SELECT @@tx_read_only").equals(List.of("1"))) {
            return Optional.of("its sessions are not read-only");
        }
        boolean readsOnly = ask(session, "SHOW GRANTS").stream().allMatch(MariaDbDialect::isRead);
        return readsOnly
                ? Optional.empty()
                : Optional.of("its role can do more than read: it must have only SELECT, and no roles");
    }

    private static List<String> ask(Connection session, String sql) throws SQLException {
        List<String> answer = new ArrayList<>();
        try (Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                answer.add(row.getString(1));
            }
        }
        return answer;
    }

    /**
     * Whether a line of {@code SHOW GRANTS}, which includes the grants of PUBLIC, permits only reading. A granted role
     * does not count as read-only: it may permit anything.
     */
    private static boolean isRead(String grant) {
        Matcher privileges = GRANT.matcher(grant);
        return privileges.matches()
                && !grant.contains("WITH GRANT OPTION")
                && Arrays.stream(privileges
                                .group(1)
                                .replaceAll("\\([^)]*\\)", "")
                                .split(","))
                        .allMatch(privilege -> READS.contains(privilege.strip()));
    }

    @Override
    public Map<String, ColumnType> columns(Connection session, TableName table) throws SQLException {
        Map<String, ColumnType> columns = new HashMap<>();
        try (PreparedStatement statement = session.prepareStatement(COLUMNS)) {
            statement.setString(1, table.schema());
            statement.setString(2, table.name());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    ColumnType type = type(row.getString(2), row.getInt(3));
                    columns.put(row.getString(1), row.getBoolean(4) ? ColumnType.OTHER : type);
                }
            }
        }
        return columns;
    }

    /** Binary fractions are not read: their decimal value is not exact here. */
    private static ColumnType type(String dataType, int scale) {
        return switch (dataType) {
            case "tinyint", "smallint", "mediumint", "int", "bigint" -> ColumnType.INTEGER;
            case "decimal" -> scale == 0 ? ColumnType.WHOLE_DECIMAL : ColumnType.DECIMAL;
            case "varchar", "tinytext", "text", "mediumtext", "longtext" -> ColumnType.TEXT;
            case "date" -> ColumnType.DATE;
            case "datetime" -> ColumnType.LOCAL_TIME;
            case "timestamp" -> ColumnType.INSTANT;
            default -> ColumnType.OTHER;
        };
    }

    @Override
    public Sql identifier(String name) {
        return Sql.identifier(name, '`');
    }

    /** The session's time zone is UTC, so an instant has the days and seconds of UTC. */
    @Override
    public Sql number(Sql column, ColumnType type) {
        return switch (type) {
            case INTEGER -> Sql.of("CAST({} AS decimal(20, 0))", column);
            case DATE -> ifReal(column, Sql.of("to_days({}) - 719528", column));
            case LOCAL_TIME, INSTANT ->
                ifReal(
                        column,
                        Sql.of(
                                "(to_days({}) - 719528) * 86400 + hour({}) * 3600 + minute({}) * 60 + second({})"
                                        + " + microsecond({}) * 0.000001",
                                column,
                                column,
                                column,
                                column,
                                column));
            case WHOLE_DECIMAL, DECIMAL, FLOATING, TEXT, BOOLEAN, OTHER -> column;
        };
    }

    /** A column may contain {@code 0000-00-00}, {@code 2020-00-31} and, in some server modes, {@code 2020-02-31}. */
    private static Sql ifReal(Sql column, Sql number) {
        return Sql.of(
                "CASE WHEN year({}) > 0 AND dayofmonth({}) BETWEEN 1 AND dayofmonth(last_day({})) THEN {} END",
                column,
                column,
                column,
                number);
    }

    /**
     * Within the bounds {@code x - lower} is not negative. {@code DIV}, which truncates towards zero, is then the
     * floor: {@code floor(x/r + 1/2) = lower/r + (2(x - lower) + r) DIV 2r}. The bounds lie on the grid, so clamping
     * before rounding equals clamping after it, and keeps every number as small as the bounds.
     */
    @Override
    public Sql gridded(Sql number, GridBounds bounds, long missing) {
        Sql distance = Sql.of("({} - {})", number, bounds.lower());
        return Sql.of(
                "CAST(CASE WHEN {} IS NULL THEN {} WHEN {} <= {} THEN {} WHEN {} >= {} THEN {}"
                        + " ELSE {} + ({} + {} + {}) DIV ({} + {}) END AS signed)",
                number,
                missing,
                number,
                bounds.lower(),
                bounds.lowerSteps(),
                number,
                bounds.upper(),
                bounds.upperSteps(),
                bounds.lowerSteps(),
                distance,
                distance,
                bounds.resolution(),
                bounds.resolution(),
                bounds.resolution());
    }

    /** Only bytes compare character by character: every text collation treats some characters as equal. */
    @Override
    public Sql position(Sql column, ColumnType type, List<String> texts, long missing) {
        String listed = texts.stream().map(MariaDbDialect::literal).collect(Collectors.joining(", "));
        Sql place = Sql.of("field({}, {})", bytes(column), new Sql(listed, List.of()));
        return Sql.of("coalesce(nullif(CAST({} AS signed), 0) - 1, {})", place, missing);
    }

    private static Sql bytes(Sql column) {
        return Sql.of("CAST(convert({} USING utf8mb4) AS binary)", column);
    }

    /** The bytes of a text, as digits, so that no content can end the literal. */
    private static String literal(String text) {
        return "X'" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + "'";
    }

    /** A digest, because the server groups by only the first 1,024 bytes of a text. */
    @Override
    public Sql unitName(Sql column, ColumnType type) {
        Sql name = bytes(column);
        return Sql.of(
                "CASE WHEN octet_length({}) <= {} THEN sha2(nullif({}, X''), 256) END", name, MAX_UNIT_BYTES, name);
    }

    /** The edges are digits in the statement text, because a list of constants is searched by bisection. */
    @Override
    public Sql bucket(Sql value, long[] edges) {
        String ascending = Arrays.stream(edges).mapToObj(edge -> ", " + edge).collect(Collectors.joining());
        return edges.length == 0
                ? new Sql("0", List.of())
                : Sql.of("interval({}{})", value, new Sql(ascending, List.of()));
    }

    /** The result is a {@code decimal} of 65 digits. */
    @Override
    public Sql sum(Sql integers) {
        return Sql.of("sum({})", integers);
    }

    /** A product of bigints fails beyond 64 bits. A product of decimals has 40 digits, and the sum has 62. */
    @Override
    public Sql sumOfSquares(Sql integers) {
        Sql exact = Sql.of("CAST({} AS decimal(20, 0))", integers);
        return Sql.of("sum({} * {})", exact, exact);
    }

    /** The digest of a unit has a fixed length, so no part of it can be taken for a separator. */
    @Override
    public Sql keyedHash(byte[] key, Sql text, List<Sql> integers) {
        return Sql.of("sha2(concat({}, {}, concat_ws(',', {})), 256)", key, text, Sql.join(", ", integers));
    }

    @Override
    public void bind(PreparedStatement statement, int index, Object parameter) throws SQLException {
        statement.setObject(index, Objects.requireNonNull(parameter));
    }
}
