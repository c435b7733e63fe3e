package dev.purser.session;

import dev.purser.accounting.PureAccountant;
import dev.purser.digest.Sha256;
import dev.purser.journal.DecidingRows;
import dev.purser.journal.JournaledRows;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.LedgerTransactions;
import dev.purser.ledger.RequestIdentity;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.problem.ProblemException;
import dev.purser.store.Database;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

import static dev.purser.Records.with;

/** Interactions over a real database, with short methods for what tests often do. */
public final class OpenInteractions {
    public static final String ACCOUNT = "adult";
    static final String KIND = "conversation";
    static final Duration IDLE = Duration.ofHours(1);
    static final int MAX_OPEN = 3;
    static final StateSeal SEAL = StateSeals.of(new byte[32]);

    public final Database database;
    public final BudgetLedger ledger;
    public final Interactions interactions;

    public OpenInteractions(Database database, Clock clock) {
        this.database = database;
        this.ledger = new BudgetLedger(database, clock, new SecureRandom());
        this.interactions = new Interactions(new LedgerTransactions(database, ledger, clock), database, SEAL, clock);
    }

    /** The table of interactions, and the table of their steps. */
    public static final DecidingRows<?> SESSIONS = JournaledInteractions.SESSIONS;

    public static final DecidingRows<?> STEPS = JournaledInteractions.STEPS;

    /** What the journal records of interactions. */
    public static Stream<JournaledRows> journaled() {
        JournaledInteractions interactions = new JournaledInteractions();
        return Stream.of(interactions.sessions(), interactions.steps());
    }

    public OpenInteractions withAccount(String account, String epsilonLimit) {
        return withAccount(account, epsilonLimit, null);
    }

    /** @param blocks null for an account without blocks */
    public OpenInteractions withAccount(String account, String epsilonLimit, @Nullable Blocks blocks) {
        database.write(account, transaction -> {
            ledger.open(
                    transaction,
                    account,
                    new PureAccountant(),
                    PrivacyAmount.pure(Epsilon.parse(epsilonLimit)),
                    blocks,
                    "carla");
            return null;
        });
        return this;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static RequestIdentity identity(String principal, String key) {
        return new RequestIdentity(principal, "POST /conversations", key);
    }

    static ChargeRequest charge(RequestIdentity identity, String epsilon, byte[] body) {
        return new ChargeRequest(
                ACCOUNT,
                ACCOUNT,
                KIND,
                new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse(epsilon)),
                identity,
                body,
                null,
                null);
    }

    /** @param epsilon what the interaction is charged at once; null if its steps are charged */
    static Opening opening(String key, String body, @Nullable String epsilon) {
        RequestIdentity identity = identity("ana", key);
        return new Opening(
                KIND,
                ACCOUNT,
                ACCOUNT,
                identity,
                bytes(body),
                null,
                epsilon == null ? null : charge(identity, epsilon, bytes(body)),
                epsilon == null ? null : bytes("secret of " + key),
                2,
                IDLE,
                MAX_OPEN,
                opened ->
                        bytes("reply to " + key + " charged " + opened.charged().epsilon()));
    }

    /** The same opening, where nothing new may be opened because of {@code refusal}. */
    static Opening refused(Opening opening, ProblemException refusal) {
        return with(opening, "refusal", refusal);
    }

    /** Opens an interaction for 0.1 on another account. */
    public Interaction openedOn(String account, String key) {
        Opening opening = opening(key, "body", "0.1");
        ChargeRequest charge = with(Objects.requireNonNull(opening.charge()), "account", account, "datasetId", account);
        return interactions
                .open(with(opening, "account", account, "datasetId", account, "charge", charge))
                .interaction();
    }

    /** A step for tests that expect that it is not stored. */
    public static NextStep anyStep() {
        return new NextStep(
                new byte[32],
                bytes("any"),
                bytes("secret"),
                1,
                false,
                Instant.now().plus(IDLE),
                null);
    }

    /** Opens an interaction for 0.1. */
    public Interaction opened(String key) {
        return interactions.open(opening(key, "body", "0.1")).interaction();
    }

    public Interactions.Found find(Interaction known) {
        return interactions.find(known, known.steps());
    }

    /** A step that leaves the interaction open. */
    NextStep step(String body) {
        return step(body, 2, null);
    }

    NextStep step(String body, long costlyStepsLeft, @Nullable String closedBecause) {
        return new NextStep(
                Sha256.of(bytes("question of " + body)),
                bytes(body),
                closedBecause == null ? bytes("secret after " + body) : null,
                costlyStepsLeft,
                false,
                interactions.expiry(IDLE),
                closedBecause);
    }

    /** Takes a step that leaves the interaction open. */
    public Interaction stepped(Interaction from, String body) {
        return interactions.commit(from, step(body)).orElseThrow();
    }

    /** The numbers that a statement finds, in its order. */
    List<Long> numbers(String sql) {
        return database.write(Database.NO_ACCOUNT, connection -> connection.all(sql, row -> row.getLong(1)));
    }
}
