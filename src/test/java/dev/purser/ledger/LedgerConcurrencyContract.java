package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Many requests at once, on one instance and on two. */
abstract class LedgerConcurrencyContract {
    private static final int AT_ONCE = 1_000;
    private static final int ROUNDS = 3;

    @TempDir
    Path home;

    private List<OpenLedger> instances = List.of();

    /** The instances that share one ledger. */
    abstract List<OpenLedger> open(Path folder);

    @BeforeEach
    void openLedgers() {
        instances = open(home);
    }

    @AfterEach
    void closeLedgers() throws SQLException {
        for (OpenLedger instance : instances) {
            instance.close();
        }
    }

    private OpenLedger instance(int i) {
        return instances.get(i % instances.size());
    }

    static List<Accountant> accountants() {
        return Accountants.ALL;
    }

    /** A thousand ask under each accountant, and only ten more charges fit: ten get one. */
    @ParameterizedTest
    @MethodSource("accountants")
    void ofAllWhoRaceForTheLastOfABudgetExactlyThoseWinWhoFit(Accountant accountant) throws Exception {
        PrivacyEvent event =
                accountant.allowance(Epsilon.parse("0.1"), Delta.ZERO).event();
        PrivacyAmount ten = tenTimes(accountant.charge(event));
        // Rho is shown at the limit's delta.
        PrivacyAmount limit = accountant.name().equals("zcdp")
                ? new PrivacyAmount(Epsilon.parse("1"), Delta.parse("1e-6"), ten.rho())
                : ten;
        for (int round = 0; round < ROUNDS; round++) {
            String account = accountant.name() + round;
            instance(0).withAccount(account, accountant, limit);

            int won = 0;
            for (Future<ReserveOutcome> asker :
                    atOnce(i -> instance(i).ledger.reserve(OpenLedger.question(account, "ana", "k" + i, event)))) {
                won += wins(asker) ? 1 : 0;
            }

            assertThat(won).isEqualTo(10);
            assertThat(instance(0).ledger.budget(account).spent()).isEqualTo(ten);
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(() -> instance(1).ledger.reserve(OpenLedger.question(account, "ana", "late", event)));
            assertThat(instance(1).ledger.verify(account).fault()).isNull();
        }
    }

    private static PrivacyAmount tenTimes(PrivacyAmount charge) {
        PrivacyAmount sum = PrivacyAmount.ZERO;
        for (int i = 0; i < 10; i++) {
            sum = sum.plus(charge);
        }
        return sum;
    }

    @Test
    void ofAllWhoRaceForTheLastOfAnAllotmentExactlyThoseWinWhoFit() throws Exception {
        instance(0).withAccount(OpenLedger.ACCOUNT, "1000");
        instance(0).ledger.setAllotment(OpenLedger.ACCOUNT, "ana", PrivacyAmount.pure(Epsilon.parse("1")), "carla");

        int won = 0;
        for (Future<ReserveOutcome> asker : atOnce(i -> instance(i)
                .ledger
                .reserve(OpenLedger.question(OpenLedger.ACCOUNT, i % 2 == 0 ? "ana" : "bob", "k" + i, "0.1")))) {
            won += wins(asker) ? 1 : 0;
        }

        assertThat(won).isEqualTo(10 + AT_ONCE / 2);
        assertThat(instance(0).ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
    }

    @Test
    void theSameRequestManyTimesAtOnceIsDebitedOnceAndAnsweredOnce() throws Exception {
        instance(0).withAccount(OpenLedger.ACCOUNT, "1");

        HashSet<String> answers = new HashSet<>();
        for (Future<String> asker : atOnce(this::askAndAnswer)) {
            answers.add(asker.get());
        }

        assertThat(answers).hasSize(1);
        assertThat(instance(0).spent()).isEqualTo("0.1");
        assertThat(instance(0).ledger.entries(OpenLedger.ACCOUNT, 0, 100)).hasSize(2);
    }

    /**
     * Plans of three questions among single questions. The amount spent is a sum of whole plans and questions, and the
     * last epsilon is used.
     */
    @Test
    void plansAndQuestionsRaceForTheLastOfABudget() throws Exception {
        instance(0).withAccount(OpenLedger.ACCOUNT, "10");

        int won = 0;
        for (Future<List<ReserveOutcome>> asker : atOnce(i -> i % 4 == 0
                ? List.of(instance(i).ledger.reserve(OpenLedger.question(OpenLedger.ACCOUNT, "ana", "k" + i, "0.1")))
                : instance(i).ledger.reserve(OpenLedger.plan(OpenLedger.ACCOUNT, "ana", "k" + i, 3)))) {
            won += won(asker);
        }

        assertThat(won).isEqualTo(100);
        assertThat(instance(0).spent()).isEqualTo("10");
        assertThat(instance(0).ledger.entries(OpenLedger.ACCOUNT, 0, 1_000)).hasSize(101);
        assertThat(instance(0).ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
    }

    @Test
    void theSamePlanManyTimesAtOnceIsDebitedOnceAndAnsweredOnce() throws Exception {
        instance(0).withAccount(OpenLedger.ACCOUNT, "1");

        HashSet<String> answers = new HashSet<>();
        for (Future<String> asker : atOnce(this::buyAndAnswer)) {
            answers.add(asker.get());
        }

        assertThat(answers).hasSize(1);
        assertThat(instance(0).spent()).isEqualTo("0.3");
        assertThat(instance(0).ledger.entries(OpenLedger.ACCOUNT, 0, 100)).hasSize(4);
        assertThat(instance(0).ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
    }

    private String buyAndAnswer(int i) {
        List<ReserveOutcome> outcomes = instance(i).ledger.reserve(OpenLedger.plan(OpenLedger.ACCOUNT, "ana", "k", 3));
        List<Settlement> owed = outcomes.stream()
                .filter(ReserveOutcome.Reserved.class::isInstance)
                .map(outcome -> ((ReserveOutcome.Reserved) outcome).debit())
                .map(debit -> new Settlement(debit, ("noise " + i + " " + debit.sequence()).getBytes(UTF_8)))
                .toList();
        // Another instance may have answered while the outcomes were read. Some answers are then replayed, and others
        // are not.
        Iterator<StoredAnswer> settled = owed.isEmpty()
                ? Collections.emptyIterator()
                : instance(i).ledger.settle(owed).iterator();
        return outcomes.stream()
                .map(outcome ->
                        outcome instanceof ReserveOutcome.Replayed(StoredAnswer answer) ? answer : settled.next())
                .map(answer -> new String(answer.beginning(), UTF_8))
                .collect(Collectors.joining(", "));
    }

    private String askAndAnswer(int i) {
        StoredAnswer answer = switch (instance(i).reserve("k", "0.1")) {
            case ReserveOutcome.Reserved reserved ->
                instance(i).ledger.settle(reserved.debit(), ("noise " + i).getBytes(UTF_8));
            case ReserveOutcome.Replayed replayed -> replayed.answer();
            case ReserveOutcome.Reused _, ReserveOutcome.Shared _, ReserveOutcome.Awaited _ ->
                throw new AssertionError("nobody permitted reuse");
        };
        return new String(answer.beginning(), UTF_8);
    }

    private static <T> List<Future<T>> atOnce(IntFunction<T> action) {
        CyclicBarrier start = new CyclicBarrier(AT_ONCE);
        List<Future<T>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < AT_ONCE; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    start.await();
                    return action.apply(number);
                }));
            }
        }
        return all;
    }

    private static boolean wins(Future<ReserveOutcome> asker) throws InterruptedException {
        return won(asker) > 0;
    }

    /** How many questions were charged. */
    private static int won(Future<?> asker) throws InterruptedException {
        try {
            return asker.get() instanceof List<?> plan ? plan.size() : 1;
        } catch (ExecutionException refusal) {
            assertThat(refusal)
                    .cause()
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            problem -> assertThat(problem.type()).isEqualTo(ProblemType.BUDGET_EXHAUSTED));
            return 0;
        }
    }
}
