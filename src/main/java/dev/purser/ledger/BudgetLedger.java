package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The books of every epsilon spent.
 *
 * <p><b>Guarantee.</b> What an account's answers cost together never passes its limit, nor what one analyst's answers cost an
 * allotment, and every answer that was released has exactly one debit that no failure takes back. It rests on the order of
 * three steps, each durable before the next begins: {@link #reserve} debits, the caller reads data and computes, {@link
 * #settle} stores the answer; only what {@code settle} or {@link #answer} returns is released.
 *
 * <p><b>Failure story.</b> If we stop before the debit is committed, nothing happened, though the commit may have just made
 * it: then the next start finds the debit, and the request sent again continues under it. If we stop between the debit and the
 * answer, the next start finds a debit without an answer; the request sent again, or the sweeper, gets that debit back and is
 * computed then. Nothing of the first attempt was released, so its noise may be drawn anew. If we stop after the answer is
 * stored, the request sent again gets the stored bytes. Nothing is ever refunded.
 *
 * <p>What is written is decided by {@link LedgerRules} alone; time, randomness and storage come in through the constructor, so
 * that a simulation can drive the same code through every failure.
 *
 * <p>The caller has to see to it that the event describes what it will release, and that nothing else is ever released.
 */
public final class BudgetLedger implements AccountBooks {
    /** How often a change is decided anew because another instance changed the account first. */
    private static final int ATTEMPTS = 100;

    private final LedgerStore store;
    private final Clock clock;
    private final LongSupplier random;

    /** The ledger in a database. */
    public BudgetLedger(Database database, Clock clock, SecureRandom random) {
        this(new SqlLedgerStore(database), clock, () -> random.nextLong());
    }

    /**
     * The ledger behind its ports.
     *
     * @param random 64 random bits at a time, for query ids
     */
    BudgetLedger(LedgerStore store, Clock clock, LongSupplier random) {
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Opens an account with its first entry, inside a transaction of {@link Database#write}, so that a dataset and its budget
     * begin together or not at all.
     *
     * @param limit as {@link Accountant#limit} makes it
     * @param custodian the principal that set the limit
     */
    public void open(
            StoreConnection transaction, String account, Accountant accountant, PrivacyAmount limit, String custodian)
            throws SQLException {
        open(new SqlBooks(transaction), account, accountant, limit, custodian);
    }

    void open(Books books, String account, Accountant accountant, PrivacyAmount limit, String custodian)
            throws SQLException {
        books.append(LedgerRules.open(account, accountant, limit, custodian, now()));
    }

    /**
     * Debits a question, or finds the debit or the answer it already has. Once this returns, the debit is on the disk.
     *
     * <p>A refusal writes nothing and leaves the idempotency key free.
     *
     * @throws ProblemException {@code BUDGET_EXHAUSTED} if the question does not fit; {@code IDEMPOTENCY_KEY_REUSED} if its
     *     identity belongs to a request with another body
     */
    public Admission reserve(ChargeRequest request) {
        BookedQuestion question = store.change(request.account(), books -> reserve(books, request));
        // The commit lies behind us: only now is there a debit to show, and only now may data be read.
        return question.answer()
                .<Admission>map(Admission.Replayed::new)
                .orElseGet(() -> new Admission.Reserved(question.debit()));
    }

    private BookedQuestion reserve(Books books, ChargeRequest request) throws SQLException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Standing standing = books.standing(request.account(), request.identity())
                    .orElseThrow(() -> noAccount(request.account()));
            if (standing.earlier() != null) {
                return LedgerRules.continued(standing.earlier(), request);
            }
            Instant at = now();
            Step step = LedgerRules.charge(
                    standing.account(), standing.allotment(), request, at, QueryIds.next(at.toEpochMilli(), random));
            if (books.append(step)) {
                return Objects.requireNonNull(step.question());
            }
        }
        throw contended();
    }

    /**
     * Stores the answer of a debited question and returns what is stored: these bytes, or those of whoever was first. Two
     * attempts under one debit may draw different noise; only one draw is ever seen.
     */
    public StoredAnswer settle(CommittedDebit debit, byte[] body) {
        return store.change(Database.NO_ACCOUNT, books -> {
            books.answer(debit.queryId(), body);
            return books.question(debit.queryId())
                    .flatMap(BookedQuestion::answer)
                    .orElseThrow(() -> new IllegalStateException("no question " + debit.queryId() + " to answer"));
        });
    }

    /**
     * The stored answer of a question; empty if there is no such question or no answer yet. It is looked up where changes are
     * made, behind a commit of its own: what a reader sees may rest on a commit that is not confirmed yet, and never will be
     * if another server takes over.
     *
     * @throws ProblemException {@code TEMPORARILY_UNAVAILABLE} while nothing can be confirmed
     */
    public Optional<StoredAnswer> answer(String queryId) {
        return store.change(Database.NO_ACCOUNT, books -> books.question(queryId))
                .flatMap(BookedQuestion::answer);
    }

    /**
     * Sets an account's limit; the change is an entry. Nothing is written if it is the present limit.
     *
     * @param limit as {@link Accountant#limit} makes it
     * @throws ProblemException {@code VALIDATION_FAILED} if more than that is spent
     */
    public void setLimit(String account, PrivacyAmount limit, String custodian) {
        change(account, (books, present) -> LedgerRules.limit(present, limit, custodian, now()));
    }

    /**
     * Sets one analyst's ceiling inside the account's limit; the change is an entry. What the analyst was charged before
     * counts. Nothing is written if it is the present ceiling.
     *
     * @param limit as {@link Accountant#limit} makes it
     * @throws ProblemException {@code VALIDATION_FAILED} if the analyst has spent more than that
     */
    public void setAllotment(String account, String analyst, PrivacyAmount limit, String custodian) {
        change(
                account,
                (books, present) -> LedgerRules.allotment(
                        present,
                        books.allotment(account, analyst).orElse(null),
                        books.charged(account, analyst),
                        analyst,
                        limit,
                        custodian,
                        now()));
    }

    /** A step from the account as it is. */
    @FunctionalInterface
    private interface StepFrom {
        Optional<Step> step(Books books, Account present) throws SQLException;
    }

    private void change(String account, StepFrom next) {
        store.change(account, books -> {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Account present = books.account(account).orElseThrow(() -> noAccount(account));
                Optional<Step> step = next.step(books, present);
                if (step.isEmpty() || books.append(step.orElseThrow())) {
                    return null;
                }
            }
            throw contended();
        });
    }

    @Override
    public Budget budget(String account) {
        return store.look(books -> {
            Account row = books.account(account).orElseThrow(() -> noAccount(account));
            return new Budget(row.accountant(), row.limit(), row.spent(), books.allotments(account));
        });
    }

    /** At most {@code limit} of the account's entries with a sequence number above {@code after}, ascending. */
    public List<LedgerEntry> entries(String account, long after, int limit) {
        return store.look(books -> {
            List<LedgerEntry> entries = new ArrayList<>();
            books.entries(account, after, limit, entries::add);
            return List.copyOf(entries);
        });
    }

    /** A principal's own questions about a dataset with a sequence above {@code after}, ascending. */
    public List<AskedQuestion> questions(String datasetId, String principal, long after, int limit) {
        return store.look(books -> books.questions(datasetId, principal, after, limit));
    }

    /**
     * Questions that are charged and have no answer, oldest first: after a crash, and while they are being answered. Their
     * debits are confirmed, like answers are.
     *
     * @param afterQueryId the last one of the page before; empty for the first page
     */
    public List<Reservation> reservations(String afterQueryId, int limit) {
        return store.change(Database.NO_ACCOUNT, books -> books.reservations(afterQueryId, limit));
    }

    /** Recomputes the account's books from its first entry on, and holds every entry, sum and summary against them. */
    public ChainVerification verify(String account) {
        return Verification.of(store, account);
    }

    private static IllegalArgumentException noAccount(String name) {
        return new IllegalArgumentException("there is no account " + name);
    }

    private static ProblemException contended() {
        return ProblemException.of(
                        ProblemType.TEMPORARILY_UNAVAILABLE,
                        "Too many changes of this account at once; send the same request again.")
                .withHeader("Retry-After", "1");
    }

    /** As the ledger keeps it, in whole milliseconds. */
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
