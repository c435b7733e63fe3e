package dev.purser.sql;

import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** A statement is the same question as a question of the API: the API finds its answer, and has the same values. */
class SqlAnswersTests extends SqlService {
    private static final String EPSILON = "epsilon=0.5";

    /** A dataset of three users with two rows each, in two months. */
    private String users() throws Exception {
        String id = newId();
        String columns = quoted("""
                [{'name':'age','type':'integer','lower':-5,'upper':99},
                {'name':'hours','type':'decimal','lower':0,'upper':100,'resolution':0.25},
                {'name':'sex','type':'category','categories':['Female','Male']},
                {'name':'day','type':'date','lower':'2026-01-15','upper':'2026-03-10'},
                {'name':'at','type':'timestamp','lower':'2026-01-01T00:00:00Z','upper':'2026-01-01T05:30:00Z',
                'resolution':60}]""");
        String ofUsers = quoted("{'type':'column','column':'user_id','maxRows':2,'idType':'text'}");
        assertStatus(
                201,
                register(registration(id, columns, "1000", "add-or-remove-one", "")
                        .replace("{\"type\":\"row\"}", ofUsers)));
        StringBuilder rows = new StringBuilder("age,hours,sex,day,at,user_id\n");
        for (String row : new String[] {
            "30,10.5,Female,2026-01-20,2026-01-01T01:10:00Z", "41,40,Male,2026-02-28,2026-01-01T05:00:00Z"
        }) {
            for (String user : new String[] {"a", "b", "c"}) {
                rows.append(row).append(',').append(user).append('\n');
            }
        }
        assertStatus(
                200,
                send("PUT", "/v1/datasets/" + id + "/data", ofItsOwn(id, rows.toString()), "Content-Type", "text/csv"));
        return id;
    }

    private static final String COUNT = "'aggregates':[{'count':{}}]";

    /** A statement's aggregates, key and condition, the same question, and how the key of each group is shown. */
    private record Case(String items, String key, String where, String question, String shown) {}

    private static Case ungrouped(String items, String question) {
        return new Case(items, "", "", question, "");
    }

    private static Case counted(String key, String where, String question, String shown) {
        return new Case("count(*)", key, where, COUNT + "," + question, shown);
    }

    private static String edges(String column, String edges) {
        return "'groupBy':[{'column':'%s','edges':[%s]}]".formatted(column, edges);
    }

    @Test
    void aStatementIsTheQuestionOfTheApi() throws Exception {
        List<Case> cases = List.of(
                ungrouped("count(*), sum(age), var_pop(hours), stddev_pop(age)", """
                        'aggregates':[{'count':{}},{'sum':{'column':'age'}},{'variance':{'column':'hours'}},
                        {'standardDeviation':{'column':'age'}}]"""),
                ungrouped("count(DISTINCT user_id)", "'aggregates':[{'count':{'of':'units'}}]"),
                new Case(
                        "avg(hours)",
                        "sex",
                        "WHERE age BETWEEN 20 AND 50 AND sex IN ('Female', 'Male')",
                        """
                        'aggregates':[{'mean':{'column':'hours'}}],'groupBy':[{'column':'sex'}],
                        'where':[{'column':'age','atLeast':20,'atMost':50},{'column':'sex','in':['Female','Male']}]""",
                        "category"),
                counted(
                        "date_trunc('month', day)",
                        "WHERE day >= DATE '2026-01-20'",
                        edges("day", "'2026-01-01','2026-02-01','2026-03-01','2026-04-01'")
                                + ",'where':[{'column':'day','atLeast':'2026-01-20'}]",
                        "lower"),
                counted("date_trunc('quarter', day)", "", edges("day", "'2026-01-01','2026-04-01'"), "lower"),
                counted("date_trunc('year', day)", "", edges("day", "'2026-01-01','2027-01-01'"), "lower"),
                counted("date_trunc('week', day)", "", edges("day", """
                        '2026-01-12','2026-01-19','2026-01-26','2026-02-02','2026-02-09','2026-02-16','2026-02-23',
                        '2026-03-02','2026-03-09','2026-03-16'"""), "lower"),
                counted("date_trunc('day', day)", "", "'groupBy':[{'column':'day','step':1}]", "lower"),
                counted("date_trunc('hour', at)", "WHERE at < TIMESTAMP '2026-01-01 05:00:00 UTC'", """
                        'groupBy':[{'column':'at','edges':['2026-01-01T00:00:00Z','2026-01-01T01:00:00Z',
                        '2026-01-01T02:00:00Z','2026-01-01T03:00:00Z','2026-01-01T04:00:00Z','2026-01-01T05:00:00Z',
                        '2026-01-01T06:00:00Z']}],'where':[{'column':'at','below':'2026-01-01T05:00:00Z'}]""", "lower"),
                new Case(
                        "avg(age)",
                        "floor(hours / 25) * 25",
                        "",
                        "'aggregates':[{'mean':{'column':'age'}}],'groupBy':[{'column':'hours','step':25}]",
                        "lower"),
                counted("floor(age / 50) * 50", "", edges("age", "-50,0,50,100"), "lower"),
                counted("width_bucket(age, ARRAY[0, 40])", "", edges("age", "-5,0,40,100"), "number"),
                new Case(
                        "approx_percentile(hours, 0.5)",
                        "sex",
                        "",
                        "'column':'hours','probabilities':[0.5],'groupBy':[{'column':'sex'}]",
                        "category"));
        String id = users();
        for (Case each : cases) {
            boolean hasKey = !each.key().isEmpty();
            String sql = "SELECT " + (hasKey ? each.key() + ", " : "") + each.items() + " FROM " + id + " "
                    + each.where() + (hasKey ? " GROUP BY 1" : "");
            assertSame(id, sql, EPSILON, each.question(), each.shown());
        }
    }

    /** This holds also for a column of integers, whose bounds and edges can be between two integers. */
    @Test
    void aKeyBetweenIntegersIsNotCut() throws Exception {
        String id = dataset(
                "1000",
                "n\n1\n1\n",
                quoted("[{'name':'n','type':'integer','lower':0,'upper':1,'resolution':0.5}]"),
                "add-or-remove-one");
        assertThat(rows("SELECT floor(n / 0.5) * 0.5, count(*) FROM " + id + " GROUP BY 1", "epsilon=100"))
                .isEqualTo("[[0.0,0],[0.5,0],[1.0,2]]");
    }

    @Test
    void blocksAreAPropertyAndAKey() throws Exception {
        String id = registered(
                quoted("""
                [{'name':'day','type':'date','lower':'2026-03-01','upper':'2026-03-04'},
                {'name':'n','type':'integer','lower':0,'upper':5}]"""),
                "1000",
                "add-or-remove-one",
                ",'blocks':{'column':'day','width':'day','rowsKeepTheirBlock':true}");
        for (int day = 1; day <= 4; day++) {
            String block = "2026-03-0" + day;
            assertStatus(
                    200,
                    send(
                            "PUT",
                            "/v1/datasets/" + id + "/blocks/" + block + "/data",
                            ofItsOwn(id, "day,n\n" + (block + ",3\n").repeat(day)),
                            "Content-Type",
                            "text/csv"));
        }
        String count = "SELECT day, count(*) FROM " + id + " GROUP BY day";
        for (String[] blocks : new String[][] {
            {"latest%202", "{'latest':2}"},
            {"2026-03-02", "{'from':'2026-03-02'}"},
            {"2026-03-02..2026-03-03", "{'from':'2026-03-02','to':'2026-03-03'}"}
        }) {
            assertSame(
                    id,
                    count,
                    EPSILON + ",blocks=" + blocks[0],
                    COUNT + ",'groupBy':[{'column':'day'}],'blocks':" + blocks[1],
                    "block");
        }
        assertThat(rows("SELECT sum(n) FROM " + id, "epsilon=100,blocks=2026-03-04..2026-03-04"))
                .startsWith("[[12");
    }

    private void assertSame(String id, String sql, String session, String question, String key) throws Exception {
        JsonNode reply = run(sql, session);
        assertThat(reply.has("error")).as(sql + reply).isFalse();
        int entries = entries(id);
        String kind = question.contains("probabilities") ? "quantile" : "aggregate";
        HttpResponse<String> asked = ask(id, kind, quoted("{'epsilon':'0.5','reuse':true," + question + "}"));
        assertStatus(200, asked);
        assertThat(asked.headers().firstValue("Answer-Reused"))
                .as(sql)
                .hasValue(reply.get("id").asString());
        assertThat(run(sql, session).get("data")).isEqualTo(reply.get("data"));
        assertThat(entries(id)).as(sql).isEqualTo(entries);
        JsonNode answer = json(asked).get("answer");
        JsonNode groups = answer.has("groups")
                ? answer.get("groups")
                : JsonMapper.shared().createArrayNode().add(answer);
        for (int i = 0; i < groups.size(); i++) {
            JsonNode group = groups.get(i);
            JsonNode row = reply.get("data").get(i);
            if (!key.isEmpty()) {
                String shown = key.equals("number")
                        ? String.valueOf(i)
                        : group.at("/key/0/" + key).asString();
                assertThat(row.get(0)
                                .asString()
                                .replace(" ", "T")
                                .replace("TUTC", "Z")
                                .replaceAll("\\.0*$", ""))
                        .as(sql)
                        .isEqualTo(shown);
            }
            JsonNode values = group.has("values") ? group.get("values") : group.get("quantiles");
            for (int value = 0; value < values.size(); value++) {
                assertThat(row.get(value + (key.isEmpty() ? 0 : 1)).asDecimal())
                        .as(sql)
                        .isEqualByComparingTo(values.get(value).get("value").asDecimal());
            }
        }
        assertThat(reply.get("data")).hasSize(groups.size());
    }
}
