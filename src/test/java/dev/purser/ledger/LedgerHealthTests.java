package dev.purser.ledger;

import dev.purser.journal.Head;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LedgerHealthTests extends OneAccountLedger {
    @Test
    void isUpWhileTheLedgerCanBeWritten() {
        LedgerHealth health = new LedgerHealth(open.database);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        open.database.witness(heads -> {
            throw new IOException("the anchor's disk is gone");
        });
        assertThatThrownBy(() -> open.database.write(OpenLedger.ACCOUNT, connection -> {
                    connection.noteHead(OpenLedger.ACCOUNT, new Head(3, "f".repeat(64)).text());
                    return connection.update("UPDATE question SET dataset_id = dataset_id WHERE 1 = 0");
                }))
                .isInstanceOf(Exception.class);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    }
}
