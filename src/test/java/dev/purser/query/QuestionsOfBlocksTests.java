package dev.purser.query;

import dev.purser.accounting.PureAccountant;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.engine.DataEngine;
import dev.purser.engine.DataEngines;
import dev.purser.json.JsonDocument;
import dev.purser.json.PrivacyJson;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which blocks are charged for a question and read for it, at once and when it is resumed. */
class QuestionsOfBlocksTests {
    private static final Blocks BLOCKS = Blocks.over("age", new Blocks.Integers(10), 0, 99);
    private static final Dataset DATASET =
            DatasetsForTests.divided(DatasetsForTests.rows("adult", DatasetsForTests.integer("age", 0, 99)), BLOCKS);
    private static final JsonMapper JSON =
            JsonMapper.builder().addModule(new PrivacyJson()).build();
    private static final String LATEST = quoted("{'epsilon':'0.4','column':'age','blocks':{'latest':2}}");

    @TempDir
    Path home;

    private Database database;
    private BudgetLedger ledger;
    private final List<BlockWindow> read = new ArrayList<>();

    @BeforeEach
    void openTheLedger() {
        database = new Database(new PurserHome(home));
        ledger = new BudgetLedger(database, Clock.systemUTC(), new SecureRandom());
        database.write("adult", transaction -> {
            ledger.open(
                    transaction,
                    "adult",
                    new PureAccountant(),
                    PrivacyAmount.pure(Epsilon.parse("1")),
                    BLOCKS,
                    "carla");
            return null;
        });
    }

    @AfterEach
    void closeTheLedger() throws Exception {
        database.close();
    }

    /** An engine that notes which blocks it would read, and finds no rows. */
    private final DataEngine empty = (debit, dataset, requests) -> {
        read.add(debit.blocks().orElseThrow());
        return Sensitive.of(requests.stream()
                .map(request -> request.column() == null
                        ? Buckets.counts(request.groups()).build()
                        : Buckets.over(request.edges()).build())
                .toList());
    };

    private static final DataEngine BROKEN = (debit, dataset, requests) -> {
        throw new IllegalStateException("no rows now");
    };

    private QueryRunner runner(DataEngine engine) {
        return new QueryRunner(ledger, new DataEngines(engine, engine), new InFlight(), NoOffers.INSTANCE, JSON);
    }

    private static Dataset when(int newest) {
        return DATASET.asOf(new BlockWindow(0, newest));
    }

    private static QuestionRequest asked(String kind, Dataset dataset, String body) {
        return JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8))
                .read(in -> QuestionKinds.named(kind).orElseThrow().readAsked(in, dataset));
    }

    private QueryRunner.Reply histogram(DataEngine engine, Dataset dataset, String key, String body) {
        return runner(engine)
                .ask(
                        dataset,
                        asked("histogram", dataset, body),
                        new RequestIdentity("ana", "POST /x", key),
                        body.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode json(QueryRunner.Reply reply) {
        return JSON.readTree(reply.answer().beginning());
    }

    private List<String> spent() {
        return IntStream.range(0, BLOCKS.count())
                .mapToObj(block -> ledger.blocks("adult", "ana", BLOCKS.all())
                        .spent(BlockWindow.of(block))
                        .epsilon()
                        .toString())
                .toList();
    }

    @Test
    void everyBlockPaysTheWholeChargeAndOnlyTheirRowsAreRead() {
        JsonNode answer = json(histogram(empty, when(9), "key", """
                {"epsilon":"0.4","column":"age","blocks":{"from":"20","to":"40"}}"""));

        assertThat(read).containsExactly(new BlockWindow(2, 4));
        assertThat(spent()).containsExactly("0", "0", "0.4", "0.4", "0.4", "0", "0", "0", "0", "0");
        assertThat(answer.at("/charge/epsilon").asString()).isEqualTo("0.4");
        assertThat(answer.at("/remaining/epsilon").asString()).isEqualTo("0.6");
        assertThat(answer.at("/guarantee/privacyUnit/perBlock").toString())
                .isEqualTo("{\"column\":\"age\",\"width\":10}");
        assertThat(answer.at("/question/blocks").toString()).isEqualTo("{\"from\":\"20\",\"to\":\"40\"}");
        assertThat(answer.at("/answer/bins").findValuesAsString("block")).containsExactly("20", "30", "40");
    }

    /** The first attempt is charged and not answered. The next attempt comes when there are newer blocks. */
    @Test
    void aRetryIsAnsweredForTheBlocksThatPaid() {
        assertThatThrownBy(() -> histogram(BROKEN, when(4), "key", LATEST)).isInstanceOf(ProblemException.class);

        QueryRunner.Reply reply = histogram(empty, when(7), "key", LATEST);

        assertThat(read).containsExactly(new BlockWindow(3, 4));
        assertThat(json(reply).at("/question/blocks/from").asString()).isEqualTo("30");
        assertThat(json(reply).at("/answer/bins").findValuesAsString("block")).containsExactly("30", "40");
        assertThat(spent()).containsExactly("0", "0", "0", "0.4", "0.4", "0", "0", "0", "0", "0");
        QueryRunner.Reply again = histogram(BROKEN, when(8), "key", LATEST);
        assertThat(again).isInstanceOf(QueryRunner.Reply.Replayed.class);
        assertThat(again.answer().beginning()).isEqualTo(reply.answer().beginning());
    }

    @Test
    void theServiceItselfResumesForTheBlocksThatPaid() {
        assertThatThrownBy(() -> histogram(BROKEN, when(4), "key", LATEST)).isInstanceOf(ProblemException.class);

        runner(empty)
                .resume(
                        when(7),
                        asked("histogram", when(7), LATEST),
                        ledger.reservations("", 1).getFirst());

        assertThat(read).containsExactly(new BlockWindow(3, 4));
        assertThat(json(histogram(BROKEN, when(7), "key", LATEST))
                        .at("/question/blocks/to")
                        .asString())
                .isEqualTo("40");
    }

    /** By the time of the retry, the newest blocks are not all ready. */
    @Test
    void whatIsStoredIsReplayedWhateverIsReady() {
        QueryRunner.Reply reply = histogram(empty, when(4), "key", LATEST);
        Dataset hole = DATASET.asOf(BlockWindow.of(9));

        assertThat(histogram(BROKEN, hole, "key", LATEST).answer().beginning())
                .isEqualTo(reply.answer().beginning());
        assertThatThrownBy(() -> histogram(BROKEN, hole, "other", LATEST))
                .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                    assertThat(refusal.type()).isEqualTo(ProblemType.DATASET_NOT_READY);
                    assertThat(refusal.members()).containsEntry("blocks", List.of(Map.of("from", "80", "to", "80")));
                });
    }

    @Test
    void theSameQuestionIsReusedForTheSameBlocks() {
        String reusing = LATEST.replace("}}", "},\"reuse\":true}");
        QueryRunner.Reply first = histogram(empty, when(4), "first", reusing);

        assertThat(histogram(BROKEN, when(4), "second", reusing)).isInstanceOf(QueryRunner.Reply.Reused.class);
        assertThat(histogram(empty, when(5), "third", reusing)).isInstanceOf(QueryRunner.Reply.Fresh.class);
        assertThat(json(first).at("/question/blocks/to").asString()).isEqualTo("40");
        assertThat(spent()).containsExactly("0", "0", "0", "0.4", "0.8", "0.4", "0", "0", "0", "0");
    }

    /** Questions about the same blocks are read in one call, with the debit of one of them. */
    @Test
    void aPlanIsReadBlocksByBlocks() {
        List<CommittedDebit> debits = new ArrayList<>();
        DataEngine noting = (debit, dataset, requests) -> {
            debits.add(debit);
            return empty.collect(debit, dataset, requests);
        };
        List<QuestionRequest> plan = IntStream.of(2, 7, 2)
                .mapToObj(block -> asked("count", when(9), """
                        {"epsilon":"0.1","blocks":{"from":"%d0"}}""".formatted(block)))
                .toList();

        List<QueryRunner.Reply> replies =
                runner(noting).ask(when(9), plan, new RequestIdentity("ana", "POST /plan", "key"), new byte[] {1});

        assertThat(read).containsExactly(BlockWindow.of(2), BlockWindow.of(7));
        assertThat(debits).extracting(CommittedDebit::queryId).doesNotHaveDuplicates();
        assertThat(replies)
                .extracting(reply -> json(reply).at("/question/blocks/from").asString())
                .containsExactly("20", "70", "20");
        assertThat(spent()).containsExactly("0", "0", "0.2", "0", "0", "0", "0", "0.1", "0", "0");
    }

    @Test
    void theBlocksThatCannotPayAreNamed() {
        histogram(empty, when(9), "key", LATEST);
        String more = quoted("{'epsilon':'0.7','column':'age','blocks':{'from':'70','to':'80'}}");

        assertThatThrownBy(() -> histogram(empty, when(9), "more", more))
                .isInstanceOfSatisfying(ProblemException.class, refusal -> {
                    assertThat(refusal.type()).isEqualTo(ProblemType.BUDGET_EXHAUSTED);
                    assertThat(JSON.valueToTree(refusal.members().get("blocks"))
                                    .at("/0/from")
                                    .asString())
                            .isEqualTo("80");
                });
    }
}
