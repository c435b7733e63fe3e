package dev.purser.ledger;

import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.Records.with;
import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What the ledger does when another instance is always a little faster. */
class LedgerRaceTests {
    /** Books in memory. Their next appends find that the account has changed. */
    private static final class LosingStore implements LedgerStore {
        private final SimulatedStore store = new SimulatedStore(new Random(1), 1_000_000_000, SimulatedStore.Bug.NONE);
        private int losses;

        private Books losing(Books books) {
            return (Books) Proxy.newProxyInstance(
                    Books.class.getClassLoader(), new Class<?>[] {Books.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("append") && losses-- > 0) {
                            return false;
                        }
                        try {
                            return method.invoke(books, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    });
        }

        @Override
        public <T extends @Nullable Object> T change(String account, Work<T> work) {
            return store.change(account, books -> work.run(losing(books)));
        }

        @Override
        public <T extends @Nullable Object> T look(Work<T> work) {
            return store.look(work);
        }
    }

    @TempDir
    Path folder;

    private final LosingStore store = new LosingStore();
    private final BudgetLedger ledger = new BudgetLedger(store, Clock.systemUTC(), new Random(1)::nextLong, 1);

    private static PrivacyAmount epsilon(String epsilon) {
        return PrivacyAmount.pure(Epsilon.parse(epsilon));
    }

    @BeforeEach
    void openAccount() {
        store.change(OpenLedger.ACCOUNT, books -> {
            ledger.open(books, OpenLedger.ACCOUNT, new PureAccountant(), epsilon("1"), null, "carla");
            return null;
        });
    }

    private ReserveOutcome reserve(String account) {
        return ledger.reserve(OpenLedger.question(account, "ana", "k", "0.4"));
    }

    @Test
    void decidesAnewUntilItIsFirst() {
        store.losses = 99;
        assertThat(reserve(OpenLedger.ACCOUNT)).isInstanceOf(ReserveOutcome.Reserved.class);
        store.losses = 99;
        ledger.setLimit(OpenLedger.ACCOUNT, epsilon("0.5"), "carla");
        store.losses = 99;
        ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.4"), "carla");

        assertThat(ledger.entries(OpenLedger.ACCOUNT, 0, 10)).hasSize(4);
        assertThat(ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
    }

    @Test
    void givesUpAfterAHundredTries() {
        assertContended(() -> reserve(OpenLedger.ACCOUNT));
        assertContended(() -> ledger.setLimit(OpenLedger.ACCOUNT, epsilon("0.5"), "carla"));
        assertContended(() -> ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.4"), "carla"));

        assertThat(ledger.entries(OpenLedger.ACCOUNT, 0, 10)).hasSize(1);
    }

    private void assertContended(ThrowingCallable call) {
        store.losses = 100;
        assertThat(refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, call).retryAfter())
                .hasValue(Duration.ofSeconds(1));
        assertThat(store.losses).isZero();
    }

    @Test
    void knowsNoAccountThatWasNotOpened() throws SQLException {
        for (BudgetLedger any : new BudgetLedger[] {ledger, new OpenLedger(folder).ledger}) {
            assertNoAccount(() -> any.reserve(OpenLedger.question("other", "ana", "k", "0.4")));
            assertNoAccount(() -> any.budget("other"));
            assertNoAccount(() -> any.setLimit("other", epsilon("1"), "carla"));
            assertNoAccount(() -> any.setAllotment("other", "ana", epsilon("1"), "carla"));
            assertThat(any.verify("other").fault()).contains("do not agree with its entries");
            assertThat(any.answer("none")).isEmpty();
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Account.accountantNamed("renyi"));
    }

    private static void assertNoAccount(ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage("there is no account other");
    }

    /** The statement that debits compares once more: the head, the amount spent and the limit. */
    @Test
    void theDatabaseTakesNoStepFromAnAccountThatHasMoved() throws SQLException {
        try (OpenLedger open = new OpenLedger(folder).withAccount(OpenLedger.ACCOUNT, "1")) {
            Instant at = Instant.ofEpochMilli(1);
            Account now = account(open);
            for (Account stale : new Account[] {
                with(now, "headSequence", 2L), with(now, "headHash", "f".repeat(64)), with(now, "spent", epsilon("0.1"))
            }) {
                Step step = LedgerRules.limit(stale, epsilon("2"), "carla", at).orElseThrow();
                assertThat(append(open, step)).isFalse();
            }
            Step dear = LedgerRules.charge(
                    WithoutBlocks.standing(with(now, "limit", epsilon("2")), null),
                    OpenLedger.question(OpenLedger.ACCOUNT, "ana", "k", "1.1"),
                    at,
                    "01ARZ3NDEKTSV4RRFFQ69G5FAV");
            LedgerEntry entry = with(dear.entry(), "limitAfter", epsilon("1"), "hash", "f".repeat(64));
            Step forged = with(dear, "entry", entry, "question", null);
            assertThat(append(open, forged)).isFalse();

            assertThat(account(open)).isEqualTo(now);
            assertThat(open.ledger.entries(OpenLedger.ACCOUNT, 0, 10)).hasSize(1);
            assertThat(append(
                            open,
                            LedgerRules.limit(now, epsilon("2"), "carla", at).orElseThrow()))
                    .isTrue();
            assertThat(open.ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
        }
    }

    private static Account account(OpenLedger open) {
        return open.database.read(connection ->
                new SqlBooks(connection).account(OpenLedger.ACCOUNT).orElseThrow());
    }

    private static boolean append(OpenLedger open, Step step) {
        return open.database.write(Database.NO_ACCOUNT, connection -> new SqlBooks(connection).append(step));
    }
}
