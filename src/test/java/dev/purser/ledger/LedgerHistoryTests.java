package dev.purser.ledger;

import dev.purser.privacy.Epsilon;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Random histories of questions, retries, answers and restarts against a model that fits on half a page. */
class LedgerHistoryTests {
    private static final int STEPS = 400;

    @TempDir
    Path home;

    /** What the ledger should know, in decimals instead of its integers. */
    private static final class Model {
        private record Paid(CommittedDebit debit, String epsilon) {}

        final BigDecimal limit = new BigDecimal("3");
        BigDecimal spent = BigDecimal.ZERO;
        final Map<String, Paid> paid = new HashMap<>();
        final Map<String, String> answers = new HashMap<>();

        /**
         * The expected outcome of a question: a problem, the id of an old debit, null for a new debit, or the answer.
         */
        @Nullable
        Object expect(String key, String epsilon) {
            Paid earlier = paid.get(key);
            if (earlier != null && !earlier.epsilon.equals(epsilon)) {
                return ProblemType.IDEMPOTENCY_KEY_REUSED;
            }
            if (earlier != null) {
                return answers.getOrDefault(key, earlier.debit.queryId());
            }
            boolean fits = spent.add(new BigDecimal(epsilon)).compareTo(limit) <= 0;
            return fits ? null : ProblemType.BUDGET_EXHAUSTED;
        }

        void debited(String key, String epsilon, CommittedDebit debit) {
            paid.put(key, new Paid(debit, epsilon));
            spent = spent.add(new BigDecimal(epsilon));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyHistoryMatchesTheModel(long seed) throws SQLException {
        Random random = new Random(seed);
        Model model = new Model();
        OpenLedger open = new OpenLedger(home).withAccount(OpenLedger.ACCOUNT, model.limit.toPlainString());
        try {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(12)) {
                    case 0 -> {
                        open.close();
                        open = new OpenLedger(home);
                    }
                    case 1, 2, 3 -> answerOne(open, model, random);
                    default -> ask(open, model, "k" + random.nextInt(150), randomEpsilon(random));
                }
                check(open, model);
            }
            ChainVerification verification = open.ledger.verify(OpenLedger.ACCOUNT);
            assertThat(verification.valid()).isTrue();
            assertThat(verification.entries()).isEqualTo(model.paid.size() + 1);
        } finally {
            open.close();
        }
    }

    private static String randomEpsilon(Random random) {
        return random.nextBoolean() ? "0.1" : new Epsilon(1 + random.nextLong(100_000_000)).toString();
    }

    private static void ask(OpenLedger open, Model model, String key, String newEpsilon) {
        // Half of the requests with a used key are retries, the others have another body.
        Model.Paid earlier = model.paid.get(key);
        String epsilon = earlier != null && newEpsilon.length() % 2 == 0 ? earlier.epsilon : newEpsilon;
        Object expected = model.expect(key, epsilon);
        try {
            switch (open.reserve(key, epsilon)) {
                case ReserveOutcome.Reserved reserved
                when expected == null -> model.debited(key, epsilon, reserved.debit());
                case ReserveOutcome.Reserved reserved ->
                    assertThat(reserved.debit().queryId()).isEqualTo(expected);
                case ReserveOutcome.Replayed replayed ->
                    assertThat(new String(replayed.answer().beginning(), UTF_8)).isEqualTo(expected);
                case ReserveOutcome.Reused _, ReserveOutcome.Shared _, ReserveOutcome.Awaited _ ->
                    throw new AssertionError("nobody permitted reuse");
            }
        } catch (ProblemException problem) {
            assertThat(problem.type()).isEqualTo(expected);
        }
    }

    private static void answerOne(OpenLedger open, Model model, Random random) {
        String key = "k" + random.nextInt(150);
        Model.Paid paid = model.paid.get(key);
        if (paid != null) {
            String attempt = "answer " + random.nextLong();
            StoredAnswer stored = open.ledger.settle(paid.debit, attempt.getBytes(UTF_8));
            String answer = model.answers.computeIfAbsent(key, none -> attempt);
            assertThat(new String(stored.beginning(), UTF_8)).isEqualTo(answer);
        }
    }

    private static void check(OpenLedger open, Model model) {
        Budget budget = open.ledger.budget(OpenLedger.ACCOUNT);
        assertThat(new BigDecimal(budget.spent().epsilon().toString())).isEqualByComparingTo(model.spent);
        assertThat(new BigDecimal(budget.remaining().epsilon().toString()))
                .isEqualByComparingTo(model.limit.subtract(model.spent));
    }
}
