package dev.purser.store;

import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

class SqliteMigrationsTests extends MigrationsContract {
    @Override
    DataSource source() {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + folder.resolve("ledger.db"));
        return source;
    }

    @Override
    String dialect() {
        return "sqlite";
    }
}
