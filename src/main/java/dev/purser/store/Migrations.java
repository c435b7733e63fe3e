package dev.purser.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Creates the tables, or brings an older release's to today's. */
final class Migrations {
    private Migrations() {}

    /** @throws org.flywaydb.core.api.FlywayException if they are of a newer release, which is not written with older rules */
    static void run(DataSource source, String dialect) {
        Flyway.configure(Database.class.getClassLoader())
                .dataSource(source)
                .locations("classpath:db/migration/" + dialect)
                .ignoreMigrationPatterns(new String[0])
                .load()
                .migrate();
    }
}
