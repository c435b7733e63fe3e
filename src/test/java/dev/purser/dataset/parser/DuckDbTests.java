package dev.purser.dataset.parser;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DuckDbTests {
    @Test
    void hasOneThreadHoweverManyProcessorsThereAre() throws SQLException {
        try (DuckDb database = DuckDb.open(List.of());
                DuckDb.Rows threads = database.query("SELECT current_setting('threads')::BIGINT", 1)) {
            assertThat(threads.next()).isTrue();
            assertThat(threads.vector(0).longAt(0)).isOne();
        }
    }

    @Test
    void carriesSettingsOutInTheirOrder() {
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> DuckDb.open(List.of("SET lock_configuration = true", "SET memory_limit = '256MB'")))
                .withMessage("DuckDB refuses");
    }

    @Test
    void aRefusedStatementLeavesItReadyForTheNext() throws SQLException {
        try (DuckDb database = DuckDb.open(List.of())) {
            for (int i = 0; i < 100; i++) {
                assertThatExceptionOfType(SQLException.class).isThrownBy(() -> database.query("SELECT nothing", 0));
                assertThatExceptionOfType(SQLException.class).isThrownBy(() -> database.execute("SELECT error('x')"));
            }
            try (DuckDb.Rows rows = database.query("SELECT i, i = 4 FROM range(5000) t(i)", 1)) {
                long sum = 0;
                int count = 0;
                while (rows.next()) {
                    count += rows.count();
                    for (int row = 0; row < rows.count(); row++) {
                        sum += rows.vector(0).longAt(row);
                    }
                }
                assertThat(count).isEqualTo(5000);
                assertThat(sum).isEqualTo(4999L * 5000 / 2);
            }
        }
    }
}
