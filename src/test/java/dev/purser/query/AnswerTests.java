package dev.purser.query;

import dev.purser.digest.Sha256;
import dev.purser.web.RunningService;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Every kind of question over HTTP: what the answer has, what it means, and that what it states about itself holds. */
class AnswerTests extends RunningService {
    /**
     * Ages 0 to 99, and hours of a quarter of the age. Every tenth row has the category "". The other rows alternate
     * between Female and Male.
     */
    private static final String HUNDRED = hundred();

    /** A condition that no row breaks. */
    private static final String EVERYBODY = quoted(",'where':[{'column':'age','atLeast':0}]");

    private static String added = "";
    private static String replaced = "";

    private static String hundred() {
        StringBuilder csv = new StringBuilder("sex,age,note,hours\n");
        for (int i = 0; i < 100; i++) {
            String sex = i % 10 == 0 ? "" : i % 2 == 0 ? "Female" : "Male";
            csv.append(sex).append(',').append(i).append(",x,").append(i / 4.0).append('\n');
        }
        return csv.toString();
    }

    @BeforeEach
    void makeTheDatasets() throws Exception {
        if (added.isEmpty()) {
            added = dataset("1000000", HUNDRED);
            replaced = dataset("1000000", HUNDRED, COLUMNS, "replace-one");
        }
    }

    static Stream<String[]> questions() {
        return Stream.of(
                new String[] {"count", "'where':[{'column':'age','above':50}]", "count,interval"},
                new String[] {"sum", "'column':'age'", "sum,interval"},
                new String[] {"sum", "'column':'hours','lower':0.25,'upper':10", "sum,interval"},
                new String[] {"mean", "'column':'age'", "mean,clip,interval,count"},
                new String[] {"mean", "'column':'age','method':'centered'", "mean,clip,interval,count"},
                new String[] {"mean", "'column':'hours','method':'sum-and-count'", "mean,clip,interval,count"},
                new String[] {"mean", "'column':'age','method':'auto-clip'", "mean,clip,interval,count"},
                new String[] {"histogram", "'column':'hours','edges':[-5,0.25,1e1,500]", "bins"},
                new String[] {"histogram", "'column':'sex'", "bins"},
                new String[] {"quantile", "'column':'hours','probabilities':[0.5,9e-1],'upper':30", "quantiles"},
                new String[] {"threshold", "'threshold':5,'queries':[{'count':{}}]", "index"},
                new String[] {"threshold", "'threshold':5000,'queries':[{'count':{}}]", "index"},
                new String[] {
                    "threshold",
                    "'threshold':9,'whenNone':'random','queries':[{'sum':{'column':'age','upper':3}},"
                            + "{'clipLoss':{'column':'hours','bound':5,'step':0.25}}]",
                    "index"
                },
                new String[] {
                    "sparse-range",
                    "'column':'age','threshold':5,'maxPositives':1,'ranges':[{'below':50},{'above':3}]",
                    "positives,examined,halted"
                },
                new String[] {
                    "sparse-range",
                    "'column':'age','threshold':5,'maxPositives':3,'release':'values','allocation':'textbook',"
                            + "'ranges':[{'below':50},{'above':3}]",
                    "positives,examined,halted"
                });
    }

    @ParameterizedTest
    @MethodSource("questions")
    void hasTheFieldsOfTheContractAndNoOther(String kind, String fields, String answer) throws Exception {
        String question = quoted("{'epsilon':0.5,'beta':0.01," + fields + "}");
        HttpResponse<String> response = assertStatus(200, ask(added, kind, question));
        JsonNode envelope = json(response);
        assertThat(envelope.propertyNames())
                .containsExactly(
                        "queryId",
                        "datasetId",
                        "kind",
                        "mechanism",
                        "charge",
                        "remaining",
                        "guarantee",
                        "accuracy",
                        "question",
                        "refines",
                        "answer");
        assertThat(envelope.get("refines").isNull()).isTrue();
        assertThat(envelope.get("queryId").asString()).matches("[0-9A-HJKMNP-TV-Z]{26}");
        assertThat(envelope.get("datasetId").asString()).isEqualTo(added);
        assertThat(envelope.get("kind").asString()).isEqualTo(kind);
        assertThat(envelope.get("mechanism").propertyNames()).containsExactly("name", "noise", "parameters");
        assertThat(envelope.at("/mechanism/noise").asString())
                .isEqualTo(kind.equals("quantile") ? "one-sided-geometric" : "discrete-laplace");
        assertThat(envelope.get("charge")).hasToString(quoted("{'epsilon':'0.5','delta':'0'}"));
        assertThat(envelope.get("remaining").propertyNames()).containsExactly("epsilon", "delta");
        assertThat(envelope.at("/remaining/epsilon").isString()).isTrue();
        assertThat(envelope.get("guarantee")).hasToString("""
                        {"epsilon":"0.5","delta":"0","neighboringRelation":"add-or-remove-one",\
                        "privacyUnit":{"type":"row"},"declaredPublic":false,"declaredOtherPeople":false}""");
        assertThat(envelope.get("accuracy").propertyNames()).containsExactly("alpha", "beta", "unit", "statement");
        assertThat(envelope.at("/accuracy/alpha").isNumber()).isTrue();
        assertThat(envelope.at("/accuracy/beta").decimalValue()).isEqualByComparingTo("0.01");
        assertThat(envelope.at("/accuracy/unit").asString()).isEqualTo(kind.equals("quantile") ? "rank" : "value");
        assertThat(envelope.get("answer").propertyNames()).containsExactly(answer.split(","));
        // There is no number with an exponent, no NaN and no infinity.
        assertThat(response.body()).doesNotContainPattern(":-?[0-9.]+[eE]").doesNotContain("NaN", "Infinity");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(response.headers().firstValue("Idempotency-Key").orElseThrow())
                .matches("[0-9a-f]{32}");
        assertThat(response.headers().firstValue("Idempotency-Replayed")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "100 |",
                "69  | {'column':'age','above':30}",
                "70  | {'column':'age','atLeast':30}",
                "30  | {'column':'age','below':30}",
                "31  | {'column':'age','atMost':30}",
                "19  | {'column':'age','above':30,'below':50}",
                "21  | {'column':'age','atLeast':30,'atMost':50}",
                "1   | {'column':'age','atLeast':30,'atMost':30}",
                "0   | {'column':'age','above':30,'below':31}",
                "0   | {'column':'age','above':50,'below':40}",
                "0   | {'column':'age','atLeast':200}",
                "0   | {'column':'age','below':-5}",
                "100 | {'column':'age','above':-1000000,'below':1099511627776}",
                "100 | {'column':'age','atMost':1099511627776}",
                "9   | {'column':'age','above':10},{'column':'age','below':20}",
                "84  | {'column':'age','above':10},{'column':'age','above':15}",
                "0   | {'column':'age','above':80},{'column':'age','below':20}",
                "2   | {'column':'hours','atLeast':0.25,'below':0.75}",
                "3   | {'column':'hours','atLeast':0.25,'atMost':7.5e-1}",
                "20  | {'column':'hours','above':1.00,'below':10},{'column':'age','atMost':24}",
                "40  | {'column':'sex','in':['Female']}",
                "90  | {'column':'sex','in':['Male','Female']}",
                "10  | {'column':'sex','in':['']}",
                "50  | {'column':'sex','in':['Male','Male','Female']},{'column':'sex','in':['Male','']}",
                "0   | {'column':'sex','in':['Male']},{'column':'sex','in':['Female']}",
                "20  | {'column':'sex','in':['Female']},{'column':'age','below':50}",
                "60  | {'column':'sex','notIn':['Female']}",
                "90  | {'column':'sex','notIn':['']}",
                "50  | {'column':'sex','notIn':['','Female','']}",
                "0   | {'column':'sex','notIn':['','Female','Male']}",
                "10  | {'column':'sex','notIn':['Female']},{'column':'sex','notIn':['Male']}",
                "10  | {'column':'sex','notIn':['Female']},{'column':'sex','in':['Female','']}",
                "10  | {'column':'sex','in':['Female','']},{'column':'sex','notIn':['Female']}",
                "0   | {'column':'sex','in':['Female']},{'column':'sex','notIn':['Female']}",
                "30  | {'column':'sex','notIn':['Female']},{'column':'age','below':50}"
            })
    void countsTheRowsThatPassEveryCondition(int expected, @Nullable String conditions) throws Exception {
        String where = conditions == null ? "" : quoted(conditions);
        assertThat(counted(added, where)).isEqualTo(String.valueOf(expected));
        // The other two ways to a count find the same.
        JsonNode above = answer(added, "threshold", """
                {"epsilon":100,"threshold":%d,"queries":[{"sum":{"column":"age","upper":0}},\
                {"count":{"where":[%s]}}]}""".formatted(expected, where));
        assertThat(above.get("index")).hasToString(expected == 0 ? "0" : "1");
        JsonNode notAbove = answer(added, "threshold", """
                {"epsilon":100,"threshold":%d,"queries":[{"count":{"where":[%s]}}]}""".formatted(expected + 1, where));
        assertThat(notAbove.get("index").isNull()).isTrue();
    }

    @Test
    void theCommonConditionsOfAThresholdHoldForEveryQuery() throws Exception {
        String query = """
                {"epsilon":100,"threshold":%s,"where":[{"column":"age","below":50}],\
                "queries":[{"count":{"where":[{"column":"age","atLeast":40}]}},{"count":{}}]}""";
        assertThat(answer(added, "threshold", query.formatted("10")).get("index"))
                .hasToString("0");
        assertThat(answer(added, "threshold", query.formatted("11")).get("index"))
                .hasToString("1");
        assertThat(answer(added, "threshold", query.formatted("51")).get("index"))
                .hasToString("null");
    }

    @Test
    void statesTheLeastBoundThatHolds() throws Exception {
        JsonNode envelope = json(ask(added, "count", quoted("{'epsilon':'0.5','beta':0.05}")));
        int alpha = 0;
        while (2 * Math.exp(-0.5 * (alpha + 1)) / (1 + Math.exp(-0.5)) > 0.05) {
            alpha++;
        }
        assertThat(envelope.at("/accuracy/alpha")).hasToString(String.valueOf(alpha));
        long count = envelope.at("/answer/count").asLong();
        assertThat(envelope.at("/answer/interval")).hasToString("""
                {"low":%d,"high":%d}""", count - alpha, count + alpha);
        assertThat(envelope.at("/accuracy/statement").asString()).contains(" " + alpha + " ", "0.05");
    }

    @Test
    void sumsLieOnTheGridOfTheirColumn() throws Exception {
        JsonNode envelope = json(ask(added, "sum", """
                        {"epsilon":1,"beta":0.000000001,"column":"hours","upper":10}"""));
        BigDecimal sum = envelope.at("/answer/sum").decimalValue();
        BigDecimal alpha = envelope.at("/accuracy/alpha").decimalValue();
        assertThat(sum.remainder(new BigDecimal("0.25"))).isEqualByComparingTo("0");
        assertThat(alpha.remainder(new BigDecimal("0.25"))).isEqualByComparingTo("0");
        assertThat(envelope.at("/answer/interval/low").decimalValue()).isEqualByComparingTo(sum.subtract(alpha));
        assertThat(envelope.at("/answer/interval/high").decimalValue()).isEqualByComparingTo(sum.add(alpha));
        // The values are 0, 0.25 … 9.75 and sixty times 10. This fails once in a billion runs.
        assertThat(sum.subtract(new BigDecimal("795")).abs()).isLessThanOrEqualTo(alpha);
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-sided", "auto-clip", "sum-and-count", "centered", "known-count"})
    void meansAreAsNearAsTheySay(String method) throws Exception {
        JsonNode envelope = answered(replaced, "mean", """
                {"epsilon":10,"beta":0.000000001,"column":"hours","method":"%s"}""".formatted(method));
        BigDecimal mean = envelope.at("/answer/mean").decimalValue();
        BigDecimal alpha = envelope.at("/accuracy/alpha").decimalValue();
        double clip = envelope.at("/answer/clip/upper").asDouble();
        double exact = 0;
        for (int i = 0; i < 100; i++) {
            exact += Math.min(i / 4.0, clip) / 100;
        }
        assertThat(Math.abs(mean.doubleValue() - exact)).isLessThanOrEqualTo(alpha.doubleValue() + 1e-9);
        assertThat(alpha.precision()).as("digits of %s", alpha).isLessThanOrEqualTo(6);
        assertThat(alpha)
                .isGreaterThanOrEqualTo(
                        envelope.at("/answer/interval/high").decimalValue().subtract(mean))
                .isGreaterThanOrEqualTo(
                        mean.subtract(envelope.at("/answer/interval/low").decimalValue()));
        assertThat(exact)
                .isBetween(
                        envelope.at("/answer/interval/low").asDouble() - 1e-9,
                        envelope.at("/answer/interval/high").asDouble() + 1e-9);
        assertThat(envelope.at("/answer/clip/lower")).hasToString("0");
        assertThat(envelope.at("/mechanism/name").asString()).isNotEmpty();
    }

    @Test
    void theNumberOfRowsIsPublicWhereItSaysSo() throws Exception {
        String least = quoted("{'epsilon':'0.000001'%s}");
        JsonNode all = json(ask(replaced, "count", least.formatted("")));
        assertThat(all.get("answer")).hasToString(quoted("{'count':100,'interval':{'low':100,'high':100}}"));
        assertThat(all.at("/accuracy/alpha")).hasToString("0");
        assertThat(all.at("/charge/epsilon").asString()).isEqualTo("0.000001");
        assertThat(json(ask(replaced, "count", least.formatted(EVERYBODY)))
                        .at("/accuracy/alpha")
                        .asLong())
                .isGreaterThan(1_000_000);
        assertThat(json(ask(added, "count", least.formatted("")))
                        .at("/accuracy/alpha")
                        .asLong())
                .isGreaterThan(1_000_000);
    }

    @Test
    void knownCountNeedsAPublicCount() throws Exception {
        String question = quoted("{'epsilon':1,'column':'age','method':'known-count'%s}");
        String before = spent(added);
        assertProblem(422, "mechanism-not-private", ask(added, "mean", question.formatted("")));
        assertThat(spent(added)).isEqualTo(before);
        before = spent(replaced);
        assertProblem(422, "mechanism-not-private", ask(replaced, "mean", question.formatted(EVERYBODY)));
        assertThat(spent(replaced)).isEqualTo(before);
        assertStatus(200, ask(replaced, "mean", question.formatted(",\"where\":[]")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",'protocol':'harmony'", ",'protocol':'piecewise'", ",'protocol':'hybrid'"})
    void localMeansAreAsNearAsTheySay(String protocol) throws Exception {
        String question = "{'epsilon':10,'beta':0.000000001,'column':'hours','upper':20" + protocol + "}";
        JsonNode envelope = answered(replaced, "local-mean", quoted(question));
        assertThat(envelope.get("answer").propertyNames()).containsExactly("mean", "interval");
        assertThat(envelope.get("charge")).hasToString(quoted("{'epsilon':'10','delta':'0'}"));
        assertThat(envelope.at("/guarantee/epsilon").asString()).isEqualTo("10");
        assertThat(envelope.at("/mechanism/name").asString()).isEqualTo("local-mean");
        assertThat(protocol.isEmpty() ? "hybrid" : protocol)
                .contains(envelope.at("/mechanism/parameters/protocol").asString());
        double alpha = envelope.at("/accuracy/alpha").asDouble();
        // The values are 0, 0.25 … 19.75 and twenty times 20. This fails once in a billion runs.
        assertThat(envelope.at("/answer/mean").asDouble()).isEqualTo(11.9, within(alpha));
        assertThat(11.9)
                .isBetween(
                        envelope.at("/answer/interval/low").asDouble(),
                        envelope.at("/answer/interval/high").asDouble());
        assertThat(alpha).isLessThan(20);
    }

    @Test
    void localMeansNeedAPublicCountAndASmallRange() throws Exception {
        String question = quoted("{'epsilon':%s,'column':'%s'%s}");
        String wide = AGE.replace("125", "1000000");
        String large = newId();
        String registration = registration(large, "[" + wide + "," + HOURS + "]", "1000", "replace-one", "");
        assertStatus(201, register(withMaxRows(registration, 10_000_001)));
        assertStatus(200, upload(large, ofItsOwn(large, "age,hours\n1,1\n")));
        String before = spent(added) + spent(replaced) + spent(large);

        assertProblem(422, "mechanism-not-private", ask(added, "local-mean", question.formatted(1, "age", "")));
        assertProblem(
                422, "mechanism-not-private", ask(replaced, "local-mean", question.formatted(1, "age", EVERYBODY)));
        JsonNode tooWide = assertProblem(
                422, "validation-failed", ask(large, "local-mean", question.formatted(1, "age", ",\"lower\":900000")));
        assertThat(places(tooWide)).containsExactly("/upper");
        assertThat(tooWide.get("detail").asString()).contains("at most 100000 values", "were 100001", "narrow");
        String narrow = ",\"lower\":900001";
        assertThat(invalidPlaces(ask(large, "local-mean", question.formatted(1, "age", narrow))))
                .containsExactly("/column");
        assertThat(invalidPlaces(ask(replaced, "local-mean", question.formatted(10.1, "age", ""))))
                .containsExactly("/epsilon");

        assertThat(spent(added) + spent(replaced) + spent(large)).isEqualTo(before);
        String harmony = ",\"where\":[],\"protocol\":\"harmony\"";
        assertStatus(200, ask(replaced, "local-mean", question.formatted(10.1, "age", harmony)));
    }

    @Test
    void aThresholdStopsWhereClippingLosesNothingMore() throws Exception {
        String queries = IntStream.rangeClosed(91, 105).mapToObj("""
                {"clipLoss":{"column":"age","bound":%d,"step":1}}"""::formatted).collect(Collectors.joining(","));
        JsonNode answer = answer(added, "threshold", """
                {"epsilon":100,"threshold":0,"queries":[%s]}""".formatted(queries));
        assertThat(answer).hasToString(quoted("{'index':8}"));
    }

    @Test
    void aListOfSeveralGridsTakesThresholdsOnTheFinest() throws Exception {
        String mixed = quoted("{'epsilon':100,'threshold':%s,'queries':[{'count':{}},{'sum':{'column':'hours'}}]}");
        assertThat(answer(added, "threshold", mixed.formatted("1000.25")).get("index"))
                .hasToString("1");
        assertThat(answer(added, "threshold", mixed.formatted("10.75")).get("index"))
                .hasToString("0");
        assertThat(invalidPlaces(ask(added, "threshold", mixed.formatted("0.1"))))
                .containsExactly("/threshold");
        String counts = quoted("{'epsilon':100,'threshold':0.25,'queries':[{'count':{}}]}");
        assertThat(invalidPlaces(ask(added, "threshold", counts))).containsExactly("/threshold");
    }

    @Test
    void aMissIsNullOrARandomIndexThatSaysSo() throws Exception {
        String miss = quoted("{'epsilon':100,'threshold':5000%s,'queries':[{'count':{}},{'count':{}},{'count':{}}]}");
        for (String whenNone : List.of("", ",\"whenNone\":\"none\"")) {
            JsonNode envelope = json(ask(added, "threshold", miss.formatted(whenNone)));
            assertThat(envelope.get("answer")).hasToString(quoted("{'index':null}"));
            assertThat(envelope.at("/accuracy/statement").asString()).doesNotContain("random");
        }
        boolean[] seen = new boolean[3];
        // Misses one of the three indices with probability 3 * (2/3)^40, once in 3.6 million runs.
        for (int i = 0; i < 40; i++) {
            JsonNode envelope = json(ask(added, "threshold", miss.formatted(",\"whenNone\":\"random\"")));
            seen[envelope.at("/answer/index").asInt()] = true;
            assertThat(envelope.at("/accuracy/statement").asString()).contains("uniformly random");
        }
        assertThat(seen).containsExactly(true, true, true);
    }

    @ParameterizedTest
    @CsvSource({
        "indices,optimal",
        "indices,textbook",
        "values,optimal",
        "values,textbook",
        "gaps,optimal",
        "gaps,textbook"
    })
    void findsTheRangesAboveTheThreshold(String release, String allocation) throws Exception {
        String ranges = """
                [{"below":5},{"above":9,"atMost":50},{"atLeast":200},{"atLeast":20.0,"below":90},{"atMost":1e2}]""";
        String question = """
                {"epsilon":100,"column":"age","threshold":20,"release":"%s","allocation":"%s","maxPositives":%d,\
                "ranges":%s}""";
        JsonNode two = answer(added, "sparse-range", question.formatted(release, allocation, 2, ranges));
        assertThat(two.get("examined")).hasToString("4");
        assertThat(two.get("halted")).hasToString("true");
        assertThat(two.get("positives").size()).isEqualTo(2);
        assertThat(two.at("/positives/0/range")).hasToString(quoted("{'above':9,'atMost':50}"));
        assertThat(two.at("/positives/1/range")).hasToString(quoted("{'atLeast':20,'below':90}"));
        JsonNode all = answer(added, "sparse-range", question.formatted(release, allocation, 4, ranges));
        assertThat(all.get("examined")).hasToString("5");
        assertThat(all.get("halted")).hasToString("false");
        int[] exact = {41, 70, 100};
        for (int i = 0; i < 3; i++) {
            JsonNode positive = all.at("/positives/" + i);
            assertThat(positive.get("index")).hasToString(new String[] {"1", "3", "4"}[i]);
            if (release.equals("indices")) {
                assertThat(positive.propertyNames()).containsExactly("index", "range");
            } else if (release.equals("gaps")) {
                assertThat(positive.propertyNames()).containsExactly("index", "range", "gap");
                assertThat(positive.get("gap").asLong()).isBetween(0L, exact[i] + 100L);
            } else {
                assertThat(positive.propertyNames()).containsExactly("index", "range", "value", "interval");
                // The scale is at most 36/100, so the noise is beyond 12 with probability e^-33.
                long value = positive.get("value").asLong();
                assertThat(value).isBetween(exact[i] - 12L, exact[i] + 12L);
                assertThat(positive.at("/interval/low").asLong()
                                + positive.at("/interval/high").asLong())
                        .isEqualTo(2 * value);
            }
        }
    }

    @Test
    void aHistogramCountsEachRowInOneBinAtMost() throws Exception {
        String ages = quoted("{'epsilon':100,'column':'age','edges':[-7,10,11,90,200]%s}");
        JsonNode all = answer(added, "histogram", ages.formatted("")).get("bins");
        assertThat(all).hasToString("""
                        [{"lower":-7,"upper":10,"count":10,"interval":{"low":10,"high":10}},{"lower":10,"upper":11,\
                        "count":1,"interval":{"low":1,"high":1}},{"lower":11,"upper":90,"count":79,\
                        "interval":{"low":79,"high":79}},{"lower":90,"upper":200,"count":10,"interval":{"low":10,\
                        "high":10}}]""");
        String women = quoted(",'where':[{'column':'sex','in':['Female']}]");
        assertThat(answer(added, "histogram", ages.formatted(women)).get("bins").findValuesAsString("count"))
                .containsExactly("4", "0", "32", "4");
        String hours = quoted("{'epsilon':100,'column':'hours','edges':[0.5,2.50,10]}");
        JsonNode bins = answer(added, "histogram", hours).get("bins");
        assertThat(bins.findValuesAsString("count")).containsExactly("8", "30");
        assertThat(bins.findValuesAsString("upper")).containsExactly("2.5", "10");
    }

    @Test
    void aHistogramOfCategoriesHasABinForEachInTheOrderOfRegistration() throws Exception {
        String question = quoted("{'epsilon':100,'column':'sex'%s}");
        JsonNode bins = answer(added, "histogram", question.formatted("")).get("bins");
        assertThat(bins.findValuesAsString("category")).containsExactly("Female", "Male", "");
        assertThat(bins.findValuesAsString("count")).containsExactly("40", "50", "10");
        assertThat(bins.get(0).propertyNames()).containsExactly("category", "count", "interval");
        JsonNode few = answer(added, "histogram", question.formatted("""
                ,"where":[{"column":"age","below":4}]""")).get("bins");
        assertThat(few.findValuesAsString("count")).containsExactly("1", "2", "1");
    }

    @Test
    void aHistogramHasTwiceTheNoiseWhereRowsAreReplaced() throws Exception {
        String question = quoted("{'epsilon':'0.5','column':'sex'}");
        for (String id : List.of(added, replaced)) {
            JsonNode envelope = answered(id, "histogram", question);
            int sensitivity = id.equals(added) ? 1 : 2;
            assertThat(envelope.at("/mechanism")).hasToString("""
                    {"name":"laplace-histogram","noise":"discrete-laplace","parameters":{"bins":3,"l1Sensitivity":%d,\
                    "scale":%d}}""", sensitivity, 2 * sensitivity);
            // The bound holds for all three bins at once.
            double q = Math.exp(-0.5 / sensitivity);
            int alpha = 0;
            while (2 * Math.pow(q, alpha + 1) / (1 + q) > 1 - Math.pow(0.95, 1 / 3.0)) {
                alpha++;
            }
            assertThat(envelope.at("/accuracy/alpha")).hasToString(String.valueOf(alpha));
        }
    }

    @Test
    void aHistogramHasUpToAHundredThousandBins() throws Exception {
        JsonNode bins = answer(added, "histogram", histogram("100", "age", -50_000, 50_000))
                .get("bins");
        assertThat(bins.size()).isEqualTo(100_000);
        assertThat(bins.at("/50099/count")).hasToString("1");
        assertThat(bins.at("/50100/count")).hasToString("0");
    }

    @Test
    void quantilesAreAsNearAsTheySay() throws Exception {
        String question = """
                        {"epsilon":100,"beta":0.000000001,"column":"hours","probabilities":[0.250,0.5,0.905]%s}""";
        for (String id : List.of(added, replaced)) {
            JsonNode envelope = answered(id, "quantile", question.formatted(""));
            double alpha = envelope.at("/accuracy/alpha").asDouble();
            assertThat(alpha).isBetween(0.1, 10.0);
            double[] probabilities = {0.25, 0.5, 0.905};
            for (int i = 0; i < 3; i++) {
                JsonNode quantile = envelope.at("/answer/quantiles/" + i);
                assertThat(quantile.propertyNames()).containsExactly("probability", "value", "interval");
                assertThat(quantile.get("probability")).hasToString(new String[] {"0.25", "0.5", "0.905"}[i]);
                // Row i has i / 4 hours, so 4·v rows are below v, and one more below the next point.
                double rank = 100 * probabilities[i];
                double value = 4 * quantile.get("value").asDouble();
                assertThat(rank).isBetween(value - alpha - 1e-9, value + 1 + alpha + 1e-9);
                assertThat(Math.floor(rank) / 4)
                        .isBetween(
                                quantile.at("/interval/low").asDouble(),
                                quantile.at("/interval/high").asDouble());
            }
        }
        JsonNode narrow = answer(added, "quantile", question.formatted("""
                ,"lower":30,"upper":30""")).get("quantiles");
        assertThat(narrow.findValuesAsString("value")).containsExactly("30", "30", "30");
        JsonNode women = answer(added, "quantile", question.formatted("""
                ,"lower":5,"where":[{"column":"hours","below":10}]"""));
        assertThat(women.at("/quantiles/2/value").asDouble()).isBetween(5.0, 10.0);
    }

    @Test
    void whatLiesOutsideTheBoundsCountsAtThem() throws Exception {
        String id = dataset("1000", "age,hours,sex\n-7,1,Male\n300,1e9,Male\n12,,Female\n125,0.375,\n");
        assertThat(counted(id, quoted("{'column':'age','atMost':0}"))).isEqualTo("1");
        assertThat(counted(id, quoted("{'column':'age','atLeast':125}"))).isEqualTo("2");
        assertThat(counted(id, quoted("{'column':'age','above':125}"))).isEqualTo("0");
        assertThat(counted(id, quoted("{'column':'hours','atLeast':40,'atMost':40}")))
                .isEqualTo("1");
        assertThat(counted(id, quoted("{'column':'hours','atLeast':0.5,'atMost':0.5}")))
                .isEqualTo("1");
        assertThat(counted(id, quoted("{'column':'hours','atLeast':100,'atMost':100}")))
                .isEqualTo("1");
    }

    /** If an answer is larger than what is held in memory, it is sent in parts. */
    @Test
    void aLargeAnswerIsSentAndShownAgainAsItWasStored() throws Exception {
        String question = histogram("0.1", "age", 0, 1_999);
        HttpResponse<String> first = assertStatus(200, ask(added, "histogram", question, "Idempotency-Key", "large"));
        assertThat(first.body().length()).isGreaterThan(2 << 16);
        assertThat(json(first).get("answer").get("bins")).hasSize(1_999);
        HttpResponse<String> shown =
                get("/v1/queries/" + json(first).get("queryId").asString());
        assertThat(shown.body()).isEqualTo(first.body());
        assertThat(shown.headers().firstValue("ETag"))
                .hasValue('"' + Sha256.hexOf(first.body().getBytes(UTF_8)) + '"');
        assertThat(ask(added, "histogram", question, "Idempotency-Key", "large").body())
                .isEqualTo(first.body());
    }

    @Test
    void anAnswerIsShownAgainByteForByteAndFree() throws Exception {
        HttpResponse<String> first = ask(added, "mean", quoted("{'epsilon':0.5,'column':'age'}"));
        String path = "/v1/queries/" + json(first).get("queryId").asString();
        String before = spent(added);
        HttpResponse<String> again = assertStatus(200, get(path));
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.headers().firstValue("Content-Type")).hasValue("application/json");
        String etag = again.headers().firstValue("ETag").orElseThrow();
        assertThat(etag).matches("\"[0-9a-f]{64}\"");
        HttpResponse<String> unchanged = assertStatus(304, get(path, "If-None-Match", etag));
        assertThat(unchanged.body()).isEmpty();
        assertThat(unchanged.headers().firstValue("ETag")).hasValue(etag);
        assertThat(get(path, "If-None-Match", "\"other\"").body()).isEqualTo(first.body());
        HttpResponse<String> head = assertStatus(200, send("HEAD", path, ""));
        assertThat(head.headers().firstValue("ETag")).hasValue(etag);
        assertThat(spent(added)).isEqualTo(before);
        assertProblem(404, "not-found", get("/v1/queries/01KAJ4Z5T3S8Q2W9E7R6Y1XBNV"));
        assertProblem(404, "not-found", get("/v1/queries/x"));
        assertProblem(405, "method-not-allowed", send("DELETE", path, ""));
    }
}
