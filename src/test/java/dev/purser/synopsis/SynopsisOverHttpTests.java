package dev.purser.synopsis;

import dev.purser.digest.Sha256;
import dev.purser.web.RunningService;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import static dev.purser.store.Awaited.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Synopses: what they cost, what they answer for nothing, who reads them, and what is refused. At epsilon 100 their
 * answers are compared with the exact numbers of the rows.
 */
class SynopsisOverHttpTests extends RunningService {
    private static final String WIDE = "{'column':'age','step':10}";
    private static final String BY_YEAR = "{'column':'age'}";
    private static final String BY_SEX = "{'column':'sex'}";
    private static final String BY_HOURS = "{'column':'hours','step':5}";

    private record Row(int age, double hours, String sex) {
        String csv() {
            return age + "," + hours + "," + sex + "\n";
        }
    }

    /** Invented rows, the same in every test: hours grow with age. */
    private static final List<Row> ROWS = rows();

    private static List<Row> rows() {
        Random random = new Random(7);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            int age = 18 + random.nextInt(60);
            double hours = Math.min(100, age + random.nextInt(80) * 0.25);
            rows.add(new Row(age, hours, random.nextInt(3) == 0 ? "Female" : "Male"));
        }
        return rows;
    }

    private static String csv() {
        return "age,hours,sex\n" + ROWS.stream().map(Row::csv).collect(Collectors.joining());
    }

    private String rowsUnder(String accountant, String epsilon, String delta, String relation) throws Exception {
        String id = unready(accountant, epsilon, delta, relation);
        assertStatus(200, upload(id, ofItsOwn(id, csv())));
        return id;
    }

    private String rowsUnder(String accountant) throws Exception {
        return rowsUnder(accountant, "10000", accountant.equals("pure") ? "0" : "0.000001", "add-or-remove-one");
    }

    private static String quoted(String body) {
        return body.replace('\'', '"');
    }

    private HttpResponse<String> tryToBuy(String dataset, String body, String... headers) throws Exception {
        return postAs(key(), "/v1/datasets/" + dataset + "/synopses", quoted(body), headers);
    }

    private JsonNode bought(String dataset, String body) throws Exception {
        return json(assertStatus(201, tryToBuy(dataset, body)));
    }

    /** The id of the synopsis that this request buys. */
    private String boughtId(String dataset, String body) throws Exception {
        return bought(dataset, body).at("/answer/synopsisId").asString();
    }

    private String synopsis(String dataset, String columns) throws Exception {
        return boughtId(dataset, "{'epsilon':100,'columns':[" + columns + "]}");
    }

    private String marginals(String dataset, int together, String columns) throws Exception {
        return boughtId(dataset, "{'epsilon':100,'marginals':" + together + ",'columns':[" + columns + "]}");
    }

    private HttpResponse<String> post(String synopsis, String body) throws Exception {
        return postAs(key(), "/v1/synopses/" + synopsis + "/answers", quoted(body));
    }

    private JsonNode answers(String synopsis, String questions) throws Exception {
        return json(assertStatus(200, post(synopsis, "{'beta':0.000000001,'questions':[" + questions + "]}")));
    }

    private JsonNode answer(String synopsis, String question) throws Exception {
        return answers(synopsis, question).at("/items/0");
    }

    private JsonNode refused(String synopsis, String questions) throws Exception {
        return assertProblem(422, "validation-failed", post(synopsis, "{'questions':[" + questions + "]}"));
    }

    private static void isNear(JsonNode answer, double exact, double tolerance) {
        String value = answer.has("value") ? "value" : "count";
        assertThat(answer.get(value).doubleValue()).as(answer.toString()).isCloseTo(exact, within(tolerance));
        contains(answer, exact);
    }

    private static void contains(JsonNode answer, double exact) {
        assertThat(exact)
                .as(answer.toString())
                .isBetween(
                        answer.at("/interval/low").doubleValue() - 1e-9,
                        answer.at("/interval/high").doubleValue() + 1e-9);
    }

    private static double count(Predicate<Row> passes) {
        return ROWS.stream().filter(passes).count();
    }

    private static double sum(Predicate<Row> passes, ToDoubleFunction<Row> value) {
        return ROWS.stream().filter(passes).mapToDouble(value).sum();
    }

    private static double mean(Predicate<Row> passes, ToDoubleFunction<Row> value) {
        return sum(passes, value) / count(passes);
    }

    private static double variance(ToDoubleFunction<Row> value) {
        double mean = mean(row -> true, value);
        return mean(row -> true, row -> Math.pow(value.applyAsDouble(row) - mean, 2));
    }

    /** The width of an interval. */
    private static double width(JsonNode answer) {
        return answer.at("/interval/high").doubleValue()
                - answer.at("/interval/low").doubleValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pure", "approximate", "zcdp"})
    void oneColumnAnswersEveryKindOfQuestion(String accountant) throws Exception {
        String dataset = rowsUnder(accountant);
        JsonNode bought = bought(dataset, "{'epsilon':100,'columns':[" + BY_YEAR + "]}");
        assertThat(bought.get("kind").asString()).isEqualTo("synopsis");
        assertThat(bought.at("/charge/epsilon").asString()).isNotEqualTo("0");
        assertThat(bought.at("/answer/strategy/name").asString()).isEqualTo("range-tree");
        assertThat(bought.at("/answer/cells").asInt()).isEqualTo(126);
        String id = bought.at("/answer/synopsisId").asString();
        assertThat(id).isEqualTo(bought.get("queryId").asString());
        String before = spent(dataset);

        JsonNode answers = answers(id, """
                {'count':{}},{'count':{'where':[{'column':'age','atLeast':30,'below':50}]}},
                {'sum':{'column':'age'}},{'mean':{'column':'age','where':[{'column':'age','atLeast':40}]}},
                {'variance':{'column':'age'}},{'histogram':{'column':'age','edges':[0,30,60,126]}},
                {'histogram':{'column':'age'}},{'table':{'columns':['age']}},
                {'quantile':{'column':'age','probabilities':[0.1,0.5,0.9]}},{'cumulative':{'column':'age'}}""");

        JsonNode items = answers.get("items");
        Predicate<Row> all = row -> true;
        isNear(items.get(0), 400, 0.5);
        isNear(items.get(1), count(row -> row.age() >= 30 && row.age() < 50), 0.5);
        isNear(items.get(2), sum(all, Row::age), 20);
        isNear(items.get(3), mean(row -> row.age() >= 40, Row::age), 0.1);
        isNear(items.get(4), variance(Row::age), 2);
        for (int i = 0; i < 3; i++) {
            int from = i * 30;
            int to = i == 2 ? 126 : from + 30;
            isNear(items.at("/5/bins/" + i), count(row -> row.age() >= from && row.age() < to), 0.5);
            assertThat(items.at("/5/bins/" + i + "/lower").asInt()).isEqualTo(from);
            assertThat(items.at("/5/bins/" + i + "/upper").asInt()).isEqualTo(to);
        }
        for (int age = 0; age <= 125; age++) {
            int here = age;
            isNear(items.at("/6/bins/" + age), count(row -> row.age() == here), 0.5);
            isNear(items.at("/7/cells/" + age), count(row -> row.age() == here), 0.5);
            isNear(items.at("/9/bins/" + age), count(row -> row.age() <= here), 0.5);
        }
        List<Integer> ages = ROWS.stream().map(Row::age).sorted().toList();
        double[] shares = {0.1, 0.5, 0.9};
        for (int i = 0; i < 3; i++) {
            int exact = ages.get((int) Math.ceil(shares[i] * 400) - 1);
            JsonNode quantile = items.at("/8/quantiles/" + i);
            assertThat(quantile.get("value").asInt()).isBetween(exact - 1, exact + 1);
            contains(quantile, exact);
        }
        assertThat(answers.get("statement").asString())
                .startsWith("Each number lies within its interval")
                .doesNotContain("middle");
        assertThat(spent(dataset)).isEqualTo(before);
        for (JsonNode item : items) {
            assertThat(item.propertyNames())
                    .containsExactlyInAnyOrder("value", "interval", "bins", "cells", "quantiles");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"add-or-remove-one", "replace-one"})
    void twoColumnsAnswerBoxesAndCorrelations(String relation) throws Exception {
        String id = synopsis(rowsUnder("pure", "1000", "0", relation), BY_YEAR + "," + BY_HOURS);
        JsonNode items = answers(id, """
                {'count':{'where':[{'column':'age','atLeast':30},{'column':'hours','below':60}]}},
                {'correlation':{'columns':['hours','age']}},
                {'mean':{'column':'age','where':[{'column':'hours','atLeast':50,'below':55}]}}""").get("items");
        isNear(items.get(0), count(row -> row.age() >= 30 && row.hours() < 60), 3);
        // The middles of cells: a cell of five hours has values up to 4.75 above its least value.
        ToDoubleFunction<Row> middle = row -> Math.min(100, Math.floor(row.hours() / 5) * 5 + 2.375);
        double age = mean(row -> true, Row::age);
        double hours = mean(row -> true, middle);
        double covariance = mean(row -> true, row -> (row.age() - age) * (middle.applyAsDouble(row) - hours));
        isNear(items.get(1), covariance / Math.sqrt(variance(Row::age) * variance(middle)), 0.05);
        isNear(items.get(2), mean(row -> row.hours() >= 50 && row.hours() < 55, Row::age), 1);
    }

    @Test
    void categoriesTruthValuesAndDatesAreCells() throws Exception {
        String dataset = dataset("1000", """
                day,at,ok
                2026-01-01,2026-01-01T00:00:00Z,true
                2026-01-31,2026-01-01T05:00:00Z,true
                2026-02-01,2026-01-01T23:00:00Z,false
                2026-03-31,2026-01-01T23:00:00Z,true
                """, """
                [{"name":"day","type":"date","lower":"2026-01-01","upper":"2026-03-31","missing":"2026-01-01"},
                 {"name":"at","type":"timestamp","lower":"2026-01-01T00:00:00Z","upper":"2026-01-01T23:00:00Z",
                  "resolution":3600,"missing":"2026-01-01T00:00:00Z"},
                 {"name":"ok","type":"boolean","missing":false}]""", "add-or-remove-one");
        String id = marginals(
                dataset,
                2,
                "{'column':'day','edges':['2026-01-01','2026-02-01','2026-03-01','2026-04-01']},{'column':'at'},"
                        + "{'column':'ok'}");
        JsonNode items = answers(id, """
                {'count':{'where':[{'column':'day','below':'2026-02-01'},{'column':'ok','in':['true']}]}},
                {'histogram':{'column':'day'}},{'quantile':{'column':'at','probabilities':[0.5]}},
                {'table':{'columns':['ok','day']}},{'histogram':{'column':'ok'}}""").get("items");
        isNear(items.get(0), 2, 1);
        assertThat(items.at("/1/bins/2/lower").asString()).isEqualTo("2026-03-01");
        assertThat(items.at("/1/bins/2/upper").asString()).isEqualTo("2026-04-01");
        isNear(items.at("/1/bins/2"), 1, 1);
        assertThat(items.at("/2/quantiles/0/value").asString()).startsWith("2026-01-01T");
        assertThat(items.at("/3/cells/0/key/0/category").asString()).isEqualTo("false");
        assertThat(items.at("/3/cells/1/key/1/lower").asString()).isEqualTo("2026-02-01");
        isNear(items.at("/3/cells/1"), 1, 1);
        assertThat(items.at("/4/bins/1/category").asString()).isEqualTo("true");
        isNear(items.at("/4/bins/1"), 3, 1);
        assertThat(places(refused(
                        id,
                        "{'mean':{'column':'day'}},{'sum':{'column':'at'}},{'quantile':{'column':'ok',"
                                + "'probabilities':[0.5]}},{'correlation':{'columns':['at','day']}}")))
                .containsExactlyInAnyOrder(
                        "/questions/0/mean/column",
                        "/questions/1/sum/column",
                        "/questions/2/quantile/column",
                        "/questions/3/correlation/columns");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void marginalsHoldAllTablesOfSoManyColumns(int together) throws Exception {
        String columns =
                "[" + AGE + "," + HOURS + "," + SEX + ",{\"name\":\"old\",\"type\":\"boolean\",\"missing\":false}]";
        String dataset = dataset(
                "1000",
                "age,hours,sex,old\n"
                        + ROWS.stream()
                                .map(row -> row.csv().strip() + "," + (row.age() > 60) + "\n")
                                .collect(Collectors.joining()),
                columns,
                "add-or-remove-one");
        JsonNode bought = bought(
                dataset,
                "{'epsilon':100,'marginals':" + together + ",'columns':[" + WIDE + ",{'column':'hours','step':20},"
                        + BY_SEX + ",{'column':'old'}]}");
        assertThat(bought.at("/answer/tables").asInt()).isEqualTo(new int[] {4, 10, 14}[together - 1]);
        String id = bought.at("/answer/synopsisId").asString();
        isNear(
                answer(id, "{'count':{'where':[{'column':'sex','in':['Male','']}]}}"),
                count(row -> !row.sex().equals("Female")),
                2);
        String two = "{'count':{'where':[{'column':'old','in':['true']},{'column':'sex','in':['Male']}]}}";
        String three = two.replace("]}}", ",{'column':'age','atLeast':70}]}}")
                .replace("]},{'column':'age'", "]},{'column':'age'");
        if (together >= 2) {
            isNear(answer(id, two), count(row -> row.age() > 60 && row.sex().equals("Male")), 3);
        } else {
            isRefusedAsNotTogether(id, two, 1);
        }
        if (together >= 3) {
            isNear(answer(id, three), count(row -> row.age() >= 70 && row.sex().equals("Male")), 5);
        } else {
            isRefusedAsNotTogether(id, three, together);
        }
        JsonNode all = refused(id, "{'table':{'columns':['age','hours','sex','old']}}");
        assertThat(all.at("/errors/0/detail").asString()).contains("at most " + together);
    }

    private void isRefusedAsNotTogether(String id, String question, int together) throws Exception {
        JsonNode problem = refused(id, question);
        assertThat(places(problem)).containsExactly("/questions/0/count");
        assertThat(problem.at("/errors/0/detail").asString())
                .startsWith("no table of the synopsis has ")
                .contains("\"sex\"", "\"old\"", "all tables of at most " + together);
    }

    @Test
    void aMeasureIsAddedUpInEachCell() throws Exception {
        String dataset = rowsUnder("pure");
        String id =
                boughtId(dataset, "{'epsilon':100,'measure':{'sum':'hours'},'columns':[" + BY_SEX + "," + WIDE + "]}");
        JsonNode items = answers(
                        id,
                        "{'sum':{}},{'sum':{'where':[{'column':'sex','in':['Male']}]}},"
                                + "{'table':{'columns':['sex']}}")
                .get("items");
        isNear(items.get(0), sum(row -> true, Row::hours), 100);
        isNear(items.get(1), sum(row -> row.sex().equals("Male"), Row::hours), 100);
        isNear(items.at("/2/cells/0"), sum(row -> row.sex().equals("Female"), Row::hours), 100);
        JsonNode problem = refused(id, "{'count':{}},{'mean':{'column':'age'}},{'sum':{'column':'age'}}");
        assertThat(places(problem))
                .containsExactly("/questions/0/count", "/questions/1/mean", "/questions/2/sum/column");
        assertThat(problem.at("/errors/0/detail").asString()).contains("sums of \"hours\"");
        assertThat(get("/v1/synopses/" + id + "/tables?columns=sex", "Accept", "text/csv")
                        .body())
                .startsWith("sex,sum,sum.low,sum.high\r\n");
    }

    @Test
    void onlyRowsThatPassItsConditionAreCounted() throws Exception {
        String dataset = rowsUnder("pure");
        String id = boughtId(
                dataset,
                "{'epsilon':100,'where':[{'column':'sex','in':['Male']}],"
                        + "'columns':[{'column':'age','edges':[20,40,60]}]}");
        JsonNode answers = answers(id, "{'count':{}},{'count':{'where':[{'column':'age','below':40}]}}");
        isNear(
                answers.at("/items/0"),
                count(row -> row.sex().equals("Male") && row.age() >= 20 && row.age() < 60),
                0.5);
        isNear(
                answers.at("/items/1"),
                count(row -> row.sex().equals("Male") && row.age() >= 20 && row.age() < 40),
                0.5);
        assertThat(answers.get("statement").asString()).contains("Only rows that pass the synopsis's where");
    }

    @Test
    void whereCellsAreWideAnswersAreAboutTheirMiddles() throws Exception {
        String id = synopsis(rowsUnder("pure"), WIDE);
        JsonNode answers = answers(id, "{'mean':{'column':'age'}},{'sum':{'column':'age'}}");
        // The last cell holds only 120 to 125. It has no row.
        ToDoubleFunction<Row> middle = row -> row.age() / 10 * 10 + 4.5;
        isNear(answers.at("/items/0"), mean(row -> true, middle), 0.1);
        isNear(answers.at("/items/1"), sum(row -> true, middle), 20);
        assertThat(answers.get("statement").asString())
                .contains("Cells of \"age\" have several values", "middle of its cell");
        JsonNode quantile = answer(id, "{'quantile':{'column':'age','probabilities':[0.5]}}")
                .at("/quantiles/0");
        assertThat(quantile.at("/interval/low").asInt() % 10).isZero();
        assertThat(quantile.at("/interval/high").asInt() % 10).isEqualTo(9);
    }

    @Test
    void together_allNumbersNeedWiderIntervals() throws Exception {
        String id = synopsis(rowsUnder("pure"), WIDE);
        String questions = "{'questions':[{'histogram':{'column':'age'}},{'mean':{'column':'age'}}]";
        JsonNode each = json(assertStatus(200, post(id, questions + "}")));
        JsonNode together = json(assertStatus(200, post(id, questions + ",'simultaneous':true}")));
        assertThat(width(together.at("/items/0/bins/0"))).isGreaterThan(width(each.at("/items/0/bins/0")));
        assertThat(width(together.at("/items/1"))).isGreaterThan(width(each.at("/items/1")));
        assertThat(together.at("/items/0/bins/0/count")).isEqualTo(each.at("/items/0/bins/0/count"));
        assertThat(together.get("statement").asString()).startsWith("All numbers lie within their intervals together");
        JsonNode wider = json(assertStatus(200, post(id, questions + ",'beta':0.0001}")));
        assertThat(width(wider.at("/items/0/bins/0"))).isGreaterThan(width(each.at("/items/0/bins/0")));
    }

    /** Quantiles of one column need all its counts, however many quantiles are asked for. */
    @Test
    void oneQuantileIsAsUncertainAsOneOfSeveral() throws Exception {
        String dataset = rowsUnder("pure");
        String id = boughtId(dataset, "{'epsilon':0.5,'columns':[" + BY_YEAR + "]}");
        JsonNode one = answer(id, "{'quantile':{'column':'age','probabilities':[0.5]}}");
        String many = Stream.generate(() -> "0.5").limit(50).collect(Collectors.joining(","));
        JsonNode fifty = answer(id, "{'quantile':{'column':'age','probabilities':[" + many + "]}}");
        assertThat(fifty.get("quantiles")).hasSize(50).allMatch(one.at("/quantiles/0")::equals);
    }

    @Test
    void countsBelowZeroAreZeroOnRequest() throws Exception {
        String dataset = rowsUnder("pure");
        String id = boughtId(dataset, "{'epsilon':0.01,'columns':[" + BY_YEAR + "]}");
        String questions = "{'questions':[{'histogram':{'column':'age'}},{'table':{'columns':['age']}}]";
        JsonNode unbiased = json(assertStatus(200, post(id, questions + "}")));
        JsonNode clipped = json(assertStatus(200, post(id, questions + ",'nonNegative':true}")));
        int below = 0;
        for (int age = 0; age <= 125; age++) {
            JsonNode bin = unbiased.at("/items/0/bins/" + age);
            below += bin.get("count").decimalValue().signum() < 0 ? 1 : 0;
            BigDecimal shown = bin.get("count").decimalValue().max(BigDecimal.ZERO);
            assertThat(clipped.at("/items/0/bins/" + age + "/count").decimalValue())
                    .isEqualByComparingTo(shown);
            assertThat(clipped.at("/items/1/cells/" + age + "/count").decimalValue())
                    .isEqualByComparingTo(shown);
            assertThat(clipped.at("/items/0/bins/" + age + "/interval")).isEqualTo(bin.get("interval"));
        }
        assertThat(below).isPositive();
        assertThat(clipped.get("statement").asString()).contains("stated as zero");
        assertThat(unbiased.get("statement").asString()).doesNotContain("zero");
    }

    /** A sum can be negative. This is no sign of noise. */
    @Test
    void sumsOfNegativeValuesStayNegative() throws Exception {
        String dataset = dataset("1000", "t\n-10\n-10\n-10\n5\n", """
                [{"name":"t","type":"integer","lower":-10,"upper":5}]""", "add-or-remove-one");
        String counts = synopsis(dataset, "{'column':'t'}");
        String sums = boughtId(dataset, "{'epsilon':100,'measure':{'sum':'t'},'columns':[{'column':'t'}]}");
        String asked = "{'questions':[%s],'nonNegative':true,'beta':0.000000001}";
        isNear(json(post(counts, asked.formatted("{'sum':{'column':'t'}}"))).at("/items/0"), -25, 5);
        isNear(json(post(sums, asked.formatted("{'sum':{}}"))).at("/items/0"), -25, 5);
        isNear(json(post(sums, asked.formatted("{'table':{'columns':['t']}}"))).at("/items/0/cells/0"), -30, 5);
    }

    @Test
    void anEdgeWithinACellIsRefusedWithTheNearestTwo() throws Exception {
        String id = synopsis(rowsUnder("pure"), WIDE + "," + BY_SEX);
        JsonNode problem = refused(
                id,
                "{'count':{'where':[{'column':'age','atLeast':25}]}},"
                        + "{'histogram':{'column':'age','edges':[0,33,126]}}");
        assertThat(places(problem)).containsExactly("/questions/0/count/where", "/questions/1/histogram/edges");
        assertThat(problem.at("/errors/0/detail").asString()).endsWith("25 is no edge: the nearest are 20 and 30");
        assertThat(problem.at("/errors/1/detail").asString()).endsWith("33 is no edge: the nearest are 30 and 40");
        // All edges beyond the last value mean the same.
        isNear(answer(id, "{'count':{'where':[{'column':'age','below':126}]}}"), 400, 0.5);
    }

    @Test
    void whatTheSynopsisDoesNotHaveIsRefusedAtItsPlace() throws Exception {
        String id = synopsis(rowsUnder("pure"), WIDE + "," + BY_SEX);
        JsonNode problem = refused(id, """
                {'count':{'where':[{'column':'hours','atLeast':10}]}},{'mean':{'column':'hours'}},
                {'mean':{'column':'sex'}},{'variance':{'column':'sex'}},{'histogram':{'column':'nothing'}},
                {'histogram':{'column':'sex','edges':[0,1]}},{'table':{'columns':['age','age']}},
                {'table':{'columns':[]}},
                {'quantile':{'column':'age','probabilities':[2]}},{'cumulative':{'column':'sex'}},
                {'correlation':{'columns':['age']}},{'correlation':{'columns':['age','sex']}},{'sum':{}},{},
                {'count':{},'sum':{'column':'age'}},{'count':{'zz':1}},{'median':{'column':'age'}},
                {'histogram':{'column':'age','edges':[30,20]}},{'histogram':{'column':'age','edges':[200,300]}},
                {'mean':{'column':'age','where':[{'column':'hours','atLeast':10}]}},
                {'sum':{'where':[{'column':'hours','atLeast':10}]}}""");
        assertThat(places(problem).stream().distinct().toList())
                .containsExactlyInAnyOrder(
                        "/questions/0/count/where",
                        "/questions/1/mean/column",
                        "/questions/2/mean/column",
                        "/questions/3/variance/column",
                        "/questions/4/histogram/column",
                        "/questions/5/histogram/edges",
                        "/questions/6/table/columns",
                        "/questions/7/table/columns",
                        "/questions/8/quantile/probabilities/0",
                        "/questions/9/cumulative/column",
                        "/questions/10/correlation/columns",
                        "/questions/11/correlation/columns",
                        "/questions/12/sum/column",
                        "/questions/13",
                        "/questions/14",
                        "/questions/15/count/zz",
                        "/questions/16",
                        "/questions/16/median",
                        "/questions/17/histogram/edges",
                        "/questions/18/histogram/edges",
                        "/questions/19/mean/where",
                        "/questions/20/sum/where",
                        "/questions/20/sum/column");
        assertThat(problem.at("/errors/0/detail").asString()).contains("\"hours\"", "\"age\", \"sex\"");
        assertThat(places(assertProblem(422, "validation-failed", post(id, "{'questions':[],'beta':2,'zz':1}"))))
                .containsExactlyInAnyOrder("/questions", "/beta", "/zz");
    }

    @Test
    void anEmptyRangeHasNoRowsForSure() throws Exception {
        String id = synopsis(rowsUnder("pure"), BY_YEAR + "," + BY_SEX);
        JsonNode items = answers(id, """
                {'count':{'where':[{'column':'age','above':20},{'column':'age','below':21}]}},
                {'sum':{'column':'age','where':[{'column':'age','above':20,'below':21}]}},
                {'mean':{'column':'age','where':[{'column':'age','above':20,'below':21}]}}""").get("items");
        for (int i = 0; i < 2; i++) {
            assertThat(items.at("/" + i + "/value").decimalValue()).isEqualByComparingTo("0");
            assertThat(width(items.get(i))).isZero();
        }
        // A mean of no rows can be anything.
        assertThat(items.at("/2/interval/low").doubleValue()).isZero();
        assertThat(items.at("/2/interval/high").doubleValue()).isEqualTo(125);
    }

    @Test
    void purchasesAreRefusedAtTheirPlaces() throws Exception {
        String dataset = rowsUnder("pure");
        record Refusal(String body, String place, String detail) {}
        String many = IntStream.range(0, 41).mapToObj(i -> BY_SEX).collect(Collectors.joining(","));
        for (Refusal each : List.of(
                new Refusal("'columns':[]", "/columns", "1 to 40"),
                new Refusal("'columns':[" + many + "]", "/columns", "1 to 40"),
                new Refusal("'columns':[" + BY_SEX + "," + BY_SEX + "]", "/columns/1/column", "occurs twice"),
                new Refusal("'columns':[{'column':'nothing'}]", "/columns/0/column", "nothing"),
                new Refusal("'columns':[{'column':'age','step':0}]", "/columns/0/step", "multiple of 1"),
                new Refusal("'columns':[{'column':'age','step':5,'edges':[0,9]}]", "/columns/0", "exactly one"),
                new Refusal("'columns':[{'column':'sex','step':5}]", "/columns/0/step", "is for columns of numbers"),
                new Refusal("'marginals':4,'columns':[" + BY_SEX + "]", "/marginals", "3"),
                new Refusal("'marginals':0,'columns':[" + BY_SEX + "]", "/marginals", "1"),
                new Refusal(
                        "'marginals':1,'measure':{'sum':'hours'},'columns':[" + BY_SEX + "]",
                        "/measure",
                        "exclude each other"),
                new Refusal("'measure':{'sum':'sex'},'columns':[" + BY_SEX + "]", "/measure/sum", "sex"),
                new Refusal("'measure':{},'columns':[" + BY_SEX + "]", "/measure/sum", "required"),
                new Refusal("'where':[{'column':'age','above':'x'}],'columns':[" + BY_SEX + "]", "/where/0/above", "x"),
                new Refusal("'refines':'x','columns':[" + BY_SEX + "]", "/refines", "refines"),
                new Refusal("'delta':'0.1','columns':[" + BY_SEX + "]", "/delta", "delta"))) {
            JsonNode problem =
                    assertProblem(422, "validation-failed", tryToBuy(dataset, "{'epsilon':1," + each.body() + "}"));
            assertThat(places(problem)).as(each.body()).containsExactly(each.place());
            assertThat(problem.at("/errors/0/detail").asString())
                    .as(each.body())
                    .contains(each.detail());
        }
        assertThat(spent(dataset)).isEqualTo("0");
        assertThat(entries(dataset)).isEqualTo(1);
    }

    @Test
    void tablesHaveLimits() throws Exception {
        String column = """
                {"name":"c%d","type":"integer","lower":1,"upper":1000000}""";
        String columns = IntStream.range(0, 3).mapToObj(column::formatted).collect(Collectors.joining(",", "[", "]"));
        String dataset = dataset("1000", "c0,c1,c2\n1,1,1\n", columns, "add-or-remove-one");
        String quote = "/v1/datasets/" + dataset + "/quotes/synopsis";
        record Size(String columns, boolean fits) {}
        for (Size each : List.of(
                new Size("'columns':[{'column':'c0'}]", true),
                new Size("'columns':[{'column':'c0','step':1000},{'column':'c1','step':1000}]", true),
                new Size("'columns':[{'column':'c0','step':1000},{'column':'c1','step':999}]", false),
                new Size("'columns':[{'column':'c0'},{'column':'c1','step':1000000}]", true),
                new Size("'marginals':2,'columns':[{'column':'c0','step':500},{'column':'c1','step':400}]", false),
                new Size("'marginals':2,'columns':[{'column':'c0','step':500},{'column':'c1','step':401}]", true),
                new Size("'marginals':1,'columns':[{'column':'c0'},{'column':'c1'},{'column':'c2'}]", true))) {
            HttpResponse<String> reply = postAs(key(), quote, quoted("{'epsilon':1," + each.columns() + "}"));
            assertThat(reply.statusCode()).as(each.columns() + reply.body()).isEqualTo(each.fits() ? 200 : 422);
            if (!each.fits()) {
                assertThat(places(json(reply))).containsExactly("/columns");
            }
        }
    }

    /** The request is read again whenever a synopsis is shown. */
    @Tag("full")
    @Test
    void edgesAreCountedInAllColumns() throws Exception {
        String dataset = dataset("1000", "a,b\n1,1\n", """
                [{"name":"a","type":"integer","lower":0,"upper":60000},
                 {"name":"b","type":"integer","lower":0,"upper":60000}]""", "add-or-remove-one");
        String body = "{'epsilon':1,'marginals':1,'columns':[{'column':'a','edges':[%s]},{'column':'b','edges':[%s]}]}";
        String quote = "/v1/datasets/" + dataset + "/quotes/synopsis";
        assertStatus(200, postAs(key(), quote, quoted(body.formatted(edges(50_000), edges(50_001)))));
        JsonNode refusal = assertProblem(
                422, "validation-failed", postAs(key(), quote, quoted(body.formatted(edges(50_001), edges(50_001)))));
        assertThat(places(refusal)).containsExactly("/columns");
        assertThat(refusal.at("/errors/0/detail").asString()).contains("at most 100001 edges", "had 100002", "step");
    }

    private static String edges(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    private static final String HALF = "{'histogram':{'column':'c'}}";
    private static final String MOST_NUMBERS = String.join(",", HALF, HALF, HALF, HALF);
    private static final String MOST_QUESTIONS =
            Stream.generate(() -> "{'count':{}}").limit(100_000).collect(Collectors.joining(","));

    /** A synopsis of 50,000 cells. */
    private String ofHalfAsManyCells() throws Exception {
        String dataset = dataset("1000", "c\n1\n", """
                [{"name":"c","type":"integer","lower":1,"upper":100000}]""", "add-or-remove-one");
        return synopsis(dataset, "{'column':'c','step':2}");
    }

    @Test
    void batchesHaveLimits() throws Exception {
        String id = ofHalfAsManyCells();
        JsonNode numbers = refused(id, MOST_NUMBERS + ",{'count':{}}");
        assertThat(places(numbers)).containsExactly("/questions");
        assertThat(numbers.at("/errors/0/detail").asString()).contains("200000 numbers", "200001");
        assertThat(places(refused(id, MOST_QUESTIONS + ",{'count':{}}"))).containsExactly("/questions");
    }

    @Tag("full")
    @Test
    void theLargestBatchesAreAnswered() throws Exception {
        String id = ofHalfAsManyCells();
        assertThat(answers(id, MOST_NUMBERS).get("items")).hasSize(4);
        assertThat(answers(id, MOST_QUESTIONS).get("items")).hasSize(100_000);
    }

    @Test
    void aTableIsReadWithAllThatItsReadersNeed() throws Exception {
        String dataset = rowsUnder("pure");
        String id = synopsis(dataset, BY_SEX + "," + WIDE);
        String path = "/v1/synopses/" + id + "/tables";
        JsonNode table = json(assertStatus(200, get(path + "?columns=age&columns=sex")));
        assertThat(table.get("columns").toString()).isEqualTo("[\"age\",\"sex\"]");
        assertThat(table.get("cells")).hasSize(13 * 3);
        isNear(
                table.at("/cells/7"),
                count(row -> row.age() / 10 == 2 && row.sex().equals("Male")),
                0.5);
        JsonNode guarantee = table.at("/synopsis/purchases/0/guarantee");
        assertThat(guarantee.get("epsilon").asString()).isEqualTo("100");
        assertThat(guarantee.get("neighboringRelation").asString()).isEqualTo("add-or-remove-one");
        assertThat(guarantee.at("/privacyUnit/type").asString()).isEqualTo("row");
        assertThat(table.get("receipts")).hasSize(1);
        JsonNode receipt = json(get("/v1/queries/" + id + "/receipt"));
        assertThat(table.at("/receipts/0/entry")).isEqualTo(receipt.get("entry"));
        assertThat(table.at("/receipts/0/answerDigest")).isEqualTo(receipt.get("answerDigest"));
        assertThat(table.get("statement").asString()).contains("middle");
        // A key that did not buy the synopsis may read it, but no receipt.
        String viewer = keyFor("viewer", "['" + dataset + "']");
        JsonNode seen = json(assertStatus(200, getAs(viewer, path + "?columns=age&columns=sex")));
        assertThat(seen.get("cells")).isEqualTo(table.get("cells"));
        assertThat(seen.get("receipts")).isEmpty();

        HttpResponse<String> csv = assertStatus(200, get(path, "Accept", "text/csv"));
        assertThat(csv.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/csv");
        List<String> lines = csv.body().lines().toList();
        assertThat(lines).hasSize(1 + 3 * 13);
        assertThat(lines.getFirst()).isEqualTo("sex,age.lower,age.upper,count,count.low,count.high");
        assertThat(lines.get(3)).matches("Female,20,30(,-?[0-9.]+){3}");

        for (String wrong : List.of("columns=", "columns=age&columns=age", "columns=hours", "columns=age,sex")) {
            JsonNode problem = assertProblem(422, "validation-failed", get(path + "?" + wrong));
            assertThat(places(problem)).containsExactly("columns");
        }
        for (String wrong : List.of("0", "1", "x", "-1", "1e999999999", "1e-999999999")) {
            JsonNode problem = assertProblem(422, "validation-failed", get(path + "?beta=" + wrong));
            assertThat(places(problem)).containsExactly("beta");
            assertThat(problem.toString()).hasSizeLessThan(1000);
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aReaderWhoLeavesIsNoErrorOfTheService(CapturedOutput log) throws Exception {
        String dataset = dataset("1000", "c\n1\n", """
                [{"name":"c","type":"integer","lower":1,"upper":100000}]""", "add-or-remove-one");
        String id = synopsis(dataset, "{'column':'c'}");
        int before = log.getAll().length();
        for (String form : List.of("application/json", "text/csv")) {
            try (Socket reader = new Socket(InetAddress.getLoopbackAddress(), port)) {
                reader.getOutputStream()
                        .write(("GET /v1/synopses/" + id + "/tables HTTP/1.1\r\nHost: x\r\nAccept: " + form
                                        + "\r\nAuthorization: Bearer " + key() + "\r\n\r\n")
                                .getBytes(StandardCharsets.UTF_8));
                assertThat(reader.getInputStream().readNBytes(1000)).isNotEmpty();
                // The rest of the reply is refused by a reset.
                reader.setSoLinger(true, 0);
            }
        }
        awaitThat(() -> log.getAll().substring(before).split("/tables", -1).length > 2);
        assertThat(log.getAll().substring(before)).doesNotContain("ERROR");
    }

    @Test
    void namesCanHaveCommas() throws Exception {
        String dataset = dataset("1000", "\"a,b\",a\n\"x,y\",p\n", """
                [{"name":"a,b","type":"category","categories":["x,y","=z"]},
                 {"name":"a","type":"category","categories":["p","q"]}]""", "add-or-remove-one");
        String id = synopsis(dataset, "{'column':'a,b'},{'column':'a'}");
        String csv = get("/v1/synopses/" + id + "/tables?columns=a,b", "Accept", "text/csv")
                .body();
        assertThat(csv)
                .startsWith("\"a,b\",count,count.low,count.high\r\n\"x,y\",")
                .contains("\n'=z,");
        for (String columns : List.of("", "?columns=a,b&columns=a")) {
            assertThat(get("/v1/synopses/" + id + "/tables" + columns, "Accept", "text/csv")
                            .body())
                    .startsWith("\"a,b\",a,count");
        }
    }

    @Test
    void columnsOfCsvHaveDifferentNames() throws Exception {
        String dataset = dataset("1000", "count,n,n.lower\np,1,true\n", """
                [{"name":"count","type":"category","categories":["p"]},
                 {"name":"n","type":"integer","lower":0,"upper":1},
                 {"name":"n.lower","type":"boolean"}]""", "add-or-remove-one");
        String id = synopsis(dataset, "{'column':'count'},{'column':'n'},{'column':'n.lower'}");
        assertThat(get("/v1/synopses/" + id + "/tables", "Accept", "text/csv").body())
                .startsWith("count,n.lower,n.upper,n.lower.2,count.2,count.low,count.high\r\n");
    }

    /** Arithmetic leaves rounding errors below the fifteenth digit. */
    @Test
    void numbersHaveTheDecimalsOfTheirIntervals() throws Exception {
        String dataset = rowsUnder("pure");
        JsonNode cells = answer(synopsis(dataset, BY_YEAR), "{'histogram':{'column':'age'}}")
                .get("bins");
        int largestScale = 0;
        for (JsonNode cell : cells) {
            for (String number : List.of("/count", "/interval/low", "/interval/high")) {
                largestScale =
                        Math.max(largestScale, cell.at(number).decimalValue().scale());
            }
        }
        assertThat(largestScale).isLessThan(14);
    }

    @Test
    void theyAreListedInPages() throws Exception {
        String dataset = rowsUnder("pure");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(synopsis(dataset, BY_SEX));
        }
        ask(dataset, "count", "{\"epsilon\":1}");
        assertThat(listed(dataset, "limit=2")).isEqualTo(ids);
        assertThat(listed(dataset, "limit=2&order=desc")).isEqualTo(ids.reversed());
        JsonNode first = json(get("/v1/datasets/" + dataset + "/synopses")).at("/items/0");
        assertThat(first).isEqualTo(json(assertStatus(200, get("/v1/synopses/" + ids.getFirst()))));
        assertThat(first.get("datasetId").asString()).isEqualTo(dataset);
        assertThat(first.at("/columns/0").toString()).isEqualTo("{\"column\":\"sex\",\"cells\":3}");
        assertThat(first.at("/purchases/0/queryId").asString()).isEqualTo(ids.getFirst());
    }

    private List<String> listed(String dataset, String query) throws Exception {
        List<String> ids = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = json(assertStatus(200, get("/v1/datasets/" + dataset + "/synopses?" + query + after)));
            assertThat(page.get("items").size()).isLessThanOrEqualTo(2);
            page.get("items").forEach(each -> ids.add(each.get("synopsisId").asString()));
            after = page.get("next").isNull()
                    ? ""
                    : "&after=" + page.get("next").asString();
        } while (!after.isEmpty());
        return ids;
    }

    @Test
    void itIsChargedOnceAndItsEntryAndReceiptAreThoseOfItsAnswer() throws Exception {
        String dataset = rowsUnder("pure");
        String body = "{'epsilon':1,'columns':[" + BY_SEX + "]}";
        HttpResponse<String> first = assertStatus(201, tryToBuy(dataset, body, "Idempotency-Key", "k"));
        HttpResponse<String> again = assertStatus(201, tryToBuy(dataset, body, "Idempotency-Key", "k"));
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        String id = json(first).get("queryId").asString();
        assertThat(first.headers().firstValue("Location")).hasValue("/v1/synopses/" + id);
        assertProblem(
                422, "idempotency-key-reused", tryToBuy(dataset, body.replace("':1,", "':2,"), "Idempotency-Key", "k"));
        assertThat(spent(dataset)).isEqualTo("1");
        assertThat(get("/v1/queries/" + id).body()).isEqualTo(first.body());
        JsonNode entry = json(get("/v1/datasets/" + dataset + "/ledger")).at("/items/1");
        assertThat(entry.get("kind").asString()).isEqualTo("synopsis");
        JsonNode receipt = json(assertStatus(200, get("/v1/queries/" + id + "/receipt")));
        assertThat(receipt.toString()).contains(Sha256.hexOf(first.body().getBytes(StandardCharsets.UTF_8)));
        // A synopsis is bought at its own address, and in no plan.
        assertStatus(404, ask(dataset, "synopsis", quoted(body)));
        assertStatus(404, ask(dataset, "refinement", quoted(body)));
        String plan = "{'questions':[{'kind':'synopsis','request':" + body + "}]}";
        assertStatus(422, postAs(key(), "/v1/datasets/" + dataset + "/queries", quoted(plan)));
    }

    @Test
    void anotherAnalystGetsTheSameOneForNothing() throws Exception {
        String dataset = rowsUnder("pure");
        String path = "/v1/datasets/" + dataset + "/synopses";
        String body = quoted("{'epsilon':1,'reuse':true,'columns':[" + BY_SEX + "]}");
        String ana = keyFor("analyst", "['" + dataset + "']");
        String bea = keyFor("analyst", "['" + dataset + "']");
        assertProblem(409, "nothing-stored", postAs(bea, path, body.replace("\"reuse\":true", "\"spend\":false")));
        JsonNode first = json(assertStatus(201, postAs(ana, path, body)));
        HttpResponse<String> reused = assertStatus(201, postAs(bea, path, body));
        assertThat(json(reused).get("answer")).isEqualTo(first.get("answer"));
        assertThat(json(reused).at("/charge/epsilon").asString()).isEqualTo("0");
        assertThat(json(reused).get("reusedFrom")).isEqualTo(first.get("queryId"));
        assertThat(reused.headers().firstValue("Answer-Reused"))
                .hasValue(first.get("queryId").asString());
        assertThat(reused.headers().firstValue("Location"))
                .hasValue("/v1/synopses/" + first.get("queryId").asString());
        assertStatus(201, postAs(bea, path, body.replace("\"reuse\":true", "\"spend\":false")));
        assertThat(spent(dataset)).isEqualTo("1");
        // A viewer may ask the synopsis and may buy nothing.
        String viewer = keyFor("viewer", "['" + dataset + "']");
        assertProblem(403, "forbidden", postAs(viewer, path, body));
        String synopsis = "/v1/synopses/" + first.get("queryId").asString();
        assertProblem(403, "forbidden", postAs(viewer, synopsis + "/refinements", "{\"epsilon\":1}"));
        assertStatus(200, postAs(viewer, synopsis + "/answers", quoted("{'questions':[{'count':{}}]}")));
    }

    @Test
    void aQuoteStatesWhatThePurchaseStates() throws Exception {
        for (String accountant : List.of("pure", "zcdp")) {
            String dataset = rowsUnder(accountant);
            String columns = "'columns':[" + BY_YEAR + "]}";
            JsonNode quote = quote(dataset, "synopsis", "{'epsilon':'0.7'," + columns);
            JsonNode bought = bought(dataset, "{'epsilon':'0.7'," + columns);
            for (String member : List.of("accuracy", "mechanism", "charge", "kind")) {
                assertThat(quote.get(member)).as(member).isEqualTo(bought.get(member));
            }
            JsonNode target = quote(dataset, "synopsis", "{'targetAlpha':25," + columns);
            assertThat(target.at("/accuracy/alpha").doubleValue()).isLessThanOrEqualTo(25);
            JsonNode reached =
                    bought(dataset, "{'epsilon':'" + target.get("epsilon").asString() + "'," + columns);
            assertThat(reached.get("accuracy")).isEqualTo(target.get("accuracy"));
            BigDecimal less = new BigDecimal(target.get("epsilon").asString()).subtract(new BigDecimal("0.000001"));
            assertThat(quote(dataset, "synopsis", "{'epsilon':'" + less.toPlainString() + "'," + columns)
                            .at("/accuracy/alpha")
                            .doubleValue())
                    .isGreaterThanOrEqualTo(target.at("/accuracy/alpha").doubleValue());
        }
    }

    private JsonNode quote(String dataset, String kind, String body) throws Exception {
        return json(assertStatus(200, postAs(key(), "/v1/datasets/" + dataset + "/quotes/" + kind, quoted(body))));
    }

    @Test
    void quotesAndRefusalsNameTheSynopsisThatAnswersForNothing() throws Exception {
        String dataset = rowsUnder("pure", "101", "0", "add-or-remove-one");
        String range = "{'epsilon':1,'where':[{'column':'age','atLeast':30,'below':50}]}";
        assertThat(quote(dataset, "count", range).get("freeFrom").isNull()).isTrue();
        // Neither of these synopses has all rows.
        bought(dataset, "{'epsilon':1,'where':[{'column':'sex','in':['Male']}],'columns':[" + BY_YEAR + "]}");
        bought(dataset, "{'epsilon':1,'columns':[{'column':'age','edges':[10,30,50]}]}");
        assertThat(quote(dataset, "count", range).get("freeFrom").isNull()).isTrue();
        String rough = boughtId(dataset, "{'epsilon':1,'columns':[" + WIDE + "]}");
        assertThat(quote(dataset, "count", range).at("/freeFrom/synopsisId").asString())
                .isEqualTo(rough);
        // From the middles of wide cells, a synopsis says nothing about the mean of the rows.
        String mean = "{'epsilon':1,'column':'age'}";
        assertThat(quote(dataset, "mean", mean).get("freeFrom").isNull()).isTrue();
        String fine = boughtId(dataset, "{'epsilon':98,'columns':[" + BY_YEAR + "," + BY_SEX + "]}");
        assertThat(spent(dataset)).isEqualTo("101");
        JsonNode free = quote(dataset, "count", range).get("freeFrom");
        assertThat(free.get("synopsisId").asString()).isEqualTo(fine);
        JsonNode answer =
                json(post(fine, "{'questions':[{'count':{'where':[{'column':'age','atLeast':30,'below':50}]}}]}"));
        assertThat(width(answer.at("/items/0")) / 2).isCloseTo(free.get("alpha").doubleValue(), within(0.001));
        record Asked(String kind, String body, boolean isFree) {}
        for (Asked each : List.of(
                new Asked("count", range, true),
                new Asked("sum", mean, true),
                new Asked("mean", mean, true),
                new Asked("mean", "{'epsilon':1,'column':'age','lower':20}", false),
                new Asked("mean", "{'epsilon':1,'column':'hours'}", false),
                new Asked("count", "{'epsilon':1,'where':[{'column':'hours','below':10}]}", false),
                new Asked("histogram", "{'epsilon':1,'column':'age','edges':[20,40]}", true),
                new Asked("histogram", "{'epsilon':1,'column':'sex'}", true),
                new Asked("quantile", "{'epsilon':1,'column':'age','probabilities':[0.5]}", true),
                new Asked("threshold", "{'epsilon':1,'threshold':5,'queries':[{'count':{}}]}", false))) {
            JsonNode problem = assertProblem(409, "budget-exhausted", ask(dataset, each.kind(), quoted(each.body())));
            String named = each.isFree() ? fine : "";
            assertThat(problem.at("/freeFrom/synopsisId").asString(""))
                    .as(each.toString())
                    .isEqualTo(named);
            assertThat(problem.has("freeFrom")).isTrue();
            assertThat(quote(dataset, each.kind(), each.body()).get("freeFrom"))
                    .as(each.toString())
                    .isEqualTo(problem.get("freeFrom"));
        }
    }

    /** A quote does not wait for a turn, and reading very many tables takes much memory. A table states its columns. */
    @Test
    void aSynopsisOfVeryManyTablesIsNotOffered() throws Exception {
        List<String> names = IntStream.range(0, 26)
                .mapToObj(i -> (char) ('a' + i) + "x".repeat(127))
                .toList();
        String columns = names.stream()
                .map(name -> "{'name':'" + name + "','type':'boolean','missing':false}")
                .collect(Collectors.joining(","));
        String dataset = registered(quoted("[" + columns + "]"), "100", "add-or-remove-one", "");
        assertStatus(200, upload(dataset, ofItsOwn(dataset, String.join(",", names) + "\n" + "1,".repeat(25) + "1\n")));
        String small = boughtId(dataset, "{'epsilon':1,'columns':[{'column':'" + names.get(0) + "'}]}");
        String all = names.stream().map(name -> "{'column':'" + name + "'}").collect(Collectors.joining(","));
        String large = boughtId(dataset, "{'epsilon':50,'marginals':3,'columns':[" + all + "]}");
        assertThat(get("/v1/queries/" + large).body()).hasSizeGreaterThan(1 << 20);
        String count = "{'epsilon':1,'where':[{'column':'%s','in':[true]}]}";
        assertThat(quote(dataset, "count", count.formatted(names.get(0)))
                        .at("/freeFrom/synopsisId")
                        .asString())
                .isEqualTo(small);
        assertThat(quote(dataset, "count", count.formatted(names.get(1)))
                        .get("freeFrom")
                        .isNull())
                .isTrue();
    }

    @Test
    void aPlanNamesThePurchaseThatIsCheaper() throws Exception {
        String dataset = rowsUnder("pure");
        String questions = IntStream.range(0, 40)
                .mapToObj(i -> "{'kind':'count','request':{'epsilon':1,'where':[{'column':'age','atLeast':" + i
                        + ",'below':" + (i + 40) + "}]}}")
                .collect(Collectors.joining(","));
        String path = "/v1/datasets/" + dataset + "/quotes";
        JsonNode plan = json(assertStatus(200, postAs(key(), path, quoted("{'questions':[" + questions + "]}"))));
        JsonNode cheaper = plan.get("cheaper");
        assertThat(new BigDecimal(cheaper.at("/charge/epsilon").asString())).isLessThan(new BigDecimal("20"));
        assertThat(cheaper.at("/request/epsilon").asString())
                .isEqualTo(cheaper.get("epsilon").asString());
        JsonNode bought = bought(dataset, cheaper.get("request").toString());
        assertThat(bought.get("charge")).isEqualTo(cheaper.get("charge"));
        for (int i = 0; i < 40; i += 13) {
            JsonNode answer = json(post(
                    bought.get("queryId").asString(),
                    "{'questions':[{'count':{'where':[{'column':'age','atLeast':" + i + ",'below':" + (i + 40)
                            + "}]}}]}"));
            assertThat(width(answer.at("/items/0")) / 2)
                    .isLessThanOrEqualTo(
                            plan.at("/items/" + i + "/accuracy/alpha").doubleValue() + 0.01);
        }
        String other = questions.replaceFirst("'count'", "'mean'").replaceFirst("'where'", "'column':'age','where'");
        assertThat(json(postAs(key(), path, quoted("{'questions':[" + other + "]}")))
                        .get("cheaper")
                        .isNull())
                .isTrue();
    }

    /** The least epsilons are too little for the tables of one synopsis. The plan is quoted all the same. */
    @Test
    void aPlanOfTheLeastEpsilonsIsQuoted() throws Exception {
        String dataset = rowsUnder("zcdp");
        String edges = IntStream.rangeClosed(0, 120).mapToObj(String::valueOf).collect(Collectors.joining(","));
        String each = "{'kind':'histogram','request':{'epsilon':'0.000001','column':'%s','edges':[" + edges + "]}}";
        JsonNode plan = json(assertStatus(
                200,
                postAs(
                        key(),
                        "/v1/datasets/" + dataset + "/quotes",
                        quoted("{'questions':[" + each.formatted("age") + "," + each.formatted("hours") + "]}"))));
        assertThat(plan.get("cheaper").isNull()).isTrue();
    }

    @Test
    void refiningMakesEveryAnswerMorePrecise() throws Exception {
        String dataset = rowsUnder("zcdp");
        JsonNode first = bought(dataset, "{'epsilon':1,'columns':[" + BY_YEAR + "]}");
        String id = first.get("queryId").asString();
        String stored = get("/v1/queries/" + id).body();
        String question = "{'count':{'where':[{'column':'age','atLeast':30,'below':50}]}}";
        double before = width(answer(id, question));
        String path = "/v1/synopses/" + id + "/refinements";
        HttpResponse<String> reply =
                assertStatus(200, postAs(key(), path, "{\"epsilon\":\"2\"}", "Idempotency-Key", "more"));
        JsonNode more = json(reply);
        assertThat(more.get("kind").asString()).isEqualTo("refinement");
        assertThat(more.at("/answer/synopsisId").asString()).isEqualTo(id);
        assertThat(more.at("/question/refines").asString()).isEqualTo(id);
        // Inverse variances add up, and are proportional to the parts of rho.
        double purchases = 1 + rho(more) / rho(first);
        JsonNode after = answer(id, question);
        assertThat(width(after)).isCloseTo(before / Math.sqrt(purchases), within(before / 1000));

        contains(after, count(row -> row.age() >= 30 && row.age() < 50));
        JsonNode view = json(get("/v1/synopses/" + id));
        assertThat(view.get("purchases")).hasSize(2);
        assertThat(view.at("/error/rms").doubleValue())
                .isCloseTo(first.at("/answer/error/rms").doubleValue() / Math.sqrt(purchases), within(0.01));
        assertThat(get("/v1/queries/" + id).body()).isEqualTo(stored);
        assertThat(listed(dataset, "limit=2")).containsExactly(id);
        assertProblem(
                404, "not-found", get("/v1/synopses/" + more.get("queryId").asString()));
        assertThat(json(get("/v1/synopses/" + id + "/tables")).get("receipts")).hasSize(2);

        String spent = spent(dataset);
        HttpResponse<String> again =
                assertStatus(200, postAs(key(), path, "{\"epsilon\":\"2\"}", "Idempotency-Key", "more"));
        assertThat(again.body()).isEqualTo(reply.body());
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(spent(dataset)).isEqualTo(spent);
        for (String other : List.of("{\"epsilon\":3}", "{ \"epsilon\" : 2.0 }")) {
            assertProblem(422, "idempotency-key-reused", postAs(key(), path, other, "Idempotency-Key", "more"));
        }
        assertThat(places(assertProblem(422, "validation-failed", postAs(key(), path, "{\"epsilon\":0}"))))
                .containsExactly("/epsilon");
    }

    private static double rho(JsonNode answer) {
        return Double.parseDouble(answer.at("/charge/rho").asString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pure", "approximate"})
    void whereEpsilonsAddUpItIsRefinedForTheDifference(String accountant) throws Exception {
        String dataset = rowsUnder(accountant);
        String id = boughtId(dataset, "{'epsilon':1,'columns':[" + BY_YEAR + "],'reuse':true}");
        String path = "/v1/synopses/" + id + "/refinements";
        String before = spent(dataset);
        HttpResponse<String> reply =
                assertStatus(200, postAs(key(), path, "{\"epsilon\":\"2\"}", "Idempotency-Key", "more"));
        JsonNode better = json(reply);
        assertThat(better.get("refines").asString()).isEqualTo(id);
        assertThat(better.at("/answer/synopsisId").asString()).isEqualTo(id);
        assertThat(better.at("/charge/epsilon").asString()).isEqualTo("2");
        assertThat(better.at("/guarantee/epsilon").asString()).isEqualTo("3");
        assertThat(new BigDecimal(spent(dataset))).isEqualByComparingTo(new BigDecimal(before).add(BigDecimal.TWO));
        JsonNode refinedAgain = json(assertStatus(200, postAs(key(), path, "{\"epsilon\":\"97\"}")));
        assertThat(refinedAgain.get("refines").asString())
                .isEqualTo(better.get("queryId").asString());

        // The refined synopsis is like a synopsis bought at the sum, and is found as such. A repetition gets the same
        // reply.
        JsonNode atTheSum = bought(rowsUnder(accountant), "{'epsilon':100,'columns':[" + BY_YEAR + "]}");
        assertThat(refinedAgain.at("/answer/strategy")).isEqualTo(atTheSum.at("/answer/strategy"));
        JsonNode view = json(get("/v1/synopses/" + id));
        assertThat(view.get("error")).isEqualTo(atTheSum.at("/answer/error"));
        assertThat(view.get("purchases")).hasSize(3);
        isNear(
                answer(id, "{'count':{'where':[{'column':'age','atLeast':30,'below':50}]}}"),
                count(row -> row.age() >= 30 && row.age() < 50),
                2);
        HttpResponse<String> found =
                assertStatus(201, tryToBuy(dataset, "{'epsilon':100,'columns':[" + BY_YEAR + "],'reuse':true}"));
        assertThat(found.headers().firstValue("Location")).hasValue("/v1/synopses/" + id);
        assertThat(json(found).get("reusedFrom")).isEqualTo(refinedAgain.get("queryId"));
        HttpResponse<String> again =
                assertStatus(200, postAs(key(), path, "{\"epsilon\":\"2\"}", "Idempotency-Key", "more"));
        assertThat(again.body()).isEqualTo(reply.body());
        assertThat(listed(dataset, "limit=2")).containsExactly(id);

        String spent = spent(dataset);
        assertProblem(422, "not-refinable", postAs(key(), path, "{\"epsilon\":1}"));
        assertProblem(
                409, "already-refined", postAs(key(), "/v1/queries/" + id + "/refinements", "{\"epsilon\":\"2\"}"));
        assertThat(spent(dataset)).isEqualTo(spent);
    }

    /** All purchases are read whenever a synopsis is shown. A repeated request gets the same reply. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"pure", "zcdp"})
    void aSynopsisHasSoManyPurchases(String accountant) throws Exception {
        String dataset = rowsUnder(accountant);
        String id = boughtId(dataset, "{'epsilon':1,'columns':[" + BY_SEX + "]}");
        String path = "/v1/synopses/" + id + "/refinements";
        String first = "";
        for (int more = 1; more < 32; more++) {
            JsonNode bought = json(assertStatus(
                    200, postAs(key(), path, "{\"epsilon\":\"1\"}", "Idempotency-Key", accountant + more)));
            first = more == 1 ? bought.get("queryId").asString() : first;
        }
        JsonNode purchases = json(get("/v1/synopses/" + id)).get("purchases");
        assertThat(purchases).hasSize(32);
        String spent = spent(dataset);
        JsonNode refusal = assertProblem(422, "not-refinable", postAs(key(), path, "{\"epsilon\":\"1\"}"));
        assertThat(refusal.get("detail").asString()).contains("at most 32 purchases", "buy a new synopsis");
        if (accountant.equals("pure")) {
            String newest = "/v1/queries/" + purchases.get(31).get("queryId").asString() + "/refinements";
            assertProblem(422, "not-refinable", postAs(key(), newest, "{\"epsilon\":\"1\"}"));
        }
        HttpResponse<String> again =
                assertStatus(200, postAs(key(), path, "{\"epsilon\":\"1\"}", "Idempotency-Key", accountant + 1));
        assertThat(json(again).get("queryId").asString()).isEqualTo(first);
        assertThat(spent(dataset)).isEqualTo(spent);
    }

    @Test
    void itOutlivesItsDatasetForWhoWasGrantedIt() throws Exception {
        String dataset = rowsUnder("pure");
        String id = synopsis(dataset, BY_SEX);
        String granted = keyFor("analyst", "['" + dataset + "']");
        String stranger = keyFor("analyst", "[]");
        String missing = "0".repeat(26);
        assertStatus(204, send("DELETE", "/v1/datasets/" + dataset, ""));
        String count = quoted("{'questions':[{'count':{}}]}");
        isNear(
                json(assertStatus(200, postAs(granted, "/v1/synopses/" + id + "/answers", count)))
                        .at("/items/0"),
                400,
                0.5);
        assertStatus(200, getAs(granted, "/v1/synopses/" + id));
        assertStatus(200, getAs(granted, "/v1/synopses/" + id + "/tables"));
        assertStatus(404, postAs(granted, "/v1/synopses/" + id + "/refinements", "{\"epsilon\":1}"));
        for (String path : List.of("", "/tables")) {
            String hidden = assertStatus(404, getAs(stranger, "/v1/synopses/" + id + path))
                    .body();
            String absent = getAs(stranger, "/v1/synopses/" + missing + path).body();
            assertThat(hidden.replace(id, "ID")).isEqualTo(absent.replace(missing, "ID"));
        }
        for (String path : List.of("/answers", "/refinements")) {
            String hidden = assertStatus(404, postAs(stranger, "/v1/synopses/" + id + path, count))
                    .body();
            String absent =
                    postAs(stranger, "/v1/synopses/" + missing + path, count).body();
            assertThat(hidden.replace(id, "ID")).isEqualTo(absent.replace(missing, "ID"));
        }
    }

    @Test
    void aUnitOfSeveralRowsIsPaidFor() throws Exception {
        String dataset = newId();
        String registration = registration(dataset, "[" + AGE + "]", "1000", "add-or-remove-one", "")
                .replace("{\"type\":\"row\"}", "{\"type\":\"column\",\"column\":\"who\",\"maxRows\":3}");
        assertStatus(201, register(registration));
        assertStatus(
                200,
                upload(
                        dataset,
                        ofItsOwn(
                                dataset,
                                "who,age\n"
                                        + IntStream.range(0, 300)
                                                .mapToObj(i -> i / 3 + "," + i % 90 + "\n")
                                                .collect(Collectors.joining()))));
        JsonNode bought = bought(dataset, "{'epsilon':100,'columns':[" + BY_YEAR + "]}");
        assertThat(bought.at("/guarantee/privacyUnit/maxRows").asInt()).isEqualTo(3);
        String id = bought.get("queryId").asString();
        isNear(answer(id, "{'count':{}}"), 300, 3);
        String byRow = rowsUnder("pure");
        assertThat(bought.at("/answer/error/rms").doubleValue())
                .isGreaterThan(2
                        * bought(byRow, "{'epsilon':100,'columns':[" + BY_YEAR + "]}")
                                .at("/answer/error/rms")
                                .doubleValue());
    }
}
