package dev.purser.ledger;

import dev.purser.problem.ProblemException;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A transaction of the ledger in which another module keeps rows of its own beside the books. The charge, the rows and
 * the step are durable together or not at all.
 */
public final class LedgerTransaction {
    private final StoreConnection connection;
    private final SqlBooks books;
    private final Instant at;
    private final LongSupplier random;
    private boolean committed;

    LedgerTransaction(StoreConnection connection, Instant at, LongSupplier random) {
        this.connection = connection;
        this.books = new SqlBooks(connection);
        this.at = at;
        this.random = random;
    }

    /**
     * A debit that this transaction made or found.
     *
     * @param entry its entry in the books
     */
    public final class Debit {
        private final BookedQuestion question;

        private Debit(BookedQuestion question) {
            this.question = question;
        }

        public LedgerEntry entry() {
            return question.entry();
        }

        /** Whether it was made for this request, byte for byte. */
        public boolean isFor(byte[] request) {
            return question.isFor(request);
        }

        /**
         * The proof of the debit.
         *
         * @throws IllegalStateException before the transaction is committed
         */
        public CommittedDebit committed() {
            if (!committed) {
                throw new IllegalStateException("the debit " + question.queryId() + " is not committed yet");
            }
            return question.debit();
        }
    }

    public StoreConnection connection() {
        return connection;
    }

    /** The time of the transaction, in whole milliseconds. */
    public Instant at() {
        return at;
    }

    /** A new query id. Ids ascend with time. */
    public String newId() {
        return QueryIds.next(at.toEpochMilli(), random);
    }

    /**
     * Charges a question that is answered in the same moment, so that nothing is left for a retry or the sweeper.
     *
     * @param id the query id, from {@link #newId}
     * @param answer makes the stored answer from the entry
     * @throws ProblemException {@code BUDGET_EXHAUSTED} if it does not fit; {@code TEMPORARILY_UNAVAILABLE} if
     *     another instance is first
     */
    public Debit charge(String id, ChargeRequest request, Function<LedgerEntry, byte[]> answer) throws SQLException {
        for (int attempt = 0; attempt < BudgetLedger.ATTEMPTS; attempt++) {
            AccountSnapshot standing = books.standing(request.account(), request.identity(), request.blocks())
                    .orElseThrow(() -> BudgetLedger.noAccount(request.account()));
            if (standing.earlier() != null) {
                break; // Another instance charged it just now. The next transaction sees all that it wrote.
            }
            Step step = LedgerRules.charge(standing, request, at, id).answered(answer);
            if (books.append(step)) {
                return new Debit(step.charged());
            }
        }
        throw BudgetLedger.contended();
    }

    /**
     * The debit of a question that was charged before.
     *
     * @throws ProblemException {@code internal-error} if its entry was not made for it
     */
    public Debit debit(String queryId) throws SQLException {
        return new Debit(books.question(queryId).orElseThrow().asCharged());
    }

    void setCommitted() {
        committed = true;
    }
}
