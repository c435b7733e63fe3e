package dev.purser.ledger;

import dev.purser.journal.Head;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StoreConnection;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Closes accounts that lost entries, inside one transaction. It only takes budget away, and gives no debit. No module
 * but {@code ledger.proof} uses it.
 */
public final class Forfeiture {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Books books;
    private final LastBlocks lastBlocks;

    /** @param lastBlocks the last block that is closed, by account */
    public Forfeiture(StoreConnection connection, LastBlocks lastBlocks) {
        this(new SqlBooks(connection), lastBlocks);
    }

    Forfeiture(Books books, LastBlocks lastBlocks) {
        this.books = books;
        this.lastBlocks = lastBlocks;
    }

    /**
     * The last entry of a closed account.
     *
     * @param charge all that remained; with blocks, the most that remained of a block; zero if nothing remained
     */
    public record Forfeit(Head head, PrivacyAmount charge) {}

    /**
     * Charges an account all that remains. If it has blocks, this is all that remains of each block that may have been
     * asked about.
     */
    public Forfeit charge(String account, Instant at) throws SQLException {
        Account row = books.account(account).orElseThrow();
        PrivacyAmount most = PrivacyAmount.ZERO;
        for (Optional<BlockRun> run : runs(row)) {
            Optional<Step> step = LedgerRules.forfeit(
                    row, run.orElse(null), "operator", at, QueryIds.next(at.toEpochMilli(), () -> RANDOM.nextLong()));
            if (step.isEmpty()) {
                continue;
            }
            if (!books.append(step.orElseThrow())) {
                throw new StartupRefusal(
                        "Account " + account + " was changed while it was being accepted.",
                        "Stop all other instances, then run accept-restored-ledger again.");
            }
            row = step.orElseThrow().after();
            most = most.most(step.orElseThrow().entry().charge());
        }
        return new Forfeit(row.head(), most);
    }

    /** The blocks of an account, in runs with equal remainders. An account without blocks has one empty run. */
    private List<Optional<BlockRun>> runs(Account account) throws SQLException {
        if (account.blocks() == null) {
            return List.of(Optional.empty());
        }
        BlockWindow closed = lastBlocks.of(account.account(), account.blocks());
        return books.blocks(account, null, closed).runs(closed).stream()
                .map(Optional::of)
                .toList();
    }

    /**
     * Closes the questions that were charged and have no answer. A lost answer may have been released, and another
     * answer under the same charge would be a second release. Returns how many there were.
     */
    public int closeQuestions(String account) throws SQLException {
        int closed = 0;
        String last = "";
        for (List<Reservation> next = books.reservations(last, 1);
                !next.isEmpty();
                next = books.reservations(last, 1)) {
            CommittedDebit debit = next.getFirst().debit();
            last = debit.queryId();
            if (debit.account().equals(account)) {
                books.answer(last, LedgerRules.CLOSED);
                closed++;
            }
        }
        return closed;
    }
}
