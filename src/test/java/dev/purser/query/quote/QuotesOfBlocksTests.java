package dev.purser.query.quote;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.json.JsonDocument;
import dev.purser.json.PrivacyJson;
import dev.purser.ledger.BooksForTests;
import dev.purser.ledger.NamedBlocks;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.query.NoOffers;
import dev.purser.query.QuestionKinds;
import dev.purser.query.QuestionRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Quotes count for each block how often a question fits. */
class QuotesOfBlocksTests {
    private static final Dataset DATASET = DatasetsForTests.divided(
                    DatasetsForTests.rows("meters", DatasetsForTests.integer("number", 0, 9)),
                    Blocks.over("number", new Blocks.Integers(1), 0, 9))
            .asOf(BlockWindow.of(4));

    private final BooksForTests books = new BooksForTests(amount("1"), 10);
    private final Quotes quotes = new Quotes(books, NoOffers.INSTANCE);

    private static PrivacyAmount amount(String epsilon) {
        return PrivacyAmount.pure(Epsilon.parse(epsilon));
    }

    @BeforeEach
    void spend() {
        books.spend(new BlockWindow(0, 6), amount("0.4"));
        books.spend(new BlockWindow(5, 9), amount("0.5"));
    }

    private Quote quote(String epsilon, String blocks) {
        byte[] body = question(epsilon, blocks).getBytes(StandardCharsets.UTF_8);
        return quotes.quote(
                DATASET,
                JsonDocument.parse(body)
                        .read(in -> QuoteRequest.read(
                                in, DATASET, QuestionKinds.named("count").orElseThrow())),
                "ana");
    }

    private static String question(String epsilon, String blocks) {
        return quoted("{'epsilon':'" + epsilon + "','blocks':{" + blocks + "}}");
    }

    private PlanQuote plan(String... questions) {
        List<String> items = List.of(questions).stream()
                .map(each -> "{\"kind\":\"count\",\"request\":" + each + "}")
                .toList();
        byte[] body = ("{\"questions\":[" + String.join(",", items) + "]}").getBytes(StandardCharsets.UTF_8);
        return quotes.quotePlan(
                DATASET,
                JsonDocument.parse(body)
                        .read(in -> QuoteRequest.readPlan(in, DATASET))
                        .questions(),
                "ana");
    }

    private static List<String> named(@Nullable List<NamedBlocks> blocks) {
        return blocks == null
                ? List.of("all can pay")
                : blocks.stream()
                        .map(each -> each.from() + "-" + each.to() + " "
                                + each.remaining().epsilon())
                        .toList();
    }

    @Test
    void aQuestionIsAffordableIfEachOfItsBlocksCanPay() {
        assertThat(quote("0.6", "'from':'0','to':'4'").affordable()).isTrue();
        assertThat(quote("0.6", "'from':'0','to':'4'").blocks()).isNull();
        assertThat(quote("0.600000001", "'from':'0','to':'4'").affordable()).isFalse();
    }

    @Test
    void theBlocksThatCannotPayAreNamedWorstFirst() {
        Quote quote = quote("0.55", "'from':'3','to':'8'");

        assertThat(quote.affordable()).isFalse();
        assertThat(quote.charge().epsilon().toString()).isEqualTo("0.55");
        assertThat(named(quote.blocks())).containsExactly("5-6 0.1", "7-8 0.5");
    }

    @Test
    void withoutThemAQuoteHasNoSuchMember() {
        JsonMapper json = JsonMapper.builder().addModule(new PrivacyJson()).build();

        assertThat(json.writeValueAsString(quote("0.1", "'from':'0'"))).doesNotContain("\"blocks\"");
        assertThat(json.writeValueAsString(quote("0.2", "'from':'5'")))
                .contains("\"affordable\":false,\"blocks\":[{\"from\":\"5\",\"to\":\"5\",\"remaining\":{\"epsilon\":"
                        + "\"0.1\"");
    }

    /** The latest block is the fourth. A quote does not need a ready block. */
    @Test
    void theLatestBlocksAreThoseThatWouldBeAsked() {
        assertThat(quote("0.6", "'latest':2").affordable()).isTrue();
        assertThat(named(quote("0.6", "'latest':7").blocks())).containsExactly("5-6 0.1");
    }

    @Test
    void aPlanChargesEachBlockForTheQuestionsAboutIt() {
        String older = question("0.3", "'from':'0','to':'3'");
        String newer = question("0.25", "'from':'3','to':'4'");

        PlanQuote both = plan(older, newer);

        assertThat(both.affordable()).isTrue();
        assertThat(both.timesAffordable()).isEqualTo(1);
        assertThat(both.charge().epsilon().toString()).isEqualTo("0.55");
        assertThat(plan(newer, newer).timesAffordable()).isEqualTo(1);
        assertThat(plan(newer).timesAffordable()).isEqualTo(2);
        assertThat(plan(question("0.05", "'from':'0'"), question("0.1", "'from':'9'"))
                        .timesAffordable())
                .isEqualTo(5);
    }

    @Test
    void aPlanNamesTheBlocksThatCannotPayForAllOfIt() {
        PlanQuote plan = plan(
                question("0.5", "'from':'0','to':'4'"),
                question("0.2", "'from':'4','to':'4'"),
                question("0.2", "'from':'6','to':'7'"));

        assertThat(plan.affordable()).isFalse();
        assertThat(plan.timesAffordable()).isZero();
        assertThat(named(plan.blocks())).containsExactly("6-6 0.1", "4-4 0.6");
        assertThat(plan.items()).extracting(Quote::affordable).containsExactly(true, true, false);
        assertThat(named(plan.items().get(2).blocks())).containsExactly("6-6 0.1");
    }

    /** The plan is read as a purchase reads it. */
    @Test
    void whatIsBoughtIsAboutTheBlocksThatWereQuoted() {
        byte[] body = ("{\"questions\":[{\"kind\":\"count\",\"request\":" + question("0.1", "'latest':2") + "}]}")
                .getBytes(StandardCharsets.UTF_8);
        QuestionRequest bought = Quotes.asked(
                        DATASET,
                        JsonDocument.parse(body)
                                .read(in -> QuoteRequest.readPlan(in, DATASET))
                                .questions())
                .getFirst();

        assertThat(bought.window()).contains(new BlockWindow(3, 4));
    }
}
