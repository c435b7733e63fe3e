package dev.purser.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** Somebody who has the database but not the home. Triggers, checks and foreign keys do not stop them. */
public final class Tampering {
    /** Statements that change tables, not rows. */
    private static final Pattern DEFINITION = Pattern.compile("CREATE|DROP|ALTER");

    private static final String WITHOUT_CONSTRAINTS = """
            DO $$ DECLARE each record; BEGIN
            FOR each IN SELECT conrelid::regclass AS holder, conname FROM pg_constraint
                WHERE conrelid <> 0 AND connamespace = 'public'::regnamespace AND contype IN ('c', 'f') LOOP
                EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', each.holder, each.conname);
            END LOOP; END $$
            """;

    private Tampering() {}

    /** Connects to the database as somebody who tampers does: from now on, nothing in the database stops a change. */
    public static Connection connect(Path home, LedgerSettings settings) throws SQLException {
        String url = settings.isEmbedded() ? "jdbc:sqlite:" + home.resolve("ledger.db") : settings.url();
        Connection connection = DriverManager.getConnection(url, settings.user(), settings.password());
        try (Statement statement = connection.createStatement()) {
            if (settings.isEmbedded()) {
                statement.execute("PRAGMA ignore_check_constraints = on");
                statement.execute("PRAGMA foreign_keys = off");
                for (String trigger : names(statement, "SELECT name FROM sqlite_master WHERE type = 'trigger'")) {
                    statement.execute("DROP TRIGGER " + trigger);
                }
            } else {
                for (String table : names(statement, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")) {
                    statement.execute("ALTER TABLE " + table + " DISABLE TRIGGER USER");
                }
                statement.execute(WITHOUT_CONSTRAINTS);
            }
        }
        return connection;
    }

    /**
     * Runs statements. Each has to find a row, or to be a definition.
     *
     * @param home the home, if the database is a file in it
     */
    public static void tamper(Path home, LedgerSettings settings, String... statements) throws SQLException {
        try (Connection connection = connect(home, settings);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                boolean changed = statement.executeUpdate(each) > 0;
                assertThat(changed || DEFINITION.matcher(each).lookingAt())
                        .as(each)
                        .isTrue();
            }
        }
    }

    private static List<String> names(Statement statement, String sql) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}
