package dev.purser.ledger.attachment;

import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.CommittedDebit;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class SqliteAttachmentsTests extends AttachmentsContract {
    @Test
    void aCopyOfTheLedgerHasAttachments(@TempDir Path folder) throws SQLException {
        CommittedDebit debit = answered("k", content(1));
        PurserHome copy = new PurserHome(folder.resolve("copy"));

        Database.copy(new PurserHome(home), copy);

        try (Database copied = Database.ofCopy(copy, LedgerSettings.embedded())) {
            assertThat(new BudgetLedger(copied, Clock.systemUTC(), new SecureRandom())
                            .attachment(debit.queryId(), new Attachment("", content(1)).digest()))
                    .isEqualTo(content(1));
        }
    }
}
