package dev.purser.query;

import dev.purser.web.RunningService;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Counts of privacy units in every question that takes such counts, for an upload with several rows of a unit. */
class UnitsOverHttpTests extends RunningService {
    private static final String UNIT = "{'type':'column','column':'person','maxRows':20}";

    /** Ann has 30 rows, of which 20 stay. Bob has two rows, Eve has one. */
    private String stays(String relation) throws Exception {
        String id = newId();
        assertStatus(201, register(withUnit(registration(id, "[" + AGE + "]", "1000", relation, ""), UNIT)));
        String csv = "age,person\n60,bob\n" + "30,ann\n".repeat(30) + "35,bob\n70,eve\n";
        assertStatus(200, upload(id, ofItsOwn(id, csv)));
        return id;
    }

    private JsonNode asked(String id, String kind, String body) throws Exception {
        return json(assertStatus(200, ask(id, kind, quoted(body))));
    }

    @Test
    void countsUnitsWithOneRowThatPasses() throws Exception {
        String id = stays("add-or-remove-one");
        assertThat(asked(id, "count", "{'epsilon':100,'of':'units'}")
                        .at("/answer/count")
                        .asInt())
                .isEqualTo(3);
        assertThat(asked(id, "count", "{'epsilon':100,'of':'units','where':[{'column':'age','below':50}]}")
                        .at("/answer/count")
                        .asInt())
                .isEqualTo(2);
        JsonNode rows = asked(id, "count", "{'epsilon':1,'beta':0.05}");
        JsonNode units = asked(id, "count", "{'epsilon':1,'beta':0.05,'of':'units'}");
        assertThat(rows.at("/accuracy/alpha").asInt()).isEqualTo(60);
        assertThat(units.at("/accuracy/alpha").asInt()).isEqualTo(3);
        assertThat(units.at("/question/of").asString()).isEqualTo("units");
    }

    /** One more unit adds one, for every filter that it passes, however its rows lie among the rows of others. */
    @Test
    void oneUnitMoreMovesTheCountByOne() throws Exception {
        String others = "20,a\n%s21,b\n%s22,c\n%s23,a\n%s24,d\n%s";
        int[] counts = new int[2];
        for (int neighbor = 0; neighbor < 2; neighbor++) {
            String id = newId();
            assertStatus(
                    201, register(withUnit(registration(id, "[" + AGE + "]", "1000", "add-or-remove-one", ""), UNIT)));
            String csv = "age,person\n" + others.replace("%s", neighbor == 0 ? "" : "30,scattered\n");
            assertStatus(200, upload(id, ofItsOwn(id, csv)));
            counts[neighbor] = asked(id, "count", "{'epsilon':100,'of':'units'}")
                    .at("/answer/count")
                    .asInt();
        }
        assertThat(counts).containsExactly(4, 5);
    }

    /** The number of units is public where they are replaced, unless a filter can leave some out. */
    @Test
    void theNumberOfAllUnitsIsExactWhereTheyAreReplaced() throws Exception {
        String id = stays("replace-one");
        JsonNode all = asked(id, "count", "{'epsilon':0.01,'of':'units'}");
        assertThat(all.at("/answer/count").asInt()).isEqualTo(3);
        assertThat(all.at("/accuracy/alpha").asInt()).isZero();
        JsonNode some = asked(id, "count", "{'epsilon':1,'of':'units','where':[{'column':'age','below':50}]}");
        assertThat(some.at("/accuracy/alpha").asInt()).isEqualTo(3);
    }

    /** A list of counts of units has the sensitivity 1. So it has the accuracy of a list about single rows. */
    @Test
    void thresholdsAreComparedWithCountsOfUnits() throws Exception {
        String id = stays("add-or-remove-one");
        String list = "{'epsilon':100,'threshold':2,'queries':[%s,%s]}";
        String old = "{'count':{'of':'units','where':[{'column':'age','atLeast':65}]}}";
        String young = "{'count':{'of':'units','where':[{'column':'age','below':50}]}}";
        JsonNode units = asked(id, "threshold", list.formatted(old, young));
        assertThat(units.at("/answer/index").asInt()).isEqualTo(1);
        JsonNode rows = asked(
                id, "threshold", list.replace("100", "1").formatted(old, young).replace("'of':'units',", ""));
        JsonNode same = asked(id, "threshold", list.replace("100", "1").formatted(old, young));
        assertThat(same.at("/accuracy/alpha").asDouble() * 10)
                .isLessThan(rows.at("/accuracy/alpha").asDouble());
    }

    /** Bob is in both groups. Where units are counted beside rows, each count is measured for itself. */
    @Test
    void unitsAreCountedByGroup() throws Exception {
        String id = stays("add-or-remove-one");
        String table = "{'epsilon':%s,'groupBy':[{'column':'age','edges':[0,50,111]}],'aggregates':["
                + "{'count':{'of':'units'}},{'count':{}},{'mean':{'column':'age'}}]}";
        JsonNode exact = asked(id, "aggregate", table.formatted("100"));
        assertThat(exact.at("/answer/aggregates").valueStream().map(JsonNode::asString))
                .containsExactly("count(units)", "count", "mean(age)");
        assertThat(units(exact)).containsExactly(2, 2);

        JsonNode units =
                asked(id, "aggregate", table.formatted("1").replace(",{'count':{}},{'mean':{'column':'age'}}", ""));
        assertThat(units.at("/mechanism/parameters/parts").toString())
                .isEqualTo(quoted("[{'statistic':'units','noise':'discrete-laplace','epsilon':'1',"
                        + "'sensitivity':2,'scale':2}]"));
        JsonNode filtered = asked(
                id,
                "aggregate",
                "{'epsilon':100,'aggregates':[{'count':{'of':'units'}}],'where':[{'column':'age','atLeast':65}]}");
        assertThat(filtered.at("/answer/groups/0/values/0/value").asInt()).isEqualTo(1);
    }

    /** Ann has rows in both blocks and counts once in each block. In both blocks together she would count twice. */
    @Test
    void unitsAreCountedInEachOfSeveralBlocks() throws Exception {
        String id = newId();
        String columns = "[" + AGE + ",{'name':'day','type':'date','lower':'2026-03-01','upper':'2026-03-02'}]";
        String divided = ",'blocks':{'column':'day','width':'day','rowsKeepTheirBlock':true}";
        assertStatus(
                201, register(withUnit(registration(id, quoted(columns), "1000", "add-or-remove-one", divided), UNIT)));
        for (String rows : new String[] {"2026-03-01 30,ann 30,ann 70,ann 80,bob", "2026-03-02 70,ann 71,ann"}) {
            String day = rows.substring(0, 10);
            String csv = "day,age,person" + rows.substring(10).replace(" ", "\n" + day + ",") + "\n";
            assertStatus(
                    200,
                    send(
                            "PUT",
                            "/v1/datasets/" + id + "/blocks/" + day + "/data",
                            ofItsOwn(id, csv),
                            "Content-Type",
                            "text/csv"));
        }
        String both = "'blocks':{'from':'2026-03-01','to':'2026-03-02'},'epsilon':100,";
        String table = "{" + both + "'aggregates':[{'count':{'of':'units'}}],'groupBy':[{'column':'day'}%s]}";
        JsonNode byDay = asked(id, "aggregate", table.formatted(""));
        assertThat(units(byDay)).containsExactly(2, 1);
        JsonNode byAge = asked(id, "aggregate", table.formatted(",{'column':'age','edges':[0,50,111]}"));
        assertThat(units(byAge)).containsExactly(1, 2, 0, 1);
        // A unit is protected in one block. The rows of a block are in one group here, and in two groups below.
        assertThat(byDay.at("/mechanism/parameters/parts/0/sensitivity").asInt())
                .isEqualTo(1);
        assertThat(byAge.at("/mechanism/parameters/parts/0/sensitivity").asInt())
                .isEqualTo(2);
        for (String keys : new String[] {"", "{'column':'age','edges':[0,50,111]}", "{'column':'day','step':2}"}) {
            assertProblem(
                    422,
                    "validation-failed",
                    ask(id, "aggregate", quoted(table.formatted("").replace("{'column':'day'}", keys))));
        }
        assertProblem(422, "validation-failed", ask(id, "count", quoted("{" + both + "'of':'units'}")));
    }

    private static Stream<Integer> units(JsonNode table) {
        return table.at("/answer/groups")
                .valueStream()
                .map(group -> group.at("/values/0/value").asInt());
    }

    /** A synopsis has the numbers of rows. The numbers of units do not follow from them. */
    @Test
    void aSynopsisDoesNotAnswerForUnits() throws Exception {
        String id = stays("add-or-remove-one");
        assertStatus(
                201, post("/v1/datasets/" + id + "/synopses", quoted("{'epsilon':1,'columns':[{'column':'age'}]}")));
        assertThat(isFree(id, "{'epsilon':1}")).isTrue();
        assertThat(isFree(id, "{'epsilon':1,'of':'units'}")).isFalse();

        String rows = dataset("1000", "age,hours,sex\n10,1,Female\n90,2,Female\n");
        assertStatus(
                201, post("/v1/datasets/" + rows + "/synopses", quoted("{'epsilon':1,'columns':[{'column':'age'}]}")));
        assertThat(isFree(rows, "{'epsilon':1,'of':'units'}")).isTrue();
    }

    private boolean isFree(String id, String count) throws Exception {
        return json(assertStatus(200, post("/v1/datasets/" + id + "/quotes/count", quoted(count))))
                .hasNonNull("freeFrom");
    }

    /** Each row is a unit here, so the question asks for the count of rows. */
    @Test
    void unitsAreRowsWhereNoColumnNamesThem() throws Exception {
        String id = dataset("1000", "age,hours,sex\n10,1,Female\n90,2,Female\n");
        assertThat(asked(id, "count", "{'epsilon':100,'of':'units'}")
                        .at("/answer/count")
                        .asInt())
                .isEqualTo(2);
    }
}
