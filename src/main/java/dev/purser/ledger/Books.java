package dev.purser.ledger;

import dev.purser.ledger.attachment.Attachments;
import dev.purser.ledger.attachment.StoredAttachment;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.store.Order;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The books inside one transaction: everything the ledger can look up and write. {@link SqlBooks} keeps them in a
 * database. The simulator keeps them in memory and loses them at chosen moments.
 */
interface Books {
    /**
     * Everything needed to decide on a request, as of one moment.
     *
     * @param blocks the blocks that the request names; null if it names none
     */
    Optional<AccountSnapshot> standing(String account, RequestIdentity identity, @Nullable BlockWindow blocks)
            throws SQLException;

    /**
     * The books of some blocks of an account.
     *
     * @param allotment the allotment of the principal that asks; null if there is none
     */
    BlockBooks blocks(Account account, @Nullable Allotment allotment, BlockWindow window) throws SQLException;

    /** Receives what is spent of the blocks of an account, one by one. */
    @FunctionalInterface
    interface BlockVisitor {
        /** @param holder an analyst with an allotment; empty for the account itself */
        void visit(String holder, int block, PrivacyAmount spent) throws SQLException;
    }

    /** Visits what is spent of all blocks, by holder and block, ascending. */
    void spentBlocks(String account, BlockVisitor visitor) throws SQLException;

    /** The plan that was bought under an identity. */
    Optional<BookedPlan> plan(RequestIdentity identity) throws SQLException;

    /** Adds a plan, in the transaction that charges its questions. */
    void add(BookedPlan plan) throws SQLException;

    Optional<Account> account(String account) throws SQLException;

    /** The accounts with these names that exist, by name. Each has the allotment of this analyst alone. */
    Map<String, Budget> budgets(Set<String> accounts, String analyst) throws SQLException;

    /** The account's allotments by analyst. */
    List<Allotment> allotments(String account) throws SQLException;

    Optional<Allotment> allotment(String account, String analyst) throws SQLException;

    /** An analyst's allotment after its last entry with a smaller sequence number. */
    Optional<Allotment> allotmentBefore(String account, String analyst, long sequence) throws SQLException;

    /** The sum of this analyst's charges on this account. If the account has blocks, the largest sum of one block. */
    PrivacyAmount charged(Account account, String analyst) throws SQLException;

    Optional<BookedQuestion> question(String queryId) throws SQLException;

    /**
     * The newest question about a dataset with this form that was charged since {@code since}. An answered question is
     * preferred to a question without an answer.
     */
    Optional<BookedQuestion> alike(String datasetId, CanonicalForm form, Instant since) throws SQLException;

    /** Notes the form of a question that was appended. */
    void describe(BookedQuestion question, CanonicalForm form) throws SQLException;

    /** The questions that pass the filter, with a sequence above {@code after}, ascending. */
    List<AskedQuestion> questions(QuestionFilter filter, long after, int limit) throws SQLException;

    /** The questions that pass the filter, with a sequence below {@code before}, descending. */
    List<AskedQuestion> questionsBefore(QuestionFilter filter, long before, int limit) throws SQLException;

    /**
     * The answered questions that pass the filter, whoever asked them, and that come after {@code cursor} in this order
     * of sequences.
     */
    List<AskedQuestion> answers(AnswerFilter filter, Order order, long cursor, int limit) throws SQLException;

    /**
     * The questions that are charged and have no answer, with their request bodies. They are listed by query id, after
     * {@code afterQueryId}.
     */
    List<Reservation> reservations(String afterQueryId, int limit) throws SQLException;

    /** Receives entries one by one. */
    @FunctionalInterface
    interface EntryVisitor {
        void visit(LedgerEntry entry) throws SQLException;
    }

    /** Visits at most {@code limit} entries after a sequence number, ascending. */
    void entries(String account, long after, long limit, EntryVisitor visitor) throws SQLException;

    /** At most {@code limit} entries before a sequence number, descending. */
    List<LedgerEntry> entriesBefore(String account, long before, int limit) throws SQLException;

    /**
     * Receives entries one by one. The flag is false for a charge if the books lack the question that its request hash
     * was made for.
     */
    @FunctionalInterface
    interface BookingVisitor {
        void visit(LedgerEntry entry, boolean paidForItsQuestion) throws SQLException;
    }

    /** Visits the entries after one sequence number and up to another, ascending. */
    void bookings(String account, long after, long upTo, BookingVisitor visitor) throws SQLException;

    /** The sequence number of the account's last entry; 0 if it has none. */
    long lastSequence(String account) throws SQLException;

    /** How many questions name this account. */
    long questions(String account) throws SQLException;

    /**
     * Writes a step if the account is still as it was when the step was made and the charge still fits. The statement
     * that debits makes this comparison.
     *
     * @return whether the step was written; false means that another instance changed the account first
     */
    boolean append(Step step) throws SQLException;

    /** Stores an answer that has no attachment and cannot be refined. */
    default Optional<BookedQuestion> answer(String queryId, byte[] body) throws SQLException {
        return answer(queryId, body, null, null);
    }

    /**
     * Stores the answer of a question that has none, with its attachment and its released integers. The first writer
     * wins.
     *
     * @return the question with the answer that is stored; empty if there is no such question
     */
    Optional<BookedQuestion> answer(
            String queryId, byte[] body, @Nullable StoredAttachment attached, @Nullable Released released)
            throws SQLException;

    /** The attachments of answers. */
    Attachments attachments();

    /** The answers that can be refined, and their refinements. */
    Refinements refinements();

    /** A piece of a stored answer, unchecked. The first piece after the answer's beginning has the number 1. */
    Optional<byte[]> answerPiece(String queryId, int number) throws SQLException;
}
