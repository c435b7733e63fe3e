package dev.purser.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresMigrationsTests extends MigrationsContract {
    private final LedgerSettings database = PostgresServer.shared().emptyDatabase();

    @Override
    DataSource source() {
        return PostgresServer.source(database);
    }

    @Override
    String dialect() {
        return "postgresql";
    }

    /** A trigger for rows does not run at a TRUNCATE. Bit 3 of a trigger's type is DELETE, bit 5 is TRUNCATE. */
    @Test
    void whatMayNotBeDeletedMayNotBeTruncated() throws Exception {
        Migrations.run(source(), dialect());
        List<String> open = new ArrayList<>();
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT tgrelid::regclass FROM pg_trigger"
                        + " WHERE NOT tgisinternal GROUP BY tgrelid"
                        + " HAVING bool_or(tgtype & 8 > 0) AND NOT bool_or(tgtype & 32 > 0)")) {
            while (row.next()) {
                open.add(row.getString(1));
            }
        }
        assertThat(open).isEmpty();
    }
}
