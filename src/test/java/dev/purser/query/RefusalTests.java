package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Questions that break a rule. The refusal names the rule and its place; nothing is charged or stored, and the
 * idempotency key stays free.
 */
class RefusalTests extends RunningService {
    private static final String KEY = "refused";
    private static final String THRESHOLD = quoted("{'epsilon':1,'threshold':1,'queries':[%s]}");
    private static final String SPARSE = """
            {"epsilon":1,"column":"age","threshold":1,"maxPositives":1,"ranges":[%s]}""";

    private static String id = "";

    @BeforeEach
    void makeTheDataset() throws Exception {
        if (id.isEmpty()) {
            id = dataset("1000", "age,hours,sex\n1,1,Male\n");
        }
    }

    @AfterEach
    void nothingWasChargedOrStored() throws Exception {
        assertThat(spent(id)).isEqualTo("0");
        assertThat(entries(id)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "count | {} | /epsilon",
                "count | {'epsilon':1,'nope':1} | /nope",
                "count | {'epsilon':1,'column':'age'} | /column",
                "count | {'epsilon':1,'epsilon':1} | /epsilon",
                "count | {'epsilon':1,'where':[],'where':[]} | /where",
                "count | {'epsilon':-0.1} | /epsilon",
                "count | {'epsilon':'-1'} | /epsilon",
                "count | {'epsilon':'+1'} | /epsilon",
                "count | {'epsilon':0} | /epsilon",
                "count | {'epsilon':'0.0'} | /epsilon",
                "count | {'epsilon':0.0000001} | /epsilon",
                "count | {'epsilon':0.0000009} | /epsilon",
                "count | {'epsilon':0.1234567891} | /epsilon",
                "count | {'epsilon':'0.1234567891'} | /epsilon",
                "count | {'epsilon':'1e-5'} | /epsilon",
                "count | {'epsilon':1e-5} | /epsilon",
                "count | {'epsilon':1E0} | /epsilon",
                "count | {'epsilon':1e400} | /epsilon",
                "count | {'epsilon':'NaN'} | /epsilon",
                "count | {'epsilon':'Infinity'} | /epsilon",
                "count | {'epsilon':''} | /epsilon",
                "count | {'epsilon':' 1'} | /epsilon",
                "count | {'epsilon':'１'} | /epsilon",
                "count | {'epsilon':'0x1'} | /epsilon",
                "count | {'epsilon':100.000000001} | /epsilon",
                "count | {'epsilon':101} | /epsilon",
                "count | {'epsilon':99999999999999999999} | /epsilon",
                "count | {'epsilon':null} | /epsilon",
                "count | {'epsilon':true} | /epsilon",
                "count | {'epsilon':[1]} | /epsilon",
                "count | {'epsilon':{'value':1}} | /epsilon",
                "count | {'epsilon':1,'delta':0.001} | /delta",
                "count | {'epsilon':1,'delta':'1e-18'} | /delta",
                "count | {'epsilon':1,'delta':0.1} | /delta",
                "count | {'epsilon':1,'delta':-1} | /delta",
                "count | {'epsilon':1,'beta':0} | /beta",
                "count | {'epsilon':1,'beta':1} | /beta",
                "count | {'epsilon':1,'beta':-0.1} | /beta",
                "count | {'epsilon':1,'beta':'0.05'} | /beta",
                "count | {'epsilon':1,'beta':[]} | /beta",
                "count | {'epsilon':1,'beta':1e-400} | /beta",
                "count | {'epsilon':1,'where':{}} | /where",
                "count | {'epsilon':1,'where':[[]]} | /where/0",
                "count | {'epsilon':1,'where':[null]} | /where/0",
                "count | {'epsilon':1,'where':[{}]} | /where/0/column",
                "count | {'epsilon':1,'where':[{'column':'age'}]} | /where/0",
                "count | {'epsilon':1,'where':[{'column':'AGE','above':1}]} | /where/0/column",
                "count | {'epsilon':1,'where':[{'column':1,'above':1}]} | /where/0/column",
                "count | {'epsilon':1,'where':[{'column':'age','above':1,'atLeast':1}]} | /where/0/atLeast",
                "count | {'epsilon':1,'where':[{'column':'age','below':1,'atMost':1}]} | /where/0/atMost",
                "count | {'epsilon':1,'where':[{'column':'age','above':1.5}]} | /where/0/above",
                "count | {'epsilon':1,'where':[{'column':'age','above':'1'}]} | /where/0/above",
                "count | {'epsilon':1,'where':[{'column':'age','above':null}]} | /where/0",
                "count | {'epsilon':1,'where':[{'column':'age','above':1e400}]} | /where/0/above",
                "count | {'epsilon':1,'where':[{'column':'age','above':1099511627777}]} | /where/0/above",
                "count | {'epsilon':1,'where':[{'column':'age','in':['Male']}]} | /where/0/in",
                "count | {'epsilon':1,'where':[{'column':'age','equals':1}]} | /where/0/equals",
                "count | {'epsilon':1,'where':[{'column':'sex','equals':'Male'}]} | /where/0/equals",
                "count | {'epsilon':1,'where':[{'column':'age','notIn':['Male']}]} | /where/0/notIn",
                "count | {'epsilon':1,'where':[{'column':'sex','notIn':[]}]} | /where/0/in",
                "count | {'epsilon':1,'where':[{'column':'sex','notIn':['male']}]} | /where/0/notIn/0",
                "count | {'epsilon':1,'where':[{'column':'sex','notIn':'Male'}]} | /where/0/notIn",
                "count | {'epsilon':1,'where':[{'column':'sex','in':['Male'],'notIn':['Female']}]} | /where/0/notIn",
                "count | {'epsilon':1,'where':[{'column':'hours','above':0.1}]} | /where/0/above",
                "count | {'epsilon':1,'where':[{'column':'sex','above':1}]} | /where/0/in",
                "count | {'epsilon':1,'where':[{'column':'sex','in':[]}]} | /where/0/in",
                "count | {'epsilon':1,'where':[{'column':'sex','in':['male']}]} | /where/0/in/0",
                "count | {'epsilon':1,'where':[{'column':'sex','in':'Male'}]} | /where/0/in",
                "count | {'epsilon':1,'where':[{'column':'sex','in':[1]}]} | /where/0/in/0",
                "count | {'epsilon':1,'where':[{'column':'sex','in':['Male'],'above':1}]} | /where/0/above",
                "count | {'epsilon':0,'beta':7,'where':1,'x':2} | /epsilon,/beta,/where,/x",
                "count | null | ''",
                "count | [] | ''",
                "count | 'x' | ''",
                "count | 1 | ''",
                "count | {'epsilon':1,'where':[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]} | *",
                "sum | {'epsilon':1} | /column",
                "sum | {'epsilon':1,'column':'sex'} | /column",
                "sum | {'epsilon':1,'column':'id'} | /column",
                "sum | {'epsilon':1,'column':'age','lower':5,'upper':4} | /upper",
                "sum | {'epsilon':1,'column':'age','lower':-1} | /lower",
                "sum | {'epsilon':1,'column':'age','upper':126} | /upper",
                "sum | {'epsilon':1,'column':'age','lower':200,'upper':300} | /lower,/upper",
                "sum | {'epsilon':1,'column':'age','upper':1.5} | /upper",
                "sum | {'epsilon':1,'column':'hours','upper':1.1} | /upper",
                "sum | {'epsilon':1,'column':'age','method':'centered'} | /method",
                "histogram | {'epsilon':1} | /column",
                "histogram | {'epsilon':1,'column':'age'} | /edges",
                "histogram | {'epsilon':1,'column':'no','edges':[1,2]} | /column",
                "histogram | {'epsilon':1,'column':'sex','edges':[1,2]} | /edges",
                "histogram | {'epsilon':1,'column':'age','edges':null} | /edges",
                "histogram | {'epsilon':1,'column':'age','edges':[]} | /edges",
                "histogram | {'epsilon':1,'column':'age','edges':[1]} | /edges",
                "histogram | {'epsilon':1,'column':'age','edges':[1,1]} | /edges",
                "histogram | {'epsilon':1,'column':'age','edges':[1,3,2]} | /edges",
                "histogram | {'epsilon':1,'column':'age','edges':[1,1.5,'2']} | /edges/1,/edges/2",
                "histogram | {'epsilon':1,'column':'hours','edges':[1,1.1]} | /edges/1",
                "histogram | {'epsilon':1,'column':'age','edges':[1,1099511627777]} | /edges/1",
                "histogram | {'epsilon':1,'column':'age','edges':[1,2],'bins':2} | /bins",
                "quantile | {'epsilon':1} | /column,/probabilities",
                "quantile | {'epsilon':1,'column':'sex','probabilities':[0.5]} | /column",
                "quantile | {'epsilon':1,'column':'age','probabilities':[]} | /probabilities",
                "quantile | {'epsilon':1,'column':'age','probabilities':0.5} | /probabilities",
                "quantile | {'epsilon':1,'column':'age','probabilities':[0,1,'0.5']}"
                        + " | /probabilities/0,/probabilities/1,/probabilities/2",
                "quantile | {'epsilon':1,'column':'age','probabilities':[0.5,0.1234567]} | /probabilities/1",
                "quantile | {'epsilon':1,'column':'age','probabilities':[0.5],'lower':3,'upper':2} | /upper",
                "quantile | {'epsilon':1,'column':'age','probabilities':[0.5],'points':2} | /points",
                "mean | {'epsilon':1,'column':'sex'} | /column",
                "mean | {'epsilon':1,'column':'age','method':'median'} | /method",
                "mean | {'epsilon':1,'column':'age','method':'CENTERED'} | /method",
                "mean | {'epsilon':1,'column':null} | /column",
                "local-mean | {'epsilon':1,'column':'sex'} | /column",
                "local-mean | {'epsilon':1,'column':'age','protocol':'laplace'} | /protocol",
                "local-mean | {'epsilon':1,'column':'age','lower':3,'upper':2} | /upper",
                "local-mean | {'epsilon':1,'column':'age','method':'centered'} | /method",
                "count | {'epsilon':1,'nope':null} | /nope",
                "count | {'epsilon':1,'where':[{'column':'sex','in':['Male'],'over':null}]} | /where/0/over",
                "mean | {'epsilon':1,'column':'age','lower':9,'upper':3} | /upper",
                "mean | {'epsilon':1,'column':'age','assumedRows':9} | /assumedRows",
                "mean | {'epsilon':1,'column':'age','targetAlpha':9} | /targetAlpha",
                "sparse-range | {'epsilon':1} | /column,/ranges,/threshold,/maxPositives"
            })
    void namesEveryBrokenRule(String kind, String body, String places) throws Exception {
        JsonNode problem = refused(kind, quoted(body));
        if (!places.equals("*")) {
            assertThat(places(problem))
                    .containsExactlyInAnyOrder(places.replace("''", "").split(","));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'maxPositives':0 | /maxPositives",
                "'maxPositives':1001 | /maxPositives",
                "'maxPositives':1.5 | /maxPositives",
                "'maxPositives':1.0 | /maxPositives",
                "'maxPositives':'5' | /maxPositives",
                "'maxPositives':1e2 | /maxPositives",
                "'threshold':1.5 | /threshold",
                "'threshold':'1' | /threshold",
                "'threshold':1e40 | /threshold",
                "'release':'gap' | /release",
                "'release':'VALUES' | /release",
                "'allocation':'best' | /allocation",
                "'column':'sex' | /column",
                "'ranges':[] | /ranges",
                "'ranges':{} | /ranges",
                "'ranges':[{}] | /ranges/0",
                "'ranges':[{'below':1},{'below':1.5}] | /ranges/1/below",
                "'ranges':[{'below':1},{'below':1,'atMost':1}] | /ranges/1/atMost",
                "'ranges':[{'column':'age','below':1}] | /ranges/0/column",
                "'ranges':[[1,2]] | /ranges/0"
            })
    void namesTheBrokenRuleOfASparseRange(String change, String place) throws Exception {
        String member = change.substring(0, change.indexOf(':'));
        String rest = List.of("'column':'age'", "'ranges':[{'below':5}]", "'threshold':1", "'maxPositives':1").stream()
                .filter(each -> !each.startsWith(member))
                .collect(Collectors.joining(","));
        JsonNode problem = refused("sparse-range", quoted("{'epsilon':1," + rest + "," + change + "}"));
        assertThat(places(problem)).containsExactly(place);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'aggregates':[] | /aggregates",
                "'aggregates':[{}] | /aggregates/0",
                "'aggregates':[{'count':{},'mean':{'column':'age'}}] | /aggregates/0",
                "'aggregates':[{'count':{'column':'age'}}] | /aggregates/0/count/column",
                "'aggregates':[{'mean':{'column':'sex'}}] | /aggregates/0/mean/column",
                "'aggregates':[{'mean':{'column':'age','upper':200}}] | /aggregates/0/mean/upper",
                "'aggregates':[{'median':{'column':'age'}}] | /aggregates/0,/aggregates/0/median",
                "'aggregates':[{'count':{},'weight':0}] | /aggregates/0/weight",
                "'aggregates':[{'count':{},'weight':1001}] | /aggregates/0/weight",
                "'aggregates':[{'count':{}},{'count':{}}] | /aggregates/1/name",
                "'aggregates':[{'count':{}},{'sum':{'column':'age'},'name':'count.low'}] | /aggregates/1/name",
                "'groupBy':[{'column':'sex'}],'aggregates':[{'count':{},'name':'sex'}] | /aggregates/0/name",
                "'groupBy':[{'column':'sex'},{'column':'sex'}],'aggregates':[{'count':{}}] | /groupBy/1/column",
                "'groupBy':[{'column':'no'}],'aggregates':[{'count':{}}] | /groupBy/0/column",
                "'groupBy':[{'column':'sex','step':1}],'aggregates':[{'count':{}}] | /groupBy/0/step",
                "'groupBy':[{'column':'sex','edges':[1,2]}],'aggregates':[{'count':{}}] | /groupBy/0/edges",
                "'groupBy':[{'column':'age'}],'aggregates':[{'count':{}}] | /groupBy/0",
                "'groupBy':[{'column':'age','step':1,'edges':[1,2]}],'aggregates':[{'count':{}}] | /groupBy/0",
                "'groupBy':[{'column':'age','step':0.5}],'aggregates':[{'count':{}}] | /groupBy/0/step",
                "'groupBy':[{'column':'age','step':0}],'aggregates':[{'count':{}}] | /groupBy/0/step",
                "'groupBy':[{'column':'age','step':-1}],'aggregates':[{'count':{}}] | /groupBy/0/step",
                "'groupBy':[{'column':'age','step':127}],'aggregates':[{'count':{}}] | /groupBy/0/step",
                "'groupBy':[{'column':'age','edges':[1]}],'aggregates':[{'count':{}}] | /groupBy/0/edges",
                "'groupBy':[{'column':'age','edges':[2,1]}],'aggregates':[{'count':{}}] | /groupBy/0/edges",
                "'groupBy':[{'column':'age','step':1},{'column':'hours','step':0.25},{'column':'sex'}],"
                        + "'aggregates':[{'count':{}}] | /groupBy",
                "'groupBy':[{'column':'age','step':1},{'column':'hours','step':0.25}],'aggregates':[{'count':{}},"
                        + "{'sum':{'column':'age'}},{'sum':{'column':'hours'}},{'mean':{'column':'age'}}] | /aggregates"
            })
    void namesTheBrokenRuleOfATable(String rest, String places) throws Exception {
        JsonNode problem = refused("aggregate", quoted("{'epsilon':1," + rest + "}"));
        assertThat(places(problem)).containsExactlyInAnyOrder(places.split(","));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | /queries/0",
                "{'count':{},'sum':{'column':'age'}} | /queries/0",
                "{'counts':{}} | /queries/0,/queries/0/counts",
                "{'count':[]} | /queries/0/count",
                "{'count':null} | /queries/0",
                "{'count':{'column':'age'}} | /queries/0/count/column",
                "{'count':{'where':[{'column':'age','above':0.5}]}} | /queries/0/count/where/0/above",
                "{'count':{},'monotone':true} | /queries/0/monotone",
                "{'sum':{}} | /queries/0/sum/column",
                "{'sum':{'column':'age','lower':3,'upper':2}} | /queries/0/sum/upper",
                "{'sum':{'column':'age','upper':200}} | /queries/0/sum/upper",
                "{'clipLoss':{'column':'age','bound':1}} | /queries/0/clipLoss/step",
                "{'clipLoss':{'column':'age','bound':1,'step':0}} | /queries/0/clipLoss/step",
                "{'clipLoss':{'column':'age','bound':1,'step':-1}} | /queries/0/clipLoss/step",
                "{'clipLoss':{'column':'age','bound':1.5,'step':1}} | /queries/0/clipLoss/bound",
                "{'clipLoss':{'column':'hours','bound':1,'step':0.1}} | /queries/0/clipLoss/step",
                "{'clipLoss':{'column':'sex','bound':1,'step':1}} | /queries/0/clipLoss/column",
                "{'clipLoss':{'column':'age','bound':1,'step':1,'lower':0}} | /queries/0/clipLoss/lower",
                "{'count':{}},{'sum':{'column':'no'}},{'count':1} | /queries/1/sum/column,/queries/2/count"
            })
    void namesTheBrokenRuleOfAThreshold(String queries, String places) throws Exception {
        JsonNode problem = refused("threshold", THRESHOLD.formatted(quoted(queries)));
        assertThat(places(problem)).containsExactlyInAnyOrder(places.split(","));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "count | {'epsilon':101} | epsilon must be between 0.000001 and 100, was 101",
                "count | {'epsilon':'-1'} | epsilon must be between 0.000001 and 100, was \"-1\"",
                "count | {'epsilon':2000000} | epsilon must be between 0.000001 and 100, was 2000000",
                "count | {'epsilon':true} | epsilon must be a decimal, as a string or a number, was true",
                "count | {'epsilon':{'value':1}} | epsilon must be a decimal, as a string or a number, was an object",
                "count | {'epsilon':0.1234567891}"
                        + " | epsilon must be a decimal with at most 9 fraction digits, was 0.1234567891",
                "count | {'epsilon':5e-5} | epsilon must be a decimal without an exponent: send it as a string, such as"
                        + " \"0.00005\", was 5e-5",
                "count | {'epsilon':'+1'} | epsilon must be a plain decimal with at most 9 fraction digits, no sign and"
                        + " no exponent, as a string such as \"0.00005\", was \"+1\"",
                "count | {'epsilon':1,'delta':0.5} | delta must be between 0 and 0.01, was 0.5",
                "count | {'epsilon':1,'delta':false} | delta must be a decimal, as a string or a number, was false",
                "count | {'epsilon':1,'delta':'1e-19'}"
                        + " | delta must be a decimal with at most 18 fraction digits, was \"1e-19\"",
                "count | {'epsilon':1,'delta':'10e-6'} | delta must be a decimal with one digit other than 0 before its"
                        + " exponent, as in \"1e-6\", was \"10e-6\"",
                "count | {'epsilon':1,'where':[{'column':'age','above':'30'}]}"
                        + " | above must be a number, was \"30\": a number goes without quotes",
                "count | {'epsilon':1,'where':[{'column':'age','above':'thirty'}]}"
                        + " | above must be a number, was \"thirty\"",
                "count | {'epsilon':1,'beta':'0.05'}"
                        + " | beta must be a number, was \"0.05\": a number goes without quotes",
                "sparse-range | {'epsilon':1,'column':'age','threshold':1,'ranges':[{'above':1}],'maxPositives':'5'}"
                        + " | maxPositives must be an integer between 1 and 1000, was \"5\": a number goes without"
                        + " quotes",
                "sum | {'epsilon':1,'column':'Hour'} | column must be one of the dataset's columns: \"age\", \"hours\","
                        + " \"sex\", was \"Hour\"; the nearest is \"hours\"",
                "sum | {'epsilon':1,'column':'income'} | column must be one of the dataset's columns: \"age\", \"hours\","
                        + " \"sex\", was \"income\"",
                "count | {'epsilon':1,'where':[{'column':'sex','in':['MALE']}]} | in[0] must be one of the categories of"
                        + " \"sex\": \"Female\", \"Male\", \"\", was \"MALE\"; the nearest is \"Male\"",
                "count | {'epsilon':1,'where':[{'column':'sex','equals':'Male'}]}"
                        + " | unknown field \"equals\": use in, with a list such as [\"Female\"]",
                "count | {'epsilon':1,'where':[{'column':'age','equals':30}]}"
                        + " | unknown field \"equals\": use atLeast and atMost, both with this value",
                "count | {'epsilon':1,'where':[{'column':'sex','in':['Male'],'notIn':['']}]}"
                        + " | in and notIn were both sent: a condition has one of them",
                "count | {'epsilon':1,'where':[{'column':'sex'}]}"
                        + " | in or notIn is required: \"sex\" is of type category and has no ranges",
                "mean | {'epsilon':1,'column':'age','method':'known_count'} | method must be one of \"two-sided\","
                        + " \"auto-clip\", \"sum-and-count\", \"centered\", \"known-count\", was \"known_count\";"
                        + " the nearest is \"known-count\"",
            })
    void saysWhatToMend(String kind, String body, String detail) throws Exception {
        assertThat(refused(kind, quoted(body)).get("detail").asString()).isEqualTo(detail);
    }

    /** A refusal names only the field's own limit, also where the array exceeds the document's limit. */
    @ParameterizedTest
    @ValueSource(ints = {100_001, 100_002, 150_000})
    void namesTheOneLimitOfAnArray(int size) throws Exception {
        String ranges = listed(size, """
                {"below":5}""");
        assertThat(refused("sparse-range", SPARSE.formatted(ranges))
                        .get("detail")
                        .asString())
                .isEqualTo("ranges must be an array of 1 to 100000 elements, had " + size);
        String edges = """
                {"epsilon":1,"column":"age","edges":[%s]}""".formatted(listed(size + 1, "1"));
        assertThat(refused("histogram", edges).get("detail").asString())
                .isEqualTo("edges must be an array of 2 to 100001 elements, had " + (size + 1));
    }

    private static String listed(int size, String item) {
        return (item + ",").repeat(size - 1) + item;
    }

    @Test
    void refusesListsThatAreEmptyOrTooLong() throws Exception {
        String tooMany = listed(100_001, """
                {"below":5}""");
        assertThat(places(refused("sparse-range", SPARSE.formatted(tooMany)))).contains("/ranges");
        assertThat(places(refused("histogram", histogram("1", "age", 0, 100_001))))
                .contains("/edges");
        String quantile = """
                {"epsilon":1,"column":"age","probabilities":[%s]}""".formatted(listed(101, "0.5"));
        assertThat(places(refused("quantile", quantile))).containsExactly("/probabilities");
        assertThat(places(refused("threshold", THRESHOLD.formatted("")))).containsExactly("/queries");
        String queries = listed(100_001, """
                {"count":{}}""");
        assertThat(places(refused("threshold", THRESHOLD.formatted(queries)))).contains("/queries");
        String conditions = listed(101, """
                {"column":"age","below":5}""");
        assertThat(places(refused("count", """
                {"epsilon":1,"where":[%s]}""".formatted(conditions)))).containsExactly("/where");
    }

    @Test
    void refusesQueriesThatNeedTooManyPasses() throws Exception {
        // Each query has its own pair of column and filter: a sum of ages among the rows of certain hours.
        String query = """
                {"sum":{"column":"age","where":[{"column":"hours","below":%d}]}}""";
        String queries = IntStream.range(0, 257).mapToObj(query::formatted).collect(Collectors.joining(","));
        JsonNode problem = refused("threshold", THRESHOLD.formatted(queries));
        assertThat(places(problem)).containsExactly("/queries");
        assertThat(problem.get("detail").asString()).contains("256", "more");
    }

    @Test
    void whatIsNotThereIsSaidBeforeTheBodyIsRead() throws Exception {
        String question = quoted("{'epsilon':1}");
        for (String kind : List.of("median", "Count", "count/", "count%7Csum")) {
            assertProblem(404, "not-found", ask(id, kind, question));
        }
        assertProblem(404, "not-found", ask("nowhere", "count", question));
        assertProblem(404, "not-found", ask("NOWHERE", "count", "no JSON either"));
    }

    /** The address of an unknown kind does not exist. Method, media type and role make no difference. */
    @Test
    void aKindThatThereIsNotIsAnAddressLikeAnyOther() throws Exception {
        String path = "/v1/datasets/" + id + "/queries/median";
        String custodian = keyFor("custodian", "[]");
        for (HttpResponse<String> reply : List.of(
                ask(id, "median", "{}"),
                ask(id, "median", "{}", "Idempotency-Key", "not visible"),
                ask(id, "median", "{}", "Accept", "text/html"),
                send("POST", path, "x", "Content-Type", "text/plain"),
                get(path),
                postAs(custodian, path, "{}"),
                ask("nowhere", "median", "{}"),
                post(path.replace("queries", "quotes"), "{}"))) {
            JsonNode problem = assertProblem(404, "not-found", reply);
            assertThat(problem.get("detail").asString())
                    .isEqualTo("the kind of question must be one of \"count\", \"sum\", \"mean\", \"histogram\","
                            + " \"aggregate\", \"quantile\", \"threshold\", \"sparse-range\", \"local-mean\", was"
                            + " \"median\"; ask \"quantile\" with probabilities [0.5]");
            assertThat(reply.headers().firstValue("Idempotency-Key")).isEmpty();
        }
        String analyst = keyFor("analyst", "[]");
        String hidden = postAs(analyst, path.replace("queries", "quotes"), "{}").body();
        assertThat(hidden).doesNotContain("kind of question").contains("not-found");
        assertThat(postAs(analyst, "/v1/datasets/nowhere/quotes/median", "{}").body())
                .isEqualTo(hidden.replace(id, "nowhere"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "median | ; ask \"quantile\" with probabilities [0.5]",
                "Average | ; ask \"mean\"",
                "avg | ; ask \"mean\"",
                "histogramm | ; the nearest is \"histogram\"",
                "income | was \"income\""
            })
    void saysWhichKindWasMeant(String kind, String end) throws Exception {
        for (String operation : List.of("/queries/", "/quotes/")) {
            JsonNode problem = assertProblem(404, "not-found", post("/v1/datasets/" + id + operation + kind, """
                                    {"epsilon":1}"""));
            assertThat(problem.get("detail").asString()).endsWith(end);
        }
        JsonNode problem = assertProblem(422, "validation-failed", get("/v1/datasets/" + id + "/queries?kind=" + kind));
        assertThat(problem.get("detail").asString()).endsWith(end);
    }

    @Test
    void asksNothingOfADatasetWithoutData() throws Exception {
        String empty = registered(COLUMNS, "1", "add-or-remove-one", "");
        JsonNode problem = assertProblem(409, "dataset-not-ready", ask(empty, "count", quoted("{'epsilon':1}")));
        assertThat(problem.get("detail").asString())
                .isEqualTo("the dataset is not ready: it has no data to ask about yet");
        assertThat(spent(empty)).isEqualTo("0");
    }

    @Test
    void aRefusedRequestLeavesItsKeyFree() throws Exception {
        String other = dataset("1", "age,hours,sex\n1,1,Male\n");
        String key = "free-again";
        assertStatus(422, ask(other, "count", quoted("{'epsilon':-1}"), "Idempotency-Key", key));
        assertStatus(400, ask(other, "count", "{", "Idempotency-Key", key));
        assertStatus(422, ask(other, "mean", """
                                {"epsilon":1,"column":"age","method":"known-count"}""", "Idempotency-Key", key));
        assertStatus(409, ask(other, "count", quoted("{'epsilon':2}"), "Idempotency-Key", key));
        assertThat(entries(other)).isEqualTo(1);
        assertThat(assertStatus(200, ask(other, "count", quoted("{'epsilon':'0.5'}"), "Idempotency-Key", key))
                        .headers()
                        .firstValue("Idempotency-Replayed"))
                .isEmpty();
        assertThat(spent(other)).isEqualTo("0.5");
    }

    private JsonNode refused(String kind, String body) throws Exception {
        JsonNode problem = assertProblem(422, "validation-failed", ask(id, kind, body, "Idempotency-Key", KEY));
        assertThat(problem.propertyNames()).containsExactly("type", "title", "status", "detail", "instance", "errors");
        assertThat(problem.get("instance").asString()).isEqualTo("/v1/datasets/" + id + "/queries/" + kind);
        return problem;
    }
}
