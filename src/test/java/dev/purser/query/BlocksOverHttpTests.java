package dev.purser.query;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Datasets with blocks over HTTP. */
class BlocksOverHttpTests extends RunningService {
    private static final LocalDate FIRST = LocalDate.parse("2026-03-01");

    /** Fields that differ between two otherwise equal datasets, are drawn, or follow from what was drawn. */
    private static final Set<String> OF_ITS_OWN = Set.of(
            "answer",
            "alpha",
            "queryId",
            "hash",
            "previousHash",
            "requestHash",
            "at",
            "head",
            "sessionId",
            "openedAt",
            "expiresAt",
            "synopsisId");

    private String days(String epsilon, int days) throws Exception {
        String columns = "[{'name':'day','type':'date','lower':'%s','upper':'%s'},".formatted(FIRST, day(days - 1))
                + "{'name':'n','type':'integer','lower':0,'upper':10}]";
        return registered(
                quoted(columns),
                epsilon,
                "add-or-remove-one",
                ",'blocks':{'column':'day','width':'day','rowsKeepTheirBlock':true}");
    }

    private static String day(int day) {
        return FIRST.plusDays(day).toString();
    }

    private HttpResponse<String> load(String id, int day, int rows) throws Exception {
        String csv = "day,n\n" + (day(day) + ",3\n").repeat(rows);
        return send(
                "PUT",
                "/v1/datasets/" + id + "/blocks/" + day(day) + "/data",
                ofItsOwn(id, csv),
                "Content-Type",
                "text/csv");
    }

    private static String window(String epsilon, int first, int last) {
        return quoted("{'epsilon':'%s','blocks':{'from':'%s','to':'%s'}}").formatted(epsilon, day(first), day(last));
    }

    private String spentAfter(String id) throws Exception {
        return json(send("GET", "/v1/datasets/" + id + "/ledger?order=desc&limit=1", ""))
                .at("/items/0/spentAfter/epsilon")
                .asString();
    }

    /** Each question, with what is spent of one of its blocks after it, or with the blocks that cannot pay. */
    @Test
    void everyBlockOfAWindowPaysTheWholeCharge() throws Exception {
        String id = days("1", 10);
        for (int day = 0; day < 10; day++) {
            assertStatus(200, load(id, day, day));
        }
        String[][] steps = {
            {"0", "6", "0.4", "0.4"},
            {"5", "9", "0.5", "0.9"},
            {"0", "9", "0.2", ""},
            {"7", "9", "0.5", "1"},
            {"0", "4", "0.6", "1"},
            {"5", "6", "0.1", "1"},
            {"4", "4", "0.000001", ""}
        };
        List<String> refused = new ArrayList<>();
        for (String[] step : steps) {
            HttpResponse<String> reply =
                    ask(id, "count", window(step[2], Integer.parseInt(step[0]), Integer.parseInt(step[1])));
            assertStatus(step[3].isEmpty() ? 409 : 200, reply);
            if (step[3].isEmpty()) {
                refused.add(json(reply).get("remaining") + " " + json(reply).get("blocks"));
            } else {
                assertThat(spentAfter(id)).isEqualTo(step[3]);
            }
        }
        assertThat(refused).containsExactly("""
                        {"epsilon":"0.1","delta":"0"} [{"from":"2026-03-06","to":"2026-03-07",\
                        "remaining":{"epsilon":"0.1","delta":"0"}}]""", """
                        {"epsilon":"0","delta":"0"} [{"from":"2026-03-05","to":"2026-03-05",\
                        "remaining":{"epsilon":"0","delta":"0"}}]""");
        JsonNode runs = json(send("GET", "/v1/datasets/" + id + "/blocks", "")).get("items");
        assertThat(runs).hasSize(1);
        assertThat(runs.at("/0/spent/epsilon").asString()).isEqualTo("1");
    }

    @Test
    void theBooksOfBlocksOutliveTheirRows() throws Exception {
        String id = days("1", 3);
        assertStatus(200, load(id, 0, 5));
        assertStatus(200, ask(id, "count", window("0.4", 0, 0)));
        assertStatus(204, send("DELETE", "/v1/datasets/" + id, ""));
        HttpResponse<String> blocks = send("GET", "/v1/datasets/" + id + "/blocks", "");
        assertStatus(200, blocks);
        assertThat(json(blocks).get("items"))
                .extracting(run ->
                        run.get("from").asString() + " " + run.get("state").asString() + " "
                                + run.at("/spent/epsilon").asString())
                .containsExactly("2026-03-01 not-ready 0.4", "2026-03-02 not-ready 0");
    }

    @ParameterizedTest
    @CsvSource({
        "day,2026-02-27,2026-03-02,2026-03-01,4",
        "week,2026-02-27,2026-03-09,2026-02-23,3",
        "month,2024-02-29,2024-03-31,2024-02,2"
    })
    void blocksOfDatesAreNamedByTheirFirstDayOrTheirMonth(
            String width, String lower, String upper, String label, int count) throws Exception {
        String id = registered(
                "[{\"name\":\"day\",\"type\":\"date\",\"lower\":\"%s\",\"upper\":\"%s\"}]".formatted(lower, upper),
                "1",
                "add-or-remove-one",
                ",'blocks':{'column':'day','width':'" + width + "','rowsKeepTheirBlock':true}");
        JsonNode all = json(send("GET", "/v1/datasets/" + id + "/blocks", "")).get("items");
        assertThat(all).hasSize(1);
        HttpResponse<String> quoted = post(
                "/v1/datasets/" + id + "/quotes/histogram",
                "{\"epsilon\":\"1\",\"column\":\"day\",\"blocks\":{\"from\":\"" + label + "\"}}");
        assertStatus(200, quoted);
        assertThat(json(send("GET", "/v1/datasets/" + id, ""))
                        .at("/blocks/width")
                        .asString())
                .isEqualTo(width);
        assertThat(count).isEqualTo(count(id));
    }

    /** The number of blocks: a question can be about so many blocks, and no more. */
    private int count(String id) throws Exception {
        HttpResponse<String> reply = ask(id, "count", "{\"epsilon\":\"0.1\",\"blocks\":{\"latest\":10000}}");
        String detail = json(assertStatus(422, reply)).at("/errors/0/detail").asString();
        return Integer.parseInt(detail.replaceAll(".*between 1 and (\\d+),.*", "$1"));
    }

    /** Every day, one question is about that day and one about the last five days. Limit 0.4, epsilon 0.1 each. */
    @Test
    void aStandingQuestionAboutEachDayIsNeverRefusedAndAWindowIsWhenItsDaysArePaidOut() throws Exception {
        int days = 30;
        String id = days("0.4", days);
        int[] paid = new int[days];
        List<Integer> refused = new ArrayList<>();
        for (int today = 0; today < days; today++) {
            assertStatus(200, load(id, today, 2));
            assertStatus(200, ask(id, "count", "{\"epsilon\":\"0.1\",\"blocks\":{\"latest\":1}}"));
            paid[today]++;
            if (today >= 4) {
                HttpResponse<String> reply = ask(id, "count", "{\"epsilon\":\"0.1\",\"blocks\":{\"latest\":5}}");
                boolean fits = IntStream.rangeClosed(today - 4, today).allMatch(day -> paid[day] < 4);
                assertStatus(fits ? 200 : 409, reply);
                if (fits) {
                    IntStream.rangeClosed(today - 4, today).forEach(day -> paid[day]++);
                } else {
                    refused.add(today);
                }
            }
        }
        assertThat(refused).startsWith(7, 8).hasSizeGreaterThan(5).hasSizeLessThan(days - 8);
        JsonNode runs = json(send("GET", "/v1/datasets/" + id + "/blocks", "")).get("items");
        for (JsonNode run : runs) {
            int first = (int) (LocalDate.parse(run.get("from").asString()).toEpochDay() - FIRST.toEpochDay());
            assertThat(run.at("/spent/epsilon").asString()).isEqualTo("0." + paid[first]);
        }
    }

    /** With one more row, all that others than the custodian see of a dataset is the same, except what is drawn. */
    @Test
    void nothingButAnswersDependsOnRows() throws Exception {
        String one = days("1", 5);
        String other = days("1", 5);
        for (int day = 0; day < 3; day++) {
            assertStatus(200, load(one, day, day));
            assertStatus(200, load(other, day, day == 0 ? 1 : day));
        }
        String[][] requests = {
            {"GET", "", ""},
            {"GET", "/blocks", ""},
            {"POST", "/quotes/count", window("0.3", 0, 2)},
            {"POST", "/queries/count", window("0.3", 0, 2)},
            {"POST", "/queries/histogram", """
                {"epsilon":"0.2","column":"day","blocks":{"from":"2026-03-01","to":"2026-03-02"}}"""},
            {"POST", "/queries/aggregate", """
                {"epsilon":"0.1","groupBy":[{"column":"day"}],"aggregates":[{"count":{}}],"blocks":{"latest":2}}"""},
            {"POST", "/queries/sum", """
                {"epsilon":"0.1","column":"n","where":[{"column":"n","below":0}],"blocks":{"latest":1}}"""},
            {"POST", "/queries/count", window("0.1", 0, 4)},
            {"POST", "/queries/count", window("0.9", 0, 2)},
            {"POST", "/quotes/count", window("0.9", 0, 2)},
            {"POST", "/threshold-sessions", """
                {"epsilon":"0.1","threshold":9,"maxPositives":1,"queries":"counts","blocks":{"latest":3}}"""},
            {"POST", "/synopses", quoted("{'epsilon':'0.1','columns':[{'column':'n'}],'blocks':{'latest':3}}")},
            {"GET", "/blocks?from=2026-03-01&to=2026-03-04", ""},
            {"GET", "/budget", ""},
            {"GET", "/budget?from=2026-03-02", ""},
            {"GET", "/ledger", ""},
            {"GET", "/ledger/verification", ""}
        };
        for (String[] request : requests) {
            assertThat(seen(other, request)).as(String.join(" ", request)).isEqualTo(seen(one, request));
        }
    }

    private String seen(String id, String[] request) throws Exception {
        HttpResponse<String> reply =
                send(request[0], "/v1/datasets/" + id + request[1], request[2], "Content-Type", "application/json");
        JsonNode document = json(reply);
        strip(document);
        return reply.statusCode() + " " + document.toString().replace(id, "the dataset");
    }

    private static void strip(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(OF_ITS_OWN);
            object.remove(List.of("registeredAt", "registrationDigest"));
        }
        node.forEach(BlocksOverHttpTests::strip);
    }
}
