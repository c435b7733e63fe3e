package dev.purser.query;

import dev.purser.ProcessorTime;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.engine.BucketRequest;
import dev.purser.json.JsonDocument;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How many passes over the rows a list takes, which column each pass reads, and what reading the list costs. */
class ThresholdListTests {
    private static final Dataset SMALL = DatasetsForTests.rows(
            "small",
            DatasetsForTests.integer("age", 0, 125),
            DatasetsForTests.decimal("hours", "0.25", 0, 400, null),
            DatasetsForTests.category("sex", null, "Female", "Male"));

    private static List<BucketRequest> plan(Dataset dataset, String queries, String where) {
        return asked(dataset, queries, where).requests();
    }

    private static Question<?> asked(Dataset dataset, String queries, String where) {
        String body = quoted("{'epsilon':1,'threshold':0,'where':[" + where + "],'queries':[" + queries + "]}");
        return JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8))
                .read(in -> ThresholdQuery.KIND.readAsked(in, dataset))
                .question();
    }

    private static String count(String... conditions) {
        return "{'count':{'where':[" + String.join(",", conditions) + "]}}";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'count':{}} | -*0",
                "{'count':{}},{'count':{}} | -*0",
                "{'sum':{'column':'age'}},{'clipLoss':{'column':'age','bound':3,'step':1}} | age*4",
                "{'sum':{'column':'age'}},{'sum':{'column':'hours'}} | age*2,hours*2",
                "{'count':{'where':[{'column':'age','below':5}]}},{'count':{'where':[{'column':'age','atMost':4}]}}"
                        + " | age*1",
                "{'count':{'where':[{'column':'age','above':5}]}},{'sum':{'column':'age'}} | age*3",
                "{'count':{'where':[{'column':'sex','in':['Male']}]}} | -?sex*0",
                "{'count':{'where':[{'column':'sex','notIn':['Male']}]}} | -?sex*0",
                "{'count':{'where':[{'column':'sex','notIn':['Male']}]}},"
                        + "{'count':{'where':[{'column':'sex','in':['Male']}]}} | -?sex*0,-?sex*0",
                "{'count':{'where':[{'column':'sex','in':['Male']},{'column':'age','below':5}]}} | age?sex*1"
            })
    void onePassForEachColumnAndFilter(String queries, String expected) {
        assertThat(plan(SMALL, queries, "").stream()
                        .map(ThresholdListTests::shown)
                        .collect(Collectors.joining(",")))
                .isEqualTo(expected);
    }

    private static String shown(BucketRequest request) {
        Column column = request.column();
        String filter = request.filter().conditions().stream()
                .map(condition -> "?" + condition.column().name())
                .collect(Collectors.joining());
        return (column == null ? "-" : column.name()) + filter + "*" + request.edges().length;
    }

    @Test
    void readsCountsFromTheColumnThatMostOfThemShare() {
        String queries = IntStream.range(0, 300)
                .mapToObj(i -> count(
                        "{'column':'age','atLeast':20,'below':60}",
                        "{'column':'hours','atLeast':" + i / 4.0 + ",'below':" + (i + 1) / 4.0 + "}"))
                .collect(Collectors.joining(","));
        List<BucketRequest> requests = plan(SMALL, queries, "");
        assertThat(requests).hasSize(1);
        assertThat(shown(requests.getFirst())).isEqualTo("hours?age*301");
        // The same holds if the shared range is the common condition, and however the ends of the range are written.
        String own = queries.replace("{'column':'age','atLeast':20,'below':60},", "");
        assertThat(plan(SMALL, own, "{'column':'age','above':19,'atMost':59}")).hasSize(1);
        assertThat(plan(
                        SMALL,
                        queries + "," + queries.replace("'atLeast':20,'below':60", "'above':19,'atMost':59"),
                        ""))
                .hasSize(1);
    }

    @Test
    void differentFiltersAreNotTakenForOne() {
        String queries = count("{'column':'age','below':5}", "{'column':'hours','below':5}")
                + "," + count("{'column':'age','below':6}", "{'column':'hours','below':6}")
                + "," + count("{'column':'age','below':5}", "{'column':'sex','in':['Male']}")
                + "," + count("{'column':'age','below':5}", "{'column':'sex','in':['Female']}")
                + "," + count("{'column':'age','below':5}", "{'column':'sex','notIn':['Male']}");
        assertThat(plan(SMALL, queries, "")).hasSize(5);
    }

    @Tag("full")
    @Test
    void aLongListOfLongConjunctionsFitsInMemory() {
        Dataset wide = DatasetsForTests.rows(
                "wide",
                IntStream.range(0, 100)
                        .mapToObj(i -> DatasetsForTests.integer("c" + i, 0, 1_000_000))
                        .toArray(Column[]::new));
        // 330,000 conditions, near the limit of tokens: the remainder for each of the columns of each query has
        // 33 million.
        String conditions = IntStream.range(0, 99)
                .mapToObj(i -> "{'column':'c" + i + "','above':7}")
                .collect(Collectors.joining(","));
        String queries = IntStream.range(0, 3000)
                .mapToObj(i -> count(conditions, "{'column':'c99','above':" + i + "}"))
                .collect(Collectors.joining(","));
        ProcessorTime.isBelow(
                Duration.ofSeconds(20),
                () -> assertThat(plan(wide, queries, "")).hasSize(1));
        String everyColumn = conditions + ",{'column':'c99','above':7}";
        String many = ("{'count':{}},").repeat(9_999) + "{'count':{}}";
        assertThat(plan(wide, many, everyColumn)).hasSize(1);
        assertThatThrownBy(() -> plan(wide, many + ",{'count':{}}", everyColumn))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.violations())
                                .extracting(Violation::location)
                                .containsExactly("/queries"));
    }

    @Test
    void findsCategoriesWithoutLookingThroughAll() {
        String[] names = IntStream.range(0, 10_000).mapToObj(i -> "k" + i).toArray(String[]::new);
        Dataset dataset = DatasetsForTests.rows("names", DatasetsForTests.category("name", null, names));
        String last = IntStream.range(0, 1_000)
                .mapToObj(i -> "'k" + (9_999 - i) + "'")
                .collect(Collectors.joining(","));
        // A million names of ten thousand: 10^10 comparisons one by one.
        String queries = IntStream.range(0, 1_000)
                .mapToObj(i -> count("{'column':'name','in':[" + last + "]}"))
                .collect(Collectors.joining(","));
        ProcessorTime.isBelow(
                Duration.ofSeconds(10),
                () -> assertThat(plan(dataset, queries, "")).hasSize(1));
        String single = IntStream.range(0, 50_000)
                .mapToObj(i -> count("{'column':'name','in':['k9999']}"))
                .collect(Collectors.joining(","));
        ProcessorTime.isBelow(
                Duration.ofSeconds(10),
                () -> assertThat(plan(dataset, single, "")).hasSize(1));
    }

    /** All categories but one, 50,000 times. Written out, these would be 500 million. */
    @Test
    void whatIsExcludedTakesNoMoreThanWhatWasSent() {
        String[] names = IntStream.range(0, 10_000).mapToObj(i -> "k" + i).toArray(String[]::new);
        Dataset dataset = DatasetsForTests.rows("names", DatasetsForTests.category("name", null, names));
        String single = IntStream.range(0, 50_000)
                .mapToObj(i -> count("{'column':'name','notIn':['k9999']}"))
                .collect(Collectors.joining(","));
        ProcessorTime.isBelow(
                Duration.ofSeconds(20),
                () -> assertThat(plan(dataset, single, "")).hasSize(1));
    }

    /** If rows are replaced, a row can leave one list of categories and enter another. So the noise is not halved. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'notIn':['Male'] | 'notIn':['Male'] | true",
                "'notIn':['Male'] | 'notIn':['Female'] | false",
                "'notIn':['Male'] | 'in':['Male'] | false"
            })
    void onlyCountsOfOneDirectionUnderOneFilterAreMonotone(String one, String other, boolean monotone) {
        Dataset replaced = DatasetsForTests.replaceOne(SMALL);
        String queries = count("{'column':'age','below':5}", "{'column':'sex'," + one + "}") + ","
                + count("{'column':'age','below':9}", "{'column':'sex'," + other + "}");
        assertThat(asked(replaced, queries, "").description().parameters()).containsEntry("monotone", monotone);
    }
}
