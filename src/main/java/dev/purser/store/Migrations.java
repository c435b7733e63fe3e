package dev.purser.store;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Creates the tables, or migrates those of an older release. */
final class Migrations {
    private Migrations() {}

    /** @throws org.flywaydb.core.api.FlywayException if the tables are of a newer release */
    static void run(DataSource source, String dialect) {
        Flyway.configure(Database.class.getClassLoader())
                .dataSource(source)
                .locations("classpath:db/migration/" + dialect)
                .ignoreMigrationPatterns(new String[0])
                .load()
                .migrate();
    }
}
