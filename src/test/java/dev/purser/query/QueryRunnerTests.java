package dev.purser.query;

import dev.purser.accounting.PureAccountant;
import dev.purser.admission.ImpatientAdmission;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.digest.Sha256;
import dev.purser.engine.DataEngine;
import dev.purser.engine.DataEngines;
import dev.purser.json.JsonDocument;
import dev.purser.json.PrivacyJson;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.PurserHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What happens to a question if something fails before, at or after its debit. */
@ExtendWith(OutputCaptureExtension.class)
class QueryRunnerTests {
    private static final Dataset DATASET = DatasetsForTests.rows("adult", DatasetsForTests.integer("age", 0, 125));
    private static final RequestIdentity IDENTITY = new RequestIdentity("ana", "POST /x", "k");
    private static final byte[] BODY = quoted("{'epsilon':'0.5'}").getBytes(StandardCharsets.UTF_8);
    private static final byte[] DIGEST = new byte[32];
    private static final DataEngine EMPTY = (debit, dataset, requests) -> Sensitive.of(requests.stream()
            .map(request -> Buckets.over(request.edges()).build())
            .toList());

    @TempDir
    Path home;

    private Database database;
    private BudgetLedger ledger;

    @BeforeEach
    void openTheLedger() {
        database = new Database(new PurserHome(home));
        ledger = new BudgetLedger(database, Clock.systemUTC(), new SecureRandom());
        database.write("adult", transaction -> {
            ledger.open(
                    transaction, "adult", new PureAccountant(), PrivacyAmount.pure(Epsilon.parse("1")), null, "carla");
            return null;
        });
    }

    @AfterEach
    void closeTheLedger() throws Exception {
        database.close();
    }

    private QueryRunner.Reply ask(DataEngine engine) {
        return ask(engine, IDENTITY, BODY);
    }

    private QueryRunner.Reply ask(DataEngine engine, RequestIdentity identity, byte[] body) {
        QuestionRequest question = JsonDocument.parse(body).read(in -> CountQuery.KIND.readAsked(in, DATASET));
        JsonMapper json = JsonMapper.builder().addModule(new PrivacyJson()).build();
        return new QueryRunner(ledger, new DataEngines(engine, engine), new InFlight(), NoOffers.INSTANCE, json)
                .ask(DATASET, question, identity, DIGEST);
    }

    private String spent() {
        return ledger.budget("adult").spent().epsilon().toString();
    }

    static final class Failures {
        static RuntimeException raise(String kind) {
            switch (kind) {
                case "stack" -> throw new StackOverflowError("value 73939133");
                case "linkage" -> throw new NoClassDefFoundError("value 73939133");
                case "problem" -> throw ProblemException.of(ProblemType.INVALID_DATA, "value 73939133");
                default -> throw new ArithmeticException("value 73939133");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stack", "linkage", "problem", "arithmetic"})
    void everyFailureAfterTheDebitLooksTheSame(String kind, CapturedOutput log) {
        assertThatThrownBy(() -> ask((debit, dataset, requests) -> {
                    throw Failures.raise(kind);
                }))
                .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                    assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
                    assertThat(refusal.detail())
                            .isEqualTo("the question is charged but could not be answered now; send it again with the"
                                    + " same Idempotency-Key to get the answer without another charge");
                });
        assertThat(log.getAll()).contains("could not be answered").doesNotContain("73939133");
        assertThat(spent()).isEqualTo("0.5");
        QueryRunner.Reply answered = ask(EMPTY);
        assertThat(answered).isInstanceOf(QueryRunner.Reply.Fresh.class);
        QueryRunner.Reply again = ask((debit, dataset, requests) -> {
            throw new IllegalStateException("asked for a stored answer");
        });
        assertThat(again).isInstanceOf(QueryRunner.Reply.Replayed.class);
        assertThat(again.answer().beginning()).isEqualTo(answered.answer().beginning());
        assertThat(spent()).isEqualTo("0.5");
    }

    /** A count whose answer refers to content. The answer names itself and the content. */
    private QueryRunner.Reply askAttaching(byte[] content, Function<String, Object> named) {
        QuestionRequest count = JsonDocument.parse(BODY).read(in -> CountQuery.KIND.readAsked(in, DATASET));
        QuestionRequest attaching = new QuestionRequest(
                attaching(count.question(), content, named), count.canonical(), null, count.reuse());
        JsonMapper json = JsonMapper.builder().addModule(new PrivacyJson()).build();
        return new QueryRunner(ledger, new DataEngines(EMPTY, EMPTY), new InFlight(), NoOffers.INSTANCE, json)
                .ask(DATASET, attaching, IDENTITY, DIGEST);
    }

    private static <A> Question<A> attaching(Question<A> count, byte[] content, Function<String, Object> named) {
        return new Question<>(
                count.kind(),
                count.allowance(),
                count.mechanism(),
                count.grid(),
                count.plan(),
                count.expectation(),
                (answer, queryId) -> new Question.Presented(
                        named.apply(queryId), count.expected(1), new Attachment(queryId, content)),
                null);
    }

    record Unwritable(String queryId) {
        @Override
        public String queryId() {
            throw new IllegalStateException("cannot be written");
        }
    }

    @Test
    void whatAnAnswerRefersToIsStoredWithIt() {
        byte[] content = new byte[3_000_000];

        StoredAnswer answer =
                askAttaching(content, queryId -> Map.of("first", queryId)).answer();

        assertThat(new String(answer.beginning(), StandardCharsets.UTF_8))
                .endsWith("\"answer\":{\"first\":\"" + answer.queryId() + "\"}}");
        assertThat(ledger.attachment(answer.queryId(), Sha256.of(content))).isEqualTo(content);
        assertThat(ledger.firstOfSeries("adult", Order.ASC, "", 10)).containsExactly(answer.queryId());
    }

    /** The debit stands, and the retry draws again. */
    @Test
    void whatWasAttachedBeforeAFailureIsNoAnswers() {
        byte[] lost = {1};
        assertThatThrownBy(() -> askAttaching(lost, Unwritable::new)).isInstanceOf(ProblemException.class);
        assertThat(ledger.firstOfSeries("adult", Order.ASC, "", 10)).isEmpty();

        byte[] kept = {2};
        StoredAnswer answer = askAttaching(kept, queryId -> "kept").answer();
        ledger.removeLeftovers();

        assertThat(ledger.attachment(answer.queryId(), Sha256.of(kept))).isEqualTo(kept);
        assertThatThrownBy(() -> ledger.attachment(answer.queryId(), Sha256.of(lost)))
                .isInstanceOf(ProblemException.class);
        assertThat(spent()).isEqualTo("0.5");
    }

    /** The question that heavy work would wait for may need the turn that the work holds. */
    @Test
    void heavyWorkDoesNotWaitForTheSameQuestion() throws IOException {
        assertThatThrownBy(() -> ask((debit, dataset, requests) -> {
                    throw new IllegalStateException("charged and not answered");
                }))
                .isInstanceOf(ProblemException.class);
        RequestIdentity other = new RequestIdentity("bob", "POST /x", "other");
        byte[] reusing = quoted("{'epsilon':0.50,'reuse':true}").getBytes(StandardCharsets.UTF_8);
        long began = System.nanoTime();

        assertThatThrownBy(() -> ImpatientAdmission.open().heavily("bob", () -> ask(EMPTY, other, reusing)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.type()).isEqualTo(ProblemType.REQUEST_IN_FLIGHT));

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(InFlight.PATIENCE);
        QueryRunner.Reply answered = ask(EMPTY);
        assertThat(ask(EMPTY, other, reusing).answer())
                .usingRecursiveComparison()
                .isEqualTo(answered.answer());
        assertThat(spent()).isEqualTo("0.5");
    }

    @Test
    void aLedgerThatFailsSaysToSendTheSameAgain() throws Exception {
        database.close();
        assertThatThrownBy(() -> ask(EMPTY)).isInstanceOfSatisfying(ProblemException.class, refusal -> {
            assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
            assertThat(refusal.detail()).contains("send the same request again");
        });
    }

    @Test
    void readsNothingThatIsNotPaidFor() {
        List<QueryRunner.Reply> both = List.of(ask(EMPTY), ask(EMPTY));
        assertThat(both.get(1)).isInstanceOf(QueryRunner.Reply.Replayed.class);
        RequestIdentity other = new RequestIdentity("ana", "POST /x", "other");
        QuestionRequest dear = JsonDocument.parse(quoted("{'epsilon':0.6}").getBytes(StandardCharsets.UTF_8))
                .read(in -> CountQuery.KIND.readAsked(in, DATASET));
        DataEngine unreadable = (debit, dataset, requests) -> {
            throw new AssertionError("read without a debit");
        };
        assertThatThrownBy(() -> new QueryRunner(
                                ledger,
                                new DataEngines(unreadable, unreadable),
                                new InFlight(),
                                NoOffers.INSTANCE,
                                JsonMapper.shared())
                        .ask(DATASET, dear, other, DIGEST))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.type()).isEqualTo(ProblemType.BUDGET_EXHAUSTED));
    }

    @Test
    void blocksThatAreNotReadyAreNamedAndNotCharged() {
        Dataset divided = DatasetsForTests.divided(DATASET, Blocks.over("age", new Blocks.Integers(10), 0, 125))
                .asOf(new BlockWindow(0, 3));
        byte[] body =
                quoted("{'epsilon':'0.5','blocks':{'from':'20','to':'60'}}").getBytes(StandardCharsets.UTF_8);
        QuestionRequest count = JsonDocument.parse(body).read(in -> CountQuery.KIND.readAsked(in, divided));
        QueryRunner runner = new QueryRunner(
                ledger, new DataEngines(EMPTY, EMPTY), new InFlight(), NoOffers.INSTANCE, JsonMapper.shared());

        assertThatThrownBy(() -> runner.ask(divided, count, IDENTITY, body))
                .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                    assertThat(refusal.type()).isEqualTo(ProblemType.DATASET_NOT_READY);
                    assertThat(refusal.members())
                            .containsEntry("blocks", List.of(Map.of("from", "40", "to", "60")))
                            .doesNotContainKey("charge");
                });
        assertThat(spent()).isEqualTo("0");
    }
}
