package dev.purser.query;

import dev.purser.web.RunningService;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Tables of groups: their groups and values, what they state, promise and charge, and what is refused. */
class AggregateOverHttpTests extends RunningService {
    /** At epsilon 100 every count of these tests is exact, except with probability 1e-16. */
    private static final String EXACTLY = "{'epsilon':100,%s}";

    private JsonNode asked(String id, String body) throws Exception {
        return json(assertStatus(200, ask(id, "aggregate", quoted(body))));
    }

    private static String quoted(String body) {
        return body.replace('\'', '"');
    }

    private JsonNode quote(String id, String body) throws Exception {
        return json(assertStatus(
                200,
                send(
                        "POST",
                        "/v1/datasets/" + id + "/quotes/aggregate",
                        quoted(body),
                        "Content-Type",
                        "application/json")));
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asString()));
        return texts;
    }

    private static BigDecimal value(JsonNode answer, int group, int aggregate) {
        return answer.at("/answer/groups/" + group + "/values/" + aggregate + "/value")
                .decimalValue();
    }

    @Test
    void listsAllGroupsEmptyOrNot() throws Exception {
        String id = dataset("1000", "age,hours,sex\n10,1,Female\n90,2,Female\n50,3,Female\n0,4,Male\n100,5,Male\n");
        JsonNode answer = asked(id, EXACTLY.formatted("""
                'groupBy':[{'column':'sex'},{'column':'age','edges':[0,50,60,126]}],
                'aggregates':[{'count':{}},{'sum':{'column':'age'}},
                {'mean':{'column':'age'},'name':'m','weight':2}]"""));
        assertThat(texts(answer.at("/answer/keys"))).containsExactly("sex", "age");
        assertThat(texts(answer.at("/answer/aggregates"))).containsExactly("count", "sum(age)", "m");
        // The third category of sex has no name.
        assertThat(answer.at("/answer/groups").size()).isEqualTo(9);
        assertThat(answer.at("/answer/groups/4/key")).hasToString("""
                [{"category":"Male","lower":null,"upper":null,"block":null},\
                {"category":null,"lower":50,"upper":60,"block":null}]""");
        int[] counts = {1, 1, 1, 1, 0, 1, 0, 0, 0};
        for (int group = 0; group < counts.length; group++) {
            assertThat(value(answer, group, 0)).isEqualByComparingTo(BigDecimal.valueOf(counts[group]));
        }
        assertThat(answer.at("/accuracy/each/2/name").asString()).isEqualTo("m");
        assertThat(answer.at("/accuracy/each/0/alpha")).isEqualTo(answer.at("/accuracy/alpha"));
        assertThat(answer.at("/mechanism/parameters/parts").size()).isEqualTo(1);
        assertThat(answer.at("/charge/epsilon").asString()).isEqualTo("100");
    }

    @Test
    void computesFromTheRowsOfEachGroup() throws Exception {
        StringBuilder csv = new StringBuilder("age,hours,sex\n");
        for (int i = 0; i < 300; i++) {
            csv.append(i % 3 * 10)
                    .append(",")
                    .append(i % 2 == 0 ? 0.5 : 2.25)
                    .append(i % 2 == 0 ? ",Male\n" : ",Female\n");
        }
        String id = dataset("1000", csv.toString());
        JsonNode answer = asked(id, EXACTLY.formatted("""
                'beta':0.000000001,'groupBy':[{'column':'sex'}],
                'aggregates':[{'mean':{'column':'hours'}},{'variance':{'column':'age','upper':10}},
                {'standardDeviation':{'column':'age','upper':10}},{'sum':{'column':'hours','lower':1}}]"""));
        // The exact numbers of 50 values each of 0, 10 and 20, clamped to 10.
        double[] exact = {2.25, 200.0 / 9, Math.sqrt(200.0 / 9), 150 * 2.25};
        for (int i = 0; i < exact.length; i++) {
            JsonNode interval = answer.at("/answer/groups/0/values/" + i + "/interval");
            assertThat(exact[i])
                    .isBetween(
                            interval.get("low").doubleValue(),
                            interval.get("high").doubleValue());
            assertThat(interval.get("high").doubleValue() - interval.get("low").doubleValue())
                    .isLessThan(exact[i]);
        }
    }

    /** A share is between 0 and 1, and counts the rows of its group that meet one condition. */
    @Test
    void statesTheShareOfRowsThatMeetACondition() throws Exception {
        StringBuilder csv = new StringBuilder("age,hours,sex\n");
        for (int i = 0; i < 800; i++) {
            csv.append(i % 8 * 10).append(",1,").append(i % 4 == 0 ? "Male\n" : "Female\n");
        }
        String id = dataset("1000", csv.toString());
        JsonNode answer = asked(id, EXACTLY.formatted("""
                'beta':0.000000001,'groupBy':[{'column':'sex'}],'aggregates':[{'share':{'column':'age','atLeast':40}},
                {'share':{'column':'age','above':0,'below':20},'name':'young'},{'count':{}}]"""));
        assertThat(texts(answer.at("/answer/aggregates"))).containsExactly("share(age)", "young", "count");
        // Ages of Female: 10, 20, 30, 50, 60, 70; of Male: 0, 40.
        double[][] exact = {{0.5, 1.0 / 6}, {0.5, 0}};
        for (int group = 0; group < 2; group++) {
            for (int share = 0; share < 2; share++) {
                JsonNode value = answer.at("/answer/groups/" + group + "/values/" + share);
                assertThat(exact[group][share])
                        .isBetween(
                                value.at("/interval/low").doubleValue(),
                                value.at("/interval/high").doubleValue());
                assertThat(value.get("value").doubleValue()).isBetween(0.0, 1.0);
                assertThat(value.at("/interval/high").doubleValue()
                                - value.at("/interval/low").doubleValue())
                        .isLessThan(0.05);
            }
        }
        JsonNode parts = answer.at("/mechanism/parameters/parts");
        // 1 to 19; from 40 on; all other ages: one measurement of all shares and of the count.
        assertThat(parts).hasSize(1);
        assertThat(parts.at("/0/statistic").asString()).isEqualTo("share");
        assertThat(parts.at("/0/cells").intValue()).isEqualTo(3);
        JsonNode whole = asked(id, EXACTLY.formatted("""
                'beta':0.000000001,'aggregates':[{'share':{'column':'sex','in':['Male']}}]"""));
        assertThat(whole.at("/answer/groups/0/values/0/value").doubleValue()).isCloseTo(0.25, within(0.01));
        assertProblem(
                422,
                "validation-failed",
                ask(id, "aggregate", quoted("{'epsilon':'1','aggregates':[{'share':{'column':'age'}}]}")));
    }

    /** Every group is answered, empty or not, and all of them are charged once. */
    @Test
    void statesTheQuantilesOfEachGroup() throws Exception {
        StringBuilder csv = new StringBuilder("age,hours,sex\n");
        for (int i = 0; i < 1_000; i++) {
            csv.append(i % 2 == 0 ? 30 + i % 10 : 70 + i % 10).append(i % 2 == 0 ? ",1,Male\n" : ",1,Female\n");
        }
        String id = dataset("1000", csv.toString());
        String fields = "'column':'age','probabilities':[0.1,0.5],'groupBy':[{'column':'sex'}],'reuse':true";
        String asked = quoted(EXACTLY.formatted(fields));
        JsonNode answer = answered(id, "quantile", asked);
        assertThat(answer.at("/answer").propertyNames()).containsExactly("quantiles", "keys", "groups");
        assertThat(texts(answer.at("/answer/keys"))).containsExactly("sex");
        assertThat(answer.at("/answer/groups").size()).isEqualTo(3);
        int[] medians = {75, 34};
        for (int group = 0; group < 2; group++) {
            JsonNode median = answer.at("/answer/groups/" + group + "/quantiles/1");
            assertThat(median.get("probability").decimalValue()).isEqualByComparingTo("0.5");
            assertThat(median.get("value").intValue()).isBetween(medians[group] - 1, medians[group] + 1);
        }
        assertThat(answer.at("/charge/epsilon").asString()).isEqualTo("100");
        List<String> lines =
                ask(id, "quantile", asked, "Accept", "text/csv").body().lines().toList();
        assertThat(lines).hasSize(7).first().isEqualTo("sex,probability,value,interval.low,interval.high");
        assertProblem(
                422,
                "validation-failed",
                ask(
                        id,
                        "quantile",
                        quoted("{'epsilon':'1','column':'age','probabilities':[0.5],"
                                + "'groupBy':[{'column':'age','step':1},{'column':'hours','step':1}]}")));
        assertThat(answered(id, "quantile", quoted(EXACTLY.formatted("'column':'age','probabilities':[0.5]")))
                        .at("/answer")
                        .propertyNames())
                .containsExactly("quantiles");
    }

    @Test
    void makesStepsFromTheLowerBoundToAboveTheUpperOne() throws Exception {
        String id = dataset("1000", "age,hours,sex\n125,100,Male\n");
        JsonNode answer = asked(id, EXACTLY.formatted("""
                'groupBy':[{'column':'age','step':25},{'column':'hours','step':50}],'aggregates':[{'count':{}}]"""));
        assertThat(answer.at("/answer/groups").size()).isEqualTo(18);
        assertThat(answer.at("/answer/groups/17/key")).hasToString("""
                [{"category":null,"lower":125,"upper":150,"block":null},\
                {"category":null,"lower":100,"upper":150,"block":null}]""");
        assertThat(value(answer, 17, 0)).isEqualByComparingTo("1");
        // A day has 86,400 seconds. The last day of 2026 begins a group of its own.
        String days = registered("""
                [{"name":"day","type":"date","lower":"2026-01-01","upper":"2026-12-31","missing":"2026-01-01"},
                 {"name":"at","type":"timestamp","lower":"2026-01-01T00:00:00Z","upper":"2026-01-02T00:00:00Z",
                  "resolution":60,"missing":"2026-01-01T00:00:00Z"},
                 {"name":"ok","type":"boolean","missing":false}]""", "1000", "add-or-remove-one", "");
        assertStatus(200, upload(days, ofItsOwn(days, "day,at,ok\n2026-12-31,2026-01-01T23:59:00Z,true\n")));
        JsonNode table = asked(days, EXACTLY.formatted("""
                'groupBy':[{'column':'day','step':7},{'column':'at','step':86400},{'column':'ok'}],
                'aggregates':[{'count':{}}]"""));
        assertThat(table.at("/answer/groups").size()).isEqualTo(53 * 2 * 2);
        assertThat(table.at("/answer/groups/209/key")).hasToString("""
                [{"category":null,"lower":"2026-12-31","upper":"2027-01-07","block":null},\
                {"category":null,"lower":"2026-01-01T00:00:00Z","upper":"2026-01-02T00:00:00Z","block":null},\
                {"category":"true","lower":null,"upper":null,"block":null}]""");
        assertThat(value(table, 209, 0)).isEqualByComparingTo("1");
    }

    @Test
    void countsExactlyOnlyWhatIsPublic() throws Exception {
        String id = registered(COLUMNS, "1000", "replace-one", "");
        assertStatus(200, upload(id, ofItsOwn(id, "age,hours,sex\n1,1,Male\n2,2,Female\n")));
        assertThat(scale(id, "'aggregates':[{'count':{}}]")).isZero();
        assertThat(scale(id, "'aggregates':[{'count':{}}],'where':[{'column':'age','atLeast':0}]"))
                .isEqualByComparingTo("1");
        assertThat(scale(id, "'aggregates':[{'count':{}}],'groupBy':[{'column':'age','edges':[0,126]}]"))
                .isZero();
        assertThat(scale(id, "'aggregates':[{'count':{}}],'groupBy':[{'column':'age','edges':[1,126]}]"))
                .isEqualByComparingTo("1");
        assertThat(scale(id, "'aggregates':[{'count':{}}],'groupBy':[{'column':'age','edges':[0,125]}]"))
                .isEqualByComparingTo("1");
        assertThat(scale(id, "'aggregates':[{'count':{}}],'groupBy':[{'column':'sex'}]"))
                .isEqualByComparingTo("2");
    }

    private BigDecimal scale(String id, String rest) throws Exception {
        return asked(id, "{'epsilon':1," + rest + "}")
                .at("/mechanism/parameters/parts/0/scale")
                .decimalValue();
    }

    @Test
    void isSentAsCsvWithALineForEachGroup() throws Exception {
        String id = dataset("10", "age,hours,sex\n10,1,Female\n");
        String table = quoted("""
                {'epsilon':1,'groupBy':[{'column':'age','edges':[0,50,126]},{'column':'sex'}],
                 'aggregates':[{'count':{}},{'sum':{'column':'age'},'name':'NAME'}]}""").replace("NAME", "=1+1, \\\"a\\\"");
        HttpResponse<String> csv = assertStatus(200, ask(id, "aggregate", table, "Accept", "text/csv"));
        List<String> lines = csv.body().lines().toList();
        assertThat(lines).hasSize(7);
        assertThat(lines.getFirst())
                .isEqualTo("age.lower,age.upper,sex,count,count.low,count.high,\"'=1+1, \"\"a\"\"\","
                        + "\"'=1+1, \"\"a\"\".low\",\"'=1+1, \"\"a\"\".high\"");
        assertThat(lines.get(2)).matches("0,50,Male(,-?\\d+){6}");
        HttpResponse<String> whole = assertStatus(200, ask(id, "aggregate", quoted("""
                {'epsilon':1,'aggregates':[{'count':{}}]}"""), "Accept", "text/csv"));
        assertThat(whole.body()).matches("count,count.low,count.high\r\n(-?\\d+,?){3}\r\n");
    }

    @Test
    void isQuotedForSoManyRowsInEachGroup() throws Exception {
        String id = dataset("pure", "10", "0");
        String table =
                "'groupBy':[{'column':'sex'},{'column':'age','step':42}],'aggregates':[{'mean':{'column':'age'}},"
                        + "{'count':{}}]}";
        // 1,000 rows in 9 groups.
        JsonNode byDefault = quote(id, "{'epsilon':1," + table);
        assertThat(byDefault.at("/accuracy/statement").asString()).startsWith("If each group has 111 rows or more");
        assertThat(byDefault.at("/accuracy/each").size()).isEqualTo(2);
        JsonNode assumed = quote(id, "{'epsilon':1,'assumedRows':900," + table);
        assertThat(assumed.at("/accuracy/alpha").decimalValue())
                .isLessThan(byDefault.at("/accuracy/alpha").decimalValue());
        JsonNode solved = quote(id, "{'targetAlpha':2.5,'assumedRows':900," + table);
        assertThat(solved.at("/accuracy/alpha").decimalValue()).isLessThanOrEqualTo(new BigDecimal("2.5"));
        BigDecimal epsilon = new BigDecimal(solved.at("/charge/epsilon").asString());
        JsonNode less = quote(
                id, "{'epsilon':" + epsilon.subtract(new BigDecimal("0.000000001")) + ",'assumedRows':900," + table);
        assertThat(less.at("/accuracy/alpha").decimalValue()).isGreaterThan(new BigDecimal("2.5"));
    }

    @Test
    void takesADeltaOnlyIfAPartUsesIt() throws Exception {
        String id = dataset("approximate", "300", "0.01");
        String table = "'aggregates':[{'count':{}},{'mean':{'column':'hours'}},{'variance':{'column':'age'}}],"
                + "'groupBy':[{'column':'age','step':1},{'column':'sex'}]}";
        JsonNode gaussian = asked(id, "{'epsilon':0.5,'delta':'1e-6','beta':0.000001," + table);
        assertThat(gaussian.at("/mechanism/name").asString()).isEqualTo("gaussian-table");
        assertThat(gaussian.at("/charge/delta").asString()).isEqualTo("0.000001");
        JsonNode problem = assertProblem(
                422, "validation-failed", ask(id, "aggregate", quoted("{'epsilon':100,'delta':'1e-6'," + table)));
        assertThat(problem.at("/errors/0/pointer").asString()).isEqualTo("/delta");
        assertThat(asked(id, "{'epsilon':100," + table).at("/mechanism/name").asString())
                .isEqualTo("laplace-table");
    }

    @Test
    void isReusedAndPricedInPlans() throws Exception {
        String id = dataset("10", "age,hours,sex\n10,1,Female\n");
        String body = "{'epsilon':1,'reuse':true,'aggregates':[{'count':{}}],'groupBy':[{'column':'sex'}]}";
        JsonNode first = asked(id, body);
        JsonNode again = asked(id, body.replace("'count':{}", "'count':{},'weight':1"));
        assertThat(again.get("answer")).isEqualTo(first.get("answer"));
        assertThat(again.at("/charge/epsilon").asString()).isEqualTo("0");
        JsonNode plan = json(assertStatus(
                200,
                send(
                        "POST",
                        "/v1/datasets/" + id + "/quotes",
                        quoted("{'questions':[{'kind':'aggregate','request':" + body + "}]}"),
                        "Content-Type",
                        "application/json")));
        assertThat(plan.at("/items/0/accuracy/each/0/name").asString()).isEqualTo("count");
    }

    @Test
    void refusesMoreGroupsThanCanBeCounted() throws Exception {
        String columns = """
                [{"name":"a","type":"integer","lower":0,"upper":99999,"missing":0},
                 {"name":"b","type":"integer","lower":0,"upper":99999,"missing":0},
                 {"name":"c","type":"integer","lower":0,"upper":99999,"missing":0},
                 {"name":"d","type":"integer","lower":0,"upper":99999,"missing":0}]""";
        String id = registered(columns, "1", "add-or-remove-one", "");
        String keys = "'groupBy':[{'column':'a','step':1},{'column':'b','step':1},{'column':'c','step':1},"
                + "{'column':'d','step':1}]";
        JsonNode problem = assertProblem(
                422,
                "validation-failed",
                send(
                        "POST",
                        "/v1/datasets/" + id + "/quotes/aggregate",
                        quoted("{'epsilon':1,'aggregates':[{'count':{}}]," + keys + "}"),
                        "Content-Type",
                        "application/json"));
        assertThat(problem.at("/errors/0/detail").asString())
                .isEqualTo("groupBy must make at most 100000 groups, made 100000000000000000000");
    }

    @Test
    void refusesAStepWhoseLastEdgeHasNoDate() throws Exception {
        String id = registered("""
                [{"name":"day","type":"date","lower":"9999-01-01","upper":"9999-12-30","missing":"9999-01-01"},
                 {"name":"at","type":"timestamp","lower":"9999-12-31T00:00:00Z","upper":"9999-12-31T12:00:00Z",
                  "resolution":1,"missing":"9999-12-31T00:00:00Z"}]""", "1", "add-or-remove-one", "");
        String table = "{'epsilon':1,'aggregates':[{'count':{}}],'groupBy':[{'column':'%s','step':%d}]}";
        assertThat(quote(id, table.formatted("day", 364)).has("charge")).isTrue();
        assertThat(quote(id, table.formatted("at", 43_201)).has("charge")).isTrue();
        for (String body : List.of(table.formatted("day", 200), table.formatted("at", 43_200))) {
            JsonNode problem = assertProblem(
                    422,
                    "validation-failed",
                    send(
                            "POST",
                            "/v1/datasets/" + id + "/quotes/aggregate",
                            quoted(body),
                            "Content-Type",
                            "application/json"));
            assertThat(problem.at("/errors/0/pointer").asString()).isEqualTo("/groupBy/0/step");
        }
    }

    @Test
    void refusesAnAnswerThatItsNamesMakeTooLong() throws Exception {
        String names = IntStream.range(100, 400)
                .mapToObj(i -> "\"" + "n".repeat(250) + i + "\"")
                .collect(Collectors.joining(",", "[", "]"));
        String column = "{\"name\":\"%s\",\"type\":\"category\",\"categories\":" + names + ",\"missing\":\""
                + "n".repeat(250) + "100\"}";
        String id = registered(
                "[" + column.formatted("a") + "," + column.formatted("b") + "]", "1", "add-or-remove-one", "");
        String table = "{'epsilon':1,'aggregates':[{'count':{}}],'groupBy':[%s]}";
        assertThat(quote(id, table.formatted("{'column':'a'}")).has("charge")).isTrue();
        JsonNode problem = assertProblem(
                422,
                "validation-failed",
                send(
                        "POST",
                        "/v1/datasets/" + id + "/quotes/aggregate",
                        quoted(table.formatted("{'column':'a'},{'column':'b'}")),
                        "Content-Type",
                        "application/json"));
        assertThat(problem.at("/errors/0/detail").asString()).startsWith("the answer must have at most 48 MB");
    }

    @Test
    void aPlanOfManyLargeTablesIsRefusedBeforeItsEdgesFillTheMemory() throws Exception {
        String id = registered(
                "[{\"name\":\"a\",\"type\":\"integer\",\"lower\":0,\"upper\":99999,\"missing\":0}]",
                "1000",
                "add-or-remove-one",
                "");
        assertStatus(200, upload(id, ofItsOwn(id, "a\n1\n")));
        String item = "{'kind':'aggregate','request':{'epsilon':1,'groupBy':[{'column':'a','step':1}],"
                + "'aggregates':[{'count':{}}]}}";
        JsonNode problem = assertProblem(
                422,
                "validation-failed",
                send(
                        "POST",
                        "/v1/datasets/" + id + "/queries",
                        quoted("{'questions':[" + String.join(",", Collections.nCopies(900, item)) + "]}"),
                        "Content-Type",
                        "application/json"));
        assertThat(problem.at("/errors/0/detail").asString()).endsWith("the first 2 of these have more");
    }

    @Test
    void aTargetIsMetWithADeltaThatSmallerEpsilonsHaveNoUseFor() throws Exception {
        String id = dataset("approximate", "300", "0.01");
        String means = IntStream.range(0, 12)
                .mapToObj(i -> "{'mean':{'column':'age','upper':" + (100 + i) + "},'name':'m" + i + "'}")
                .collect(Collectors.joining(","));
        JsonNode quote = quote(
                id,
                "{'targetAlpha':60,'delta':'1e-6','aggregates':[{'count':{}}," + means
                        + "],'groupBy':[{'column':'age','step':1}]}");
        assertThat(quote.at("/mechanism/name").asString()).isEqualTo("gaussian-table");
        assertThat(quote.at("/accuracy/alpha").decimalValue()).isLessThanOrEqualTo(new BigDecimal("60"));
    }

    @Test
    void manyPartsOfALittleRhoAreQuoted() throws Exception {
        String id = unready("zcdp", "100", "0.000001", "add-or-remove-one");
        StringBuilder variances = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            variances
                    .append(i == 0 ? "" : ",")
                    .append("{'variance':{'column':'age','upper':" + (100 + i) + "},'name':'v" + i + "','weight':"
                            + (i < 5 ? 1000 : 1) + "}");
        }
        for (String epsilon : List.of("0.000001", "0.00001", "0.00002", "0.0001", "0.01")) {
            JsonNode quote = quote(id, "{'epsilon':'" + epsilon + "','aggregates':[" + variances + "]}");
            assertThat(quote.at("/mechanism/parameters/parts").size()).isEqualTo(20);
        }
    }
}
