package dev.purser.store;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The scope of each error of PostgreSQL, by its code. */
class PostgresTests {
    private final Postgres postgres =
            new Postgres(new LedgerSettings("jdbc:postgresql://127.0.0.1:5432/ledger", "", "", new Secret(""), false));

    @Test
    void anErrorReachesAsFarAsItsCodeSays() {
        Map<String, FailureScope> reaches = Map.ofEntries(
                Map.entry("23505", FailureScope.WORK), // unique_violation
                Map.entry("25P02", FailureScope.WORK), // in_failed_sql_transaction
                Map.entry("42601", FailureScope.WORK), // syntax_error
                Map.entry("40001", FailureScope.AGAIN), // serialization_failure
                Map.entry("40P01", FailureScope.AGAIN), // deadlock_detected
                Map.entry("55P03", FailureScope.AGAIN), // lock_not_available
                Map.entry("53100", FailureScope.TRANSACTION), // disk_full
                Map.entry("57014", FailureScope.TRANSACTION), // query_canceled
                Map.entry("58030", FailureScope.TRANSACTION), // io_error
                Map.entry("08006", FailureScope.CONNECTION), // connection_failure
                Map.entry("57P01", FailureScope.CONNECTION), // admin_shutdown
                Map.entry("25P03", FailureScope.CONNECTION)); // idle_in_transaction_session_timeout
        reaches.forEach((state, scope) -> assertThat(postgres.scopeOf(new SQLException("", state)))
                .as(state)
                .isEqualTo(scope));
        assertThat(postgres.scopeOf(new SQLException())).isEqualTo(FailureScope.WORK);
        assertThat(postgres.scopeOf(new IllegalStateException())).isEqualTo(FailureScope.WORK);
    }

    @Test
    void afterACommitOnlyALostRaceIsKnownToHaveLeftNothing() {
        assertThat(postgres.scopeOfCommit(new SQLException("", "40P01"))).isEqualTo(FailureScope.AGAIN);
        assertThat(postgres.scopeOfCommit(new SQLException("", "53100"))).isEqualTo(FailureScope.CONNECTION);
        assertThat(postgres.scopeOfCommit(new SQLException("", "08007"))).isEqualTo(FailureScope.CONNECTION);
        assertThat(postgres.scopeOfCommit(new OutOfMemoryError())).isEqualTo(FailureScope.CONNECTION);
    }
}
