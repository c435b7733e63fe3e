package dev.purser.ledger;

import dev.purser.journal.Chain;
import dev.purser.journal.Head;
import dev.purser.journal.JournalCheck;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chain of steps that versions before the journal kept. Their anchors have its heads, so the first start on such a
 * home still notices lost steps and closes their sessions. Nothing writes it any more.
 */
final class OlderSteps {
    private static final String SUFFIX = "/steps";
    private static final Logger log = LoggerFactory.getLogger(OlderSteps.class);

    private OlderSteps() {}

    static void requireNoneLost(StoreConnection connection, Map<String, Head> confirmed, JournalCheck journal)
            throws SQLException {
        for (Map.Entry<String, Head> each : confirmed.entrySet()) {
            if (each.getKey().endsWith(SUFFIX) && !has(connection, each.getKey(), each.getValue())) {
                String account = each.getKey().substring(0, each.getKey().length() - SUFFIX.length());
                log.warn(
                        "the sessions of account {} are closed: the database lacks steps of them; closed: {}",
                        account,
                        journal.endAfterLoss(connection, Chain.ofSessions(account)));
            }
        }
    }

    private static boolean has(StoreConnection connection, String anchored, Head confirmed) throws SQLException {
        return connection
                .first(
                        "SELECT 1 FROM step_link WHERE account || '" + SUFFIX + "' = ? AND sequence = ? AND hash = ?",
                        row -> true,
                        anchored,
                        confirmed.sequence(),
                        confirmed.hash())
                .isPresent();
    }
}
