package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.accounting.Decision;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.Session;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The books of every epsilon spent.
 *
 * <p><b>Guarantee.</b> What an account's answers cost together never passes its limit, and every answer that was released has
 * exactly one debit that no failure takes back. It rests on the order of three steps, each durable before the next begins:
 * {@link #reserve} debits, the caller reads data and computes, {@link #settle} stores the answer; only what {@code settle}
 * or {@link #answer} returns is released.
 *
 * <p><b>Failure story.</b> If we stop before the debit is committed, nothing happened, though the commit may have just made
 * it: then the next start finds the debit, and the request sent again continues under it. If we stop between the debit and the
 * answer, the next start finds a debit without an answer; the request sent again gets that debit back and is computed then.
 * Nothing of the first attempt was released, so its noise may be drawn anew. If we stop after the answer is stored, the
 * request sent again gets the stored bytes. Nothing is ever refunded.
 *
 * <p>The caller has to see to it that the event describes what it will release, and that nothing else is ever released.
 */
public final class BudgetLedger implements AccountBooks {
    private final Database database;
    private final Clock clock;
    private final SecureRandom random;

    public BudgetLedger(Database database, Clock clock, SecureRandom random) {
        this.database = database;
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
    public void open(Session transaction, String account, Accountant accountant, PrivacyAmount limit, String custodian)
            throws SQLException {
        LedgerEntry entry = LedgerChain.sealed(
                account,
                new LedgerEntry(
                        1,
                        now(),
                        LedgerEntry.Type.LIMIT,
                        custodian,
                        null,
                        null,
                        PrivacyAmount.ZERO,
                        limit,
                        PrivacyAmount.ZERO,
                        LedgerChain.GENESIS,
                        ""));
        LedgerTables.insert(
                transaction,
                new Account(account, accountant.name(), limit, PrivacyAmount.ZERO, entry.sequence(), entry.hash()));
        LedgerTables.insert(transaction, account, entry);
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
        Question question = database.write(request.account(), transaction -> {
            Question earlier = LedgerTables.question(transaction, request.identity());
            return earlier == null ? debit(transaction, request) : continued(earlier, request);
        });
        // The commit lies behind us: only now is there a debit to show, and only now may data be read.
        return question.body() == null
                ? new Admission.Reserved(debitOf(question))
                : new Admission.Replayed(answerOf(question, question.body()));
    }

    /** The earlier question under the same identity, if it is the same question. */
    private static Question continued(Question earlier, ChargeRequest request) {
        if (!Arrays.equals(earlier.requestDigest(), request.requestDigest())) {
            throw ProblemException.of(
                    ProblemType.IDEMPOTENCY_KEY_REUSED,
                    "This Idempotency-Key was used for a request with another body; send a new key with a new request.");
        }
        return earlier;
    }

    private Question debit(Session transaction, ChargeRequest request) throws SQLException {
        Account account = existing(transaction, request.account());
        Accountant accountant = accountantNamed(account.accountant());
        return switch (accountant.decide(account.spent(), request.event(), account.limit())) {
            case Decision.Refused refused -> throw exhausted(refused, accountant, account.limit());
            case Decision.Admitted admitted -> write(transaction, account, request, admitted);
        };
    }

    private Question write(Session transaction, Account account, ChargeRequest request, Decision.Admitted admitted)
            throws SQLException {
        Instant at = now();
        String queryId = QueryIds.next(at.toEpochMilli(), random);
        LedgerEntry entry = LedgerChain.sealed(
                account.account(),
                new LedgerEntry(
                        account.headSequence() + 1,
                        at,
                        LedgerEntry.Type.CHARGE,
                        request.identity().principal(),
                        queryId,
                        request.kind(),
                        admitted.charge(),
                        account.limit(),
                        admitted.spentAfter(),
                        account.headHash(),
                        ""));
        // The decision was pure; this statement holds it against the row once more, and a wrong decision stops here.
        if (!LedgerTables.debit(transaction, account, admitted.charge(), entry)) {
            throw new IllegalStateException("the account " + account.account() + " does not take an admitted charge");
        }
        LedgerTables.insert(transaction, account.account(), entry);
        Question question = new Question(
                queryId,
                account.account(),
                request.datasetId(),
                request.identity(),
                request.requestDigest(),
                entry,
                null);
        LedgerTables.insert(transaction, question);
        return question;
    }

    private static ProblemException exhausted(Decision.Refused refused, Accountant accountant, PrivacyAmount limit) {
        StatedAmount requested = accountant.stated(refused.requested(), limit);
        StatedAmount remaining = accountant.stated(refused.remaining(), limit);
        return ProblemException.of(
                        ProblemType.BUDGET_EXHAUSTED,
                        "The question needs " + requested.text() + "; " + remaining.text() + " remain.")
                .with("requested", requested)
                .with("remaining", remaining)
                .with("shortfall", accountant.stated(refused.shortfall(), limit))
                .with("scope", "dataset");
    }

    /**
     * Stores the answer of a debited question and returns what is stored: these bytes, or those of whoever was first. Two
     * attempts under one debit may draw different noise; only one draw is ever seen.
     */
    public StoredAnswer settle(CommittedDebit debit, byte[] body) {
        database.write(Database.NO_ACCOUNT, transaction -> {
            LedgerTables.answerOnce(transaction, debit.queryId(), body);
            return null;
        });
        return answer(debit.queryId())
                .orElseThrow(() -> new IllegalStateException("no question " + debit.queryId() + " to answer"));
    }

    /** The stored answer of a question; empty if there is no such question or no answer yet. */
    public Optional<StoredAnswer> answer(String queryId) {
        Question question = database.read(connection -> LedgerTables.question(connection, queryId));
        return question == null || question.body() == null
                ? Optional.empty()
                : Optional.of(answerOf(question, question.body()));
    }

    @Override
    public Budget budget(String account) {
        Account row = database.read(connection -> existing(connection, account));
        return new Budget(accountantNamed(row.accountant()), row.limit(), row.spent());
    }

    /** At most {@code limit} of the account's entries with a sequence number above {@code after}, ascending. */
    public List<LedgerEntry> entries(String account, long after, int limit) {
        return database.read(connection -> {
            List<LedgerEntry> entries = new ArrayList<>();
            LedgerTables.entries(connection, account, after, limit, entries::add);
            return List.copyOf(entries);
        });
    }

    /** Recomputes the account's books from its first entry on, and holds every entry, sum and summary against them. */
    public ChainVerification verify(String account) {
        return database.read(connection -> new ChainVerifier(account).verify(connection));
    }

    private static Account existing(Session connection, String name) throws SQLException {
        Account account = LedgerTables.account(connection, name);
        if (account == null) {
            throw new IllegalArgumentException("there is no account " + name);
        }
        return account;
    }

    private static Accountant accountantNamed(String name) {
        return Accountants.named(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no accountant " + name));
    }

    private static CommittedDebit debitOf(Question question) {
        LedgerEntry entry = question.entry();
        return new CommittedDebit(
                question.queryId(),
                question.account(),
                entry.sequence(),
                entry.charge(),
                entry.limitAfter(),
                entry.spentAfter());
    }

    private static StoredAnswer answerOf(Question question, byte[] body) {
        return new StoredAnswer(
                question.queryId(), question.datasetId(), question.identity().principal(), body);
    }

    /** As the ledger keeps it, in whole milliseconds. */
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
