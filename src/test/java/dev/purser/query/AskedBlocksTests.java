package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.json.JsonDocument;
import dev.purser.ledger.ChargeRequest.Writes;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.IntegerRelease;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/** Which blocks a question is about, and what follows from these blocks. */
class AskedBlocksTests {
    private static final long FIRST_DAY = LocalDate.parse("2026-03-01").toEpochDay();
    private static final long LAST_DAY = LocalDate.parse("2026-03-31").toEpochDay();
    private static final Dataset DAYS = divided(new Blocks.Day());
    private static final Dataset WEEKS = divided(new Blocks.Week());

    private static Dataset undivided() {
        return DatasetsForTests.rows(
                "visits",
                new Column.Numeric("day", new Notation.Dates(), FIRST_DAY, LAST_DAY, null),
                DatasetsForTests.category("ward", null, "emergency", "surgery"),
                DatasetsForTests.integer("minutes", 0, 480));
    }

    private static Dataset divided(Blocks.Width width) {
        return DatasetsForTests.divided(undivided(), Blocks.over("day", width, FIRST_DAY, LAST_DAY));
    }

    private static QuestionRequest asked(Dataset dataset, String kind, String fields) {
        String body = quoted("{'epsilon':'0.5'," + fields + "}");
        QuestionKind known = QuestionKinds.named(kind).orElseThrow();
        return JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8)).read(in -> known.readAsked(in, dataset));
    }

    private static QuestionRequest count(Dataset dataset, String fields) {
        return asked(dataset, "count", fields);
    }

    private static BlockWindow window(QuestionRequest request) {
        return request.window().orElseThrow();
    }

    private static String refused(Dataset dataset, String pointer, String fields) {
        try {
            count(dataset, fields);
        } catch (ProblemException refusal) {
            return refusal.violations().stream()
                    .filter(each -> each.location().equals(pointer))
                    .map(Violation::detail)
                    .findFirst()
                    .orElse("elsewhere: " + refusal.violations());
        }
        return "nothing";
    }

    /** A unit in two blocks would be counted twice. Where every row is a unit, no unit is in two blocks. */
    @Test
    void unitsThatAColumnNamesAreCountedInOneBlock() {
        Dataset people = DatasetsForTests.divided(
                DatasetsForTests.of(
                        "stays",
                        new PrivacyUnit.Column("person", 5, PrivacyUnit.IdType.TEXT),
                        1000,
                        undivided().columns()),
                DAYS.blocks().orElseThrow());
        String two = "'blocks':{'from':'2026-03-02','to':'2026-03-03'},'of':'units'";
        assertThat(refused(people, "/of", two)).contains("one block");
        assertThat(window(count(people, "'blocks':{'from':'2026-03-02'},'of':'units'")))
                .isEqualTo(BlockWindow.of(1));
        assertThat(window(count(DAYS, two)).size()).isEqualTo(2);
        assertThat(window(count(people, two.replace("units", "rows"))).size()).isEqualTo(2);
        assertThatThrownBy(() -> asked(
                        people,
                        "threshold",
                        two.replace(",'of':'units'", ",'threshold':1,'queries':[{'count':{'of':'units'}}]")))
                .isInstanceOf(ProblemException.class);
    }

    @Test
    void aQuestionIsAboutTheBlocksThatItNames() {
        QuestionRequest some = count(DAYS, "'blocks':{'from':'2026-03-02','to':'2026-03-05'}");

        assertThat(window(some)).isEqualTo(new BlockWindow(1, 4));
        assertThat(charged(some, DAYS)).isEqualTo(new BlockWindow(1, 4));
        assertThat(window(count(DAYS, "'blocks':{'from':'2026-03-02','to':null}")))
                .isEqualTo(BlockWindow.of(1));
        assertThat(window(count(WEEKS, "'blocks':{'from':'2026-02-23'}"))).isEqualTo(BlockWindow.of(0));
    }

    private static @Nullable BlockWindow charged(QuestionRequest request, Dataset dataset) {
        return request.charge(dataset, new RequestIdentity("ana", "POST /x", "key"), new byte[0])
                .blocks();
    }

    @Test
    void theLatestAreTheNewestThatAreReady() {
        Dataset some = DAYS.asOf(new BlockWindow(3, 9));

        QuestionRequest latest = count(some, "'blocks':{'latest':2}");

        assertThat(window(latest)).isEqualTo(new BlockWindow(8, 9));
        assertThat(latest.canonical().json()).isEqualTo("""
                {"epsilon":"0.5","delta":"0","blocks":{"from":"2026-03-09","to":"2026-03-10"},"beta":0.05,"where":[],"of":"rows"}""");
        assertThat(latest.canonical().form().digest())
                .isEqualTo(count(DAYS, "'blocks':{'to':'2026-03-10','from':'2026-03-09'}")
                        .canonical()
                        .form()
                        .digest());
    }

    /** A quote does not need a ready block. Every block has its own budget. */
    @Test
    void theLatestAreTheFirstWhereTooFewAreReady() {
        assertThat(window(count(DAYS.asOf(new BlockWindow(0, 1)), "'blocks':{'latest':5}")))
                .isEqualTo(new BlockWindow(0, 4));
    }

    @Test
    void everyBlockCountsInTheFormOfAQuestion() {
        assertThat(count(DAYS, "'blocks':{'from':'2026-03-02'}")
                        .canonical()
                        .form()
                        .digest())
                .isNotEqualTo(count(DAYS, "'blocks':{'from':'2026-03-03'}")
                        .canonical()
                        .form()
                        .digest());
    }

    @Test
    void aDatasetWithoutBlocksHasNone() {
        QuestionRequest plain = count(undivided(), "'blocks':null");

        assertThat(plain.window()).isEmpty();
        assertThat(charged(plain, undivided())).isNull();
        assertThat(plain.canonical().json()).doesNotContain("blocks");
        assertThat(refused(undivided(), "/blocks", "'blocks':{'latest':1}"))
                .isEqualTo("blocks is for datasets whose rows are divided into blocks, and those of \"visits\" are not:"
                        + " leave it out");
        assertThat(refused(undivided(), "/zz", "'zz':1")).doesNotContain("blocks");
    }

    @Test
    void aDatasetWithBlocksNeedsThem() {
        assertThat(refused(DAYS.asOf(new BlockWindow(0, 4)), "/blocks", "'beta':0.05"))
                .isEqualTo("blocks is required: the rows of \"visits\" are divided into blocks, each with a budget of"
                        + " its own; send {\"from\": \"2026-03-05\"} or {\"latest\": 1}, for example");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        'from':'2026-04-01'                   | /blocks/from | from must be the label of a block from "2026-03-01" to \
"2026-03-31", was "2026-04-01"
        'from':'March'                        | /blocks/from | from must be the label of a block from "2026-03-01" to \
"2026-03-31", was "March"
        'from':20260301                       | /blocks/from | from must be the label of a block from "2026-03-01" to \
"2026-03-31", was 20260301: text goes in quotes
        'from':'2026-03-05','to':'2026-03-04' | /blocks/to   | to must be "2026-03-05", the block in from, or a later \
block, was "2026-03-04"
        'latest':32                           | /blocks/latest | latest must be an integer between 1 and 31, was 32
        'latest':1,'to':'2026-03-04'          | /blocks/to   | unknown field "to"; the fields here are "from", "latest"
        'latest':1,'from':'2026-03-04'        | /blocks      | exactly one of "from", "latest" is required, "from", \
"latest" were sent
        'to':'2026-03-04'                     | /blocks      | exactly one of "from", "latest" is required, none was sent
        """)
    void refusesOtherBlocks(String blocks, String pointer, String detail) {
        assertThat(refused(DAYS, pointer, "'blocks':{" + blocks + "}")).isEqualTo(detail);
    }

    @Test
    void namesTheBlockOfAValueThatIsNoLabel() {
        assertThat(refused(WEEKS, "/blocks/from", "'blocks':{'from':'2026-03-03'}"))
                .isEqualTo("from must be the label of a block from \"2026-02-23\" to \"2026-03-30\", was"
                        + " \"2026-03-03\", which is in the block \"2026-03-02\"");
    }

    @Test
    void refusesMoreBlocksThanACharge() {
        Dataset many = DatasetsForTests.divided(
                undivided(), Blocks.over("minutes", new Blocks.Integers(1), 0, AskedBlocks.MOST));

        assertThat(window(count(many, "'blocks':{'from':'1','to':'3660'}")).size())
                .isEqualTo(AskedBlocks.MOST);
        assertThat(refused(many, "/blocks/to", "'blocks':{'from':'0','to':'3660'}"))
                .isEqualTo("a question is about at most 3660 blocks, these are 3661");
    }

    @Test
    void refusesBlocksThatAreNotReadyByTheirRuns() {
        Dataset some = DAYS.asOf(new BlockWindow(3, 5));

        ProblemException refusal =
                AskedBlocks.refusal(List.of(new BlockWindow(2, 7)), some).orElseThrow();

        assertThat(refusal.type()).isEqualTo(ProblemType.DATASET_NOT_READY);
        assertThat(refusal.members())
                .containsEntry(
                        "blocks",
                        List.of(
                                Map.of("from", "2026-03-03", "to", "2026-03-03"),
                                Map.of("from", "2026-03-07", "to", "2026-03-08")));
        assertThat(AskedBlocks.refusal(List.of(new BlockWindow(3, 5)), some)).isEmpty();
    }

    /** The first attempt was charged the day before and was not answered. */
    @Test
    void theLatestAreThoseThatPaid() {
        String fields = "'column':'day','blocks':{'latest':2}";
        QuestionRequest nextDay = asked(DAYS.asOf(new BlockWindow(0, 9)), "histogram", fields);

        QuestionRequest paid =
                nextDay.paidBy(Optional.of(new BlockWindow(7, 8)), DAYS).orElseThrow();

        assertThat(window(paid)).isEqualTo(new BlockWindow(7, 8));
        assertThat(paid.canonical().json())
                .isEqualTo(asked(DAYS, "histogram", "'column':'day','blocks':{'from':'2026-03-08','to':'2026-03-09'}")
                        .canonical()
                        .json());
        assertThat(paid.question().requests().getFirst().edges())
                .containsExactly(FIRST_DAY + 7, FIRST_DAY + 8, FIRST_DAY + 9);
        assertThat(nextDay.paidBy(Optional.of(new BlockWindow(8, 9)), DAYS)).contains(nextDay);
    }

    @Test
    void refusesADebitOfOtherBlocks() {
        QuestionRequest named = count(DAYS, "'blocks':{'from':'2026-03-02'}");
        QuestionRequest latest = count(DAYS, "'blocks':{'latest':2}");
        QuestionRequest plain = count(undivided(), "'beta':0.05");

        refuses(named, DAYS, BlockWindow.of(2));
        refuses(named, DAYS, null);
        refuses(latest, DAYS, BlockWindow.of(2));
        refuses(plain, undivided(), BlockWindow.of(0));
    }

    private static void refuses(QuestionRequest request, Dataset dataset, @Nullable BlockWindow paid) {
        assertThat(request.paidBy(Optional.ofNullable(paid), dataset)).isEmpty();
    }

    @Test
    void aHistogramOfTheBlockColumnHasABinForEachBlock() {
        QuestionRequest weeks =
                asked(WEEKS, "histogram", "'column':'day','blocks':{'from':'2026-03-02','to':'2026-03-09'}");

        assertThat(weeks.question().requests().getFirst().edges())
                .containsExactly(day("2026-03-02"), day("2026-03-09"), day("2026-03-16"));
        assertThat(asked(WEEKS, "histogram", "'column':'day','edges':['2026-03-01','2026-03-31'],'blocks':{'latest':1}")
                        .question()
                        .requests()
                        .getFirst()
                        .edges())
                .containsExactly(day("2026-03-01"), day("2026-03-31"));
        assertThatThrownBy(() -> asked(undivided(), "histogram", "'column':'day'"))
                .hasMessage("edges is required");
    }

    /** The same bytes are sent as CSV. */
    @Test
    void theBinsOfBlocksHaveTheirLabels() throws IOException {
        Question<?> weeks = asked(WEEKS, "histogram", "'column':'day','blocks':{'from':'2026-03-02','to':'2026-03-09'}")
                .question();
        Buckets none = Buckets.over(weeks.requests().getFirst().edges()).build();

        HistogramQuery.Value answer = (HistogramQuery.Value)
                weeks.release("id", Sensitive.of(List.of(none)), IntegerRelease.first(new SecureBits()))
                        .answer();

        assertThat(answer.bins())
                .extracting(HistogramQuery.Bin::block, HistogramQuery.Bin::lower, HistogramQuery.Bin::category)
                .containsExactly(tuple("2026-03-02", null, null), tuple("2026-03-09", null, null));
        List<String> csv = csv(answer).lines().toList();
        assertThat(csv.getFirst()).isEqualTo("block,count,interval.low,interval.high");
        assertThat(csv.get(1)).startsWith("2026-03-02,");
        assertThat(csv).hasSize(3);
    }

    private static String csv(HistogramQuery.Value answer) throws IOException {
        byte[] reply = JsonMapper.shared().writeValueAsBytes(Map.of("answer", answer));
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        HistogramQuery.KIND.table().orElseThrow().render(new ByteArrayInputStream(reply), csv);
        return csv.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nothingIsChargedForBlocksThatAreNotReady() {
        QuestionRequest some = count(DAYS, "'blocks':{'from':'2026-03-02','to':'2026-03-05'},'reuse':true");
        RequestIdentity identity = new RequestIdentity("ana", "POST /x", "key");

        assertThat(some.charge(DAYS, identity, new byte[0]).writes()).isEqualTo(Writes.DEBIT);
        assertThat(some.charge(DAYS.asOf(new BlockWindow(0, 3)), identity, new byte[0])
                        .writes())
                .isEqualTo(Writes.EARLIER);
    }

    private static long day(String date) {
        return LocalDate.parse(date).toEpochDay();
    }

    @Test
    void theBlockColumnIsAKeyOfATable() {
        QuestionRequest table = asked(
                WEEKS,
                "aggregate",
                "'groupBy':[{'column':'ward'},{'column':'day'}],'aggregates':[{'count':{}}],"
                        + "'blocks':{'from':'2026-03-02','to':'2026-03-16'}");

        assertThat(table.question().groups()).isEqualTo(6);
        assertThat(table.question().requests().getFirst().keys().get(1).edges())
                .containsExactly(day("2026-03-02"), day("2026-03-09"), day("2026-03-16"), day("2026-03-23"));
    }

    @Test
    void aBlockHasItsLabelInATable() {
        AggregateKey key = JsonDocument.parse("{\"column\":\"day\"}".getBytes(StandardCharsets.UTF_8))
                .read(in -> AggregateKey.read(in, WEEKS.part(new BlockWindow(1, 2))));

        assertThat(key.headers()).containsExactly("day.block");
        assertThat(List.of(key.value(0), key.value(1)))
                .containsExactly(
                        new AggregateKey.Value(null, null, null, "2026-03-02"),
                        new AggregateKey.Value(null, null, null, "2026-03-09"));
    }

    @Test
    void integersAreDividedOnTheirGrid() {
        Column.Numeric tens = DatasetsForTests.decimal("number", "10", 0, 99, null);
        Dataset dataset = DatasetsForTests.divided(
                DatasetsForTests.rows("meters", tens), Blocks.over("number", new Blocks.Integers(100), 0, 990));

        QuestionRequest blocks = asked(dataset, "histogram", "'column':'number','blocks':{'from':'200','to':'300'}");

        assertThat(blocks.question().requests().getFirst().edges()).containsExactly(20, 30, 40);
    }

    @Test
    void aGuaranteeSaysThatItIsPerBlock() {
        QuestionRequest weeks = count(WEEKS, "'blocks':{'latest':1}");
        Guarantee guarantee = Guarantee.of(
                WEEKS, weeks.question().event(), WEEKS.registration().budget().delta());

        assertThat(String.valueOf(guarantee.privacyUnit().perBlock())).isEqualTo("PerBlock[column=day, width=week]");
        assertThat(guarantee.inManyBlocks())
                .isEqualTo("The guarantee is for the rows of one unit in one block. A unit with rows in k blocks can"
                        + " lose up to k times as much (pure), or k² times (zCDP).");
        assertThat(Guarantee.of(
                                undivided(),
                                weeks.question().event(),
                                WEEKS.registration().budget().delta())
                        .inManyBlocks())
                .isNull();
    }
}
