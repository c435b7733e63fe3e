package dev.purser.session;

import dev.purser.journal.Chain;
import dev.purser.journal.ChangedRow;
import dev.purser.journal.Journal;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.LedgerTransaction;
import dev.purser.ledger.LedgerTransactions;
import dev.purser.ledger.RequestIdentity;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
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

/**
 * Interactive mechanisms over any number of restarts.
 *
 * <p><b>Guarantee.</b> Each interaction has one serial sequence of steps. Its secret state is never in two versions at
 * once: a step, the state after it and the next version are committed in one transaction, before the step is sent. A
 * state that was drawn for a charge is committed with the charge, before data is read under it.
 *
 * <p><b>Failure story.</b> If we stop before a step is committed, nothing of it was released. The next request finds
 * the state before it, and only the noise of that step is drawn again. If we stop after the commit, a retry gets the
 * stored bytes. If the database is older than the anchor, its steps may be public and unknown to it: the account's
 * interactions are closed. Nothing is refunded.
 *
 * <p>Charges are answered in the moment they are made, so that neither a retry nor the sweeper resumes one.
 */
@Component
public final class Interactions {
    private static final String NAMES = """
            i.interaction_id, i.kind, i.account, i.dataset_id, i.principal, i.operation,
            i.idempotency_key, i.request, i.reply, i.opened_millis,
            i.expires_millis, i.charges, i.charged_epsilon_nanos, i.charged_delta_attos, i.charged_rho_picos,
            i.query_id, i.version, i.steps, i.costly_steps_left, i.sealed_state, i.closed_because
            """;

    static final String COLUMNS = "SELECT " + NAMES + "FROM interaction i ";

    private static final String LOOKUP = Journal.lookup(NAMES, "interaction i ON i.interaction_id = ?");

    private static final String BY_IDENTITY =
            COLUMNS + "WHERE i.principal = ? AND i.operation = ? AND i.idempotency_key = ?";

    private static final String OF_PRINCIPAL = COLUMNS + "WHERE i.dataset_id = ? AND i.principal = ? AND i.kind = ?";

    private static final String OPEN = COLUMNS + "WHERE i.closed_because IS NULL AND ";

    private static final String STEPS = "SELECT sequence, request_digest, body FROM interaction_step"
            + " WHERE interaction_id = ? AND sequence > ? ORDER BY sequence LIMIT ?";

    private static final String INSERT =
            "INSERT INTO interaction VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                    + " ON CONFLICT DO NOTHING";

    /** The version is compared in the statement that writes: of two requests one changes the row. */
    private static final String MOVE = """
            UPDATE interaction
            SET expires_millis = ?, charges = ?, charged_epsilon_nanos = ?, charged_delta_attos = ?,
                charged_rho_picos = ?, query_id = ?, version = ?, steps = ?, costly_steps_left = ?, sealed_state = ?,
                closed_because = ?
            WHERE interaction_id = ? AND version = ? AND closed_because IS NULL
            """;

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
     * @param debit what pays for the next step; empty if nothing does
     */
    public record Found(Interaction interaction, Optional<StoredStep> step, Optional<CommittedDebit> debit) {}

    /** @param isNew false if the same request opened it before */
    public record Opened(Interaction interaction, boolean isNew) {}

    /**
     * Opens an interaction, or finds the one that the same request opened.
     *
     * @throws ProblemException {@code budget-exhausted}; {@code idempotency-key-reused}; {@link Opening#refusal};
     *     {@code too-many-requests} if the principal has too many open ones
     */
    public Opened open(Opening opening) {
        LedgerTransactions.Work<Opened> work = transaction -> {
            Optional<Interaction> earlier = first(
                    transaction.connection(),
                    BY_IDENTITY,
                    opening.identity().principal(),
                    opening.identity().operation(),
                    opening.identity().idempotencyKey());
            if (earlier.isPresent()) {
                return new Opened(sameRequest(earlier.orElseThrow(), opening), false);
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
        if (transaction.connection().update(INSERT, values(opened)) == 0) {
            throw transaction.contended();
        }
        record(transaction.connection(), opened);
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
        return database.readOne(connection -> find(connection, id));
    }

    /**
     * The interaction as it is now, closed if it has expired, and what it has for a sequence number. What is found is
     * durable.
     *
     * @throws ProblemException {@code internal-error} if what pays for it was not charged for it
     */
    public Found find(Interaction known, long sequence) {
        record Pending(Interaction interaction, Optional<StoredStep> step, LedgerTransaction.@Nullable Debit debit) {}
        Pending pending = transactions.step(known.account(), transaction -> {
            StoreConnection connection = transaction.connection();
            Interaction now = present(connection, known.id());
            if (now.isOpen() && !transaction.at().isBefore(now.expiresAt())) {
                now = closed(connection, now, EXPIRED);
            }
            String paidBy = now.isOpen() ? now.queryId() : null;
            return new Pending(
                    now,
                    steps(connection, known.id(), sequence - 1, 1).stream()
                            .filter(step -> step.sequence() == sequence)
                            .findFirst(),
                    paidBy == null ? null : debit(transaction, now, paidBy));
        });
        return new Found(
                pending.interaction(),
                pending.step(),
                Optional.ofNullable(pending.debit()).map(LedgerTransaction.Debit::committed));
    }

    /** What pays for the next step. If the opening was charged, its request is the one that was charged. */
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

    /** When an interaction expires that is idle from now on. */
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
     * Charges what comes next, and stores the state that it begins with in the same transaction.
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
     * @return the interaction after it; empty if another request changed the interaction first
     */
    public Optional<Interaction> commit(Interaction from, NextStep step) {
        return unlessOutdated(() -> transactions.step(from.account(), transaction -> {
            StoreConnection connection = transaction.connection();
            long sequence = from.steps() + 1;
            Interaction after = sealed(from.stepped(step), step.secret());
            move(connection, from, after);
            connection.update(
                    "INSERT INTO interaction_step VALUES (?, ?, ?, ?, ?)",
                    from.id(),
                    sequence,
                    transaction.at().toEpochMilli(),
                    step.requestDigest(),
                    step.body());
            new Journal(connection)
                    .record(
                            Chain.ofSessions(from.account()),
                            JournaledInteractions.step(
                                    from.id(), new StoredStep(sequence, step.requestDigest(), step.body())));
            return after;
        }));
    }

    /** Closes an interaction, unless it is closed, and returns it. What it was charged stays charged. */
    public Interaction close(Interaction known, String because) {
        return transactions.step(known.account(), transaction -> {
            Interaction now = present(transaction.connection(), known.id());
            return now.isOpen() ? closed(transaction.connection(), now, because) : now;
        });
    }

    /** Closes all interactions that have expired, so that their secret states are removed. */
    public void closeExpired() {
        database.write(Database.NO_ACCOUNT, connection -> {
            expire(connection, Instant.ofEpochMilli(clock.millis()));
            return null;
        });
    }

    private static void expire(StoreConnection connection, Instant now) throws SQLException {
        closeAll(connection, EXPIRED, "i.expires_millis <= ?", now.toEpochMilli());
    }

    /** Closes the open interactions that a condition names, and returns how many there were. */
    private static int closeAll(StoreConnection connection, String because, String condition, Object value)
            throws SQLException {
        int closed = 0;
        for (Interaction each : connection.all(OPEN + condition, Interactions::interaction, value)) {
            // One that was changed is refused wherever it is read. The others are closed all the same.
            if (new Journal(connection).agrees(JournaledInteractions.interaction(each))) {
                closed(connection, each, because);
                closed++;
            }
        }
        return closed;
    }

    /** Closes an account's open interactions after steps were lost, because what they answered may be unknown here. */
    static int closeAfterLoss(StoreConnection connection, String account) throws SQLException {
        return closeAll(connection, "restored", "i.account = ?", account);
    }

    private static Interaction closed(StoreConnection connection, Interaction open, String because)
            throws SQLException {
        Interaction closed = open.closed(because);
        move(connection, open, closed);
        return closed;
    }

    /**
     * A principal's interactions on a dataset, those after an id in this order. They are durable: how many costly steps
     * are left is an outcome.
     */
    public List<Interaction> list(
            String kind, String datasetId, String principal, Order order, String after, int limit) {
        String part = " AND i.interaction_id " + order.comparison() + " ? ORDER BY i.interaction_id " + order.name()
                + " LIMIT ?";
        return database.write(
                Database.NO_ACCOUNT,
                connection -> all(connection, OF_PRINCIPAL + part, datasetId, principal, kind, after, limit));
    }

    /** The stored steps with a sequence above {@code after}, ascending. They are durable. */
    public List<StoredStep> steps(Interaction known, long after, int limit) {
        return transactions.step(
                known.account(), transaction -> steps(transaction.connection(), known.id(), after, limit));
    }

    private static List<StoredStep> steps(StoreConnection connection, String id, long after, int limit)
            throws SQLException {
        List<StoredStep> steps = connection.all(STEPS, Interactions::step, id, after, limit);
        for (StoredStep step : steps) {
            new Journal(connection).require(JournaledInteractions.step(id, step));
        }
        return steps;
    }

    /** Another request changed the interaction. What the transaction wrote is undone. */
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

    private static void move(StoreConnection connection, Interaction from, Interaction to) throws SQLException {
        if (!tryToMove(connection, from, to)) {
            throw new Outdated();
        }
    }

    /** Returns whether the interaction was still as it was read. */
    private static boolean tryToMove(StoreConnection connection, Interaction from, Interaction to) throws SQLException {
        boolean moved = connection.update(
                        MOVE,
                        to.expiresAt().toEpochMilli(),
                        to.charges(),
                        to.charged().epsilon().nanos(),
                        to.charged().delta().attos(),
                        to.charged().rho().picos(),
                        to.queryId(),
                        to.version(),
                        to.steps(),
                        to.costlyStepsLeft(),
                        to.sealedState(),
                        to.closedBecause(),
                        from.id(),
                        from.version())
                == 1;
        if (moved) {
            record(connection, to);
        }
        return moved;
    }

    private static void record(StoreConnection connection, Interaction present) throws SQLException {
        new Journal(connection).record(Chain.ofSessions(present.account()), JournaledInteractions.interaction(present));
    }

    private static Interaction present(StoreConnection connection, String id) throws SQLException {
        return find(connection, id).orElseThrow();
    }

    /** The interaction as the journal recorded it last. */
    private static Optional<Interaction> find(StoreConnection connection, String id) throws SQLException {
        return new Journal(connection)
                .find(
                        LOOKUP,
                        Interactions::interaction,
                        (row, found) -> JournaledInteractions.interaction(found),
                        id,
                        JournaledInteractions.objectOf(id));
    }

    private static Optional<Interaction> first(StoreConnection connection, String sql, Object... values)
            throws SQLException {
        return all(connection, sql, values).stream().findFirst();
    }

    /** Each is as the journal recorded it last. */
    private static List<Interaction> all(StoreConnection connection, String sql, Object... values) throws SQLException {
        List<Interaction> all = connection.all(sql, Interactions::interaction, values);
        for (Interaction each : all) {
            new Journal(connection).require(JournaledInteractions.interaction(each));
        }
        return all;
    }

    private static @Nullable Object[] values(Interaction opened) {
        return new @Nullable Object[] {
            opened.id(),
            opened.kind(),
            opened.account(),
            opened.datasetId(),
            opened.identity().principal(),
            opened.identity().operation(),
            opened.identity().idempotencyKey(),
            opened.request(),
            opened.reply(),
            opened.openedAt().toEpochMilli(),
            opened.expiresAt().toEpochMilli(),
            opened.charges(),
            opened.charged().epsilon().nanos(),
            opened.charged().delta().attos(),
            opened.charged().rho().picos(),
            opened.queryId(),
            opened.version(),
            opened.steps(),
            opened.costlyStepsLeft(),
            opened.sealedState(),
            opened.closedBecause()
        };
    }

    static Interaction interaction(ResultSet row) throws SQLException {
        return new Interaction(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                new RequestIdentity(row.getString(5), row.getString(6), row.getString(7)),
                row.getBytes(8),
                row.getBytes(9),
                Instant.ofEpochMilli(row.getLong(10)),
                Instant.ofEpochMilli(row.getLong(11)),
                row.getLong(12),
                new PrivacyAmount(new Epsilon(row.getLong(13)), new Delta(row.getLong(14)), new Rho(row.getLong(15))),
                row.getString(16),
                row.getLong(17),
                row.getLong(18),
                row.getLong(19),
                row.getBytes(20),
                row.getString(21));
    }

    private static StoredStep step(ResultSet row) throws SQLException {
        return new StoredStep(row.getLong(1), row.getBytes(2), row.getBytes(3));
    }
}
