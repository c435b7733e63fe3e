package dev.purser.ledger;

import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A ledger with one account, which has a limit of epsilon 1 for each block. Its database accepts entries whose blocks
 * did not pay. A database otherwise refuses such entries, but here the code alone is audited.
 */
public final class BlockLedger implements AutoCloseable {
    private final OpenLedger open;
    private final String account;
    private int asked;

    /** @param home a home, which may have a ledger without this account */
    public BlockLedger(Path home, String account, Blocks blocks) {
        this.open = new OpenLedger(home)
                .withAccount(account, new PureAccountant(), PrivacyAmount.pure(Epsilon.parse("1")), blocks);
        this.account = account;
        open.database.write(
                account, connection -> connection.update("DROP TRIGGER IF EXISTS entry_agrees_with_blocks"));
    }

    /** The debit that pays for a question of epsilon 1 about some blocks; empty if the question is refused. */
    public Optional<CommittedDebit> ask(BlockWindow window) {
        ChargeRequest question = OpenLedger.of(window, OpenLedger.question(account, "ana", "k" + asked++, "1"));
        try {
            return Optional.of(((ReserveOutcome.Reserved) open.ledger.reserve(question)).debit());
        } catch (ProblemException refused) {
            if (refused.type() != ProblemType.BUDGET_EXHAUSTED) {
                throw refused;
            }
            return Optional.empty();
        }
    }

    @Override
    public void close() throws SQLException {
        open.close();
    }
}
