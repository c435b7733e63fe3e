package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Truth values, dates and timestamps over HTTP, from registration through upload to every kind of question. */
class ColumnTypesTests extends RunningService {
    private static final String TYPES = """
            [{"name":"smoker","type":"boolean","missing":false},
             {"name":"admitted","type":"date","lower":"1990-01-01","upper":"2030-12-31","missing":"2000-01-01"},
             {"name":"seen","type":"timestamp","lower":"2020-01-01T01:00:00+01:00","upper":"2020-12-31T23:59:45Z",
              "resolution":15},
             {"name":"beat","type":"timestamp","lower":"1970-01-01T00:00:00Z","upper":"1970-01-01T00:01:00Z",
              "resolution":0.250},
             {"name":"age","type":"integer","lower":0,"upper":125}]""";

    /** Four of five smoke. One admission is missing and one is before the bounds. The third row was seen at 12:30. */
    private static final String ROWS = """
            smoker,admitted,seen,beat,age
            yes,2019-12-31,2020-06-01 12:00:07.49,1970-01-01,30
            T,2020-01-01,2020-06-01T12:00:07.5Z,1970-01-01 00:00:00.125,31
            1,1980-05-05,2020-06-01T14:30:00+02:00,1970-01-01T00:00:59.9,32
            tRuE,2020-02-29,2020-06-02,1970-01-01T00:00:10Z,33
            ?,,2019-06-02 00:00:00+00,1970-01-01T00:00:10.1249,34
            """;

    private static String id = "";

    @BeforeEach
    void makeTheDataset() throws Exception {
        if (id.isEmpty()) {
            id = dataset("100000", ROWS, TYPES, "add-or-remove-one");
        }
    }

    private static String json(String singleQuoted) {
        return quoted(singleQuoted);
    }

    private JsonNode exactly(String kind, String fields) throws Exception {
        return answer(id, kind, json("{'epsilon':100," + fields + "}"));
    }

    @Test
    void showsColumnsAsTheyWereRegistered() throws Exception {
        JsonNode columns = shown("/v1/datasets/" + id).get("columns");
        assertThat(columns.get(0)).hasToString(json("{'name':'smoker','type':'boolean','missing':false}"));
        assertThat(columns.get(1))
                .hasToString(json("{'name':'admitted','type':'date','lower':'1990-01-01','upper':'2030-12-31',"
                        + "'missing':'2000-01-01'}"));
        assertThat(columns.get(2))
                .hasToString(json("{'name':'seen','type':'timestamp','lower':'2020-01-01T00:00:00Z',"
                        + "'upper':'2020-12-31T23:59:45Z','resolution':15,'missing':'reject'}"));
        assertThat(columns.get(3))
                .hasToString(json("{'name':'beat','type':'timestamp','lower':'1970-01-01T00:00:00.00Z',"
                        + "'upper':'1970-01-01T00:01:00.00Z','resolution':0.25,'missing':'reject'}"));
        String again = registration(newId(), columns.toString(), "1", "add-or-remove-one", "");
        assertStatus(201, register(again));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'column':'smoker','in':['true']} | 4",
                "{'column':'smoker','in':[true]} | 4",
                "{'column':'smoker','in':[false]} | 1",
                "{'column':'smoker','in':['false',true]} | 5",
                "{'column':'smoker','notIn':['true']} | 1",
                "{'column':'smoker','notIn':[false]} | 4",
                "{'column':'admitted','above':'2019-12-31'} | 2",
                "{'column':'admitted','atLeast':'2019-12-31','below':'2020-02-29'} | 2",
                "{'column':'admitted','atMost':'1990-01-01'} | 1",
                "{'column':'admitted','below':'1989-01-01'} | 0",
                "{'column':'admitted','atLeast':'2000-01-01','atMost':'2000-01-01'} | 1",
                // 7.49 s and 7.5 s are in the first quarter of the minute.
                "{'column':'seen','atLeast':'2020-06-01T12:00:00Z','atMost':'2020-06-01T12:00:00Z'} | 2",
                "{'column':'seen','atLeast':'2020-06-01T12:00:15Z','below':'2020-06-01T12:00:30Z'} | 0",
                "{'column':'seen','atLeast':'2020-06-01T12:30:00Z','atMost':'2020-06-01T14:30:00+02:00'} | 1",
                "{'column':'seen','atMost':'2020-01-01T00:00:00Z'} | 1",
                "{'column':'seen','above':'2020-06-01t19:29:45.000-05:00'} | 0",
                "{'column':'beat','below':'1970-01-01T00:00:00.25Z'} | 2",
                "{'column':'beat','atLeast':'1970-01-01T00:01:00Z'} | 0",
                "{'column':'beat','atLeast':'1970-01-01T00:00:10Z','atMost':'1970-01-01T00:00:10Z'} | 2",
            })
    void filters(String condition, long rows) throws Exception {
        assertThat(exactly("count", "'where':[" + condition + "]").get("count").asLong())
                .isEqualTo(rows);
        String list = "'threshold':0.5,'queries':[{'count':{'where':[" + condition + "]}}]";
        assertThat(ask(id, "threshold", json("{'epsilon':100," + list + "}")).statusCode())
                .isEqualTo(422);
        JsonNode first = exactly("threshold", list.replace("0.5", String.valueOf(Math.max(1, rows))));
        assertThat(first.get("index").isNull()).isEqualTo(rows == 0);
    }

    @Test
    void histogramsOfTruthValuesHaveTwoBins() throws Exception {
        JsonNode bins = exactly("histogram", "'column':'smoker'").get("bins");
        assertThat(bins.toString())
                .startsWith(json("[{'category':'false','count':1,"))
                .contains(json("{'category':'true','count':4,"));
        assertThat(bins.size()).isEqualTo(2);
    }

    @Test
    void histogramsHaveTheEdgesAsTheColumnWritesThem() throws Exception {
        JsonNode dates = exactly("histogram", "'column':'admitted','edges':['2000-01-01','2020-01-01','2021-01-01']")
                .get("bins");
        assertThat(dates.get(0).toString())
                .startsWith(json("{'lower':'2000-01-01','upper':'2020-01-01','count':2,'interval':{'low':"));
        assertThat(dates.get(1).toString()).startsWith(json("{'lower':'2020-01-01','upper':'2021-01-01','count':2,"));
        JsonNode times = exactly(
                        "histogram", "'column':'beat','edges':['1970-01-01T00:00:00Z','1970-01-01T01:00:10.25+01:00']")
                .get("bins");
        assertThat(times.get(0).toString())
                .startsWith(json("{'lower':'1970-01-01T00:00:00.00Z','upper':'1970-01-01T00:00:10.25Z','count':4,"));
    }

    @Test
    void quantilesAreValuesOfTheColumn() throws Exception {
        JsonNode date = exactly(
                        "quantile",
                        "'column':'admitted','probabilities':[0.9],'lower':'2020-02-27','upper':'2020-03-01'")
                .at("/quantiles/0");
        // Four rows are below 2020-02-29 and five rows are below the day after. So the 0.9-quantile is the fifth row.
        // The next best date is half a row off.
        assertThat(date.get("value").asString()).isEqualTo("2020-02-29");
        assertThat(date.at("/interval/low").asString()).isLessThanOrEqualTo("2020-02-29");
        assertThat(date.at("/interval/high").asString()).isBetween("2020-02-29", "2020-03-01");
        JsonNode time =
                exactly("quantile", "'column':'beat','probabilities':[0.5]").at("/quantiles/0");
        assertThat(time.get("value").asString()).isEqualTo("1970-01-01T00:00:10.00Z");
    }

    @Test
    void sparseRangesEchoTheirEnds() throws Exception {
        JsonNode dates = exactly(
                "sparse-range",
                "'column':'admitted','threshold':2,'maxPositives':2,'ranges':[{'below':'1990-01-01'},"
                        + "{'above':'2019-12-31','atMost':'2020-12-31'}]");
        assertThat(dates.at("/positives/0"))
                .hasToString(json("{'index':1,'range':{'above':'2019-12-31','atMost':'2020-12-31'}}"));
        JsonNode times = exactly(
                "sparse-range",
                "'column':'seen','threshold':4,'maxPositives':1,'release':'values','ranges':["
                        + "{'atLeast':'2020-06-01T12:00:00.0+00:00'}]");
        assertThat(times.at("/positives/0/range")).hasToString(json("{'atLeast':'2020-06-01T12:00:00Z'}"));
        assertThat(times.at("/positives/0/value").asLong()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sum | 'column':'smoker' | /column | column must be a column of numbers, was \"smoker\" of type"
                        + " boolean",
                "sum | 'column':'admitted' | /column | column must be a column of numbers, was \"admitted\" of type"
                        + " date",
                "mean | 'column':'seen' | /column | type timestamp, which can be asked about with count, histogram, "
                        + "aggregate, quantile,",
                "mean | 'column':'seen','lower':'2020-01-01T00:00:00Z' | /column | numbers",
                "threshold | 'threshold':1,'queries':[{'sum':{'column':'admitted'}}] | /queries/0/sum/column"
                        + " | of type date",
                "threshold | 'threshold':1,'queries':[{'clipLoss':{'column':'seen','bound':1,'step':1}}]"
                        + " | /queries/0/clipLoss/column | timestamp",
                "quantile | 'column':'smoker','probabilities':[0.5] | /column"
                        + " | numbers, dates or timestamps, was \"smoker\" of type boolean, which can be asked about"
                        + " with count, histogram",
                "sparse-range | 'column':'smoker','threshold':1,'maxPositives':1,'ranges':[{'above':1}] | /column"
                        + " | boolean",
                "count | 'where':[{'column':'admitted','above':18262}] | /where/0/above"
                        + " | above must be a date such as \"2020-01-31\", was 18262",
                "count | 'where':[{'column':'admitted','above':'2020-02-30'}] | /where/0/above | , was \"2020-02-30\"",
                "count | 'where':[{'column':'admitted','above':'2020-01-01T00:00:00Z'}] | /where/0/above | a date",
                "count | 'where':[{'column':'seen','above':1582972200}] | /where/0/above"
                        + " | such as \"2020-01-31T12:00:00Z\", was 1582972200",
                "count | 'where':[{'column':'seen','above':'2020-01-01T00:00:00'}] | /where/0/above"
                        + " | with Z or an offset",
                "count | 'where':[{'column':'seen','above':'2020-01-01'}] | /where/0/above | with Z or an offset",
                "count | 'where':[{'column':'seen','above':'2020-01-01 00:00:00Z'}] | /where/0/above | a time",
                "count | 'where':[{'column':'seen','above':'2020-01-01T00:00:00+01'}] | /where/0/above | a time",
                "count | 'where':[{'column':'seen','above':'2020-01-01T00:00:00+0100'}] | /where/0/above | a time",
                "count | 'where':[{'column':'seen','above':'2020-01-01T00:00:60Z'}] | /where/0/above | a time",
                "count | 'where':[{'column':'seen','above':1582972200}] | /where/0/above"
                        + " | was 1582972200: text goes in quotes",
                "count | 'where':[{'column':'admitted','above':20200131}] | /where/0/above"
                        + " | such as \"2020-01-31\", was 20200131: text goes in quotes",
                "count | 'where':[{'column':'seen','above':'2020-01-01T00:00:07Z'}] | /where/0/above"
                        + " | a multiple of the resolution 15 s, counted from 1970-01-01T00:00:00Z, "
                        + "and at most 2^40 times it, was \"2020-01-01T00:00:07Z\"",
                "count | 'where':[{'column':'beat','above':'1970-01-01T00:00:00.1Z'}] | /where/0/above | 0.25 s,",
                "count | 'where':[{'column':'seen','in':['2020-01-01T00:00:00Z']}] | /where/0/in"
                        + " | \"seen\" is of type timestamp",
                "count | 'where':[{'column':'smoker','above':0}] | /where/0/in | \"smoker\" is of type boolean",
                "count | 'where':[{'column':'smoker','in':['yes']}] | /where/0/in/0"
                        + " | in[0] must be true or false, was \"yes\"",
                "count | 'where':[{'column':'smoker','in':[1]}] | /where/0/in/0 | true or false, was 1",
                "histogram | 'column':'smoker','edges':[0,1] | /edges"
                        + " | \"smoker\" of type boolean has a bin for each category",
                "histogram | 'column':'admitted' | /edges | required",
                "histogram | 'column':'admitted','edges':['2020-01-01',5] | /edges/1 | edges[1] must be a date",
                "histogram | 'column':'admitted','edges':['2020-01-02','2020-01-01'] | /edges"
                        + " | was 2020-01-01 after 2020-01-02",
                "quantile | 'column':'admitted','probabilities':[0.5],'lower':'1989-12-31' | /lower"
                        + " | bounds 1990-01-01 and 2030-12-31, was 1989-12-31",
                "quantile | 'column':'age','probabilities':[0.5],'lower':'1989-12-31' | /lower | a number",
            })
    void refuses(String kind, String fields, String pointer, String detail) throws Exception {
        HttpResponse<String> refused = ask(id, kind, json("{'epsilon':1," + fields + "}"));
        JsonNode problem = assertProblem(422, "validation-failed", refused);
        assertThat(places(problem)).containsExactly(pointer);
        assertThat(problem.at("/errors/0/detail").asString()).contains(detail);
    }

    @ParameterizedTest
    @CsvSource({
        "smoker, maybe",
        "smoker, ''",
        "smoker, 2",
        "admitted, 2020-02-30",
        "admitted, 2020-01-01T00:00:01Z",
        "admitted, ''",
        "seen, 2020-01-01 25:00:00",
        "seen, 1577836800",
        "seen, ''",
    })
    void anUploadTellsWhereAValueIsUnreadableAndNotWhichItIs(String column, String value) throws Exception {
        String rejecting = newId();
        String columns = TYPES.replaceAll(",\\s*\"missing\":(false|\"[^\"]*\")", "");
        assertStatus(201, register(registration(rejecting, columns, "1", "add-or-remove-one", "")));
        String row = List.of("smoker", "admitted", "seen", "beat", "age").stream()
                .map(name -> name.equals(column) ? value : sample(name))
                .reduce((some, more) -> some + "," + more)
                .orElseThrow();
        JsonNode problem = assertProblem(
                422, "invalid-data", upload(rejecting, ROWS.lines().findFirst().orElseThrow() + "\n" + row + "\n"));
        assertThat(problem.get("detail").asString()).contains("line 2").contains(column);
        if (!value.isEmpty()) {
            assertThat(problem.get("detail").asString()).doesNotContain(value + "\"");
        }
    }

    /** An upload takes more forms of a time than a request. Its refusal names the forms of an upload. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "seen | a time such as 2020-01-31T12:00:00Z, 2020-01-31 12:00:00+02 or, in UTC, 2020-01-31 12:00:00",
                "admitted | a date such as 2020-01-31"
            })
    void anUploadSaysWhichFormsItReads(String column, String form) throws Exception {
        String rejecting = newId();
        String columns = """
                [{"name":"seen","type":"timestamp","lower":"2020-01-01T00:00:00Z","upper":"2021-01-01T00:00:00Z"},\
                {"name":"admitted","type":"date","lower":"2020-01-01","upper":"2021-01-01"}]""";
        assertStatus(201, register(registration(rejecting, columns, "1", "add-or-remove-one", "")));
        String times = "2020-01-31T12:00:00Z,2020-01-31\n2020-01-31 12:00:00+02,2020-01-31\n";
        String last = column.equals("seen") ? "2020-01-31T12,2020-01-31\n" : "2020-01-31 12:00:00,2020-1-31\n";
        JsonNode problem = assertProblem(422, "invalid-data", upload(rejecting, "seen,admitted\n" + times + last));
        assertThat(problem.get("detail").asString())
                .startsWith("line 4, column " + column + ": the value is not " + form + ": ");
    }

    private static String sample(String column) {
        return switch (column) {
            case "smoker" -> "no";
            case "admitted" -> "2020-01-01";
            case "age" -> "1";
            default -> "2020-01-01T00:00:00Z";
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"mean", "sum", "threshold"})
    void numbersOfTheSameDatasetAreAskedAboutAsEver(String kind) throws Exception {
        String list = "'threshold':150,'queries':[{'sum':{'column':'age'}}]";
        JsonNode answer = exactly(kind, kind.equals("threshold") ? list : "'column':'age'");
        assertThat(answer.isObject()).isTrue();
    }
}
