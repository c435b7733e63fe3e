package dev.purser.synopsis;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.json.JsonDocument;
import dev.purser.mechanism.NoisySynopsis;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.problem.ProblemException;
import dev.purser.query.FreeOffers.Wanted;
import dev.purser.query.QuestionKinds;
import dev.purser.query.QuestionRequest;
import dev.purser.query.Where;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which cells a plan needs, which questions a synopsis of these cells answers, and which edges it takes. */
class TranslationTests {
    private static final Dataset DATASET = DatasetsForTests.rows(
            "adult",
            DatasetsForTests.integer("age", 0, 125),
            DatasetsForTests.integer("hours", -50, 50),
            DatasetsForTests.category("sex", null, "Female", "Male"));
    private static final Dataset DIVIDED =
            DatasetsForTests.divided(DATASET, Blocks.over("age", new Blocks.Integers(10), 0, 125));
    private static final Epsilon ONE = Epsilon.parse("1");

    private static QuestionRequest asked(String kind, String rest) {
        byte[] body = ("{'epsilon':1" + rest + "}").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return JsonDocument.parse(body)
                .read(in -> QuestionKinds.named(kind).orElseThrow().readAsked(in, DATASET));
    }

    private static Optional<PlannedCells> planned(QuestionRequest... plan) {
        return PlannedCells.of(
                DATASET,
                Arrays.stream(plan)
                        .map(each -> new Wanted(each, BigDecimal.TEN))
                        .toList());
    }

    private static String columns(QuestionRequest... plan) {
        return planned(plan)
                .map(cells -> cells.request(ONE).replace('"', '\''))
                .orElse("none")
                .replaceFirst(".*'columns':", "");
    }

    private static Synopsis synopsis(QuestionRequest... plan) {
        return bought(planned(plan).orElseThrow(), DATASET);
    }

    private static Synopsis bought(PlannedCells cells, Dataset dataset) {
        QuestionRequest bought = JsonDocument.parse(cells.request(ONE).getBytes(StandardCharsets.UTF_8))
                .read(in -> SynopsisQuery.KIND.readAsked(in, dataset));
        return cells.synopsis(
                cells.asBought(), (NoisySynopsis) bought.question().mechanism());
    }

    private static boolean answers(Synopsis synopsis, String kind, String rest) {
        return answers(synopsis, asked(kind, rest));
    }

    private static boolean answers(Synopsis synopsis, QuestionRequest question) {
        return Optional.ofNullable(question.question().statistic())
                .flatMap(asked -> Translation.of(asked, synopsis))
                .isPresent();
    }

    @Test
    void aPlanNeedsTheEdgesOfItsConditionsAndHistograms() {
        assertThat(columns(asked("count", ",'where':[{'column':'age','atLeast':20,'below':40}]")))
                .isEqualTo("[{'column':'age','edges':[0,20,40,126]}]}");
        assertThat(columns(
                        asked("count", ",'where':[{'column':'age','above':20},{'column':'sex','in':['Male']}]"),
                        asked("histogram", ",'column':'hours','edges':[-50,0,51]")))
                .isEqualTo("[{'column':'age','edges':[0,21,126]},{'column':'hours','edges':[-50,0,51]},"
                        + "{'column':'sex'}]}");
        // Edges outside of the column divide nothing.
        assertThat(columns(asked("histogram", ",'column':'age','edges':[0,5,126]"), asked("count", "")))
                .isEqualTo("[{'column':'age','edges':[0,5,126]}]}");
    }

    private static QuestionRequest ofBlocks(String kind, String rest) {
        byte[] body = ("{'epsilon':1" + rest + "}").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return JsonDocument.parse(body)
                .read(in -> QuestionKinds.named(kind).orElseThrow().readAsked(in, DIVIDED));
    }

    @Test
    void aPlanOfTheSameBlocksNeedsASynopsisOfThem() {
        String histogram = ",'column':'sex','blocks':{'from':'20'}";
        PlannedCells cells = PlannedCells.of(
                        DIVIDED, List.of(new Wanted(ofBlocks("histogram", histogram), BigDecimal.TEN)))
                .orElseThrow();

        assertThat(cells.request(ONE).replace('"', '\''))
                .isEqualTo("{'epsilon':'1','blocks':{'from':'20','to':'20'},'columns':[{'column':'sex'}]}");
        assertThat(PlannedCells.of(
                        DIVIDED,
                        List.of(
                                new Wanted(ofBlocks("histogram", histogram), BigDecimal.TEN),
                                new Wanted(ofBlocks("count", ",'blocks':{'from':'30'}"), BigDecimal.TEN))))
                .isEmpty();
        assertThat(PlannedCells.of(
                        DIVIDED,
                        List.of(new Wanted(
                                ofBlocks("histogram", ",'column':'age','blocks':{'from':'20'}"), BigDecimal.TEN))))
                .isEmpty();
    }

    @Test
    void aSynopsisAnswersForItsBlocksAlone() {
        PlannedCells cells = PlannedCells.of(
                        DIVIDED,
                        List.of(new Wanted(
                                ofBlocks("count", ",'where':[{'column':'age','atLeast':20}],'blocks':{'from':'20'}"),
                                BigDecimal.TEN)))
                .orElseThrow();
        Synopsis synopsis = bought(cells, DIVIDED);

        assertThat(synopsis.isAbout(ofBlocks("count", ",'blocks':{'from':'20'}")))
                .isTrue();
        assertThat(synopsis.isAbout(ofBlocks("count", ",'blocks':{'from':'20','to':'30'}")))
                .isFalse();
        assertThat(answers(synopsis, ofBlocks("count", ",'blocks':{'from':'20'}")))
                .isTrue();
        assertThat(answers(synopsis, ofBlocks("histogram", ",'column':'age','blocks':{'from':'20'}")))
                .isFalse();
    }

    @Test
    void aPlanOfOtherQuestionsNeedsSomethingElse() {
        assertThat(columns(asked("count", ""))).isEqualTo("none");
        assertThat(columns(asked("mean", ",'column':'age'"))).isEqualTo("none");
        assertThat(columns(
                        asked("histogram", ",'column':'age','edges':[0,126],'where':[{'column':'hours','above':0}]")))
                .isEqualTo("none");
    }

    @Test
    void theSynopsisOfAPlanAnswersItAndNoFinerQuestion() {
        Synopsis synopsis = synopsis(
                asked("count", ",'where':[{'column':'age','atLeast':20,'below':40}]"),
                asked("histogram", ",'column':'sex'"));
        assertThat(answers(synopsis, "count", "")).isTrue();
        assertThat(answers(synopsis, "count", ",'where':[{'column':'age','above':19},{'column':'sex','in':['Male']}]"))
                .isTrue();
        assertThat(answers(synopsis, "histogram", ",'column':'age','edges':[20,40,126]"))
                .isTrue();
        assertThat(answers(synopsis, "count", ",'where':[{'column':'age','above':20}]"))
                .isFalse();
        assertThat(answers(synopsis, "histogram", ",'column':'age','edges':[20,30]"))
                .isFalse();
        assertThat(answers(synopsis, "count", ",'where':[{'column':'hours','above':0}]"))
                .isFalse();
        // The cells of the synopsis have many values.
        assertThat(answers(synopsis, "sum", ",'column':'age'")).isFalse();
        assertThat(answers(synopsis, "mean", ",'column':'age'")).isFalse();
        assertThat(answers(synopsis, "quantile", ",'column':'age','probabilities':[0.5]"))
                .isFalse();
    }

    @Test
    void valuesThatAreClampedFurtherAreOthers() {
        String edges =
                IntStream.rangeClosed(-50, 51).mapToObj(Integer::toString).collect(Collectors.joining(","));
        Synopsis synopsis = synopsis(asked("histogram", ",'column':'hours','edges':[" + edges + "]"));
        assertThat(answers(synopsis, "sum", ",'column':'hours'")).isTrue();
        assertThat(answers(synopsis, "sum", ",'column':'hours','lower':-50,'upper':50"))
                .isTrue();
        assertThat(answers(synopsis, "mean", ",'column':'hours','lower':0")).isFalse();
        assertThat(answers(synopsis, "quantile", ",'column':'hours','probabilities':[0.5],'upper':40"))
                .isFalse();
        assertThat(answers(synopsis, "mean", ",'column':'hours','where':[{'column':'hours','above':9}]"))
                .isTrue();
        assertThat(answers(
                        synopsis,
                        "histogram",
                        ",'column':'hours','edges':[0,9],'where':[{'column':'hours'," + "'above':0}]"))
                .isFalse();
    }

    @Test
    void edgesAreThoseOfCells() {
        Synopsis synopsis = synopsis(asked("count", ",'where':[{'column':'age','atLeast':20,'below':40}]"));
        assertThat(edges(synopsis, -5, 20)).contains(new int[] {0, 1});
        assertThat(edges(synopsis, 0, 20, 40, 126)).contains(new int[] {0, 1, 2, 3});
        assertThat(edges(synopsis, 40, 1_000)).contains(new int[] {2, 3});
        assertThatThrownBy(() -> edges(synopsis, 0, 125))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.violations().toString())
                                .contains("125 is no edge: the nearest are 40 and 126"));
        assertThatThrownBy(() -> edges(synopsis, -5, 0))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.violations().toString())
                                .contains("strictly ascending, with a cell of the synopsis between"));
    }

    private static Optional<int[]> edges(Synopsis synopsis, long... values) {
        return JsonDocument.parse("{}".getBytes(StandardCharsets.UTF_8)).read(in -> {
            ChosenCells cells = new ChosenCells(synopsis, in);
            Optional<int[]> edges =
                    cells.edges(cells.key(0), DatasetsForTests.integer("age", 0, 125), values, Where.FIELD);
            return in.complete(() -> edges);
        });
    }
}
