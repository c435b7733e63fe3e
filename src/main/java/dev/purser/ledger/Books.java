package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * The books inside one transaction, as the ledger needs them: what it can look up and what it can write, nothing else.
 * {@link SqlBooks} keeps them in a database; the simulator keeps them in memory and loses them at the worst moment.
 */
interface Books {
    /** All that deciding on a request takes, as of one moment. */
    Optional<Standing> standing(String account, RequestIdentity identity) throws SQLException;

    Optional<Account> account(String account) throws SQLException;

    /** The account's allotments by analyst. */
    List<Allotment> allotments(String account) throws SQLException;

    Optional<Allotment> allotment(String account, String analyst) throws SQLException;

    /** The sum of all charges of this analyst on this account. */
    PrivacyAmount charged(String account, String analyst) throws SQLException;

    Optional<Question> question(String queryId) throws SQLException;

    /** A principal's questions about a dataset with a sequence above {@code after}, ascending. */
    List<AskedQuestion> questions(String datasetId, String principal, long after, int limit) throws SQLException;

    /** The questions that are charged and not answered, oldest first, after one of them; with their request bodies. */
    List<Reservation> reservations(String afterQueryId, int limit) throws SQLException;

    /** Receives entries one by one. */
    @FunctionalInterface
    interface EntryVisitor {
        void visit(LedgerEntry entry) throws SQLException;
    }

    /** Visits at most {@code limit} entries after a sequence number, ascending. */
    void entries(String account, long after, long limit, EntryVisitor visitor) throws SQLException;

    /** Whether the account's charges and questions belong together one to one, each bound to the other by its request hash. */
    boolean everyChargeHasItsQuestion(String account) throws SQLException;

    /**
     * Writes a step, if the account still is as it was when the step was made and the charge still fits: the comparison is
     * made by the statement that debits.
     *
     * @return whether it did; false means that another instance was faster, and nothing was written
     */
    boolean append(Step step) throws SQLException;

    /** Stores the answer of a question that has none; the first writer wins. */
    void answer(String queryId, byte[] body) throws SQLException;
}
