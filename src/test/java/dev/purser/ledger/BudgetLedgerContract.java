package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.ConcentratedAccountant;
import dev.purser.digest.Sha256;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemType;
import dev.purser.session.MovableClock;
import dev.purser.store.Database;
import dev.purser.store.StorageException;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.Records.with;
import static dev.purser.problem.Refusals.refusedAs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the ledger promises in each kind of database. */
abstract class BudgetLedgerContract extends OneAccountLedger {
    private void restart() throws SQLException {
        open.close();
        open = new OpenLedger(home, settings());
    }

    @Test
    void opensAnAccountWithItsLimitAsTheFirstEntry() {
        LedgerEntry first = open.ledger.entries(OpenLedger.ACCOUNT, 0, 10).getFirst();

        assertThat(first.sequence()).isEqualTo(1);
        assertThat(first.type()).isEqualTo(LedgerEntry.Type.LIMIT);
        assertThat(first.analyst()).isEqualTo("carla");
        assertThat(first.queryId()).isNull();
        assertThat(first.limitAfter().epsilon()).hasToString("1");
        assertThat(first.previousHash()).isEqualTo("0".repeat(64));
        assertThat(open.ledger.budget(OpenLedger.ACCOUNT).remaining().epsilon()).hasToString("1");
    }

    @Test
    void opensNoAccountTwice() {
        assertThatThrownBy(() -> open.withAccount(OpenLedger.ACCOUNT, "5")).isInstanceOf(StorageException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> open.ledger.budget("other"));
        assertThat(open.ledger.budget(OpenLedger.ACCOUNT).limit().epsilon()).hasToString("1");
    }

    @Test
    void debitsBeforeItAnswers() {
        CommittedDebit debit = open.debit("k1", "0.4");

        assertThat(debit.queryId()).matches("[0-9A-HJKMNP-TV-Z]{26}");
        assertThat(debit.queryId()).as("with random bits").doesNotEndWith("0".repeat(8));
        assertThat(debit.account()).isEqualTo(OpenLedger.ACCOUNT);
        assertThat(debit.sequence()).isEqualTo(2);
        assertThat(debit.charge().epsilon()).hasToString("0.4");
        assertThat(debit.remainingAfter().epsilon()).hasToString("0.6");
        assertThat(debit.limit().epsilon()).hasToString("1");
        assertThat(debit).hasToString("CommittedDebit[" + debit.queryId() + ", adult#2]");
        assertThat(open.spent()).isEqualTo("0.4");
        assertThat(open.ledger.answer(debit.queryId())).isEmpty();

        LedgerEntry entry = open.ledger.entries(OpenLedger.ACCOUNT, 1, 10).getFirst();
        assertThat(entry.queryId()).isEqualTo(debit.queryId());
        assertThat(entry.kind()).isEqualTo("mean");
        assertThat(entry.analyst()).isEqualTo("ana");
        assertThat(entry.spentAfter().epsilon()).hasToString("0.4");
    }

    @Test
    void tenTenthsSpendExactlyOne() {
        for (int i = 0; i < 10; i++) {
            open.reserve("k" + i, "0.1");
        }

        assertThat(open.spent()).isEqualTo("1");
        refusedAs(ProblemType.BUDGET_EXHAUSTED, () -> open.reserve("k11", "0.000000001"));
    }

    /** Rho is compared. The epsilons beside it are for people, and do not add up. */
    @Test
    void countsRhoToTheLastUnitUnderConcentratedPrivacy() {
        Accountant accountant = new ConcentratedAccountant();
        PrivacyAmount limit = accountant.limit(Epsilon.parse("1"), Delta.parse("1e-6"));
        open.withAccount("other", accountant, limit);
        PrivacyEvent allButOne = new PrivacyEvent.ConcentratedDifferentialPrivacy(
                new Rho(limit.rho().picos() - 1));
        PrivacyEvent two = new PrivacyEvent.ConcentratedDifferentialPrivacy(new Rho(2));
        PrivacyEvent one = new PrivacyEvent.ConcentratedDifferentialPrivacy(new Rho(1));

        open.ledger.reserve(OpenLedger.question("other", "ana", "k1", allButOne));
        ChargeRequest tooMuch = OpenLedger.question("other", "ana", "k2", two);
        assertThat(refusedAs(ProblemType.BUDGET_EXHAUSTED, () -> open.ledger.reserve(tooMuch))
                        .members())
                .extractingByKeys("requested", "remaining", "shortfall")
                .extracting(amount -> ((StatedAmount) amount).rho())
                .containsExactly(new Rho(2), new Rho(1), new Rho(1));
        open.ledger.reserve(OpenLedger.question("other", "ana", "k3", one));

        Budget budget = open.ledger.budget("other");
        assertThat(budget.spent()).isEqualTo(PrivacyAmount.concentrated(limit.rho()));
        assertThat(budget.stated(budget.spent()))
                .isEqualTo(new StatedAmount(Epsilon.parse("1"), Delta.parse("1e-6"), limit.rho()));
        assertThat(open.ledger.verify("other").valid()).isTrue();
        refusedAs(
                ProblemType.BUDGET_EXHAUSTED,
                () -> open.ledger.reserve(OpenLedger.question("other", "ana", "k4", one)));
    }

    @Test
    void aRefusalLeavesTheKeyFree() {
        refusedAs(ProblemType.BUDGET_EXHAUSTED, () -> open.reserve("k", "2"));

        assertThat(open.debit("k", "0.5").sequence()).isEqualTo(2);
    }

    @Test
    void theSameRequestAgainFindsItsDebit() {
        CommittedDebit first = open.debit("k", "0.4");
        open.reserve("other", "0.3");

        assertThat(open.debit("k", "0.4")).usingRecursiveComparison().isEqualTo(first);
        assertThat(open.spent()).isEqualTo("0.7");
    }

    @Test
    void theSameRequestAgainFindsItsAnswer() {
        CommittedDebit debit = open.debit("k", "0.4");
        open.ledger.settle(debit, """
                {"mean":1}""".getBytes(UTF_8));

        ReserveOutcome again = open.reserve("k", "0.4");

        assertThat(again)
                .isInstanceOfSatisfying(
                        ReserveOutcome.Replayed.class,
                        replayed -> assertThat(replayed.answer())
                                .usingRecursiveComparison()
                                .isEqualTo(new StoredAnswer(
                                        debit.queryId(),
                                        OpenLedger.ACCOUNT,
                                        "ana",
                                        "mean",
                                        """
                                                {"mean":1}""".getBytes(UTF_8),
                                        null)));
        assertThat(open.spent()).isEqualTo("0.4");
    }

    @Test
    void anExhaustedAccountStillReplays() {
        CommittedDebit debit = open.debit("k", "1");

        assertThat(open.debit("k", "1").queryId()).isEqualTo(debit.queryId());
        open.ledger.settle(debit, new byte[] {1});
        assertThat(open.reserve("k", "1")).isInstanceOf(ReserveOutcome.Replayed.class);
    }

    @Test
    void anotherBodyUnderAUsedKeyIsRefused() {
        CommittedDebit debit = open.debit("k", "0.4");

        refusedAs(ProblemType.IDEMPOTENCY_KEY_REUSED, () -> open.reserve("k", "0.3"));
        open.ledger.settle(debit, new byte[] {1});
        refusedAs(ProblemType.IDEMPOTENCY_KEY_REUSED, () -> open.reserve("k", "0.3"));
        assertThat(open.spent()).isEqualTo("0.4");
    }

    @Test
    void aKeyBelongsToOnePrincipalAndOneOperation() {
        open.withAccount("other", "1");
        String first = open.debit("k", "0.1").queryId();
        open.ledger.settle(open.debit("k", "0.1"), "ana's".getBytes(UTF_8));

        ReserveOutcome bobs = open.ledger.reserve(OpenLedger.question(OpenLedger.ACCOUNT, "bob", "k", "0.1"));
        ReserveOutcome elsewhere = open.ledger.reserve(OpenLedger.question("other", "ana", "k", "0.1"));

        assertThat(((ReserveOutcome.Reserved) bobs).debit().queryId()).isNotEqualTo(first);
        assertThat(((ReserveOutcome.Reserved) elsewhere).debit().account()).isEqualTo("other");
        assertThat(open.spent()).isEqualTo("0.2");
    }

    /** Only the beginning of a large answer is held in memory. */
    @ParameterizedTest
    @ValueSource(ints = {1, 65_535, 65_536, 65_537, 131_072, 200_001})
    void anAnswerIsCopiedAsItWasStored(int length) throws IOException {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);

        StoredAnswer stored = open.ledger.settle(open.debit("k", "0.4"), body);

        assertThat(stored.length()).isEqualTo(length);
        assertThat(stored.beginning()).isEqualTo(Arrays.copyOf(body, Math.min(length, 65_536)));
        assertThat(open.ledger.open(stored, 0).readAllBytes()).isEqualTo(body);
        assertThat(open.ledger.open(stored, 1).readAllBytes()).isEqualTo(Arrays.copyOfRange(body, 1, length));
        assertThat(open.ledger.digest(stored)).isEqualTo(Sha256.hexOf(body));
    }

    /** The role of a key may change. A stored answer is replayed. */
    @Test
    void whoMayNotSpendAnyMoreGoesOnWithNoDebit() {
        ChargeRequest charged = OpenLedger.question(OpenLedger.ACCOUNT, "ana", "k", "form", null);
        ChargeRequest looking = with(charged, "reuse", Duration.ofDays(1), "writes", ChargeRequest.Writes.NOTHING);
        CommittedDebit debit = ((ReserveOutcome.Reserved) open.ledger.reserve(charged)).debit();
        assertThat(open.ledger.reserve(looking)).isInstanceOf(ReserveOutcome.Awaited.class);

        open.ledger.settle(debit, "answer".getBytes(UTF_8));

        assertThat(open.ledger.reserve(looking)).isInstanceOf(ReserveOutcome.Replayed.class);
    }

    @Test
    void theSameQuestionIsChargedOnce() {
        Duration anyAge = Duration.ofDays(1);
        CommittedDebit debit = ((ReserveOutcome.Reserved) open.reserve("ana", "k1", "form", anyAge)).debit();
        assertThat(open.reserve("bob", "k2", "form", anyAge)).isInstanceOf(ReserveOutcome.Awaited.class);
        open.ledger.settle(debit, "answer".getBytes(UTF_8));

        ReserveOutcome.Reused reused = (ReserveOutcome.Reused) open.reserve("bob", "k2", "form", anyAge);

        assertThat(reused.answer().queryId()).isEqualTo(debit.queryId());
        assertThat(reused.answer().beginning()).asString().isEqualTo("answer");
        assertThat(reused.leftover().remaining()).isEqualTo(debit.remainingAfter());
        assertThat(open.spent()).isEqualTo("0.1");
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).valid()).isTrue();
    }

    /**
     * The idempotency key of a question whose answer is reused stays free, because nothing was debited under the key.
     */
    @Test
    void onlyTheSameQuestionIsReusedAndOnlyIfThatIsPermitted() {
        Duration anyAge = Duration.ofDays(1);
        open.ledger.settle(
                ((ReserveOutcome.Reserved) open.reserve("ana", "k1", "form", anyAge)).debit(),
                "answer".getBytes(UTF_8));

        assertThat(open.reserve("bob", "k2", "other", anyAge)).isInstanceOf(ReserveOutcome.Reserved.class);
        assertThat(open.reserve("bob", "k3", "form", anyAge)).isInstanceOf(ReserveOutcome.Reused.class);
        assertThat(open.reserve("bob", "k3", "form", null)).isInstanceOf(ReserveOutcome.Reserved.class);
        assertThat(open.spent()).isEqualTo("0.3");
    }

    /** The answer that the request itself was charged for comes first. */
    @Test
    void aRetryGetsItsOwnAnswer() {
        Duration anyAge = Duration.ofDays(1);
        open.ledger.settle(
                ((ReserveOutcome.Reserved) open.reserve("ana", "k1", "form", null)).debit(), "older".getBytes(UTF_8));
        open.ledger.settle(
                ((ReserveOutcome.Reserved) open.reserve("bob", "k2", "form", null)).debit(), "newer".getBytes(UTF_8));

        assertThat(open.reserve("ana", "k1", "form", anyAge)).isInstanceOf(ReserveOutcome.Replayed.class);
        assertThat(((ReserveOutcome.Reused) open.reserve("eve", "k3", "form", anyAge))
                        .answer()
                        .beginning())
                .asString()
                .isEqualTo("newer");
    }

    @Test
    void anAnswerThatIsTooOldIsNotReused() throws SQLException {
        open.close();
        MovableClock clock = new MovableClock();
        open = new OpenLedger(home, settings(), clock);
        open.ledger.settle(
                ((ReserveOutcome.Reserved) open.reserve("ana", "k1", "form", null)).debit(), "answer".getBytes(UTF_8));
        clock.move(Duration.ofMillis(2));

        assertThat(open.reserve("bob", "k2", "form", Duration.ofMillis(1))).isInstanceOf(ReserveOutcome.Reserved.class);
        assertThat(open.reserve("eve", "k3", "form", Duration.ofMillis(2))).isInstanceOf(ReserveOutcome.Reused.class);
    }

    @Test
    void theFirstAnswerWins() {
        CommittedDebit debit = open.debit("k", "0.4");

        assertThat(open.ledger.settle(debit, "first".getBytes(UTF_8)).beginning())
                .asString()
                .isEqualTo("first");
        assertThat(open.ledger.settle(debit, "second".getBytes(UTF_8)).beginning())
                .asString()
                .isEqualTo("first");
        assertThat(open.ledger.answer(debit.queryId()).orElseThrow().beginning())
                .asString()
                .isEqualTo("first");
    }

    /** What was not confirmed outside the database is shown to nobody, however long the database has it. */
    @Test
    void nothingIsReleasedThatIsNotWitnessed() {
        CommittedDebit debit = open.debit("k1", "0.1");
        open.ledger.settle(debit, "first".getBytes(UTF_8));
        open.database.witness(heads -> {
            throw new IOException("no room");
        });

        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> open.reserve("k2", "0.1"));
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> open.ledger.answer(debit.queryId()));
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> open.ledger.reservations("", 10));

        open.database.witness(heads -> {});
        assertThat(open.ledger.answer(debit.queryId())).isPresent();
        assertThat(open.ledger.reservations("", 10)).hasSize(1);
    }

    @Test
    void settlesNothingThatWasNotDebited() {
        PrivacyAmount nothing = PrivacyAmount.ZERO;
        CommittedDebit forged =
                new CommittedDebit("0".repeat(26), OpenLedger.ACCOUNT, 2, nothing, nothing, nothing, null);

        assertThatThrownBy(() -> open.ledger.settle(forged, new byte[] {1})).isInstanceOf(IllegalStateException.class);
        assertThat(open.ledger.answer(forged.queryId())).isEmpty();
    }

    @Test
    void aRestartFindsEverything() throws SQLException {
        CommittedDebit answered = open.debit("k1", "0.4");
        open.ledger.settle(answered, "one".getBytes(UTF_8));
        open.reserve("k2", "0.1");
        Budget budget = open.ledger.budget(OpenLedger.ACCOUNT);
        var entries = open.ledger.entries(OpenLedger.ACCOUNT, 0, 10);

        restart();

        assertThat(open.ledger.budget(OpenLedger.ACCOUNT)).isEqualTo(budget);
        assertThat(open.ledger.entries(OpenLedger.ACCOUNT, 0, 10)).isEqualTo(entries);
        assertThat(open.ledger.answer(answered.queryId()).orElseThrow().beginning())
                .asString()
                .isEqualTo("one");
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT))
                .isEqualTo(new ChainVerification(3, entries.getLast().hash(), null));
    }

    @Test
    void aDebitWithoutAnAnswerIsContinuedAfterARestart() throws SQLException {
        CommittedDebit debit = open.debit("k", "0.4");

        restart();

        assertThat(open.debit("k", "0.4")).usingRecursiveComparison().isEqualTo(debit);
        assertThat(open.ledger.settle(debit, "late".getBytes(UTF_8)).beginning())
                .asString()
                .isEqualTo("late");
        assertThat(open.reserve("k", "0.4")).isInstanceOf(ReserveOutcome.Replayed.class);
        assertThat(open.spent()).isEqualTo("0.4");
    }

    @Test
    void listsEntriesPageByPage() {
        for (int i = 0; i < 5; i++) {
            open.reserve("k" + i, "0.1");
        }

        assertThat(open.ledger.entries(OpenLedger.ACCOUNT, 2, 3))
                .extracting(LedgerEntry::sequence)
                .containsExactly(3L, 4L, 5L);
        assertThat(open.ledger.entries(OpenLedger.ACCOUNT, 6, 3)).isEmpty();
        assertThat(open.ledger.entriesBefore(OpenLedger.ACCOUNT, Long.MAX_VALUE, 2))
                .extracting(LedgerEntry::sequence)
                .containsExactly(6L, 5L);
        assertThat(open.ledger.entriesBefore(OpenLedger.ACCOUNT, 3, 3))
                .extracting(LedgerEntry::sequence)
                .containsExactly(2L, 1L);
    }

    int execute(String sql) {
        return open.database.write(Database.NO_ACCOUNT, transaction -> transaction.update(sql));
    }

    /**
     * Changes by a program error, or by somebody at the database. The database itself must refuse each; bytes in
     * braces.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE entry SET charge_epsilon_nanos = 1",
                "UPDATE entry SET hash = previous_hash",
                "DELETE FROM entry",
                "DELETE FROM entry WHERE type = 'limit'",
                "DELETE FROM account",
                "DELETE FROM question",
                "UPDATE account SET spent_epsilon_nanos = 0, head_sequence = head_sequence + 1",
                "UPDATE account SET spent_epsilon_nanos = spent_epsilon_nanos + 1",
                "UPDATE account SET spent_epsilon_nanos = limit_epsilon_nanos + 1, head_sequence = head_sequence + 1",
                "INSERT INTO entry SELECT account, 3, at_millis, type, analyst, query_id, kind, request_hash, 1, 0, 0,"
                        + " limit_after_epsilon_nanos, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
                        + " hash, hash, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM entry"
                        + " WHERE sequence = 2",
                "UPDATE account SET spent_rho_picos = 1, head_sequence = head_sequence + 1",
                "UPDATE question SET body = {02}",
                "UPDATE question SET body = NULL",
                "UPDATE question SET request_digest = {0000000000000000000000000000000000000000000000000000000000000000}",
                "INSERT INTO question SELECT '12345678901234567890123456', account, 1, dataset_id, principal,"
                        + " operation, idempotency_key, request_digest, {7b7d}, NULL FROM question"
            })
    void theDatabaseItselfKeepsTheBooks(String statement) {
        open.ledger.settle(open.debit("k", "0.4"), new byte[] {1});

        assertRefused(statement);
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).valid()).isTrue();
        assertThat(open.spent()).isEqualTo("0.4");
    }

    @Test
    void aQuestionNotYetAnsweredCanOnlyBeAnswered() {
        open.reserve("k", "0.4");

        assertRefused("UPDATE question SET principal = 'eve'");
        assertRefused("UPDATE question SET body = {01}, principal = 'eve'");
        assertRefused("UPDATE question SET body = {}");
    }

    void assertRefused(String statement) {
        String sql = statement.replaceAll("\\{(\\w*)}", settings().isEmbedded() ? "x'$1'" : "decode('$1', 'hex')");
        assertThatThrownBy(() -> execute(sql)).isInstanceOf(StorageException.class);
    }
}
