package dev.purser.dataset;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Custodians change limits and divide them, analysts see their part, and everybody sees what belongs to them. */
class BudgetsOverHttpTests extends RunningService {
    private static final String CSV = "age,hours,sex\n1,1,Male\n";
    private final String custodianName = newName();

    private record People(String custodian, String analystName, String analyst, String dataset) {}

    private People people() throws Exception {
        String custodian = keyFor(custodianName, "custodian", "[]");
        String dataset = newId();
        assertStatus(
                201, postAs(custodian, "/v1/datasets", registration(dataset, COLUMNS, "3", "add-or-remove-one", "")));
        assertStatus(200, uploadAs(custodian, dataset, ofItsOwn(dataset, CSV)));
        String analystName = newName();
        String analyst = keyFor(analystName, "analyst", "['" + dataset + "']");
        return new People(custodian, analystName, analyst, dataset);
    }

    private HttpResponse<String> put(String key, String path, String body) throws Exception {
        return sendAs(key, "PUT", path, BodyPublishers.ofString(body), "Content-Type", "application/json");
    }

    private static String epsilon(JsonNode node, String member) {
        return node.get(member).get("epsilon").asString();
    }

    @Test
    void aLimitIsMovedByAnEntryAndNeverBelowWhatIsSpent() throws Exception {
        People people = people();
        String dataset = "/v1/datasets/" + people.dataset();
        assertStatus(200, postAs(people.analyst(), dataset + "/queries/count", quoted("{'epsilon':'1'}")));

        JsonNode refused = json(assertStatus(422, put(people.custodian(), dataset + "/budget", """
                        {"epsilon":"0.9"}""")));
        assertThat(refused.get("errors").get(0).get("pointer").asString()).isEqualTo("/epsilon");
        JsonNode budget = json(assertStatus(200, put(people.custodian(), dataset + "/budget", """
                {"epsilon":1}""")));
        assertThat(epsilon(budget, "limit")).isEqualTo("1");
        assertThat(epsilon(budget, "remaining")).isEqualTo("0");

        assertStatus(409, postAs(people.analyst(), dataset + "/queries/count", quoted("{'epsilon':'0.1'}")));
        assertStatus(200, put(people.custodian(), dataset + "/budget", quoted("{'epsilon':'1.1','delta':'0'}")));
        assertStatus(200, postAs(people.analyst(), dataset + "/queries/count", quoted("{'epsilon':'0.1'}")));

        JsonNode entries = shownTo(people.custodian(), dataset + "/ledger").get("items");
        assertThat(entries.valueStream().map(entry -> entry.get("type").asString()))
                .containsExactly("limit", "charge", "limit", "limit", "charge");
        assertThat(entries.get(3).get("analyst").asString()).isEqualTo(custodianName);
        JsonNode verified = shownTo(people.custodian(), dataset + "/ledger/verification");
        assertThat(verified.get("valid").asBoolean()).isTrue();
        assertThat(verified.get("entries").asLong()).isEqualTo(5);
        assertThat(verified.get("head").asString())
                .isEqualTo(entries.get(4).get("hash").asString());
    }

    @Test
    void theLedgerSaysWhatWasAskedAndWhatAnAllotmentWasBefore() throws Exception {
        People people = people();
        String dataset = "/v1/datasets/" + people.dataset();
        String allotment = dataset + "/allotments/" + people.analystName();
        assertStatus(200, put(people.custodian(), allotment, """
                {"epsilon":"2"}"""));
        assertStatus(200, postAs(people.analyst(), dataset + "/queries/count", """
                {"epsilon":"0.5","where":[{"column":"sex","in":["Male"]}]}"""));
        assertStatus(200, put(people.custodian(), allotment, """
                {"epsilon":"1"}"""));
        JsonNode entries = json(getAs(people.custodian(), dataset + "/ledger")).get("items");
        assertThat(entries.get(2).at("/question/where/0/column").asString()).isEqualTo("sex");
        assertThat(entries.get(2).at("/question/epsilon").asString()).isEqualTo("0.5");
        assertThat(entries.get(2).get("allotmentBefore").isNull()).isTrue();
        assertThat(entries.get(1).get("question").isNull()).isTrue();
        assertThat(entries.get(1).get("allotmentBefore").isNull()).isTrue();
        JsonNode changed = entries.get(3);
        assertThat(changed.at("/allotmentAfter/analyst").asString()).isEqualTo(people.analystName());
        assertThat(changed.at("/allotmentBefore/analyst").asString()).isEqualTo(people.analystName());
        assertThat(epsilon(changed.get("allotmentBefore"), "limit")).isEqualTo("2");
        assertThat(epsilon(changed.get("allotmentBefore"), "spent")).isEqualTo("0.5");
        assertThat(epsilon(changed.get("allotmentAfter"), "limit")).isEqualTo("1");
    }

    @Test
    void limitsThatAreNoneAreRefusedByRule() throws Exception {
        People people = people();
        String path = "/v1/datasets/" + people.dataset() + "/budget";

        for (String body : new String[] {
            "{}",
            quoted("{'epsilon':'0'}"),
            quoted("{'epsilon':'-1'}"),
            quoted("{'epsilon':'1000001'}"),
            quoted("{'epsilon':'NaN'}"),
            quoted("{'epsilon':'1','delta':'1e-6'}"),
            quoted("{'epsilon':'1','rho':'1'}"),
            "[]",
            "null"
        }) {
            assertStatus(422, put(people.custodian(), path, body));
        }
        assertStatus(400, put(people.custodian(), path, "{"));
        assertStatus(422, put(people.custodian(), "/v1/datasets/" + people.dataset() + "/allotments/Ana", """
                        {"epsilon":"1"}"""));
    }

    @Test
    void anAllotmentIsSeenByItsAnalystAloneAndRefusesWithTheScope() throws Exception {
        People people = people();
        String dataset = "/v1/datasets/" + people.dataset();
        String other = newName();
        keyFor(other, "analyst", "[]");
        JsonNode set =
                json(assertStatus(200, put(people.custodian(), dataset + "/allotments/" + people.analystName(), """
                        {"epsilon":"0.5"}""")));
        assertThat(epsilon(set, "limit")).isEqualTo("0.5");
        assertStatus(200, put(people.custodian(), dataset + "/allotments/" + other, quoted("{'epsilon':'2'}")));

        JsonNode answer = json(assertStatus(200, postAs(people.analyst(), dataset + "/queries/count", """
                        {"epsilon":"0.4"}""")));
        assertThat(epsilon(answer, "remaining")).isEqualTo("0.1");
        JsonNode refused = json(assertStatus(409, postAs(people.analyst(), dataset + "/queries/count", """
                        {"epsilon":"0.2"}""")));
        assertThat(refused.get("scope").asString()).isEqualTo("analyst");
        assertThat(epsilon(refused, "remaining")).isEqualTo("0.1");
        JsonNode quote = json(assertStatus(200, postAs(people.analyst(), dataset + "/quotes/count", """
                        {"epsilon":"0.2"}""")));
        assertThat(quote.get("affordable").asBoolean()).isFalse();

        JsonNode own = shownTo(people.analyst(), dataset + "/budget");
        assertThat(epsilon(own, "remaining")).isEqualTo("0.1");
        assertThat(own.get("remainingIn").asString()).isEqualTo("analyst");
        assertThat(own.get("allotments")).hasSize(1);
        assertThat(own.get("allotments").get(0).get("analyst").asString()).isEqualTo(people.analystName());
        assertThat(epsilon(own.get("allotments").get(0), "spent")).isEqualTo("0.4");
        JsonNode all = shownTo(people.custodian(), dataset + "/budget");
        assertThat(epsilon(all, "remaining")).isEqualTo("2.6");
        assertThat(all.get("remainingIn").asString()).isEqualTo("dataset");
        assertThat(all.get("allotments")).hasSize(2);
        JsonNode self = shownTo(people.analyst(), "/v1/keys/self");
        assertThat(self.get("allotments").get(0).get("datasetId").asString()).isEqualTo(people.dataset());
        assertThat(epsilon(self.get("allotments").get(0), "remaining")).isEqualTo("0.1");
    }

    /** What remains is in the dataset if the dataset has less left than the analyst, or the same. */
    @Test
    void whatRemainsIsInTheLimitThatLeavesLess() throws Exception {
        People people = people();
        String dataset = "/v1/datasets/" + people.dataset();
        for (String[] limitAndPlace :
                new String[][] {{"3.5", "dataset"}, {"3", "dataset"}, {"2.999999999", "analyst"}}) {
            String limit = quoted("{'epsilon':'%s'}").formatted(limitAndPlace[0]);
            assertStatus(200, put(people.custodian(), dataset + "/allotments/" + people.analystName(), limit));
            assertThat(shownTo(people.analyst(), dataset + "/budget")
                            .get("remainingIn")
                            .asString())
                    .isEqualTo(limitAndPlace[1]);
        }
        String other = keyFor("analyst", "['*']");
        assertThat(shownTo(other, dataset + "/budget").get("remainingIn").asString())
                .isEqualTo("dataset");
    }

    @Test
    void aListShowsTitlesAndWhatTheKeyMayStillSpend() throws Exception {
        People people = people();
        String titled = newId();
        assertStatus(
                201,
                postAs(
                        people.custodian(),
                        "/v1/datasets",
                        registration(titled, COLUMNS, "3", "add-or-remove-one", ",'title':'Ages \\\"2\\\" ü'")));
        assertStatus(
                201,
                postAs(
                        people.custodian(),
                        "/v1/datasets",
                        registration(newId(), COLUMNS, "3", "add-or-remove-one", "")));
        assertStatus(
                200,
                put(
                        people.custodian(),
                        "/v1/datasets/" + people.dataset() + "/allotments/" + people.analystName(),
                        quoted("{'epsilon':'0.5'}")));

        JsonNode all = shownTo(people.custodian(), "/v1/datasets").get("items");
        assertThat(all).hasSize(3);
        all.forEach(item -> {
            boolean isTitled = item.get("id").asString().equals(titled);
            assertThat(item.get("title").isNull()).isEqualTo(!isTitled);
            assertThat(item.get("title").asString("")).isEqualTo(isTitled ? "Ages \"2\" ü" : "");
            assertThat(epsilon(item, "remaining")).isEqualTo("3");
        });
        JsonNode own = shownTo(people.analyst(), "/v1/datasets").get("items").get(0);
        assertThat(epsilon(own, "remaining")).isEqualTo("0.5");
        assertThat(epsilon(own.get("budget"), "remaining")).isEqualTo("3");
    }

    @Test
    void ownQuestionsSayWhatWasAskedAndOnRequestWhatWasAnswered() throws Exception {
        People people = people();
        String dataset = "/v1/datasets/" + people.dataset();
        List<JsonNode> answers = new ArrayList<>();
        for (String[] kindAndFields : new String[][] {
            {"count", ""},
            {"mean", ",'column':'age'"},
            {"histogram", ",'column':'hours','edges':[0,0.25,1e1]"}
        }) {
            answers.add(json(assertStatus(
                    200,
                    postAs(
                            people.analyst(),
                            dataset + "/queries/" + kindAndFields[0],
                            ("{'epsilon':'0.1'" + kindAndFields[1] + "}").replace('\'', '"')))));
        }

        for (String query : List.of("", "?answers=false", "?answers=true")) {
            JsonNode items =
                    shownTo(people.analyst(), dataset + "/queries" + query).get("items");
            assertThat(items).hasSize(3);
            for (int i = 0; i < 3; i++) {
                assertThat(items.get(i).get("question"))
                        .hasToString(answers.get(i).get("question").toString());
                assertThat(items.get(i).get("accuracy"))
                        .hasToString(answers.get(i).get("accuracy").toString());
                assertThat(items.get(i).get("answer"))
                        .hasToString(
                                query.equals("?answers=true")
                                        ? answers.get(i).get("answer").toString()
                                        : "null");
            }
        }
        assertStatus(422, getAs(people.analyst(), dataset + "/queries?answers=maybe"));
    }

    /** A session's opening has no value and states its declaration. Large answers end a page early. */
    @Test
    void ownQuestionsAreCutByBytes() throws Exception {
        People people = people();
        String dataset = "/v1/datasets/" + people.dataset();
        assertStatus(201, postAs(people.analyst(), dataset + "/threshold-sessions", """
                                {"epsilon":"0.1","threshold":5,"maxPositives":1,"release":"indices",\
                                "payment":"upfront","queries":"counts"}"""));
        String edges = IntStream.range(0, 10_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        for (int i = 0; i < 3; i++) {
            assertStatus(200, postAs(people.analyst(), dataset + "/queries/histogram", """
                            {"epsilon":"0.1","column":"age","edges":[%s]}""".formatted(edges)));
        }

        assertThat(shownTo(people.analyst(), dataset + "/queries").get("items")).hasSize(4);
        String next = "";
        List<Integer> pages = new ArrayList<>();
        List<JsonNode> items = new ArrayList<>();
        do {
            JsonNode page = shownTo(people.analyst(), dataset + "/queries?answers=true&after=" + next);
            pages.add(page.get("items").size());
            page.get("items").forEach(items::add);
            next = page.get("next").asString("");
        } while (!next.isEmpty());
        assertThat(pages).containsExactly(2, 1, 1);
        assertThat(items.getFirst().get("question").get("threshold").asInt()).isEqualTo(5);
        assertThat(items.getFirst().get("answer").isNull()).isTrue();
        assertThat(items.getLast().get("answer").get("bins")).hasSize(9_999);
    }

    @Test
    void everybodyListsOwnQuestionsOnly() throws Exception {
        People people = people();
        String dataset = "/v1/datasets/" + people.dataset();
        String other = keyFor("analyst", "['*']");
        assertStatus(200, postAs(other, dataset + "/queries/count", quoted("{'epsilon':'0.1'}")));
        JsonNode first = json(assertStatus(200, postAs(people.analyst(), dataset + "/queries/count", """
                        {"epsilon":"0.1"}""")));
        JsonNode second = json(assertStatus(200, postAs(people.analyst(), dataset + "/queries/count", """
                        {"epsilon":"0.2"}""")));

        JsonNode page = shownTo(people.analyst(), dataset + "/queries?limit=1");
        assertThat(page.get("items")).hasSize(1);
        JsonNode item = page.get("items").get(0);
        assertThat(item.get("queryId")).isEqualTo(first.get("queryId"));
        assertThat(item.get("state").asString()).isEqualTo("answered");
        assertThat(item.get("idempotencyKey").asString()).isNotEmpty();
        assertThat(epsilon(item, "charge")).isEqualTo("0.1");
        JsonNode rest = shownTo(
                people.analyst(), dataset + "/queries?after=" + page.get("next").asString());
        assertThat(rest.get("items")).hasSize(1);
        assertThat(rest.get("items").get(0).get("queryId")).isEqualTo(second.get("queryId"));
        assertThat(rest.get("next").isNull()).isTrue();
    }
}
