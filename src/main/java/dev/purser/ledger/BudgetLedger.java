package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.journal.Chain;
import dev.purser.journal.ChangedRow;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.ledger.attachment.AttachmentPieces;
import dev.purser.ledger.attachment.StoredAttachment;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The books of all privacy loss that was charged.
 *
 * <p><b>Guarantee.</b> The charges of an account together never pass its limit, and one analyst's charges never pass
 * that analyst's allotment. Every answer that was released has exactly one debit, and no failure takes it back. The
 * guarantee rests on the order of three steps, each durable before the next begins: {@link #reserve} debits, the caller
 * reads data and computes, {@link #settle} stores the answer. Only what {@code settle} or {@link #answer} returns is
 * released.
 *
 * <p><b>Failure story.</b> If we stop before the debit is committed, nothing happened. If we stop during the commit,
 * the debit may stand: the next start then finds it, and a retry of the request continues under it. If we stop between
 * the debit and the answer, the next start finds a debit without an answer: a retry or the sweeper gets that debit back
 * and computes the answer. Nothing of the first attempt was released, so its noise may be drawn again. If we stop after
 * the answer is stored, a retry gets the stored bytes. Nothing is ever refunded.
 *
 * <p>{@link LedgerRules} alone decides what is written. Time, randomness and storage come in through the constructor,
 * so that a simulation can drive the same code through every failure.
 *
 * <p>The caller has to ensure that the event describes what it will release, and that nothing else is ever released.
 */
public final class BudgetLedger implements AccountBooks {
    /** As {@link Database#ACCEPTING}. */
    public static final String ACCEPTING = Database.ACCEPTING;

    /** How often a change is decided at most. It is decided again if another instance changed the account first. */
    static final int ATTEMPTS = 100;

    /** A name that no analyst has. */
    private static final String NOBODY = "";

    private final LedgerStore store;
    private final Clock clock;
    private final LongSupplier random;
    private final AttachmentPieces contents;

    public BudgetLedger(Database database, Clock clock, SecureRandom random) {
        this(new SqlLedgerStore(database), clock, () -> random.nextLong(), AttachmentPieces.PIECE_BYTES);
    }

    /** The ledger of the running service, whose commits are timed. */
    public BudgetLedger(Database database, Clock clock, SecureRandom random, MeterRegistry meters) {
        this(
                new TimedLedgerStore(new SqlLedgerStore(database), meters),
                clock,
                () -> random.nextLong(),
                AttachmentPieces.PIECE_BYTES);
    }

    /**
     * @param random 64 random bits per call, for query ids and keys
     * @param pieceBytes how many bytes of an attachment are written at once
     */
    BudgetLedger(LedgerStore store, Clock clock, LongSupplier random, int pieceBytes) {
        this.store = store;
        this.clock = clock;
        this.random = random;
        this.contents = new AttachmentPieces(store, random, pieceBytes);
    }

    /**
     * Opens an account with its first entry, inside a transaction of {@link Database#write}. A dataset and its account
     * are thus created together or not at all.
     *
     * @param limit the limit, as {@link Accountant#limit} makes it; if there are blocks, the limit of each block
     * @param blocks null if the rows are not divided
     * @param custodian the principal that set the limit
     */
    public void open(
            StoreConnection transaction,
            String account,
            Accountant accountant,
            PrivacyAmount limit,
            @Nullable Blocks blocks,
            String custodian)
            throws SQLException {
        open(new SqlBooks(transaction), account, accountant, limit, blocks, custodian);
    }

    void open(
            Books books,
            String account,
            Accountant accountant,
            PrivacyAmount limit,
            @Nullable Blocks blocks,
            String custodian)
            throws SQLException {
        books.append(LedgerRules.open(account, accountant, limit, blocks, custodian, now()));
    }

    /**
     * Debits a question, or finds the debit or the answer that the question already has. If reuse is permitted, it can
     * also find the answer of the same question under another identity. The debit is durable when this returns.
     *
     * <p>A refusal writes nothing and leaves the idempotency key free. A reused answer also leaves the key free.
     *
     * @throws ProblemException {@code BUDGET_EXHAUSTED} if the question does not fit; {@code IDEMPOTENCY_KEY_REUSED} if
     *     its identity belongs to a request with another body; {@code NOTHING_STORED} if it may not be debited and
     *     there is no answer to reuse
     */
    public ReserveOutcome reserve(ChargeRequest request) {
        Reserving.Decided decided = reserve(request.account(), reserving -> reserving.question(request));
        // The change is committed here. Before this point, no debit may be returned and no data may be read.
        return decided.outcome(Set.of());
    }

    /**
     * Reserves each question of a plan, in the plan's order. All debits are made in one transaction, or none is. A
     * question may reuse the answer of an earlier question of the plan. The plan gets a row of its own, unless every
     * answer is reused.
     *
     * @return one outcome for each question; or a single {@link ReserveOutcome.Awaited}, with nothing written, if the
     *     plan has to wait for an answer
     */
    public List<ReserveOutcome> reserve(PlanRequest plan) {
        List<Reserving.Decided> decided = reserve(plan.account(), reserving -> reserving.plan(plan));
        // The change is committed here, as above.
        Set<String> own = decided.stream()
                .filter(each -> each.leftover() == null)
                .map(each -> each.question().queryId())
                .collect(Collectors.toSet());
        return decided.stream().map(each -> each.outcome(own)).toList();
    }

    @FunctionalInterface
    private interface Attempt<T> {
        Optional<T> reserve(Reserving reserving) throws SQLException;
    }

    private <T> T reserve(String account, Attempt<T> attempt) {
        return store.change(account, books -> {
            for (int i = 0; i < ATTEMPTS; i++) {
                Optional<T> done =
                        attempt.reserve(new Reserving(books, now(), at -> QueryIds.next(at.toEpochMilli(), random)));
                if (done.isPresent()) {
                    return done.orElseThrow();
                }
            }
            throw contended();
        });
    }

    /**
     * Stores what the answer of a debited question will refer to. Nobody can read the attachment, even in the database,
     * until {@link #settle} has stored the answer with it.
     */
    public StoredAttachment attach(CommittedDebit debit, Attachment attachment) {
        return contents.write(debit.queryId(), attachment);
    }

    /**
     * Stores the answer of a debited question and returns what is stored: these bytes, or the bytes of the attempt that
     * stored first. Two attempts under one debit may draw different noise. Only one draw is ever released.
     */
    public StoredAnswer settle(CommittedDebit debit, byte[] body) {
        return settle(List.of(new Settlement(debit, body))).getFirst();
    }

    /** Stores the answers of questions of one account: all of them, or none. */
    public List<StoredAnswer> settle(List<Settlement> answers) {
        String account = answers.getFirst().debit().account();
        return store.change(Chain.ofAccount(account).name(), books -> {
            List<StoredAnswer> stored = new ArrayList<>();
            for (Settlement each : answers) {
                String id = each.debit().queryId();
                stored.add(books.answer(id, each.body(), each.attached(), each.released())
                        .flatMap(BookedQuestion::answer)
                        .orElseThrow(() -> new IllegalStateException("no question " + id + " to answer")));
            }
            return stored;
        });
    }

    /**
     * The stored answer of a question; empty if there is no such question or no answer yet. It is returned once every
     * commit that it may show is confirmed. A commit that is not confirmed would be lost if another server took over.
     *
     * @throws ProblemException {@code TEMPORARILY_UNAVAILABLE} while nothing can be confirmed
     */
    public Optional<StoredAnswer> answer(String queryId) {
        return confirmed(store.lookOnce(books -> answer(books, queryId)));
    }

    /** The stored answers of several questions, as {@link #answer}. Questions without an answer are left out. */
    public List<StoredAnswer> answers(List<String> queryIds) {
        if (queryIds.isEmpty()) {
            return List.of();
        }
        return confirmed(store.look(books -> {
            List<StoredAnswer> answers = new ArrayList<>();
            for (String queryId : queryIds) {
                answer(books, queryId).ifPresent(answers::add);
            }
            return answers;
        }));
    }

    private static Optional<StoredAnswer> answer(Books books, String queryId) throws SQLException {
        return books.question(queryId).filter(question -> !question.isClosed()).flatMap(BookedQuestion::answer);
    }

    /**
     * The stored answer of a question, for a principal who reads it. The asker gets the answer as it was sent.
     * Everybody else gets it as the answer of an earlier question. The result is empty under the conditions of
     * {@link #answer}.
     */
    public Optional<ReserveOutcome> read(String queryId, String principal) {
        return store.change(Database.NO_ACCOUNT, books -> {
            Optional<BookedQuestion> question = books.question(queryId).filter(found -> !found.isClosed());
            Optional<StoredAnswer> answer = question.flatMap(BookedQuestion::answer);
            if (answer.isEmpty()) {
                return Optional.empty();
            }
            BookedQuestion found = question.orElseThrow();
            return Optional.of(
                    found.identity().principal().equals(principal)
                            ? new ReserveOutcome.Replayed(answer.orElseThrow())
                            : new ReserveOutcome.Reused(
                                    answer.orElseThrow(), found.entry().at(), leftover(books, found, principal)));
        });
    }

    private static Leftover leftover(Books books, BookedQuestion question, String principal) throws SQLException {
        Account account = books.account(question.account()).orElseThrow(() -> noAccount(question.account()));
        Allotment allotment = books.allotment(account.account(), principal).orElse(null);
        BlockWindow window = question.entry().window();
        return new AccountSnapshot(
                        account, allotment, null, window == null ? null : books.blocks(account, allotment, window))
                .leftover(window);
    }

    /** The SHA-256 digest of an answer's bytes, in hexadecimal digits. */
    public String digest(StoredAnswer answer) {
        return HexFormat.of().formatHex(answer.digest());
    }

    /**
     * The bytes of an answer. They are read piece by piece as they are needed, so the memory does not depend on their
     * number. Each piece is compared with the journal's record of it before it is returned.
     *
     * @param first the index of the first byte, within the answer's {@code beginning}
     */
    public InputStream open(StoredAnswer answer, int first) {
        return new SequenceInputStream(new Enumeration<>() {
            private int number;

            @Override
            public boolean hasMoreElements() {
                return number < answer.pieces();
            }

            @Override
            public InputStream nextElement() {
                // Virtual threads are not preempted, and the reader of a piece may work on it for long.
                Thread.yield();
                int next = number++;
                return next == 0
                        ? new ByteArrayInputStream(answer.beginning(), first, answer.beginning().length - first)
                        : new ByteArrayInputStream(piece(answer, next));
            }
        });
    }

    private byte[] piece(StoredAnswer answer, int number) {
        return store.lookOnce(books -> books.answerPiece(answer.queryId(), number))
                .filter(piece -> Objects.requireNonNull(answer.whole()).hasPiece(number, piece))
                .orElseThrow(() -> ChangedRow.refused(
                        JournaledQuestions.answerOf(answer.queryId()), "a piece of it is not what was stored"));
    }

    /**
     * The attachment of an answer. It is refused if it does not have this digest.
     *
     * @param digest the digest that a confirmed answer of this question states
     * @throws ProblemException {@code internal-error} if a piece was changed or is missing
     */
    public byte[] attachment(String queryId, byte[] digest) {
        return contents.read(queryId, digest);
    }

    /**
     * The answers with an attachment of this series by query id, ascending. This list is not confirmed: {@link #answer}
     * confirms that there is an answer, and the answer itself states its dataset and series.
     *
     * @param queryId the first of the series
     */
    public List<String> series(String queryId) {
        return store.lookOnce(books -> books.attachments().series(queryId));
    }

    /**
     * As {@link #series}: the first answer of each series of a dataset, for the series that come after {@code
     * afterQueryId} in this order.
     */
    public List<String> firstOfSeries(String datasetId, Order order, String afterQueryId, int limit) {
        return store.lookOnce(books -> books.attachments().firstOfSeries(datasetId, order, afterQueryId, limit));
    }

    /**
     * The released integers of an answer; empty if the debit does not pay for a refinement of it.
     *
     * @throws ProblemException {@code internal-error} if the stored integers were changed
     */
    public Optional<Released> refinedBy(CommittedDebit debit, String queryId) {
        return store.look(books -> {
            Optional<String> refined =
                    books.refinements().refinedIn(debit.queryId()).filter(queryId::equals);
            return refined.isEmpty() ? Optional.empty() : books.refinements().released(refined.orElseThrow());
        });
    }

    @Override
    public void requireRefinable(String queryId) {
        store.look(books -> {
            Reserving.requireRefinable(books, queryId);
            return queryId;
        });
    }

    /** The answer that a charged question refines; empty if it refines none. */
    public Optional<String> refinedIn(String queryId) {
        return store.look(books -> books.refinements().refinedIn(queryId));
    }

    /** The question that was charged under a request; empty if it was not charged. */
    public Optional<String> chargedUnder(String account, RequestIdentity identity) {
        return store.look(books -> books.standing(account, identity, null)
                .flatMap(standing -> Optional.ofNullable(standing.earlier()))
                .map(BookedQuestion::queryId));
    }

    /** The released integers of an answer; empty if they were not kept. */
    public Optional<Released> released(String queryId) {
        return store.lookOnce(books -> books.refinements().released(queryId));
    }

    /** The dataset of a question that was charged, answered or not; empty if there is none or it was closed. */
    public Optional<String> datasetOf(String queryId) {
        return store.lookOnce(books -> books.question(queryId))
                .filter(question -> !question.isClosed())
                .map(BookedQuestion::datasetId);
    }

    @Override
    public Optional<Refines> refinable(String datasetId, byte[] series, Epsilon below) {
        return store.lookOnce(books -> books.refinements().below(datasetId, series, below));
    }

    /** Removes the pieces that belong to no answer although their question is answered. */
    public void removeLeftovers() {
        contents.removeLeftovers();
    }

    /**
     * Sets an account's limit. The change is an entry. If the limit does not change, nothing is written.
     *
     * @param limit the limit, as {@link Accountant#limit} makes it
     * @throws ProblemException {@code VALIDATION_FAILED} if more than that is spent
     */
    public void setLimit(String account, PrivacyAmount limit, String custodian) {
        change(account, (books, present) -> LedgerRules.limit(present, limit, custodian, now()));
    }

    /**
     * Sets one analyst's limit within the account's limit. The change is an entry. Earlier charges of the analyst
     * count. Nothing is written if the allotment does not change.
     *
     * @param limit the limit, as {@link Accountant#limit} makes it
     * @throws ProblemException {@code VALIDATION_FAILED} if the analyst has spent more than that
     */
    public void setAllotment(String account, String analyst, PrivacyAmount limit, String custodian) {
        change(
                account,
                (books, present) -> LedgerRules.allotment(
                        present,
                        books.allotment(account, analyst).orElse(null),
                        books.charged(present, analyst),
                        analyst,
                        limit,
                        custodian,
                        now()));
    }

    /** Makes the next step from the account's present state; empty if nothing changes. */
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
            return row.budget(books.allotments(account));
        });
    }

    @Override
    public BlockBooks blocks(String account, String principal, BlockWindow window) {
        return store.look(books -> {
            Account row = books.account(account).orElseThrow(() -> noAccount(account));
            return books.blocks(row, books.allotment(account, principal).orElse(null), window);
        });
    }

    /** As {@link #budget}, without the allotments. */
    public Budget summary(String account) {
        return Objects.requireNonNull(summaries(Set.of(account), NOBODY).get(account));
    }

    /** The state of these accounts at one moment, without their allotments. */
    public Map<String, Budget> summaries(Set<String> accounts) {
        return summaries(accounts, NOBODY);
    }

    /** As {@link #summaries(Set)}, with the allotments of one analyst. One statement reads them all. */
    public Map<String, Budget> summaries(Set<String> accounts, String analyst) {
        Map<String, Budget> found = store.look(books -> books.budgets(accounts, analyst));
        for (String account : accounts) {
            if (!found.containsKey(account)) {
                throw noAccount(account);
            }
        }
        return found;
    }

    /** At most {@code limit} of the account's entries with a sequence number above {@code after}, ascending. */
    public List<LedgerEntry> entries(String account, long after, int limit) {
        return store.look(books -> {
            List<LedgerEntry> entries = new ArrayList<>();
            books.entries(account, after, limit, entries::add);
            return List.copyOf(entries);
        });
    }

    /** At most {@code limit} of the account's entries with a sequence number below {@code before}, descending. */
    public List<LedgerEntry> entriesBefore(String account, long before, int limit) {
        return store.look(books -> books.entriesBefore(account, before, limit));
    }

    /**
     * The allotment that an entry changed, as it was before the entry. Empty if the entry set no allotment, or an
     * analyst's first one.
     */
    public Optional<Allotment> allotmentBefore(String account, LedgerEntry entry) {
        Allotment set = entry.type() == LedgerEntry.Type.LIMIT ? entry.allotmentAfter() : null;
        return set == null
                ? Optional.empty()
                : store.look(books -> books.allotmentBefore(account, set.analyst(), entry.sequence()));
    }

    /**
     * A principal's own questions about a dataset with a sequence above {@code after}, ascending. They are confirmed,
     * as in {@link #answer}, so the answers of answered questions may be released.
     */
    public List<AskedQuestion> questions(QuestionFilter filter, long after, int limit) {
        return confirmed(store.look(books -> books.questions(filter, after, limit)));
    }

    /** As {@link #questions}, with a sequence below {@code before}, descending. */
    public List<AskedQuestion> questionsBefore(QuestionFilter filter, long before, int limit) {
        return confirmed(store.look(books -> books.questionsBefore(filter, before, limit)));
    }

    /**
     * The stored answers that {@code filter} lets through and whose sequence comes after {@code after} in this order.
     * They are confirmed, as in {@link #answer}.
     */
    public List<AskedQuestion> answers(AnswerFilter filter, Order order, long after, int limit) {
        return confirmed(store.look(books -> books.answers(filter, order, after, limit)));
    }

    /** Returns {@code read} once every commit that it may show is confirmed. Commits are confirmed in their order. */
    private <T> T confirmed(T read) {
        store.change(Database.NO_ACCOUNT, books -> null);
        return read;
    }

    /** The JSON of the answer of a question, read part by part; empty without an answer. */
    public Optional<InputStream> openAnswered(String queryId) {
        return store.lookOnce(books -> books.question(queryId))
                .flatMap(BookedQuestion::answer)
                .map(answer -> open(answer, 0));
    }

    /**
     * Questions that are charged and have no answer, oldest first. A crash interrupted them, or they are being answered
     * now. Their debits are confirmed, as in {@link #answer}.
     *
     * @param afterQueryId the last query id of the previous page; empty for the first page
     */
    public List<Reservation> reservations(String afterQueryId, int limit) {
        return store.change(Database.NO_ACCOUNT, books -> books.reservations(afterQueryId, limit));
    }

    /** Recomputes the account's books from its first entry and checks every entry, sum and summary against them. */
    public ChainVerification verify(String account) {
        return Verification.of(store, account);
    }

    static IllegalArgumentException noAccount(String name) {
        return new IllegalArgumentException("there is no account " + name);
    }

    static ProblemException contended() {
        return ProblemException.of(
                        ProblemType.TEMPORARILY_UNAVAILABLE,
                        "Too many changes of this account at once; send the same request again.")
                .retryAfter(Duration.ofSeconds(1));
    }

    /** The time in whole milliseconds, as entries store it. */
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
