package dev.purser.store;

import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;

/** Creates the tables, or migrates the tables of an older release. Other tables are refused and not changed. */
final class Migrations {
    private static final String LOCATION = "classpath:db/migration/common";

    /** The words of the migrations that differ between the databases. Lines for the other database become comments. */
    private static final Map<String, String> SQLITE = Map.ofEntries(
            Map.entry("text", "TEXT"),
            Map.entry("bytes", "BLOB"),
            Map.entry("long", "INTEGER"),
            Map.entry("double", "REAL"),
            Map.entry("strict", " STRICT"),
            Map.entry("strict_without_rowid", " STRICT, WITHOUT ROWID"),
            Map.entry("removal", "DELETE"),
            Map.entry("refuse", "BEGIN SELECT RAISE(ABORT, "),
            Map.entry("end", "; END"),
            Map.entry("sqlite", ""),
            Map.entry("postgresql", "-- "));

    /** Texts are ordered by their bytes, as in SQLite. */
    private static final Map<String, String> POSTGRESQL = Map.ofEntries(
            Map.entry("text", "TEXT COLLATE \"C\""),
            Map.entry("bytes", "BYTEA"),
            Map.entry("long", "BIGINT"),
            Map.entry("double", "DOUBLE PRECISION"),
            Map.entry("strict", ""),
            Map.entry("strict_without_rowid", ""),
            Map.entry("removal", "DELETE OR TRUNCATE"),
            Map.entry("refuse", "EXECUTE FUNCTION refuse("),
            Map.entry("end", ""),
            Map.entry("sqlite", "-- "),
            Map.entry("postgresql", ""));

    private Migrations() {}

    /** @throws StartupRefusal if neither this release nor a release that it can migrate made the tables */
    static void run(DataSource source, String dialect) {
        run(source, dialect, LOCATION);
    }

    static void run(DataSource source, String dialect, String... locations) {
        Flyway flyway = Flyway.configure(Database.class.getClassLoader())
                .dataSource(source)
                .locations(locations)
                .placeholders("sqlite".equals(dialect) ? SQLITE : POSTGRESQL)
                .ignoreMigrationPatterns("*:pending")
                .load();
        MigrationInfo[] applied = flyway.info().applied();
        if (applied.length > 0 && !flyway.validateWithResult().validationSuccessful) {
            String theirs = text(applied[applied.length - 1]);
            String newest = text(newest(flyway.info().all()));
            throw new StartupRefusal(
                    "The ledger's tables have a format that this release does not read: "
                            + (theirs.equals(newest)
                                    ? "another build made them, whose version " + theirs + " is not the one of this"
                                    : "they are at version " + theirs + ", and it reads up to version " + newest)
                            + ".",
                    "Start the release that wrote them, or name an empty PURSER_HOME and an empty database. Upgrades"
                            + " are kept from release 0.1.0 on; nothing was changed here.");
        }
        flyway.migrate();
    }

    private static MigrationInfo newest(MigrationInfo[] all) {
        MigrationInfo newest = all[0];
        for (MigrationInfo each : all) {
            newest = each.getState().isResolved() ? each : newest;
        }
        return newest;
    }

    private static String text(MigrationInfo migration) {
        return migration.getVersion() + " (" + migration.getDescription() + ")";
    }
}
