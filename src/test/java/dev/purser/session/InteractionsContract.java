package dev.purser.session;

import dev.purser.digest.Sha256;
import dev.purser.ledger.LedgerTransaction;
import dev.purser.ledger.LedgerTransactions;
import dev.purser.ledger.ReserveOutcome;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.Order;
import dev.purser.store.StorageException;
import dev.purser.store.TestHomes;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.Records.with;
import static dev.purser.problem.Refusals.refusedAs;
import static dev.purser.session.OpenInteractions.ACCOUNT;
import static dev.purser.session.OpenInteractions.IDLE;
import static dev.purser.session.OpenInteractions.KIND;
import static dev.purser.session.OpenInteractions.MAX_OPEN;
import static dev.purser.session.OpenInteractions.bytes;
import static dev.purser.session.OpenInteractions.charge;
import static dev.purser.session.OpenInteractions.identity;
import static dev.purser.session.OpenInteractions.opening;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What interactions promise, whichever database stores them. */
abstract class InteractionsContract {
    private static final String LINKS = "SELECT sequence FROM journal WHERE object LIKE 'step %' ORDER BY sequence";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path home;

    private final MovableClock clock = new MovableClock();
    private LedgerSettings settings;
    private Database database;
    private OpenInteractions open;
    private Interactions interactions;

    /** The settings of an empty database. */
    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    @BeforeEach
    void openTheLedger() {
        settings = settings();
        database = new Database(TestHomes.at(home.resolve("one")), settings);
        open = new OpenInteractions(database, clock).withAccount(ACCOUNT, "1");
        interactions = open.interactions;
    }

    /** No test may leave a charge to resume, or unsound books. */
    @AfterEach
    void closeTheLedger() throws SQLException {
        database.witness(heads -> {});
        assertThat(open.ledger.reservations("", 10)).isEmpty();
        assertThat(open.ledger.verify(ACCOUNT).fault()).isNull();
        assertThat(open.numbers("SELECT count(*) FROM interaction WHERE closed_because IS NOT NULL"
                        + " AND sealed_state IS NOT NULL"))
                .containsExactly(0L);
        database.close();
    }

    private String spent() {
        return open.ledger.budget(ACCOUNT).spent().epsilon().toString();
    }

    private long count() {
        return open.numbers("SELECT count(*) FROM interaction").getFirst();
    }

    @Test
    void anOpeningIsChargedAndAnsweredAtOnce() {
        Interactions.Opened opened = interactions.open(opening("k", "body", "0.4"));

        Interaction interaction = opened.interaction();
        assertThat(opened.isNew()).isTrue();
        assertThat(interaction.id()).matches("[0-9A-HJKMNP-TV-Z]{26}").isEqualTo(interaction.queryId());
        assertThat(interaction.reply()).asString().isEqualTo("reply to k charged 0.4");
        assertThat(interaction.charges()).isEqualTo(1);
        assertThat(interaction.charged()).isEqualTo(PrivacyAmount.pure(Epsilon.parse("0.4")));
        assertThat(interaction.expiresAt()).isEqualTo(clock.instant().plus(IDLE));
        assertThat(interactions.secret(interaction)).asString().isEqualTo("secret of k");
        assertThat(spent()).isEqualTo("0.4");
        assertThat(open.ledger.answer(interaction.id()).orElseThrow().beginning())
                .isEqualTo(interaction.reply());
        Interactions.Found found = open.find(interaction);
        assertThat(found.interaction()).usingRecursiveComparison().isEqualTo(interaction);
        assertThat(found.step()).isEmpty();
        assertThat(found.debit().orElseThrow().queryId()).isEqualTo(interaction.id());
        assertThat(found.debit().orElseThrow().charge().epsilon()).hasToString("0.4");
    }

    @Test
    void anOpeningThatIsPaidByItsStepsIsNotCharged() {
        Interaction interaction = interactions.open(opening("k", "body", null)).interaction();

        assertThat(interaction.queryId()).isNull();
        assertThat(interaction.sealedState()).isNull();
        assertThat(interaction.charged()).isEqualTo(PrivacyAmount.ZERO);
        assertThat(spent()).isEqualTo("0");
        assertThat(open.find(interaction).debit()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theSameOpeningAgainFindsTheFirst(boolean isUpfront) {
        Opening opening = opening("k", "body", isUpfront ? "0.6" : null);
        Interaction first = interactions.open(opening).interaction();
        interactions.close(first, "deleted");

        Interactions.Opened again = interactions.open(opening);

        assertThat(again.isNew()).isFalse();
        assertThat(again.interaction().id()).isEqualTo(first.id());
        assertThat(again.interaction().reply()).isEqualTo(first.reply());
        assertThat(spent()).isEqualTo(isUpfront ? "0.6" : "0");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aKeyWithAnotherBodyIsRefused() {
        open.opened("k");
        refusedAs(ProblemType.IDEMPOTENCY_KEY_REUSED, () -> interactions.open(opening("k", "other", "0.1")));
        refusedAs(ProblemType.IDEMPOTENCY_KEY_REUSED, () -> interactions.open(opening("k", "other", null)));
        assertThat(spent()).isEqualTo("0.1");
    }

    @Test
    void anExhaustedBudgetOpensNothing() {
        open.opened("first");
        refusedAs(ProblemType.BUDGET_EXHAUSTED, () -> interactions.open(opening("k", "body", "0.91")));

        assertThat(count()).isEqualTo(1);
        assertThat(spent()).isEqualTo("0.1");
        assertThat(interactions.open(opening("k", "body", "0.9")).isNew()).isTrue();
    }

    @Test
    void whatIsRefusedNowIsFoundIfItWasOpenedBefore() {
        Opening sound = opening("k", "body", "0.4");
        ProblemException refusal = ProblemException.of(ProblemType.DATASET_NOT_READY, "not now");
        Opening refused = OpenInteractions.refused(sound, refusal);

        assertThatThrownBy(() -> interactions.open(refused)).isSameAs(refusal);
        assertThat(count()).isZero();
        assertThat(spent()).isEqualTo("0");

        Interactions.Opened opened = interactions.open(sound);
        assertThat(interactions.open(refused).interaction().id())
                .isEqualTo(opened.interaction().id());
        assertThat(spent()).isEqualTo("0.4");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatFailsAfterTheChargeIsUndoneWithIt(boolean failsWithTheCharge) {
        Opening sound = opening("k", "body", "0.4");
        int[] replies = {0};
        Function<Interaction, byte[]> reply = opened -> {
            if (failsWithTheCharge || replies[0]++ % 2 == 1) {
                throw new IllegalStateException("no reply");
            }
            return bytes("reply");
        };
        Opening failing = with(sound, "reply", reply);
        assertThatThrownBy(() -> interactions.open(failing)).hasMessage("no reply");

        assertThat(count()).isZero();
        assertThat(spent()).isEqualTo("0");
        assertThat(open.ledger.entries(ACCOUNT, 0, 10)).hasSize(1);
    }

    /** If sessions and questions shared keys, one session could have two charges, or the charge of a question. */
    @Test
    void aKeyThatAQuestionUsedOpensNothing() {
        open.ledger.settle(
                ((ReserveOutcome.Reserved) open.ledger.reserve(charge(identity("ana", "k"), "0.1", bytes("body"))))
                        .debit(),
                bytes("answer"));
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> interactions.open(opening("k", "body", "0.1")));

        assertThat(count()).isZero();
        assertThat(spent()).isEqualTo("0.1");
    }

    @Test
    void noMoreThanPermittedAreOpenAtOnce() {
        List<Interaction> all = new ArrayList<>();
        for (int i = 0; i < MAX_OPEN; i++) {
            all.add(open.opened("k" + i));
        }
        refusedAs(ProblemType.TOO_MANY_REQUESTS, () -> open.opened("more"));
        assertThat(spent()).isEqualTo("0.3");

        interactions.close(all.getFirst(), "deleted");
        assertThat(open.opened("more").isOpen()).isTrue();
        refusedAs(ProblemType.TOO_MANY_REQUESTS, () -> open.opened("evenMore"));
        clock.move(IDLE);
        assertThat(open.opened("evenMore").isOpen()).isTrue();
    }

    @Test
    void aStepIsStoredWithTheStateAfterIt() {
        Interaction opened = open.opened("k");
        NextStep step = open.step("BELOW", 1, null);

        Interaction after = interactions.commit(opened, step).orElseThrow();

        assertThat(after.steps()).isEqualTo(1);
        assertThat(after.version()).isEqualTo(opened.version() + 1);
        assertThat(after.costlyStepsLeft()).isEqualTo(1);
        assertThat(interactions.secret(after)).asString().isEqualTo("secret after BELOW");
        Interactions.Found found = interactions.find(opened, 1);
        assertThat(found.interaction()).usingRecursiveComparison().isEqualTo(after);
        StoredStep stored = found.step().orElseThrow();
        assertThat(stored.body()).asString().isEqualTo("BELOW");
        assertThat(stored.isFor(step.requestDigest())).isTrue();
        assertThat(stored.isFor(Sha256.of(bytes("another")))).isFalse();
        assertThat(interactions.find(opened, 0).step()).isEmpty();
        assertThat(interactions.find(opened, 2).step()).isEmpty();
        assertThat(open.numbers(LINKS)).hasSize(1);
    }

    @Test
    void aStepFromAnOutdatedVersionWritesNothing() {
        Interaction opened = open.opened("k");
        open.stepped(opened, "first");

        assertThat(interactions.commit(opened, open.step("second"))).isEmpty();

        assertThat(open.numbers(LINKS)).hasSize(1);
        assertThat(interactions.steps(opened, 0, 10))
                .singleElement()
                .satisfies(step -> assertThat(step.body()).asString().isEqualTo("first"));
        assertThat(open.find(opened).interaction().steps()).isEqualTo(1);
    }

    @Test
    void aPaymentFromAnOutdatedVersionChargesNothing() {
        Interaction opened = interactions.open(opening("k", "body", null)).interaction();
        Interaction closedByAnother = open.opened("other");
        interactions.close(closedByAnother, "deleted");
        Interactions.Found paid = pay(opened, "0.2", "1").orElseThrow();

        assertThat(pay(opened, "0.2", "2")).isEmpty();
        assertThat(pay(closedByAnother, "0.2", "3")).isEmpty();

        assertThat(spent()).isEqualTo("0.3");
        assertThat(paid.debit().orElseThrow().charge().epsilon()).hasToString("0.2");
        assertThat(open.find(opened).interaction().charges()).isEqualTo(1);
    }

    private Optional<Interactions.Found> pay(Interaction from, String epsilon, String key) {
        return interactions.pay(
                from,
                charge(identity("ana", "instance " + key), epsilon, bytes("question " + key)),
                bytes("secret of instance " + key),
                IDLE,
                paid -> bytes("charged " + paid.charged().epsilon()));
    }

    @Test
    void eachPaymentStoresTheStateThatItPaidFor() {
        Interaction opened = interactions.open(opening("k", "body", null)).interaction();
        clock.move(IDLE.minusMillis(1));
        Interaction paid = pay(opened, "0.2", "1").orElseThrow().interaction();
        assertThat(interactions.secret(paid)).asString().isEqualTo("secret of instance 1");
        assertThat(paid.expiresAt()).isEqualTo(clock.instant().plus(IDLE));

        NextStep above = open.step("ABOVE", 1, null);
        Interaction unpaid =
                interactions.commit(paid, with(above, "endsPayment", true)).orElseThrow();
        assertThat(unpaid.queryId()).isNull();
        assertThat(open.find(opened).debit()).isEmpty();

        refusedAs(ProblemType.BUDGET_EXHAUSTED, () -> pay(unpaid, "0.9", "2"));
        assertThat(open.find(opened).interaction()).usingRecursiveComparison().isEqualTo(unpaid);
        Interactions.Found second = pay(unpaid, "0.3", "2").orElseThrow();

        assertThat(second.interaction().charges()).isEqualTo(2);
        assertThat(second.interaction().charged().epsilon()).hasToString("0.5");
        assertThat(interactions.secret(second.interaction())).asString().isEqualTo("secret of instance 2");
        assertThat(open.find(opened).debit().orElseThrow().queryId())
                .isEqualTo(second.debit().orElseThrow().queryId());
        assertThat(open.ledger
                        .answer(second.debit().orElseThrow().queryId())
                        .orElseThrow()
                        .beginning())
                .asString()
                .isEqualTo("charged 0.5");
        assertThat(spent()).isEqualTo("0.5");
    }

    /** Otherwise rows could be read before the debit is committed. */
    @Test
    void aDebitIsNoProofBeforeItsCommit() {
        AtomicReference<LedgerTransaction.Debit> found = new AtomicReference<>();
        Interaction opened = open.opened("k");
        LedgerTransactions transactions = new LedgerTransactions(database, open.ledger, clock);

        assertThatThrownBy(() -> transactions.step(
                        ACCOUNT, transaction -> transaction.debit(opened.id()).committed()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is not committed yet");
        assertThatThrownBy(() -> transactions.step(ACCOUNT, transaction -> {
                    found.set(transaction.debit(opened.id()));
                    throw new IllegalArgumentException("undone");
                }))
                .hasMessage("undone");
        assertThatThrownBy(() -> found.get().committed()).isInstanceOf(IllegalStateException.class);
        found.set(transactions.step(ACCOUNT, transaction -> transaction.debit(opened.id())));
        assertThat(found.get().committed().queryId()).isEqualTo(opened.id());
    }

    @Test
    void noStateIsStoredTwiceAndNoneAfterTheEnd() {
        Interaction now = open.opened("k");
        List<String> sealed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] stored = now.sealedState();
            sealed.add(HexFormat.of().formatHex(stored));
            NextStep same = open.step("same");
            now = interactions.commit(now, same).orElseThrow();
        }
        assertThat(sealed).doesNotHaveDuplicates();

        now = interactions.commit(now, open.step("last", 0, "positives")).orElseThrow();

        assertThat(now.isOpen()).isFalse();
        assertThat(now.sealedState()).isNull();
        assertThat(open.find(now).debit()).isEmpty();
        assertThat(interactions.commit(now, open.step("more"))).isEmpty();
        assertThat(interactions.steps(now, 19, 10))
                .extracting(StoredStep::sequence)
                .containsExactly(20L, 21L);
        assertThat(interactions.steps(now, 3, 2))
                .extracting(StoredStep::sequence)
                .containsExactly(4L, 5L);
    }

    /** An earlier state does not open, even if it is put back under the present version. */
    @Test
    void anEarlierStateDoesNotOpenUnderTheNextVersion() {
        Interaction opened = open.opened("k");
        Interaction after = open.stepped(opened, "first");

        refusedAs(ProblemType.INTERNAL_ERROR, () -> interactions.secret(after.sealed(opened.sealedState())));
    }

    @Test
    void whatIsClosedStaysClosedAndCharged() {
        Interaction opened = open.opened("k");
        Interaction closed = interactions.close(opened, "deleted");

        assertThat(closed.closedBecause()).isEqualTo("deleted");
        assertThat(closed.sealedState()).isNull();
        assertThat(interactions.close(opened, "positives").closedBecause()).isEqualTo("deleted");
        assertThat(interactions.commit(opened, open.step("more"))).isEmpty();
        assertThat(interactions.commit(closed, open.step("more"))).isEmpty();
        assertThat(open.numbers(LINKS)).isEmpty();
        assertThat(spent()).isEqualTo("0.1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatExpiredDoesNotReviveWhenTheClockGoesBack(boolean isFoundBySweep) {
        Interaction opened = open.opened("k");
        clock.move(IDLE.minusMillis(1));
        interactions.closeExpired();
        assertThat(open.find(opened).interaction().isOpen()).isTrue();

        clock.move(Duration.ofMillis(1));
        if (isFoundBySweep) {
            interactions.closeExpired();
        }
        assertThat(open.find(opened).interaction().closedBecause()).isEqualTo("expired");
        clock.move(Duration.ofDays(-3650));

        Interactions.Found found = open.find(opened);
        assertThat(found.interaction().closedBecause()).isEqualTo("expired");
        assertThat(found.debit()).isEmpty();
        assertThat(interactions.commit(opened, open.step("more"))).isEmpty();
    }

    @Test
    void aStepDefersTheExpiry() {
        Interaction opened = open.opened("k");
        clock.move(IDLE.minusMillis(1));
        Interaction after = open.stepped(opened, "first");
        clock.move(Duration.ofMillis(1));
        interactions.closeExpired();

        assertThat(open.find(opened).interaction().isOpen()).isTrue();
        assertThat(after.expiresAt()).isEqualTo(clock.instant().plus(IDLE).minusMillis(1));
    }

    @Test
    void theListHasOnesOwnInBothOrders() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < MAX_OPEN; i++) {
            ids.add(open.opened("k" + i).id());
            clock.move(Duration.ofMillis(1));
        }
        assertThat(interactions.list(KIND, ACCOUNT, "ana", Order.ASC, "", 2))
                .extracting(Interaction::id)
                .isEqualTo(ids.subList(0, 2));
        assertThat(interactions.list(KIND, ACCOUNT, "ana", Order.ASC, ids.get(1), 2))
                .extracting(Interaction::id)
                .containsExactly(ids.get(2));
        assertThat(interactions.list(KIND, ACCOUNT, "ana", Order.DESC, Order.DESC.beforeIds(), 2))
                .extracting(Interaction::id)
                .containsExactly(ids.get(2), ids.get(1));
        assertThat(interactions.list(KIND, ACCOUNT, "bob", Order.ASC, "", 2)).isEmpty();
        assertThat(interactions.list(KIND, ACCOUNT, "ana", Order.DESC, ids.get(1), 2))
                .extracting(Interaction::id)
                .containsExactly(ids.get(0));
        assertThat(interactions.list("other", ACCOUNT, "ana", Order.ASC, "", 2)).isEmpty();
        assertThat(interactions.named(ids.get(0)).orElseThrow().id()).isEqualTo(ids.get(0));
        assertThat(interactions.named("none")).isEmpty();
    }

    /** Otherwise the outcome of a lost commit would be shown, and its step would be taken again. */
    @Test
    void noOutcomeIsShownThatIsNotConfirmed() {
        Interaction opened = open.opened("k");
        database.witness(heads -> {
            throw new IOException("no room for the anchor");
        });
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> interactions.commit(opened, open.step("ABOVE", 1, null)));

        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> interactions.find(opened, 1));
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> interactions.steps(opened, 0, 10));
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> interactions.list(KIND, ACCOUNT, "ana", Order.ASC, "", 2));
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> interactions.open(opening("k", "body", "0.1")));

        database.witness(heads -> {});
        StoredStep stored = interactions.find(opened, 1).step().orElseThrow();
        assertThat(stored.body()).asString().isEqualTo("ABOVE");
    }

    /** The tables refuse changes that the code never makes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE interaction SET sealed_state = NULL",
                "UPDATE interaction SET version = version + 2",
                "UPDATE interaction SET version = version - 1",
                "UPDATE interaction SET version = version + 1, steps = steps - 1",
                "UPDATE interaction SET version = version + 1, costly_steps_left = costly_steps_left + 1",
                "UPDATE interaction SET version = version + 1, principal = 'bob'",
                "UPDATE interaction SET version = version + 1, closed_because = 'deleted'",
                "DELETE FROM interaction_step",
                "DELETE FROM interaction",
                "UPDATE interaction_step SET sequence = 7",
                "UPDATE journal SET sequence = 1"
            })
    void theTablesOnlyMoveForward(String statement) {
        Interaction opened = open.opened("k");
        Interaction after = open.stepped(opened, "first");

        assertThatThrownBy(() -> open.database.write("", connection -> connection.update(statement)))
                .isInstanceOf(StorageException.class);
        assertThat(open.find(after).interaction()).usingRecursiveComparison().isEqualTo(after);
    }

    @Test
    void theTablesReviveNothing() {
        interactions.close(open.opened("k"), "deleted");
        for (String column : List.of("closed_because = NULL", "expires_millis = 0")) {
            assertThatThrownBy(() -> open.database.write(
                            "",
                            connection -> connection.update("UPDATE interaction SET version = version + 1, " + column)))
                    .isInstanceOf(StorageException.class);
        }
    }

    @Test
    void ofParallelStepsEachSequenceHasOne() throws Exception {
        Interaction opened = open.opened("k");
        List<Future<Optional<Interaction>>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 64; i++) {
                String body = "step " + i;
                all.add(threads.submit(() -> interactions.commit(opened, open.step(body))));
            }
        }
        List<Interaction> taken = new ArrayList<>();
        for (Future<Optional<Interaction>> each : all) {
            each.get().ifPresent(taken::add);
        }
        assertThat(taken).hasSize(1);
        assertThat(interactions.secret(taken.getFirst())).asString().startsWith("secret after step ");
        assertThat(open.numbers(LINKS)).hasSize(1);
        assertThat(interactions.steps(opened, 0, 10)).hasSize(1);
    }

    @Test
    void ofParallelOpeningsWithOneKeyOneIsCharged() throws Exception {
        List<Future<String>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 64; i++) {
                all.add(threads.submit(() -> open.opened("k").id()));
            }
        }
        for (Future<String> each : all) {
            assertThat(each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(all.getFirst().get());
        }
        assertThat(spent()).isEqualTo("0.1");
    }
}
