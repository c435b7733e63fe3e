package dev.purser.session;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threshold sessions over HTTP. At epsilon 100 the noise of a comparison of counts is above 9 with probability below
 * 1e-12, so that outcomes far from the threshold can be asserted.
 */
class ThresholdSessionTests extends RunningService {
    private static final String ALL = quoted("{'count':{}}");
    private static final String NONE = quoted("{'count':{'where':[{'column':'age','atLeast':100}]}}");
    private static final String SUM = quoted("{'sum':{'column':'hours','lower':0,'upper':10}}");

    private static String opening(String epsilon, int maxPositives, String more) {
        String members = quoted(more);
        return """
                {"epsilon":"%s","threshold":50,"maxPositives":%d,\
                "queries":"counts"%s}""".formatted(epsilon, maxPositives, members);
    }

    private String hundredRows(String budget) throws Exception {
        String id = registered(COLUMNS, budget, "add-or-remove-one", "");
        assertStatus(200, upload(id, ofItsOwn(id, "age,hours,sex\n" + "30,40.25,Male\n".repeat(100))));
        return id;
    }

    private HttpResponse<String> open(String dataset, String body, String... headers) throws Exception {
        return postAs(key(), "/v1/datasets/" + dataset + "/threshold-sessions", body, headers);
    }

    private String opened(String dataset, String body) throws Exception {
        return json(assertStatus(201, open(dataset, body))).get("sessionId").asString();
    }

    private HttpResponse<String> ask(String session, long sequence, String query) throws Exception {
        return postAs(key(), "/v1/threshold-sessions/" + session + "/queries", """
                {"sequence":%d,"query":%s}""".formatted(sequence, query));
    }

    private JsonNode outcome(String session, long sequence, String query) throws Exception {
        return json(assertStatus(200, ask(session, sequence, query)));
    }

    private JsonNode session(String id) throws Exception {
        return shown("/v1/threshold-sessions/" + id);
    }

    @Test
    void anUpfrontSessionCostsOnceAndEndsWithItsLastPositive() throws Exception {
        String dataset = hundredRows("200");
        HttpResponse<String> reply = open(dataset, opening("100", 2, ""));
        JsonNode session = json(assertStatus(201, reply));
        String id = session.get("sessionId").asString();

        assertThat(reply.headers().firstValue("Location")).hasValue("/v1/threshold-sessions/" + id);
        assertThat(session.get("state").asString()).isEqualTo("open");
        assertThat(session.get("positivesLeft").asInt()).isEqualTo(2);
        assertThat(session.get("nextSequence").asInt()).isEqualTo(1);
        assertThat(session.at("/charge/epsilon").asString()).isEqualTo("100");
        assertThat(spent(dataset)).isEqualTo("100");

        assertThat(outcome(id, 1, NONE).get("outcome").asString()).isEqualTo("BELOW");
        JsonNode above = outcome(id, 2, ALL);
        assertThat(above.get("outcome").asString()).isEqualTo("ABOVE");
        assertThat(above.get("positivesLeft").asInt()).isEqualTo(1);
        assertThat(above.has("gap") || above.has("value")).isFalse();
        JsonNode last = outcome(id, 3, ALL);
        assertThat(last.get("state").asString()).isEqualTo("closed");
        assertThat(last.get("closedBecause").asString()).isEqualTo("positives");
        assertThat(last.has("expiresAt")).isFalse();

        JsonNode problem = assertProblem(409, "session-closed", ask(id, 4, NONE));
        assertThat(problem.get("closedBecause").asString()).isEqualTo("positives");
        assertThat(session(id).get("nextSequence").asInt()).isEqualTo(4);
        assertThat(spent(dataset)).isEqualTo("100");
        assertThat(entries(dataset)).isEqualTo(2);
    }

    @Test
    void theSameKeyOpensTheSameSession() throws Exception {
        String dataset = hundredRows("2");
        String body = opening("1", 1, "");
        HttpResponse<String> first = assertStatus(201, open(dataset, body, "Idempotency-Key", "k-" + dataset));
        HttpResponse<String> second = assertStatus(201, open(dataset, body, "Idempotency-Key", "k-" + dataset));

        assertThat(second.body()).isEqualTo(first.body());
        assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
        assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(spent(dataset)).isEqualTo("1");
        assertProblem(
                422, "idempotency-key-reused", open(dataset, opening("1", 2, ""), "Idempotency-Key", "k-" + dataset));
    }

    @Test
    void aRepeatedSequenceReturnsItsBytesAndNothingElseUsesItsNumber() throws Exception {
        String id = opened(hundredRows("100"), opening("100", 1, ""));
        assertProblem(422, "validation-failed", ask(id, 2, NONE));
        HttpResponse<String> first = assertStatus(200, ask(id, 1, NONE));
        assertThat(assertProblem(422, "validation-failed", ask(id, 1, ALL))
                        .get("detail")
                        .asString())
                .contains("sequence 1 was used");
        HttpResponse<String> closing = assertStatus(200, ask(id, 2, ALL));

        HttpResponse<String> again = assertStatus(200, ask(id, 1, NONE));
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
        assertThat(assertStatus(200, ask(id, 2, ALL)).body()).isEqualTo(closing.body());
        assertProblem(409, "session-closed", ask(id, 3, ALL));
    }

    @Test
    void anInstanceIsChargedBeforeItsFirstQuestionRoundedDown() throws Exception {
        String dataset = hundredRows("100");
        JsonNode session = json(assertStatus(201, open(dataset, opening("100", 3, ",'payment':'per-positive'"))));
        String id = session.get("sessionId").asString();
        assertThat(session.at("/charge/epsilon").asString()).isEqualTo("0");
        assertThat(session.at("/mechanism/name").asString()).isEqualTo("sparse-restart");
        assertThat(spent(dataset)).isEqualTo("0");

        outcome(id, 1, NONE);
        outcome(id, 2, NONE);
        assertThat(spent(dataset)).isEqualTo("33.333333333");
        outcome(id, 3, ALL);
        assertThat(spent(dataset)).isEqualTo("33.333333333");
        outcome(id, 4, ALL);
        assertThat(spent(dataset)).isEqualTo("66.666666666");
        assertThat(session(id).at("/charge/epsilon").asString()).isEqualTo("66.666666666");
        outcome(id, 5, ALL);
        assertThat(spent(dataset)).isEqualTo("99.999999999");
        assertProblem(409, "session-closed", ask(id, 6, ALL));
    }

    @Test
    void aSessionThatCannotPayItsNextInstanceStaysOpen() throws Exception {
        String dataset = hundredRows("60");
        String id = opened(dataset, opening("100", 2, ",'payment':'per-positive'"));
        outcome(id, 1, ALL);
        JsonNode problem = assertProblem(409, "budget-exhausted", ask(id, 2, NONE));
        assertThat(problem.at("/requested/epsilon").asString()).isEqualTo("50");
        assertThat(problem.at("/shortfall/epsilon").asString()).isEqualTo("40");
        assertThat(session(id).get("state").asString()).isEqualTo("open");

        assertStatus(200, send("PUT", "/v1/datasets/" + dataset + "/budget", """
                                {"epsilon":"100"}""", "Content-Type", "application/json"));
        assertThat(outcome(id, 2, NONE).get("outcome").asString()).isEqualTo("BELOW");
        assertThat(spent(dataset)).isEqualTo("100");
    }

    @Test
    void nothingIsOpenedWithoutTheBudget() throws Exception {
        String dataset = hundredRows("1");
        assertProblem(409, "budget-exhausted", open(dataset, opening("2", 1, "")));
        assertThat(json(get("/v1/datasets/" + dataset + "/threshold-sessions")).get("items"))
                .isEmpty();
    }

    @Test
    void aQuestionOutsideTheDeclarationChangesNothing() throws Exception {
        String dataset = hundredRows("300");
        String counts = opened(dataset, opening("100", 1, ",'payment':'per-positive'"));
        assertThat(assertProblem(422, "validation-failed", ask(counts, 1, SUM))
                        .at("/errors/0/pointer")
                        .asString())
                .isEqualTo("/query");
        assertThat(spent(dataset)).isEqualTo("0");

        String sums = opened(dataset, """
                        {"epsilon":"100","threshold":500.25,"maxPositives":1,"queries":"sums","sumBound":10,\
                        "release":"values"}""");
        assertProblem(422, "validation-failed", ask(sums, 1, ALL));
        assertThat(assertProblem(422, "validation-failed", ask(sums, 1, SUM.replace("10", "10.25")))
                        .get("detail")
                        .asString())
                .contains("at most 10, the sumBound");
        assertThat(session(sums).get("nextSequence").asInt()).isEqualTo(1);
        JsonNode found = outcome(sums, 1, SUM);
        assertThat(found.get("outcome").asString()).isEqualTo("ABOVE");
        double value = found.get("value").decimalValue().doubleValue();
        assertThat(value).isBetween(990.0, 1010.0);
        assertThat(found.at("/interval/low").decimalValue())
                .isLessThan(found.get("value").decimalValue());
        assertThat(value * 4).isEqualTo(Math.rint(value * 4));
    }

    @ParameterizedTest
    @CsvSource({
        "automatic, indices, sparse",
        "single-threshold, values, numeric-sparse",
        "restart, gaps, sparse-gaps-restart",
        "one-sided, values, numeric-sparse-one-sided",
        "adaptive, gaps, sparse-gaps-adaptive"
    })
    void theVariantIsNamed(String variant, String release, String name) throws Exception {
        String body = opening("1", 3, ",'maxQueries':9,'variant':'" + variant + "','release':'" + release + "'");
        JsonNode session = json(assertStatus(201, open(hundredRows("1"), body)));
        assertThat(session.at("/mechanism/name").asString()).isEqualTo(name);
        assertThat(session.at("/accuracy/statement").asString()).startsWith("Of up to 9 questions, ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/epsilon | 'epsilon':0",
                "/threshold | 'threshold':1.5",
                "/maxPositives | 'maxPositives':0",
                "/queries | 'queries':'means'",
                "/payment | 'payment':'later'",
                "/maxQueries | 'maxQueries':0",
                "/variant | 'variant':'one-sided'",
                "/variant | 'variant':'adaptive','release':'values'",
                "/variant | 'variant':'single-threshold','payment':'per-positive'",
                "/sumBound | 'sumBound':1",
                "/sumBound | 'queries':'sums'",
                "/sumBound | 'queries':'sums','sumBound':0.3",
                "/sumBound | 'queries':'sums','sumBound':-1",
                "/beta | 'beta':0",
                "/delta | 'delta':'0.1'"
            })
    void aRefusedOpeningNamesTheField(String pointer, String change) throws Exception {
        Map<String, String> members = new HashMap<>(
                Map.of("'epsilon'", "1", "'threshold'", "50", "'maxPositives'", "1", "'queries'", "'counts'"));
        for (String each : change.split(",")) {
            members.put(each.split(":")[0], each.split(":")[1]);
        }
        List<String> body = new ArrayList<>();
        members.forEach((name, value) -> body.add(name + ":" + value));
        String dataset = hundredRows("5");
        String opening = ("{" + String.join(",", body) + "}").replace('\'', '"');
        JsonNode problem = assertProblem(422, "validation-failed", open(dataset, opening));
        assertThat(problem.get("errors").findValuesAsString("pointer")).containsOnly(pointer);
        assertThat(spent(dataset)).isEqualTo("0");
    }

    @Test
    void withoutALargestNumberTheBoundGrowsWithTheQuestions() throws Exception {
        String id = opened(hundredRows("1"), opening("1", 1, ""));
        double first = outcome(id, 1, NONE).at("/accuracy/alpha").asDouble();
        for (int sequence = 2; sequence < 20; sequence++) {
            assertStatus(200, ask(id, sequence, NONE));
        }
        assertThat(session(id).at("/accuracy/alpha").asDouble()).isGreaterThan(first);
    }

    @Test
    void theLargestNumberOfQuestionsIsEnforced() throws Exception {
        String id = opened(hundredRows("100"), opening("100", 1, ",'maxQueries':2"));
        assertThat(outcome(id, 1, NONE).get("state").asString()).isEqualTo("open");
        JsonNode last = outcome(id, 2, NONE);
        assertThat(last.get("closedBecause").asString()).isEqualTo("maxQueries");
        assertThat(assertProblem(409, "session-closed", ask(id, 3, NONE))
                        .get("closedBecause")
                        .asString())
                .isEqualTo("maxQueries");
    }

    @Test
    void aClosedSessionKeepsItsOutcomesAndItsCharge() throws Exception {
        String dataset = hundredRows("100");
        String id = opened(dataset, opening("100", 2, ""));
        HttpResponse<String> below = assertStatus(200, ask(id, 1, NONE));
        String path = "/v1/threshold-sessions/" + id;
        assertStatus(204, send("DELETE", path, BodyPublishers.noBody()));
        assertStatus(204, send("DELETE", path, BodyPublishers.noBody()));

        assertThat(session(id).get("closedBecause").asString()).isEqualTo("deleted");
        assertThat(assertStatus(200, ask(id, 1, NONE)).body()).isEqualTo(below.body());
        assertProblem(409, "session-closed", ask(id, 2, NONE));
        assertThat(spent(dataset)).isEqualTo("100");
    }

    @Test
    void underRhoAnInstanceIsChargedTheRhoOfItsEpsilon() throws Exception {
        String dataset = dataset("zcdp", "1", "0.000001");
        String id = opened(dataset, opening("0.2", 2, ",'payment':'per-positive'"));
        outcome(id, 1, NONE);
        // 0.1·tanh(0.05), rounded up
        assertThat(session(id).at("/charge/rho").asString()).isEqualTo("0.004995837496");
    }

    @Test
    void sessionsNeedAnAccountantOfPureLosses() throws Exception {
        String id = dataset("approximate", "1", "0.000001");
        assertThat(assertProblem(422, "validation-failed", open(id, opening("1", 1, "")))
                        .get("detail")
                        .asString())
                .contains("\"pure\" or \"zcdp\"", "\"approximate\"");
    }

    @Test
    void parallelQuestionsGetOneSerialOrderAndNoPositiveTooMany() throws Exception {
        String id = opened(hundredRows("100"), opening("100", 2, ""));
        Map<String, List<HttpResponse<String>>> byBody = new HashMap<>();
        List<Future<HttpResponse<String>>> sent = new ArrayList<>();
        try (ExecutorService askers = Executors.newFixedThreadPool(64)) {
            for (int i = 0; i < 64; i++) {
                int sequence = i % 4 + 1;
                String query = i % 3 == 0 ? ALL : quoted("{'count':{'where':[]}}");
                sent.add(askers.submit(() -> ask(id, sequence, query)));
            }
        }
        int above = 0;
        for (Future<HttpResponse<String>> each : sent) {
            HttpResponse<String> reply = each.get();
            assertThat(reply.statusCode()).isIn(200, 409, 422);
            if (reply.statusCode() == 200) {
                byBody.computeIfAbsent(reply.body(), body -> new ArrayList<>()).add(reply);
            }
        }
        for (String body : byBody.keySet()) {
            above += body.contains("\"ABOVE\"") ? 1 : 0;
        }
        // Each sequence number has one outcome, whichever request came first.
        assertThat(byBody.size()).isEqualTo(session(id).get("nextSequence").asInt() - 1);
        assertThat(above)
                .isBetween(1, 2)
                .isEqualTo(2 - session(id).get("positivesLeft").asInt());
    }

    @Test
    void eventsAreTheStoredOutcomesAndGoOnAfterTheLastOneReceived() throws Exception {
        String id = opened(hundredRows("100"), opening("100", 1, ""));
        String first = assertStatus(200, ask(id, 1, NONE)).body();
        String second = assertStatus(200, ask(id, 2, ALL)).body();
        String path = "/v1/threshold-sessions/" + id + "/events";
        String end = "event: closed\ndata: {\"closedBecause\":\"positives\"}\n\n";

        HttpResponse<String> all = assertStatus(200, get(path));
        assertThat(all.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(all.body())
                .isEqualTo("retry: 1000\n\n" + "id: 1\nevent: outcome\ndata: " + first + "\n\n"
                        + "id: 2\nevent: outcome\ndata: " + second + "\n\n" + end);
        assertThat(get(path, "Last-Event-ID", "1").body())
                .isEqualTo("retry: 1000\n\n" + "id: 2\nevent: outcome\ndata: " + second + "\n\n" + end);
        assertProblem(422, "validation-failed", get(path, "Last-Event-ID", "x"));
    }

    @Test
    void sessionsAreListedToTheirOpenerAlone() throws Exception {
        String dataset = hundredRows("10");
        String analyst = keyFor("analyst", "['" + dataset + "']");
        String stranger = keyFor("analyst", "['" + dataset + "']");
        String path = "/v1/datasets/" + dataset + "/threshold-sessions";
        String first = json(assertStatus(201, postAs(analyst, path, opening("1", 1, ""))))
                .get("sessionId")
                .asString();
        String second = json(assertStatus(201, postAs(analyst, path, opening("1", 1, ""))))
                .get("sessionId")
                .asString();

        JsonNode page = shownTo(analyst, path + "?limit=1");
        assertThat(page.get("items").findValuesAsString("sessionId")).containsExactly(first);
        JsonNode rest = json(getAs(analyst, path + "?after=" + page.get("next").asString()));
        assertThat(rest.get("items").findValuesAsString("sessionId")).containsExactly(second);
        assertThat(json(getAs(analyst, path + "?order=desc")).get("items").findValuesAsString("sessionId"))
                .containsExactly(second, first);
        for (String garbage : List.of("garbage", "~", second.toLowerCase(Locale.ROOT), "5")) {
            assertThat(assertProblem(422, "validation-failed", getAs(analyst, path + "?after=" + garbage))
                            .at("/errors/0/parameter")
                            .asString())
                    .isEqualTo("after");
        }
        assertThat(json(getAs(stranger, path)).get("items")).isEmpty();
        String session = "/v1/threshold-sessions/" + first;
        assertThat(assertProblem(404, "not-found", getAs(stranger, session))
                        .get("detail")
                        .asString())
                .isEqualTo(assertProblem(404, "not-found", getAs(stranger, "/v1/threshold-sessions/zzz"))
                        .get("detail")
                        .asString());
        assertProblem(404, "not-found", postAs(stranger, session + "/queries", """
                {"sequence":1,"query":%s}""".formatted(NONE)));
    }

    /** Given the same outcomes, nothing that a session shows depends on the rows, except times and ids. */
    @Test
    void allThatASessionShowsIsTheSameOnNeighbouringDatasets() throws Exception {
        String hundred = hundredRows("100");
        String more = registered(COLUMNS, "100", "add-or-remove-one", "");
        assertStatus(200, upload(more, ofItsOwn(more, "age,hours,sex\n" + "30,40.25,Male\n".repeat(101))));
        List<String> shown = new ArrayList<>();
        for (String dataset : List.of(hundred, more)) {
            String body = opening("100", 1, "");
            String reply = assertStatus(201, open(dataset, body)).body();
            String id = JsonMapper.shared().readTree(reply).get("sessionId").asString();
            String all = reply
                    + assertStatus(200, ask(id, 1, NONE)).body()
                    + get("/v1/threshold-sessions/" + id).body()
                    + assertStatus(200, ask(id, 2, ALL)).body()
                    + get("/v1/threshold-sessions/" + id).body()
                    + get("/v1/threshold-sessions/" + id + "/events").body()
                    + get("/v1/datasets/" + dataset + "/budget").body();
            shown.add(all.replace(id, "ID").replace(dataset, "DATASET").replaceAll("20[0-9-]{8}T[0-9:.]+Z", "TIME"));
        }
        assertThat(shown.getFirst()).isEqualTo(shown.getLast());
    }
}
