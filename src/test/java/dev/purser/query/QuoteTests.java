package dev.purser.query;

import dev.purser.web.RunningService;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Quotes over HTTP state what the answer will state and what will be charged for it, and they cost nothing. */
class QuoteTests extends RunningService {
    private static final String ROWS = "age,hours,sex\n1,1,Male\n50,2.25,Female\n";
    private static final BigDecimal NANO = new BigDecimal("0.000000001");

    /** By accountant: datasets that answer all questions of these tests. */
    private static final Map<String, String> DATASETS = new LinkedHashMap<>();

    /** What a quote of this test must not change. */
    private final Map<String, Integer> entriesBefore = new LinkedHashMap<>();

    @BeforeEach
    void makeTheDatasets() throws Exception {
        if (DATASETS.isEmpty()) {
            DATASETS.put("pure", withData("pure", "1000", "0", "replace-one"));
            DATASETS.put("approximate", withData("approximate", "1000", "0.01", "add-or-remove-one"));
            DATASETS.put("zcdp", withData("zcdp", "1000", "0.000001", "add-or-remove-one"));
        }
        entriesBefore.clear();
    }

    private String withData(String accountant, String epsilon, String delta, String relation) throws Exception {
        String id = unready(accountant, epsilon, delta, relation);
        assertStatus(200, upload(id, ofItsOwn(id, ROWS)));
        return id;
    }

    private static String of(String accountant) {
        return DATASETS.getOrDefault(accountant, "");
    }

    private HttpResponse<String> quoting(String id, String what, String body) throws Exception {
        return post("/v1/datasets/" + id + "/quotes" + what, body);
    }

    private JsonNode quote(String id, String kind, String body) throws Exception {
        entriesBefore.putIfAbsent(id, entries(id));
        return json(assertStatus(200, quoting(id, "/" + kind, quoted(body))));
    }

    private JsonNode plan(String id, String questions) throws Exception {
        entriesBefore.putIfAbsent(id, entries(id));
        return json(assertStatus(200, quoting(id, "", quoted("{'questions':[" + questions + "]}"))));
    }

    /** Asks a question. Only this adds an entry. */
    private JsonNode asked(String id, String kind, String body) throws Exception {
        entriesBefore.computeIfPresent(id, (same, entries) -> entries + 1);
        return answered(id, kind, quoted(body));
    }

    @AfterEach
    void onlyAsksWereBooked() throws Exception {
        for (Map.Entry<String, Integer> each : entriesBefore.entrySet()) {
            assertThat(entries(each.getKey())).isEqualTo(each.getValue());
        }
    }

    static Stream<String[]> questions() {
        return Stream.of(
                new String[] {"count", "'where':[{'column':'age','above':50}]"},
                new String[] {"sum", "'column':'hours','lower':0.25,'upper':10"},
                new String[] {"mean", "'column':'age'"},
                new String[] {"mean", "'column':'hours','method':'sum-and-count'"},
                new String[] {"mean", "'column':'age','lower':3,'method':'auto-clip'"},
                new String[] {"histogram", "'column':'hours','edges':[-5,0.25,1e1,500]"},
                new String[] {"histogram", "'column':'sex'"},
                new String[] {"quantile", "'column':'hours','probabilities':[0.5,9e-1,0.123456],'upper':30"},
                new String[] {"threshold", "'threshold':5,'queries':[{'count':{'where':[{'column':'age','above':3}]}}]"
                },
                new String[] {
                    "threshold",
                    "'threshold':9,'whenNone':'random','queries':[{'sum':{'column':'age','upper':3}},"
                            + "{'clipLoss':{'column':'hours','bound':5,'step':0.25}}]"
                },
                new String[] {
                    "sparse-range", "'column':'age','threshold':5,'maxPositives':1,'ranges':[{'below':50},{'above':3}]"
                },
                new String[] {
                    "sparse-range",
                    "'column':'age','threshold':5,'maxPositives':3,'release':'values','allocation':'textbook',"
                            + "'ranges':[{'below':50},{'above':3}]"
                },
                new String[] {
                    "sparse-range",
                    "'column':'age','threshold':5,'maxPositives':3,'release':'gaps','ranges':[{'below':50},{'above':3}]"
                });
    }

    static Stream<Arguments> questionsUnderEveryAccountant() {
        return Stream.of("pure", "approximate", "zcdp")
                .flatMap(accountant -> questions().map(each -> Arguments.of(accountant, each[0], each[1])));
    }

    @ParameterizedTest
    @MethodSource("questionsUnderEveryAccountant")
    void saysWhatTheAnswerWillSay(String accountant, String kind, String fields) throws Exception {
        String id = of(accountant);
        String delta = accountant.equals("approximate") ? "'delta':'1e-9'," : "";
        String body = "{'epsilon':0.123456789,'beta':0.01," + delta + fields + "}";
        JsonNode quote = quote(id, kind, body);
        assertThat(quote.propertyNames())
                .containsExactly(
                        "kind", "epsilon", "charge", "affordable", "accuracy", "mechanism", "freeFrom", "refines");
        JsonNode answer = asked(id, kind, body);
        assertThat(quote.get("kind").asString()).isEqualTo(kind);
        assertThat(quote.get("epsilon").asString()).isEqualTo("0.123456789");
        assertThat(quote.get("affordable").asBoolean()).isTrue();
        assertThat(quote.get("charge")).isEqualTo(answer.get("charge"));
        assertThat(quote.get("mechanism")).isEqualTo(answer.get("mechanism"));
        if (kind.equals("mean")) {
            assertThat(quote.at("/accuracy/unit")).isEqualTo(answer.at("/accuracy/unit"));
            assertThat(quote.at("/accuracy/statement").asString()).startsWith("If 1000 rows pass, ");
        } else {
            assertThat(quote.get("accuracy")).isEqualTo(answer.get("accuracy"));
        }
    }

    @ParameterizedTest
    @MethodSource("questionsUnderEveryAccountant")
    void findsTheLeastEpsilonThatMeetsATarget(String accountant, String kind, String fields) throws Exception {
        String id = of(accountant);
        BigDecimal target = alpha(quote(id, kind, "{'epsilon':0.37," + fields + "}"))
                .round(new MathContext(9, RoundingMode.CEILING));
        JsonNode solved = quote(id, kind, "{'targetAlpha':" + target.toPlainString() + "," + fields + "}");
        BigDecimal epsilon = new BigDecimal(solved.get("epsilon").asString());
        assertThat(epsilon).isBetween(new BigDecimal("0.1"), new BigDecimal("0.37"));
        // The quote is the same as a quote with the epsilon that it found.
        String exactly = "{'epsilon':'%s'," + fields + "}";
        assertThat(quote(id, kind, exactly.formatted(epsilon))).isEqualTo(solved);
        assertThat(alpha(solved)).isLessThanOrEqualTo(target);
        assertThat(alpha(quote(id, kind, exactly.formatted(epsilon.subtract(NANO)))))
                .isGreaterThan(target);
    }

    /** The textbook's noise with a delta is private only up to some epsilon. Below it, targets are met as anywhere. */
    @Test
    void aTargetOfTheTextbookIsMetWhereItIsPrivate() throws Exception {
        String fields = "'delta':'1e-6','column':'age','threshold':5,'maxPositives':3,'release':'values',"
                + "'allocation':'textbook','ranges':[{'below':50},{'above':3}]}";
        JsonNode solved = quote(of("approximate"), "sparse-range", "{'targetAlpha':5000," + fields);
        String nanoLess =
                new BigDecimal(solved.get("epsilon").asString()).subtract(NANO).toPlainString();

        assertThat(alpha(solved)).isLessThanOrEqualTo(new BigDecimal("5000"));
        assertThat(alpha(quote(of("approximate"), "sparse-range", "{'epsilon':'" + nanoLess + "'," + fields)))
                .isGreaterThan(new BigDecimal("5000"));
        assertProblem(
                422,
                "mechanism-not-private",
                post(
                        "/v1/datasets/" + of("approximate") + "/quotes/sparse-range",
                        quoted("{'targetAlpha':1," + fields)));
    }

    private static BigDecimal alpha(JsonNode quote) {
        return quote.at("/accuracy/alpha").decimalValue();
    }

    @Test
    void aTargetThatIsAlwaysMetNeedsTheLeastEpsilonThereIs() throws Exception {
        // The number of rows is public here.
        assertThat(quote(of("pure"), "count", "{'targetAlpha':0.5}").get("epsilon"))
                .hasToString("\"0.000001\"");
        assertThat(quote(of("zcdp"), "count", "{'targetAlpha':1e15}").get("epsilon"))
                .hasToString("\"0.000001\"");
    }

    @Test
    void aTargetThatIsNeverMetIsRefusedWithWhatCanBe() throws Exception {
        JsonNode problem = refused(of("zcdp"), "/mean", "{'targetAlpha':0.001,'column':'age','assumedRows':1}");
        assertThat(places(problem)).containsExactly("/targetAlpha");
        BigDecimal nearest = alpha(quote(of("zcdp"), "mean", "{'epsilon':100,'column':'age','assumedRows':1}"));
        assertThat(problem.at("/errors/0/detail").asString())
                .isEqualTo("targetAlpha must be at least " + nearest.toPlainString()
                        + ", which the largest epsilon of one question, 100, comes to here, was 0.001");
    }

    @Test
    void aMeanTakesANumberOfRowsToAssume() throws Exception {
        String id = of("zcdp");
        for (String method : List.of("two-sided", "centered", "sum-and-count", "auto-clip")) {
            String body = "{'epsilon':1,'column':'age','method':'" + method + "'%s}";
            JsonNode byDefault = quote(id, "mean", body.formatted(""));
            assertThat(quote(id, "mean", body.formatted(",'assumedRows':1000"))).isEqualTo(byDefault);
            JsonNode few = quote(id, "mean", body.formatted(",'assumedRows':100"));
            assertThat(alpha(few)).isGreaterThan(alpha(byDefault).multiply(BigDecimal.valueOf(9)));
            String statement = few.at("/accuracy/statement").asString();
            assertThat(statement).startsWith("If 100 rows pass, ");
            assertThat(statement.contains("not included")).isEqualTo(method.equals("auto-clip"));
            // With one row there is more noise than rows. Nothing can be said except that the range holds both means.
            assertThat(alpha(quote(id, "mean", body.formatted(",'assumedRows':1"))))
                    .isEqualByComparingTo("125");
        }
        String known = "{'epsilon':1,'column':'hours','method':'known-count','assumedRows':10}";
        // Steps of 0.25 and a range of 400 of them: the least a with P(|X| > a) at most 0.05 is 400 ln 20, rounded up.
        BigDecimal steps = BigDecimal.valueOf(Math.ceil(400 * Math.log(20) - 1 + 0.5));
        assertThat(alpha(quote(of("pure"), "mean", known)))
                .isEqualByComparingTo(steps.multiply(new BigDecimal("0.025")));
    }

    @Test
    void aLocalMeanIsQuotedForANumberOfRows() throws Exception {
        String body = "{'epsilon':1,'column':'hours','protocol':'harmony','assumedRows':500}";
        JsonNode quote = quote(of("pure"), "local-mean", body);
        // 2.16395341373865 · √(2 ln 40 / 500) · 50, and a millionth more.
        assertThat(alpha(quote).doubleValue()).isEqualTo(13.1431, within(1e-4));
        assertThat(quote.at("/accuracy/statement").asString()).startsWith("If 500 rows pass, ");
        assertThat(quote.at("/charge/epsilon").asString()).isEqualTo("1");
        JsonNode answer = asked(of("pure"), "local-mean", body.replace(",'assumedRows':500", ""));
        assertThat(quote.get("mechanism")).isEqualTo(answer.get("mechanism"));
        String target = "{'targetAlpha':%s,'column':'hours','assumedRows':500}";
        JsonNode solved = quote(of("pure"), "local-mean", target.formatted(5));
        assertThat(alpha(solved)).isLessThanOrEqualTo(BigDecimal.valueOf(5));
        // Piecewise and Hybrid are drawn up to epsilon 10, where this target is far from met.
        assertThat(places(refused(of("pure"), "/local-mean", target.formatted("0.001"))))
                .containsExactly("/epsilon");
        JsonNode plan = refused(
                of("pure"),
                "",
                "{'questions':[{'kind':'count','request':{'epsilon':1}},"
                        + "{'kind':'local-mean','request':{'epsilon':11,'column':'hours'}}]}");
        assertThat(places(plan)).containsExactly("/questions/1/request/epsilon");
    }

    @Test
    void pricesAPlanThatThenIsAffordableAsOftenAsItSaid() throws Exception {
        String id = withData("pure", "1.1", "0", "add-or-remove-one");
        String questions = "{'kind':'count','request':{'epsilon':'0.1'}},"
                + "{'kind':'mean','request':{'epsilon':0.25,'column':'age','assumedRows':7}}";
        JsonNode plan = plan(id, questions);
        assertThat(plan.propertyNames()).containsExactly("charge", "affordable", "timesAffordable", "items", "cheaper");
        assertThat(plan.get("charge")).hasToString(quoted("{'epsilon':'0.35','delta':'0'}"));
        assertThat(plan.get("items").size()).isEqualTo(2);
        assertThat(plan.at("/items/0")).isEqualTo(quote(id, "count", "{'epsilon':0.1}"));
        assertThat(plan.at("/items/1")).isEqualTo(quote(id, "mean", "{'epsilon':0.25,'column':'age','assumedRows':7}"));
        asksAsOftenAsItSays(id, questions, 3, "{'epsilon':0.1}", "{'epsilon':0.25,'column':'age'}");
    }

    @Test
    void pricesAPlanInRho() throws Exception {
        String id = withData("zcdp", "2", "0.000001", "add-or-remove-one");
        String questions = "{'kind':'count','request':{'epsilon':'0.1'}},"
                + "{'kind':'mean','request':{'epsilon':0.25,'column':'age'}}";
        JsonNode plan = plan(id, questions);
        // 0.1·tanh(0.05) and 0.25·tanh(0.125), each rounded up to a pico-rho; adding epsilons would give another sum.
        assertThat(plan.at("/items/0/charge/rho").asString()).isEqualTo("0.004995837496");
        assertThat(plan.at("/items/1/charge/rho").asString()).isEqualTo("0.031088250443");
        assertThat(plan.at("/charge/rho").asString()).isEqualTo("0.036084087939");
        BigDecimal limit = new BigDecimal(
                json(get("/v1/datasets/" + id + "/budget")).at("/limit/rho").asString());
        int times =
                limit.divideToIntegralValue(new BigDecimal("0.036084087939")).intValue();
        assertThat(times).isBetween(2, 3);
        asksAsOftenAsItSays(id, questions, times, "{'epsilon':0.1}", "{'epsilon':0.25,'column':'age'}");
    }

    @Test
    void pricesAPlanInEpsilonAndDelta() throws Exception {
        // The question fits twice by delta, and five times by epsilon.
        String id = withData("approximate", "1.1", "0.0000025", "add-or-remove-one");
        String questions = "{'kind':'count','request':{'epsilon':'0.1','delta':'1e-6'}},"
                + "{'kind':'mean','request':{'epsilon':0.1,'column':'age'}}";
        JsonNode plan = plan(id, questions);
        assertThat(plan.get("charge")).hasToString(quoted("{'epsilon':'0.2','delta':'0.000001'}"));
        asksAsOftenAsItSays(id, questions, 2, "{'epsilon':0.1,'delta':'1e-6'}", "{'epsilon':0.1,'column':'age'}");
    }

    private void asksAsOftenAsItSays(String id, String questions, int times, String count, String mean)
            throws Exception {
        JsonNode plan = plan(id, questions);
        assertThat(plan.get("timesAffordable").asInt()).isEqualTo(times);
        for (int left = times; left > 0; left--) {
            JsonNode now = plan(id, questions);
            assertThat(now.get("affordable").asBoolean()).isTrue();
            assertThat(now.get("timesAffordable").asInt()).isEqualTo(left);
            asked(id, "count", count);
            asked(id, "mean", mean);
        }
        JsonNode after = plan(id, questions);
        assertThat(after.get("affordable").asBoolean()).isFalse();
        assertThat(after.get("timesAffordable").asInt()).isZero();
        HttpResponse<String> first = ask(id, "count", quoted(count));
        HttpResponse<String> second = ask(id, "mean", quoted(mean));
        List<Integer> statuses = List.of(first.statusCode(), second.statusCode());
        entriesBefore.computeIfPresent(id, (same, entries) -> entries + Collections.frequency(statuses, 200));
        assertThat(statuses).contains(409);
    }

    @Test
    void aPlanMayHoldTargets() throws Exception {
        JsonNode plan = plan(
                of("zcdp"),
                "{'kind':'count','request':{'targetAlpha':20}},"
                        + "{'kind':'sum','request':{'targetAlpha':900,'column':'age'}}");
        assertThat(plan.at("/items/0")).isEqualTo(quote(of("zcdp"), "count", "{'targetAlpha':20}"));
        assertThat(plan.at("/items/1")).isEqualTo(quote(of("zcdp"), "sum", "{'targetAlpha':900,'column':'age'}"));
    }

    @Tag("full")
    @Test
    void aPlanThatNoAccountCouldHoldIsNotAffordable() throws Exception {
        String question = "{'kind':'count','request':{'epsilon':100,'delta':0.01}}";
        String id = unready("approximate", "1000", "0.01", "add-or-remove-one");
        JsonNode plan = plan(id, String.join(",", Collections.nCopies(1000, question)));
        assertThat(plan.get("charge")).hasToString(quoted("{'epsilon':'100000','delta':'1'}"));
        assertThat(plan.get("affordable").asBoolean()).isFalse();
        assertThat(plan.get("timesAffordable").asInt()).isZero();
        assertThat(plan.at("/items/999/affordable").asBoolean()).isTrue();
    }

    @Test
    void aQuestionThatDoesNotFitIsQuotedAllTheSame() throws Exception {
        String id = withData("pure", "1", "0", "add-or-remove-one");
        assertThat(quote(id, "count", "{'epsilon':1}").get("affordable").asBoolean())
                .isTrue();
        asked(id, "count", "{'epsilon':'0.000001'}");
        JsonNode quote = quote(id, "count", "{'epsilon':1}");
        assertThat(quote.get("affordable").asBoolean()).isFalse();
        assertThat(quote.at("/charge/epsilon").asString()).isEqualTo("1");
        assertThat(quote(id, "count", "{'epsilon':0.999999}").get("affordable").asBoolean())
                .isTrue();
        JsonNode plan =
                plan(id, "{'kind':'count','request':{'epsilon':0.5}},{'kind':'count','request':{'epsilon':0.5}}");
        assertThat(plan.get("affordable").asBoolean()).isFalse();
        assertThat(plan.at("/items/1/affordable").asBoolean()).isTrue();
    }

    @Test
    void needsNoDataButADataset() throws Exception {
        String id = unready("pure", "1", "0", "add-or-remove-one");
        assertThat(quote(id, "count", "{'epsilon':0.5}").get("affordable").asBoolean())
                .isTrue();
        assertThat(plan(id, "{'kind':'count','request':{'epsilon':0.5}}").get("timesAffordable"))
                .hasToString("2");
        assertThat(filesOf(id)).isEmpty();
        assertStatus(204, send("DELETE", "/v1/datasets/" + id, ""));
        entriesBefore.clear();
        assertProblem(404, "not-found", quoting(id, "/count", quoted("{'epsilon':1}")));
        assertProblem(404, "not-found", quoting(id, "", "{}"));
        assertProblem(404, "not-found", quoting("nowhere", "/count", "no JSON either"));
        assertProblem(404, "not-found", quoting(of("pure"), "/median", "{}"));
    }

    @Test
    void knownCountNeedsAPublicCount() throws Exception {
        String mean = quoted("{'epsilon':1,'column':'age','method':'known-count'}");
        assertProblem(422, "mechanism-not-private", quoting(of("zcdp"), "/mean", mean));
        String plan = """
                {"questions":[{"kind":"count","request":{"epsilon":1}},\
                {"kind":"mean","request":%s}]}""".formatted(mean);
        assertThat(assertProblem(422, "mechanism-not-private", quoting(of("zcdp"), "", plan))
                        .get("detail")
                        .asString())
                .startsWith("/questions/1/request: known-count");
        assertStatus(200, quoting(of("pure"), "", plan));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/count | {} | ''",
                "/count | {'epsilon':1,'targetAlpha':5} | ''",
                "/count | {'epsilon':0} | /epsilon",
                "/count | {'epsilon':101} | /epsilon",
                "/count | {'epsilon':null} | ''",
                "/count | {'targetAlpha':0} | /targetAlpha",
                "/count | {'targetAlpha':-1} | /targetAlpha",
                "/count | {'targetAlpha':'5'} | /targetAlpha",
                "/count | {'targetAlpha':null} | ''",
                "/count | {'targetAlpha':1e400} | /targetAlpha",
                "/count | {'targetAlpha':1e-400} | /targetAlpha",
                "/count | {'targetAlpha':5,'nope':1} | /nope",
                "/count | {'epsilon':1,'assumedRows':5} | /assumedRows",
                "/count | {'epsilon':1,'delta':0.001} | /delta",
                "/count | {'targetAlpha':5,'delta':1} | /delta",
                "/count | {'epsilon':1,'beta':0} | /beta",
                "/count | {'where':[{'column':'no','above':1}]} | '',/where/0/column",
                "/count | [] | ''",
                "/mean | {'epsilon':1,'column':'age','assumedRows':0} | /assumedRows",
                "/mean | {'epsilon':1,'column':'age','assumedRows':1001} | /assumedRows",
                "/mean | {'epsilon':1,'column':'age','assumedRows':1.5} | /assumedRows",
                "/mean | {'targetAlpha':1} | /column",
                "`` | {} | /questions",
                "`` | {'questions':[]} | /questions",
                "`` | {'questions':{}} | /questions",
                "`` | {'questions':[1]} | /questions/0",
                "`` | {'questions':[{}]} | /questions/0/kind,/questions/0/request",
                "`` | {'questions':[{'kind':'median','request':{}}]} | /questions/0/kind",
                "`` | {'questions':[{'kind':'count','request':{}}]} | /questions/0/request",
                "`` | {'questions':[{'kind':'count','request':[]}]} | /questions/0/request",
                "`` | {'questions':[{'kind':'count','request':{'epsilon':1},'x':1}]} | /questions/0/x",
                "`` | {'questions':[{'kind':'count','request':{'epsilon':1}}],'x':1} | /x",
                "`` | {'questions':[{'kind':'count','request':{'epsilon':1,'assumedRows':1}}]}"
                        + " | /questions/0/request/assumedRows",
                "`` | {'questions':[{'kind':'count','request':{'epsilon':1}},{'kind':'sum','request':{'epsilon':1}},"
                        + "{'kind':'mean','request':{'epsilon':2000,'column':'age'}}]}"
                        + " | /questions/1/request/column,/questions/2/request/epsilon",
                "`` | {'questions':[{'kind':'mean','request':{'targetAlpha':0.000001,'column':'age'}},"
                        + "{'kind':'count','request':{'targetAlpha':1}},"
                        + "{'kind':'mean','request':{'targetAlpha':0.000001,'column':'hours'}}]}"
                        + " | /questions/0/request/targetAlpha,/questions/2/request/targetAlpha"
            })
    void namesEveryBrokenRule(String what, String body, String places) throws Exception {
        assertThat(places(refused(of("zcdp"), what, body)))
                .containsExactlyInAnyOrder(places.replace("''", "").split(",", -1));
    }

    @Test
    void takesAThousandQuestionsAtMost() throws Exception {
        String question = "{'kind':'count','request':{'epsilon':0.001}}";
        JsonNode plan = plan(of("pure"), String.join(",", Collections.nCopies(1000, question)));
        assertThat(plan.get("charge")).hasToString(quoted("{'epsilon':'1','delta':'0'}"));
        String more = "{'questions':[" + String.join(",", Collections.nCopies(1001, question)) + "]}";
        assertThat(places(refused(of("pure"), "", more))).containsExactly("/questions");
        String target = "{'kind':'count','request':{'targetAlpha':5}}";
        String ten = String.join(",", Collections.nCopies(10, target));
        assertThat(plan(of("zcdp"), ten + "," + question).get("items").size()).isEqualTo(11);
        String oneMore = "{'questions':[" + ten + "," + question + "," + target + "]}";
        assertThat(places(refused(of("zcdp"), "", oneMore))).containsExactly("/questions");
    }

    private JsonNode refused(String id, String what, String body) throws Exception {
        entriesBefore.putIfAbsent(id, entries(id));
        JsonNode problem = assertProblem(422, "validation-failed", quoting(id, what, quoted(body)));
        assertThat(problem.get("instance").asString()).isEqualTo("/v1/datasets/" + id + "/quotes" + what);
        return problem;
    }

    @Test
    void aQuoteHasNoKeyAndIsNotKept() throws Exception {
        HttpResponse<String> quote = quoting(of("pure"), "/count", quoted("{'epsilon':1}"));
        assertThat(quote.headers().firstValue("Idempotency-Key")).isEmpty();
        assertThat(quote.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
    }
}
