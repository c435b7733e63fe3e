package dev.purser.ledger;

import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.StoreConnections;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Debits of one account in one transaction: each debit is decided on what the debits before it left. */
abstract class SharedTransactionContract extends OneAccountLedger {
    private Callable<String> debit(String analyst, String key, String epsilon) {
        return () -> switch (open.ledger.reserve(OpenLedger.question(OpenLedger.ACCOUNT, analyst, key, epsilon))) {
            case ReserveOutcome.Reserved reserved -> reserved.debit().queryId();
            case ReserveOutcome.Replayed replayed -> replayed.answer().queryId();
            case ReserveOutcome.Reused _, ReserveOutcome.Shared _, ReserveOutcome.Awaited _ ->
                throw new AssertionError("nobody permitted reuse");
        };
    }

    /** Makes the calls in this order, all while the writer is held up, so that one transaction takes them all. */
    private List<FutureTask<?>> together(List<Callable<?>> calls) throws InterruptedException {
        CountDownLatch all = new CountDownLatch(1);
        long before = StoreConnections.commits(open.database);
        List<Callable<?>> withTheOneAhead = new ArrayList<>(calls);
        withTheOneAhead.addFirst(() -> open.database.write("", connection -> {
            try {
                all.await();
            } catch (InterruptedException interruption) {
                throw new AssertionError(interruption);
            }
            return "";
        }));
        List<FutureTask<?>> tasks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Callable<?> call : withTheOneAhead) {
            FutureTask<?> task = new FutureTask<>(call);
            Thread thread = Thread.ofPlatform().start(task);
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            tasks.add(task);
            threads.add(thread);
        }
        all.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(StoreConnections.commits(open.database) - before).isEqualTo(2);
        return tasks.subList(1, tasks.size());
    }

    private static void assertExhausted(FutureTask<?> task) {
        assertThatThrownBy(task::get)
                .cause()
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.type()).isEqualTo(ProblemType.BUDGET_EXHAUSTED));
    }

    private void assertSpent(String epsilon, int entries) {
        assertThat(open.ledger.budget(OpenLedger.ACCOUNT).spent().epsilon()).hasToString(epsilon);
        assertThat(open.ledger.entries(OpenLedger.ACCOUNT, 0, 100)).hasSize(entries);
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
    }

    @Test
    void aRepeatedRequestFindsItsDebit() throws Exception {
        List<FutureTask<?>> tasks =
                together(List.of(debit("ana", "a", "0.2"), debit("ana", "b", "0.2"), debit("ana", "a", "0.2")));

        assertThat(tasks.get(2).get())
                .isEqualTo(tasks.get(0).get())
                .isNotEqualTo(tasks.get(1).get());
        assertSpent("0.4", 3);
    }

    @Test
    void aRepeatedRequestFindsItsDebitThoughNothingIsLeft() throws Exception {
        List<FutureTask<?>> tasks = together(List.of(
                debit("ana", "a", "0.6"),
                debit("ana", "b", "0.4"),
                debit("ana", "a", "0.6"),
                debit("ana", "c", "0.1")));

        assertThat(tasks.get(2).get()).isEqualTo(tasks.get(0).get());
        assertExhausted(tasks.get(3));
        assertSpent("1", 3);
    }

    @Test
    void anAllotmentSetMeanwhileHolds() throws Exception {
        List<FutureTask<?>> tasks = together(List.of(
                debit("ana", "a", "0.2"),
                () -> {
                    open.ledger.setAllotment(
                            OpenLedger.ACCOUNT, "ana", PrivacyAmount.pure(Epsilon.parse("0.3")), "carla");
                    return "";
                },
                debit("ana", "b", "0.2"),
                debit("ben", "a", "0.2"),
                debit("ana", "c", "0.1"),
                debit("ana", "d", "0.1")));

        assertThat(tasks.get(0).get()).isNotEqualTo(tasks.get(4).get());
        assertExhausted(tasks.get(2));
        assertThat(tasks.get(3).get()).isNotNull();
        assertExhausted(tasks.get(5));
        assertSpent("0.5", 5);
    }

    @Test
    void aNeighbourThatIsUndoneLeavesNothingBehind() throws Exception {
        List<FutureTask<?>> tasks = together(List.of(
                debit("ana", "a", "0.2"),
                () -> open.database.write(OpenLedger.ACCOUNT, connection -> {
                    SqlBooks books = new SqlBooks(connection);
                    books.append(step(books.account(OpenLedger.ACCOUNT).orElseThrow()));
                    throw new IllegalStateException("undone");
                }),
                debit("ana", "b", "0.2")));

        assertThat(tasks.get(0).get()).isNotEqualTo(tasks.get(2).get());
        assertThatThrownBy(tasks.get(1)::get).hasRootCauseMessage("undone");
        assertSpent("0.4", 3);
    }

    private Step step(Account present) {
        return LedgerRules.charge(
                WithoutBlocks.standing(present, null),
                OpenLedger.question(OpenLedger.ACCOUNT, "ana", "k" + present.headSequence(), "0.1"),
                Instant.EPOCH,
                String.format(Locale.ROOT, "%026d", System.nanoTime()));
    }
}
