package dev.purser.store;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How far PostgreSQL's errors reach, by their codes. */
class PostgresTests {
    private final Postgres postgres =
            new Postgres(new LedgerSettings("jdbc:postgresql://127.0.0.1:5432/ledger", "", "", false));

    @Test
    void anErrorReachesAsFarAsItsCodeSays() {
        Map<String, Reach> reaches = Map.ofEntries(
                Map.entry("23505", Reach.WORK), // unique_violation
                Map.entry("25P02", Reach.WORK), // in_failed_sql_transaction
                Map.entry("42601", Reach.WORK), // syntax_error
                Map.entry("40001", Reach.AGAIN), // serialization_failure
                Map.entry("40P01", Reach.AGAIN), // deadlock_detected
                Map.entry("55P03", Reach.AGAIN), // lock_not_available
                Map.entry("53100", Reach.TRANSACTION), // disk_full
                Map.entry("57014", Reach.TRANSACTION), // query_canceled
                Map.entry("58030", Reach.TRANSACTION), // io_error
                Map.entry("08006", Reach.CONNECTION), // connection_failure
                Map.entry("57P01", Reach.CONNECTION), // admin_shutdown
                Map.entry("25P03", Reach.CONNECTION)); // idle_in_transaction_session_timeout
        reaches.forEach((state, reach) -> assertThat(postgres.reachOf(new SQLException("", state)))
                .as(state)
                .isEqualTo(reach));
        assertThat(postgres.reachOf(new SQLException())).isEqualTo(Reach.WORK);
        assertThat(postgres.reachOf(new IllegalStateException())).isEqualTo(Reach.WORK);
    }

    @Test
    void afterACommitOnlyALostRaceIsKnownToHaveLeftNothing() {
        assertThat(postgres.reachOfCommit(new SQLException("", "40P01"))).isEqualTo(Reach.AGAIN);
        assertThat(postgres.reachOfCommit(new SQLException("", "53100"))).isEqualTo(Reach.CONNECTION);
        assertThat(postgres.reachOfCommit(new SQLException("", "08007"))).isEqualTo(Reach.CONNECTION);
        assertThat(postgres.reachOfCommit(new OutOfMemoryError())).isEqualTo(Reach.CONNECTION);
    }
}
