package dev.purser.console;

import dev.purser.NodeJs;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What the console writes for numbers, intervals, amounts and labels, and what it reads in files, under Node.js. */
class ConsoleTextTests {
    private static final Path CONSOLE = Path.of("src/main/resources/console");

    @TempDir
    private Path folder;

    /** Node.js takes the files as modules because of {@code package.json}. */
    @BeforeEach
    void copies() throws IOException {
        Files.createDirectory(folder.resolve("vendor"));
        for (String file : List.of(
                "amounts.js",
                "words.js",
                "propose.js",
                "blocks.js",
                "sentences.js",
                "edges.js",
                "columns.js",
                "parts.js",
                "api.js",
                "vendor/htm-preact-3.1.1.js")) {
            Files.copy(CONSOLE.resolve(file), folder.resolve(file));
        }
        Files.writeString(folder.resolve("package.json"), "{\"type\": \"module\"}");
    }

    /** The value of an expression over the imported modules. */
    private JsonNode of(String expression) throws IOException, InterruptedException {
        Path script = Files.writeString(folder.resolve("script.js"), """
                import * as amounts from './amounts.js';
                import * as words from './words.js';
                import * as propose from './propose.js';
                import * as blocks from './blocks.js';
                import * as sentences from './sentences.js';
                import * as edges from './edges.js';
                import { openAsBlob } from 'node:fs';
                console.log(JSON.stringify(%s));
                """.formatted(expression));
        return JsonMapper.shared().readTree(NodeJs.run(script.toString()));
    }

    private static BigDecimal number(JsonNode text) {
        return new BigDecimal(text.asString().replace(",", ""));
    }

    @Test
    void whatLiesInAnIntervalLiesInItAsItIsShown() throws IOException, InterruptedException {
        Random random = new Random(47);
        List<double[]> intervals = IntStream.range(0, 2_000)
                .mapToObj(i -> {
                    double middle = random.nextGaussian() * Math.pow(10, random.nextInt(-4, 9));
                    double width = random.nextDouble() * Math.pow(10, random.nextInt(-5, 7));
                    return random.nextInt(4) == 0
                            ? new double[] {Math.rint(middle - width), Math.rint(middle + width)}
                            : new double[] {middle - width, middle + width};
                })
                .toList();
        JsonNode shown = of(intervals.stream()
                .map(each -> "amounts.shown({ value: %s, low: %s, high: %s })"
                        .formatted((each[0] + each[1]) / 2, each[0], each[1]))
                .collect(Collectors.joining(",\n", "[", "]")));
        for (int i = 0; i < intervals.size(); i++) {
            BigDecimal low = new BigDecimal(Double.toString(intervals.get(i)[0]));
            BigDecimal high = new BigDecimal(Double.toString(intervals.get(i)[1]));
            BigDecimal slack = high.subtract(low).divide(BigDecimal.valueOf(100), MathContext.DECIMAL64);
            assertThat(number(shown.get(i).get("low"))).isBetween(low.subtract(slack), low);
            assertThat(number(shown.get(i).get("high"))).isBetween(high, high.add(slack));
            assertThat(number(shown.get(i).get("value")))
                    .isBetween(
                            number(shown.get(i).get("low")), number(shown.get(i).get("high")));
        }
    }

    @Test
    void digitsFollowTheWidthAndAYearHasNoSeparator() throws IOException, InterruptedException {
        assertThat(of("amounts.shown({ value: 123508.96, low: 123508.47123, high: 123509.45987 })"))
                .isEqualTo(of("{ value: '123,508.96', low: '123,508.471', high: '123,509.46' }"));
        assertThat(of("amounts.shown({ value: 2014, low: 2013, high: 2015 })"))
                .isEqualTo(of("{ value: '2014', low: '2013', high: '2015' }"));
        assertThat(of("amounts.shown({ value: '2020-02-01', low: '2020-01-01', high: '2020-03-01' }).low"))
                .isEqualTo(of("'2020-01-01'"));
        assertThat(of("[2014, 32561, null, 0.5].map((each) => amounts.rounded(each))"))
                .isEqualTo(of("['2014', '32,561', '–', '0.5']"));
    }

    @Test
    void anErrorIsRoundedUpAndAGuaranteeToo() throws IOException, InterruptedException {
        assertThat(of("[0.0360117, 145.5, 12, 1.00001].map((each) => amounts.within(each))"))
                .isEqualTo(of("['0.03602', '145.5', '12', '1.001']"));
        assertThat(of("['0.1', '5', '10', '50'].map(words.odds)"))
                .isEqualTo(of("['53 : 47', '99.34 : 0.66', '99.9955 : 0.0045', 'almost 100 : 0']"
                        .replace(" : ", "\\u00a0:\\u00a0")));
    }

    /** The loss of rho 0.005 is above 0.5434 with probability at most 0.0000005, and 1 : e^0.5434 is 36.7 : 63.3. */
    @Test
    void oddsAreSaidWhereTheyHoldAndWithTheExceptionThatTheyHave() throws IOException, InterruptedException {
        JsonNode said = of("""
                (() => {
                  const dataset = (accountant) => ({
                    accountant, budget: { epsilon: '3', delta: '0.000001', rho: '0.185' },
                    privacyUnit: { type: 'row' }, neighboringRelation: 'add-or-remove-one', blocks: null });
                  const [zcdp, approximate] = ['zcdp', 'approximate'].map(dataset);
                  const second = (delta) => [approximate, { epsilon: '1', delta }, { epsilon: '2', delta: '0' }];
                  return [words.sensible(approximate, '0'), words.sensible(approximate, '0.0000001'),
                    words.sensible(zcdp, '0'), words.guarantee(...second('0')), words.guarantee(...second('0.0000001')),
                    words.guarantee(zcdp, { rho: '0.005' }, { rho: '0.01' })]
                    .map((each) => each.replaceAll('\\u00a0:\\u00a0', ':'));
                })()""");
        assertThat(said.get(0).asString())
                .isEqualTo(
                        "For one answer, epsilon from 0.01 to 1 is usual, and above 3 it hides little. It moves a guess"
                                + " of 50:50 to at most 51:49 at 0.01, 53:47 at 0.1, 63:37 at 0.5, 74:26 at 1,"
                                + " 96:4 at 3.");
        assertThat(said.get(1).asString()).endsWith("above 3 it hides little.");
        assertThat(said.get(2).asString())
                .endsWith("64:36 at 0.1, 95:5 at 0.5, 99.65:0.35 at 1, except with probability 0.000001.");
        assertThat(said.get(3).asString()).contains("74:26 through this answer", "96:4 through all answers so far");
        assertThat(said.get(4).asString())
                .contains("epsilon 3 at delta 0.0000001")
                .doesNotContain("guess");
        assertThat(said.get(5).asString())
                .contains("64:36 through this answer, except with probability 0.000001.", "have rho 0.015.");
    }

    @Test
    void whatIsChargedAndWhatRemainsAreInOneUnit() throws IOException, InterruptedException {
        assertThat(of("""
                [amounts.spoken({ epsilon: '0.898336462', delta: '0.000001', rho: '0.019933598925' }),
                 'rho ' + amounts.rhoOf('0.2'), amounts.spoken({ epsilon: '0.2', delta: '0' }),
                 amounts.spoken({ epsilon: '0.2', delta: '0' }, { epsilon: '3', delta: '0.000001' }),
                 amounts.spokenLimit({ epsilon: '3', delta: '0.000001', rho: '0.185' })]""")).isEqualTo(of("""
                        ['rho 0.019933598925', 'rho 0.019933598925', 'epsilon 0.2',
                         'epsilon 0.2, delta 0', 'epsilon 3, delta 0.000001 (rho 0.185)']"""));
    }

    @Test
    void labelsThatAreCutStillDifferAndAreCutAtOneSide() throws IOException, InterruptedException {
        assertThat(of("""
                words.cut(['>50K, Female, Assoc-acdm', '>50K, Female, Assoc-voc', 'x'], (each) => each.length <= 12)""")).isEqualTo(of("['… Assoc-acdm', '…, Assoc-voc', 'x']"));
        assertThat(of("words.cut(['a long beginning', 'another one here'], (each) => each.length <= 8)"))
                .isEqualTo(of("['a long …', 'another…']"));
        assertThat(of("words.cut(['aaaaaaaa1aaaaaaaa', 'aaaaaaaa2aaaaaaaa'], (each) => each.length <= 8)"))
                .isEqualTo(of("['1: aaaa…', '2: aaaa…']"));
    }

    private static final Path PROPOSAL = Path.of("src/test/resources/proposal").toAbsolutePath();

    /** The package for Python tests the same sample in {@code test_proposals.py}. */
    @Test
    void aFileProposesItsColumnsAndMarksWhatWasReadOffItsRows() throws IOException, InterruptedException {
        JsonNode expected = JsonMapper.shared().readTree(Files.readString(PROPOSAL.resolve("columns.json")));
        assertThat(expected).isNotEmpty();
        String proposed = """
                (await propose.proposed(await openAsBlob('%s'), () => {})).columns.filter(({ kept }) => kept)
                  .map(({ kept, ...each }) => Object.fromEntries(
                    Object.entries(each).filter(([, value]) => value !== '')))""";
        assertThat(of(proposed.formatted(PROPOSAL.resolve("people.csv")))).isEqualTo(expected);
        assertThat(of("['age', 'Age-at-visit', 'hours-per-week', 'village', 'wages', 'birth year'].map(propose.usual)"))
                .isEqualTo(of("[[0, 125], [0, 125], [0, 168], null, null, [1900, 2100]]"));
    }

    @Test
    void aFileIsDividedIntoItsBlocks() throws IOException, InterruptedException {
        Path file = Files.writeString(
                folder.resolve("days.csv"), "day,word\n2026-03-01,\"a,b\"\n2026-02-28,c\n2026-03-31,d\n");
        String split = "(await Promise.all((await blocks.split(await openAsBlob('" + file
                + "'), { column: 'day', width: 'month' })).map(async ([label, rows]) => [label, await rows.text()])))";
        assertThat(of(split)).isEqualTo(of("""
                [['2026-02', 'day,word\\n2026-02-28,c'],
                 ['2026-03', 'day,word\\n2026-03-01,"a,b"\\n2026-03-31,d']]"""));
        assertThat(of("""
                [blocks.labelOf({ width: 'week' }, '2026-03-08'), blocks.labelOf({ width: 'day' }, 'x'),
                 blocks.labelOf({ width: 100, first: '0' }, '299'), blocks.labelOf({ width: 5, first: '-5' }, '-1')]
                """)).isEqualTo(of("['2026-03-02', null, '200', '-5']"));
        String missing = """
                blocks.missing({ width: 'month' }, [{ from: '2026-11', to: '2027-01', state: 'registered' },
                  { from: '2027-02', to: '2027-02', state: 'ready' }])""";
        assertThat(of(missing)).isEqualTo(of("['2026-11', '2026-12', '2027-01']"));
    }

    @Test
    void aQuestionAndAnEntryOfTheLedgerAreSentences() throws IOException, InterruptedException {
        assertThat(of("""
                [sentences.asked('mean', { column: 'age', where: [{ column: 'age', atLeast: 30, below: 50 },
                   { column: 'sex', in: ['Female', 'Male'] }], method: 'two-sided', lower: 0, upper: 125 }),
                 sentences.asked('aggregate', { groupBy: [{ column: 'sex' }, { column: 'age', step: 10 }],
                   aggregates: [{ mean: { column: 'hours' }, weight: 1 }, { count: { of: 'units' } },
                     { share: { column: 'pay', in: ['>50K'] } }] }),
                 sentences.asked('histogram', { column: 'age', edges: [0, 50, 126], blocks: { latest: 2 } }),
                 sentences.asked('quantile', { column: 'age', probabilities: [0.5],
                   where: [{ column: 'age', above: 3 }, { column: 'ward', notIn: ['x'] },
                     { column: 'w', atMost: 2 }] }),
                 sentences.asked('a kind to come', {}), sentences.asked('aggregate', {}),
                 sentences.entry({ type: 'limit', limitAfter: { epsilon: '3', delta: '0' } }),
                 sentences.entry({ type: 'allotment', allotmentAfter: { analyst: 'ana',
                   limit: { epsilon: '1', delta: '0' } } }),
                 sentences.entry({ type: 'charge', kind: 'sum', question: { column: 'age',
                   blocks: { from: '2026-01', to: '2026-02' } } })]""")).isEqualTo(of("""
                ['Mean of age where age is from 30 to below 50 and sex is Female or Male',
                 'Mean of hours, number of people or other units and share where pay is >50K by sex and age in '
                   + 'steps of 10',
                 'Number of rows by age in 2 parts from 0 to below 126, the newest 2 blocks',
                 'The median of age where age is above 3, ward is not x and w is at most 2',
                 'A question of the kind a kind to come', 'A question of the kind aggregate',
                 'The limit is set to epsilon 3', 'The allotment of ana is set to epsilon 1',
                 'Sum of age, blocks 2026-01 to 2026-02']"""));
    }

    @Test
    void aColumnIsDividedIntoPartsStepsMonthsAndAtEdgesThatAreTyped() throws IOException, InterruptedException {
        assertThat(of("""
                (() => {
                  const age = { type: 'integer', lower: 17, upper: 90, resolution: 1 };
                  const half = { type: 'decimal', lower: 0, upper: 2, resolution: 0.5 };
                  const day = { type: 'date', lower: '2026-01-15', upper: '2026-03-31' };
                  return [edges.edges(age, { by: 'step', step: '30' }), edges.edges(age, { by: 'parts', parts: 2 }),
                    edges.edges(half, { by: 'step', step: '1.5' }), edges.edges(age, { by: 'step', step: '0' }),
                    edges.edges(age, { by: 'typed', typed: '0, 18;65 91' }),
                    edges.edges(age, { by: 'typed', typed: '9, 3' }),
                    edges.edges(age, { by: 'step', step: '0.0001' }), edges.edges(age, { by: 'typed', typed: 'x 3' }),
                    edges.edges(day, { by: 'month' }), edges.edges(day, { by: 'year' }),
                    edges.edges(day, { by: 'step', step: '60' })];
                })()""")).isEqualTo(of("""
                [[0, 30, 60, 90, 120], [17, 54, 91], [0, 1.5, 3], [], [0, 18, 65, 91], [], [], [],
                 ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'], ['2026-01-01', '2027-01-01'],
                 ['2026-01-15', '2026-03-16', '2026-05-15']]"""));
    }
}
