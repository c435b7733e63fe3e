package dev.purser.dataset;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowsDatabaseTests {
    private static final RowsDatabase.Limits LIMITS = new RowsDatabase.Limits(64, 1);

    @TempDir
    private Path folder;

    @Test
    void whateverIsOpenedIsLockedDown() throws Exception {
        Path file = folder.resolve("rows.duckdb");
        Path spill = folder.resolve("spill");
        try (Connection connection = RowsDatabase.create(file, null, spill, 1, LIMITS)) {
            execute(connection, "CREATE TABLE rows (c0 BIGINT NOT NULL)");
            checkLockedDown(connection);
        }
        try (Connection connection = RowsDatabase.openReadOnly(file, spill, LIMITS)) {
            checkLockedDown(connection);
            for (String forbidden : List.of("INSERT INTO rows VALUES (1)", "DROP TABLE rows")) {
                assertThatThrownBy(() -> execute(connection, forbidden))
                        .as(forbidden)
                        .isInstanceOf(SQLException.class);
            }
        }
        assertThat(folder.resolve("copy.csv")).doesNotExist();
    }

    private void checkLockedDown(Connection connection) {
        for (String forbidden : List.of(
                "SELECT * FROM read_text('/etc/passwd')",
                "COPY rows TO '" + folder.resolve("copy.csv") + "'",
                "ATTACH '" + folder.resolve("other.duckdb") + "'",
                "INSTALL httpfs",
                "LOAD httpfs",
                "SET enable_external_access=true",
                "SET memory_limit='8GB'",
                "SET temp_directory='/tmp'")) {
            assertThatThrownBy(() -> execute(connection, forbidden))
                    .as(forbidden)
                    .isInstanceOf(SQLException.class);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
