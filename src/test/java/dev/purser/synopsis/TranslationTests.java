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
import dev.purser.query.SynopsisQuery;
import dev.purser.query.Where;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which cells a plan needs, which questions a synopsis of them answers, and which edges it takes. */
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
        PlannedCells cells = planned(plan).orElseThrow();
        QuestionRequest bought = JsonDocument.parse(cells.request(ONE).getBytes(StandardCharsets.UTF_8))
                .read(in -> SynopsisQuery.KIND.readAsked(in, DATASET));
        return cells.synopsis((NoisySynopsis) bought.question().mechanism(), ONE);
    }

    private static boolean answers(Synopsis synopsis, String kind, String rest) {
        return Translation.of(kind, Translation.request(asked(kind, rest)), synopsis)
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
        QuestionRequest bought = JsonDocument.parse(cells.request(ONE).getBytes(StandardCharsets.UTF_8))
                .read(in -> SynopsisQuery.KIND.readAsked(in, DIVIDED));
        Synopsis planned = cells.synopsis((NoisySynopsis) bought.question().mechanism(), ONE);
        String question = bought.canonical().json();
        Synopsis synopsis = new Synopsis(
                "",
                DIVIDED,
                planned.cells(),
                question,
                JsonMapper.shared().readTree(question).path("blocks"),
                planned.columns(),
                List.of());

        assertThat(synopsis.isAbout(Translation.request(ofBlocks("count", ",'blocks':{'from':'20'}"))))
                .isTrue();
        assertThat(synopsis.isAbout(Translation.request(ofBlocks("count", ",'blocks':{'from':'20','to':'30'}"))))
                .isFalse();
        JsonNode byBlock = Translation.request(ofBlocks("histogram", ",'column':'age','blocks':{'from':'20'}"));
        assertThat(Translation.of("histogram", byBlock, synopsis)).isEmpty();
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
        // Its cells have many values.
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
        assertThat(edge(synopsis, -5)).contains(0);
        assertThat(edge(synopsis, 0)).contains(0);
        assertThat(edge(synopsis, 20)).contains(1);
        assertThat(edge(synopsis, 40)).contains(2);
        assertThat(edge(synopsis, 126)).contains(3);
        assertThat(edge(synopsis, 1_000)).contains(3);
        assertThatThrownBy(() -> edge(synopsis, 125))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.violations().toString())
                                .contains("125 is no edge: the nearest are 40 and 126"));
    }

    private static Optional<Integer> edge(Synopsis synopsis, long value) {
        return JsonDocument.parse("{}".getBytes(StandardCharsets.UTF_8)).read(in -> {
            ChosenCells cells = new ChosenCells(synopsis, in, Where.FIELD);
            Optional<Integer> edge =
                    cells.edge(synopsis.cells().keys().getFirst(), DatasetsForTests.integer("age", 0, 125), value);
            return in.complete(() -> edge);
        });
    }
}
