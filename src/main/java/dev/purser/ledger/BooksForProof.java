package dev.purser.ledger;

import dev.purser.journal.Head;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What {@code ledger.proof} reads of the books, inside one transaction. No other module uses it. It can neither write
 * the books nor make a debit.
 */
public final class BooksForProof {
    private final StoreConnection connection;
    private final SqlBooks books;

    public BooksForProof(StoreConnection connection) {
        this.connection = connection;
        this.books = new SqlBooks(connection);
    }

    /** As {@link BudgetLedger#verify}, with the whole chain. It reads in transactions of its own. */
    public static ChainVerifier verified(Database database, String account) {
        return Verification.chain(new SqlLedgerStore(database), account);
    }

    /** The names of all accounts. */
    public List<String> accounts() throws SQLException {
        return books.accounts();
    }

    /** The number of an account's last entry, as its row has it; empty if there is no such account. */
    public Optional<Long> lastSequence(String account) throws SQLException {
        return books.account(account).map(Account::headSequence);
    }

    /** Whether an account has this entry. */
    public boolean has(String account, Head entry) throws SQLException {
        return books.has(account, entry);
    }

    /**
     * Remembers a chain without a fault, so that the next charge reads on from its end. The caller must not use the
     * chain any more.
     */
    public void remember(ChainVerifier verified) {
        if (verified.fault() != null) {
            throw new IllegalArgumentException("a chain with a fault: " + verified.fault());
        }
        BlockChains.of(connection).remember(verified);
    }

    /**
     * A charged question, as its receipt states it; empty if there is no such question.
     *
     * @throws dev.purser.problem.ProblemException {@code internal-error} if its entry was made for another question
     */
    public Optional<ChargedQuestion> question(String queryId) throws SQLException {
        Optional<BookedQuestion> booked = books.question(queryId).map(BookedQuestion::asCharged);
        if (booked.isEmpty()) {
            return Optional.empty();
        }
        BookedQuestion question = booked.orElseThrow();
        Account account = books.account(question.account()).orElseThrow();
        return Optional.of(new ChargedQuestion(
                question.queryId(),
                question.datasetId(),
                question.identity(),
                HexFormat.of().formatHex(question.requestDigest()),
                question.answer()
                        .map(answer -> HexFormat.of().formatHex(answer.digest()))
                        .orElse(null),
                question.entry(),
                account.account(),
                account.accountant(),
                account.blocks(),
                account.headSequence(),
                account.headHash()));
    }
}
