package dev.purser.store;

import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresMigrationsTests extends MigrationsContract {
    private final LedgerSettings database = PostgresServer.shared().emptyDatabase();

    @Override
    DataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.url());
        source.setUser(database.user());
        source.setPassword(database.password());
        return source;
    }

    @Override
    String dialect() {
        return "postgresql";
    }
}
