package dev.purser.session;

import dev.purser.journal.Chain;
import dev.purser.journal.ChangedRow;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.LedgerTransaction;
import dev.purser.ledger.LedgerTransactions;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import static dev.purser.session.JournaledInteractions.SESSIONS;
import static dev.purser.session.JournaledInteractions.STEPS;

/**
 * Interactive mechanisms over any number of restarts.
 *
 * <p><b>Guarantee.</b> Each interaction has one serial sequence of steps. Its secret state is never in two versions at
 * once: a step, the state after the step and the next version are committed in one transaction, before the step is
 * sent. A state that was drawn for a charge is committed with the charge, before data is read under it.
 *
 * <p><b>Failure story.</b> If the service stops before a step is committed, nothing of the step was released. The next
 * request finds the state before the step, and only the noise of that step is drawn again. If the service stops after
 * the commit, a retry gets the stored bytes. If the database is older than the anchor, steps may be public that it does
 * not know: the account's interactions are closed. Nothing is refunded.
 *
 * <p>A charge is stored together with its answer, so that no retry and no sweeper resumes it.
 */
@Component
public final class Interactions {
    private static final String BY_IDENTITY =
            SESSIONS.select("WHERE r.principal = ? AND r.operation = ? AND r.idempotency_key = ?");

    private static final String OPEN = "SELECT interaction_id FROM interaction WHERE closed_because IS NULL AND ";

    private static final String STEPS_AFTER =
            STEPS.select("WHERE r.interaction_id = ? AND r.sequence > ? ORDER BY r.sequence LIMIT ?");

    private static final String EXPIRED = "expired";

    private final LedgerTransactions transactions;
    private final Database database;
    private final StateSeal seal;
    private final Clock clock;

    public Interactions(LedgerTransactions transactions, Database database, StateSeal seal, Clock clock) {
        this.transactions = transactions;
        this.database = database;
        this.seal = seal;
        this.clock = clock;
    }

    /**
     * An interaction as a request finds it.
     *
     * @param step the requested step, if it was answered before
     * @param debit the debit that pays for the next step; empty if there is none
     */
    public record Found(Interaction interaction, Optional<StoredStep> step, Optional<CommittedDebit> debit) {}

    /** @param isNew false if the same request opened it before */
    public record Opened(Interaction interaction, boolean isNew) {}

    /**
     * Opens an interaction, or finds the interaction that the same request opened.
     *
     * @throws ProblemException {@code budget-exhausted}; {@code idempotency-key-reused}; {@link Opening#refusal};
     *     {@code too-many-requests} if the principal has too many open interactions
     */
    public Opened open(Opening opening) {
        LedgerTransactions.Work<Opened> work = transaction -> {
            List<Interaction> earlier = SESSIONS.all(
                    transaction.connection(),
                    BY_IDENTITY,
                    opening.identity().principal(),
                    opening.identity().operation(),
                    opening.identity().idempotencyKey());
            if (!earlier.isEmpty()) {
                return new Opened(sameRequest(earlier.getFirst(), opening), false);
            }
            if (opening.refusal() != null) {
                throw opening.refusal();
            }
            requireFewOpen(transaction, opening);
            return new Opened(insert(transaction, opening), true);
        };
        return opening.charge() == null
                ? transactions.step(opening.account(), work)
                : transactions.charge(opening.account(), work);
    }

    private static Interaction sameRequest(Interaction earlier, Opening opening) {
        if (!Arrays.equals(earlier.request(), opening.request())) {
            throw ProblemException.of(
                    ProblemType.IDEMPOTENCY_KEY_REUSED,
                    "This Idempotency-Key was used for a request with another body;"
                            + " send a new key with a new request.");
        }
        return earlier;
    }

    private static void requireFewOpen(LedgerTransaction transaction, Opening opening) throws SQLException {
        StoreConnection connection = transaction.connection();
        expire(connection, transaction.at());
        long open = connection
                .first(
                        "SELECT count(*) FROM interaction WHERE dataset_id = ? AND principal = ? AND kind = ?"
                                + " AND closed_because IS NULL",
                        row -> row.getLong(1),
                        opening.datasetId(),
                        opening.identity().principal(),
                        opening.kind())
                .orElseThrow();
        if (open >= opening.maxOpen()) {
            throw ProblemException.of(
                    ProblemType.TOO_MANY_REQUESTS,
                    "you have " + open + " of at most " + opening.maxOpen()
                            + " open on this dataset: close one, or wait until one expires");
        }
    }

    private Interaction insert(LedgerTransaction transaction, Opening opening) throws SQLException {
        String id = transaction.newId();
        Interaction unpaid = new Interaction(
                id,
                opening.kind(),
                opening.account(),
                opening.datasetId(),
                opening.identity(),
                opening.request(),
                new byte[0],
                transaction.at(),
                transaction.at().plus(opening.idle()),
                0,
                PrivacyAmount.ZERO,
                null,
                0,
                0,
                opening.costlySteps(),
                null,
                null);
        Interaction unanswered = unpaid;
        if (opening.charge() != null) {
            LedgerEntry entry = transaction
                    .charge(id, opening.charge(), made -> opening.reply().apply(paid(unpaid, made)))
                    .entry();
            unanswered = paid(unpaid, entry);
        }
        Interaction opened = sealed(unanswered.replied(opening.reply().apply(unanswered)), opening.secret());
        SESSIONS.insert(transaction.connection(), Chain.ofSessions(opened.account()), opened);
        return opened;
    }

    private static Interaction paid(Interaction interaction, LedgerEntry entry) {
        return interaction.paid(entry.charge(), Objects.requireNonNull(entry.queryId()), interaction.expiresAt());
    }

    private Interaction sealed(Interaction interaction, byte @Nullable [] secret) {
        return secret == null ? interaction : interaction.sealed(seal.seal(secret, interaction.seal()));
    }

    /**
     * The interaction with this id. Its last steps may be missing, so only what never changes may be read from it. No
     * answer may be released from it.
     */
    public Optional<Interaction> named(String id) {
        return database.readOne(connection -> SESSIONS.find(connection, id));
    }

    /**
     * The interaction as it is now, closed if it has expired, and its step with this sequence number. The result is
     * durable.
     *
     * @throws ProblemException {@code internal-error} if the debit that pays for it was not charged for it
     */
    public Found find(Interaction known, long sequence) {
        record Pending(Interaction interaction, Optional<StoredStep> step, LedgerTransaction.@Nullable Debit debit) {}
        Pending pending = transactions.step(known.account(), transaction -> {
            StoreConnection connection = transaction.connection();
            Interaction now = present(connection, known.id());
            if (now.isOpen() && !transaction.at().isBefore(now.expiresAt())) {
                now = closed(connection, now.id(), EXPIRED);
            }
            String paidBy = now.isOpen() ? now.queryId() : null;
            return new Pending(
                    now,
                    STEPS.find(connection, known.id(), sequence),
                    paidBy == null ? null : debit(transaction, now, paidBy));
        });
        return new Found(
                pending.interaction(),
                pending.step(),
                Optional.ofNullable(pending.debit()).map(LedgerTransaction.Debit::committed));
    }

    /** The debit that pays for the next step. A charge of the opening must be for the stored request. */
    private static LedgerTransaction.Debit debit(LedgerTransaction transaction, Interaction now, String paidBy)
            throws SQLException {
        LedgerTransaction.Debit debit = transaction.debit(paidBy);
        if (paidBy.equals(now.id()) && !debit.isFor(now.request())) {
            throw changed(now, "its stored request is not the one that was charged");
        }
        return debit;
    }

    private static ProblemException changed(Interaction interaction, String how) {
        return ChangedRow.refused(interaction.kind() + " " + interaction.id(), how);
    }

    /** The time at which an interaction expires if it is idle from now on. */
    public Instant expiry(Duration idle) {
        return Instant.ofEpochMilli(clock.millis()).plus(idle);
    }

    /**
     * The secret state of an open interaction that has begun.
     *
     * @throws ProblemException {@code internal-error} if it was sealed for something else, or is missing
     */
    public byte[] secret(Interaction interaction) {
        return Optional.ofNullable(interaction.sealedState())
                .flatMap(state -> seal.open(state, interaction.seal()))
                .orElseThrow(() -> changed(interaction, "its state was not sealed for what is stored"));
    }

    /**
     * Charges the next part of an interaction. Stores the state that this part begins with in the same transaction.
     *
     * @return empty if another request changed the interaction first
     * @throws ProblemException {@code budget-exhausted}; nothing is changed then
     */
    public Optional<Found> pay(
            Interaction from,
            ChargeRequest request,
            byte[] secret,
            Duration idle,
            Function<Interaction, byte[]> answer) {
        record Pending(Interaction interaction, LedgerTransaction.Debit debit) {}
        return unlessOutdated(() -> {
            Pending pending = transactions.charge(from.account(), transaction -> {
                Instant expires = transaction.at().plus(idle);
                LedgerTransaction.Debit debit = transaction.charge(
                        transaction.newId(),
                        request,
                        entry -> answer.apply(
                                from.paid(entry.charge(), Objects.requireNonNull(entry.queryId()), expires)));
                LedgerEntry entry = debit.entry();
                Interaction paid =
                        sealed(from.paid(entry.charge(), Objects.requireNonNull(entry.queryId()), expires), secret);
                move(transaction.connection(), from, paid);
                return new Pending(paid, debit);
            });
            return new Found(
                    pending.interaction(),
                    Optional.empty(),
                    Optional.of(pending.debit().committed()));
        });
    }

    /**
     * Stores the next step and the state after it.
     *
     * @return the interaction after the step; empty if another request changed the interaction first
     */
    public Optional<Interaction> commit(Interaction from, NextStep step) {
        return unlessOutdated(() -> transactions.step(from.account(), transaction -> {
            StoreConnection connection = transaction.connection();
            long sequence = from.steps() + 1;
            Interaction after = sealed(from.stepped(step), step.secret());
            move(connection, from, after);
            STEPS.insert(
                    connection,
                    Chain.ofSessions(from.account()),
                    new StoredStep(from.id(), sequence, step.requestDigest(), step.body()));
            return after;
        }));
    }

    /** Closes an interaction, unless it is closed, and returns it. Its charges stay. */
    public Interaction close(Interaction known, String because) {
        return transactions.step(known.account(), transaction -> closed(transaction.connection(), known.id(), because));
    }

    /** Closes all interactions that have expired, so that their secret states are removed. */
    public void closeExpired() {
        database.write(Database.NO_ACCOUNT, connection -> {
            expire(connection, Instant.ofEpochMilli(clock.millis()));
            return null;
        });
    }

    private static void expire(StoreConnection connection, Instant now) throws SQLException {
        closeAll(connection, EXPIRED, "expires_millis <= ?", now.toEpochMilli());
    }

    /** Closes the open interactions that a condition names, and returns how many there were. */
    private static int closeAll(StoreConnection connection, String because, String condition, Object value)
            throws SQLException {
        int closed = 0;
        for (String id : connection.all(OPEN + condition, row -> row.getString(1), value)) {
            try {
                closed += SESSIONS.change(connection, now -> now.isOpen() ? now.closed(because) : null, id)
                                .isPresent()
                        ? 1
                        : 0;
            } catch (ProblemException changed) {
                // This interaction is refused wherever it is read. The others are closed all the same.
            }
        }
        return closed;
    }

    /** Closes an account's open interactions after steps were lost: the answers to these steps may be unknown here. */
    static int closeAfterLoss(StoreConnection connection, String account) throws SQLException {
        return closeAll(connection, "restored", "account = ?", account);
    }

    /** The interaction, closed now or before. */
    private static Interaction closed(StoreConnection connection, String id, String because) throws SQLException {
        SESSIONS.change(connection, now -> now.isOpen() ? now.closed(because) : null, id);
        return present(connection, id);
    }

    /**
     * A principal's interactions on a dataset that come after an id in this order. They are durable, because the number
     * of costly steps left is an outcome.
     */
    public List<Interaction> list(
            String kind, String datasetId, String principal, Order order, String after, int limit) {
        String part = SESSIONS.select("WHERE r.dataset_id = ? AND r.principal = ? AND r.kind = ? AND r.interaction_id "
                + order.comparison() + " ? ORDER BY r.interaction_id " + order.name() + " LIMIT ?");
        return database.write(
                Database.NO_ACCOUNT,
                connection -> SESSIONS.all(connection, part, datasetId, principal, kind, after, limit));
    }

    /** The stored steps with a sequence above {@code after}, ascending. They are durable. */
    public List<StoredStep> steps(Interaction known, long after, int limit) {
        return transactions.step(
                known.account(),
                transaction -> STEPS.all(transaction.connection(), STEPS_AFTER, known.id(), after, limit));
    }

    /** Another request changed the interaction. The writes of the transaction are undone. */
    private static final class Outdated extends RuntimeException {
        private static final long serialVersionUID = 1;

        Outdated() {
            super("the interaction was changed by another request", null, false, false);
        }
    }

    private static <T> Optional<T> unlessOutdated(Supplier<T> work) {
        try {
            return Optional.of(work.get());
        } catch (Outdated anotherWasFirst) {
            return Optional.empty();
        }
    }

    /** @param from the interaction as an earlier transaction found it */
    private static void move(StoreConnection connection, Interaction from, Interaction to) throws SQLException {
        if (SESSIONS.change(connection, now -> now.version() == from.version() && now.isOpen() ? to : null, from.id())
                .isEmpty()) {
            throw new Outdated();
        }
    }

    private static Interaction present(StoreConnection connection, String id) throws SQLException {
        return SESSIONS.find(connection, id).orElseThrow();
    }
}
