package dev.purser.ledger;

import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.store.LedgerSettings;
import dev.purser.store.Tampering;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.FileSystemUtils;

import static dev.purser.Records.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Changes to the books by somebody with SQL access who has removed the database's own rules. */
class ChainVerifierTests extends OneAccountLedger {
    @TempDir
    static Path longBooks;

    /** Books of several pages. */
    @BeforeAll
    static void fillLongBooks() throws SQLException {
        try (OpenLedger filled = new OpenLedger(longBooks).withAccount(OpenLedger.ACCOUNT, "1")) {
            LedgerFill.upTo(filled.database, OpenLedger.ACCOUNT, 9_000);
            assertThat(filled.ledger.verify(OpenLedger.ACCOUNT).entries()).isEqualTo(9_000);
            assertThat(filled.ledger.verify(OpenLedger.ACCOUNT).valid()).isTrue();
        }
    }

    @BeforeEach
    void debit() {
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", PrivacyAmount.pure(Epsilon.parse("0.6")), "carla");
        for (int i = 0; i < 5; i++) {
            CommittedDebit debit = open.debit("k" + i, "0.1");
            open.ledger.settle(debit, "answer".getBytes(UTF_8));
        }
    }

    @Test
    void untouchedBooksAreValid() {
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT))
                .isEqualTo(new ChainVerification(
                        7,
                        open.ledger.entries(OpenLedger.ACCOUNT, 6, 1).getFirst().hash(),
                        null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE entry SET type = 'limit', query_id = NULL, kind = NULL, charge_epsilon_nanos = 0 WHERE"
                        + " sequence = 3",
                "UPDATE entry SET query_id = (SELECT query_id FROM entry WHERE sequence = 4) WHERE sequence = 3",
                "UPDATE entry SET query_id = '01ARZ3NDEKTSV4RRFFQ69G5FAV' WHERE sequence = 3",
                "UPDATE entry SET previous_hash = hash WHERE sequence = 3",
                "UPDATE entry SET hash = previous_hash WHERE sequence = 3",
                "UPDATE entry SET hash = upper(hash) WHERE sequence = 7",
                "DELETE FROM entry WHERE sequence = 1",
                "DELETE FROM entry WHERE sequence = 3",
                "DELETE FROM entry WHERE sequence = 7",
                "DELETE FROM entry",
                "UPDATE entry SET sequence = 8 WHERE sequence = 7",
                "UPDATE account SET spent_epsilon_nanos = 400000000",
                "UPDATE account SET spent_epsilon_nanos = -1",
                "UPDATE account SET limit_rho_picos = 1",
                "UPDATE account SET limit_epsilon_nanos = 2000000000",
                "UPDATE account SET limit_delta_attos = 1",
                "UPDATE account SET head_sequence = 5",
                "UPDATE account SET head_hash = (SELECT hash FROM entry WHERE sequence = 5)",
                "DELETE FROM account",
                "UPDATE allotment SET spent_epsilon_nanos = 0",
                "UPDATE allotment SET limit_epsilon_nanos = limit_epsilon_nanos + 1",
                "UPDATE allotment SET analyst = 'bob'",
                "DELETE FROM allotment",
                "DELETE FROM question WHERE sequence = 3",
                "UPDATE question SET dataset_id = 'x' WHERE sequence = 3",
                "UPDATE question SET principal = 'x' WHERE sequence = 3",
                "UPDATE question SET operation = 'x' WHERE sequence = 3",
                "UPDATE question SET idempotency_key = 'x' WHERE sequence = 3",
                "UPDATE question SET request_digest = zeroblob(32) WHERE sequence = 3",
                "UPDATE question SET query_id = '01ARZ3NDEKTSV4RRFFQ69G5FAV' WHERE sequence = 3"
            })
    void findsWhatWasTamperedWith(String statement) throws SQLException {
        tamper(statement);

        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).valid()).isFalse();
    }

    /** Books of several pages, read by two threads. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE entry SET at_millis = at_millis + 1 WHERE sequence = 4096",
                "UPDATE entry SET at_millis = at_millis + 1 WHERE sequence = 4097",
                "UPDATE entry SET charge_epsilon_nanos = -1 WHERE sequence = 5000",
                "UPDATE entry SET previous_hash = hash WHERE sequence = 4097",
                "UPDATE entry SET sequence = 4000000000000000000 WHERE sequence = 9000",
                "UPDATE entry SET sequence = 9223372036854775807 WHERE sequence = 9000",
                "DELETE FROM entry WHERE sequence BETWEEN 4097 AND 8192",
                "DELETE FROM entry WHERE sequence = 8193",
                "DELETE FROM question WHERE sequence = 8192",
                "UPDATE question SET idempotency_key = 'other' WHERE sequence = 8193",
                "UPDATE question SET sequence = 9001 WHERE sequence = 9000"
            })
    void findsWhatWasTamperedWithOnAnyPage(String statement) throws SQLException, IOException {
        open.close();
        home = home.resolve("long");
        FileSystemUtils.copyRecursively(longBooks, home);
        open = new OpenLedger(home);
        tamper(statement);

        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).valid()).isFalse();
    }

    /** Each entry's hash fits the entry's own text. Only the link from the next entry reveals the change. */
    @Test
    void findsAnEntryThatWasWrittenAnewWithAFreshHash() throws SQLException {
        LedgerEntry third = open.ledger.entries(OpenLedger.ACCOUNT, 2, 1).getFirst();
        LedgerEntry forged = LedgerChain.sealed(OpenLedger.ACCOUNT, with(third, "kind", "count"));
        tamper("UPDATE entry SET kind = 'count', hash = '" + forged.hash() + "' WHERE sequence = 3");

        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).valid()).isFalse();
    }

    private void tamper(String statement) throws SQLException {
        Tampering.tamper(home, LedgerSettings.embedded(), statement);
    }
}
