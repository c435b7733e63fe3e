package dev.purser.ledger;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LedgerConcurrencyTests {
    private static final int THREADS = 64;

    @TempDir
    Path home;

    private OpenLedger open;

    @BeforeEach
    void openLedger() {
        open = new OpenLedger(home);
    }

    @AfterEach
    void closeLedger() throws SQLException {
        open.close();
    }

    @Test
    void ofAllWhoRaceForTheLastOfABudgetExactlyThoseWinWhoFit() throws Exception {
        for (int round = 0; round < 20; round++) {
            String account = "adult-" + round;
            open.withAccount(account, "1");

            int won = 0;
            for (Future<Admission> asker :
                    atOnce(i -> open.ledger.reserve(OpenLedger.question(account, "ana", "k" + i, "0.1")))) {
                won += wins(asker) ? 1 : 0;
            }

            assertThat(won).isEqualTo(10);
            assertThat(open.ledger.budget(account).spent().epsilon()).hasToString("1");
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(() -> open.ledger.reserve(OpenLedger.question(account, "ana", "late", "0.000001")));
            assertThat(open.ledger.verify(account).valid()).isTrue();
        }
    }

    @Test
    void theSameRequestManyTimesAtOnceIsDebitedOnceAndAnsweredOnce() throws Exception {
        open.withAccount(OpenLedger.ACCOUNT, "1");

        HashSet<String> answers = new HashSet<>();
        for (Future<String> asker : atOnce(this::askAndAnswer)) {
            answers.add(asker.get());
        }

        assertThat(answers).hasSize(1);
        assertThat(open.spent()).isEqualTo("0.1");
        assertThat(open.ledger.entries(OpenLedger.ACCOUNT, 0, 100)).hasSize(2);
    }

    private String askAndAnswer(int i) {
        StoredAnswer answer = switch (open.reserve("k", "0.1")) {
            case Admission.Reserved reserved -> open.ledger.settle(reserved.debit(), ("noise " + i).getBytes(UTF_8));
            case Admission.Replayed replayed -> replayed.answer();
        };
        return new String(answer.body(), UTF_8);
    }

    private static <T> List<Future<T>> atOnce(IntFunction<T> action) {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<T>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    start.await();
                    return action.apply(number);
                }));
            }
        }
        return all;
    }

    private static boolean wins(Future<Admission> asker) throws InterruptedException {
        try {
            return asker.get() instanceof Admission.Reserved;
        } catch (ExecutionException refusal) {
            assertThat(refusal)
                    .cause()
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            problem -> assertThat(problem.type()).isEqualTo(ProblemType.BUDGET_EXHAUSTED));
            return false;
        }
    }
}
