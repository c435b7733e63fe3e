package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import dev.purser.store.StorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PostgresBudgetLedgerTests extends BudgetLedgerContract {
    private final LedgerSettings database = PostgresServer.shared().newDatabase();

    @Override
    LedgerSettings settings() {
        return database;
    }

    /** What a program error, or a hand at the database, must not get past the database itself. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE entry SET charge_epsilon_nanos = 1",
                "UPDATE entry SET hash = previous_hash",
                "DELETE FROM entry",
                "DELETE FROM entry WHERE type = 'limit'",
                "DELETE FROM account",
                "DELETE FROM question",
                "UPDATE account SET spent_epsilon_nanos = 0, head_sequence = head_sequence + 1",
                "UPDATE account SET spent_epsilon_nanos = spent_epsilon_nanos + 1",
                "UPDATE account SET spent_epsilon_nanos = limit_epsilon_nanos + 1, head_sequence = head_sequence + 1",
                "TRUNCATE entry, question",
                "INSERT INTO entry SELECT account, 3, at_millis, type, analyst, query_id, kind, request_hash, 1, 0, 0,"
                        + " limit_after_epsilon_nanos, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
                        + " hash, hash, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM entry"
                        + " WHERE sequence = 2",
                "UPDATE account SET spent_rho_picos = 1, head_sequence = head_sequence + 1",
                "UPDATE question SET body = decode('02', 'hex')",
                "UPDATE question SET body = NULL",
                "UPDATE question SET request_digest = decode(repeat('00', 32), 'hex')",
                "INSERT INTO question SELECT '12345678901234567890123456', account, 1, dataset_id, principal,"
                        + " operation, idempotency_key, request_digest, decode('7b7d', 'hex'), NULL FROM question"
            })
    void theDatabaseItselfKeepsTheBooks(String statement) {
        open.ledger.settle(open.debit("k", "0.4"), new byte[] {1});

        assertThatThrownBy(() -> execute(statement)).isInstanceOf(StorageException.class);
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).valid()).isTrue();
        assertThat(open.spent()).isEqualTo("0.4");
    }

    @Test
    void aQuestionNotYetAnsweredCanOnlyBeAnswered() {
        open.reserve("k", "0.4");

        assertThatThrownBy(() -> execute("UPDATE question SET principal = 'eve'"))
                .isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> execute("UPDATE question SET body = decode('01', 'hex'), principal = 'eve'"))
                .isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> execute("UPDATE question SET body = decode('', 'hex')"))
                .isInstanceOf(StorageException.class);
    }
}
