package dev.purser.dataset.ingest;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StagingDatabaseTests {

    @TempDir
    private Path folder;

    @Test
    void isLockedDownAndLeavesNothing() throws Exception {
        try (StagingDatabase database =
                        new StagingDatabase(folder.resolve("staged"), 1, new StagingDatabase.Limits(64, 1));
                Connection connection = database.connect()) {
            execute(connection, "CREATE TABLE staged.main.rows (c0 BIGINT NOT NULL)");
            checkLockedDown(connection);
            assertThat(folder).isNotEmptyDirectory();
        }
        assertThat(folder).isEmptyDirectory();
    }

    private void checkLockedDown(Connection connection) {
        for (String forbidden : List.of(
                "SELECT * FROM read_text('/etc/passwd')",
                "COPY staged.main.rows TO '" + folder.resolve("copy.csv") + "'",
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
