package dev.purser.collection;

import dev.purser.NodeJs;
import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

/** Trainings over HTTP. */
class TrainingTests extends RunningService {
    private static final double MAGNITUDE = 1 / Math.tanh(0.5);

    private String opened(String more) throws Exception {
        String id = newId();
        assertStatus(201, postAs(key(), "/v1/trainings", declaration(id, more)));
        return id;
    }

    private static String declaration(String id, String more) {
        return """
                {"id":"%s","model":"linear","features":1%s}""".formatted(id, more.replace('\'', '"'));
    }

    private List<String> tickets(String id, int count) throws Exception {
        HttpResponse<String> made = postAs(key(), "/v1/trainings/" + id + "/tickets", """
                {"count":%d}""".formatted(count));
        return json(assertStatus(201, made))
                .get("tickets")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private HttpResponse<String> send(String id, int round, List<String> tickets, int coordinate, int sign)
            throws Exception {
        String reports = CollectionsForTests.gradients(round, tickets, coordinate, sign);
        return postAs(key(), "/v1/trainings/" + id + "/reports", reports);
    }

    private JsonNode training(String id) throws Exception {
        return json(assertStatus(200, get("/v1/trainings/" + id)));
    }

    @Test
    void aFullGroupMovesTheParametersAndLateReportsAreNamed() throws Exception {
        String id = opened(",'protocol':'harmony','epsilon':1,'groupSize':4,'stepSize':0.25,'penalty':0.5,'rounds':3");
        List<String> tickets = tickets(id, 14);
        assertThat(tickets).doesNotHaveDuplicates();

        assertThat(json(assertStatus(200, send(id, 1, tickets.subList(0, 3), 0, -1)))
                        .toString())
                .isEqualTo("""
                        {"accepted":3,"duplicates":0,"unused":0}""");
        assertThat(training(id).get("roundReports").asInt()).isEqualTo(3);
        assertThat(training(id).get("parameters").toString()).isEqualTo("[0.0,0.0]");

        // One ticket is used already, one report completes the group, and two reports come too late.
        assertThat(json(assertStatus(200, send(id, 1, tickets.subList(2, 6), 0, -1)))
                        .toString())
                .isEqualTo("""
                        {"accepted":1,"duplicates":1,"unused":2}""");
        JsonNode second = training(id);
        assertThat(second.get("round").asInt()).isEqualTo(2);
        assertThat(second.get("roundReports").asInt()).isZero();
        assertThat(second.get("unusedReports").asInt()).isEqualTo(2);
        // Four of four devices reported -1 for the first of two coordinates.
        double gradient = -2 * MAGNITUDE;
        double parameter = -0.25 * gradient;
        assertThat(second.at("/parameters/0").asDouble()).isCloseTo(parameter, offset(1e-12));
        assertThat(second.at("/parameters/1").asDouble()).isZero();

        assertThat(json(assertStatus(200, send(id, 2, tickets.subList(6, 10), 0, 1)))
                        .toString())
                .isEqualTo("""
                        {"accepted":4,"duplicates":0,"unused":0}""");
        JsonNode third = training(id);
        double step = 0.25 / Math.sqrt(2);
        assertThat(third.at("/parameters/0").asDouble())
                .isCloseTo(parameter - step * (2 * MAGNITUDE + 0.5 * parameter), offset(1e-12));
        assertThat(third.at("/parameters/1").asDouble()).isZero();
        assertThat(third.get("curve").size()).isEqualTo(2);
        assertThat(third.at("/curve/0/lossChange").asDouble()).isZero();
        assertThat(third.at("/curve/1/lossChange").asDouble()).isCloseTo(parameter * 2 * MAGNITUDE, offset(1e-12));

        assertStatus(200, send(id, 3, tickets.subList(10, 14), 0, 1));
        assertThat(training(id).get("state").asString()).isEqualTo("closed");
        assertProblem(409, "collection-closed", send(id, 3, tickets.subList(0, 1), 0, 1));
    }

    @Test
    void theDocumentsPassUnderNodeAndReportsOfAnyGradientAreTaken(@TempDir Path folder) throws Exception {
        List<String> ids = new ArrayList<>();
        List<String> documents = new ArrayList<>();
        for (String protocol : List.of("harmony", "piecewise", "hybrid", "hiera")) {
            for (String model : List.of("linear", "logistic")) {
                String epsilons = protocol.equals("hiera") ? ",'epsilons':[3,2,1]" : ",'epsilon':5";
                String id = newId();
                String more = ",'protocol':'" + protocol + "'" + epsilons;
                String declared = declaration(id, more).replace("linear", model);
                documents.add(assertStatus(201, postAs(key(), "/v1/trainings", declared))
                        .body());
                ids.add(id);
            }
        }
        Path file = Files.writeString(folder.resolve("documents.json"), documents.toString());
        JsonNode drawn = JsonMapper.shared().readTree(NodeJs.run("test/report.js", file.toString()));
        for (int i = 0; i < ids.size(); i++) {
            Iterator<String> tickets = tickets(ids.get(i), 8).iterator();
            drawn.get(i).forEach(each -> ((ObjectNode) each).put("ticket", tickets.next()));
            HttpResponse<String> counted =
                    postAs(key(), "/v1/trainings/" + ids.get(i) + "/reports", """
                    {"round":1,"reports":%s}""".formatted(drawn.get(i)));
            assertThat(json(assertStatus(200, counted)).toString()).isEqualTo("""
                    {"accepted":8,"duplicates":0,"unused":0}""");
        }
    }

    @Test
    void aReportNeedsATicketOfThisTrainingAndARoundThatHasBegun() throws Exception {
        String id = opened(",'protocol':'harmony','epsilon':1,'groupSize':4");
        String other = opened(",'protocol':'harmony','epsilon':1,'groupSize':4");
        List<String> own = tickets(id, 1);
        assertThat(places(assertProblem(422, "validation-failed", send(id, 2, own, 0, 1))))
                .containsExactly("/round");
        assertThat(places(assertProblem(422, "validation-failed", send(other, 1, own, 0, 1))))
                .containsExactly("/reports/0/ticket");
        assertThat(places(assertProblem(422, "validation-failed", send(id, 1, own, 2, 1))))
                .containsExactly("/reports/0/coordinate");
        assertThat(training(id).get("roundReports").asInt()).isZero();
        assertThat(json(assertStatus(200, send(id, 1, own, 1, 1)))
                        .get("accepted")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void theGroupHasItsSizeFromTheRuleAndHieraStatesItsEpsilon() throws Exception {
        JsonNode training = training(opened(",'protocol':'hiera','epsilons':['5','4','3','2','1']"));
        assertThat(training.at("/guarantee/epsilon").asString()).isEqualTo("9.044108142");
        assertThat(training.get("groupSize").asInt()).isEqualTo(1000);
        String id = newId();
        assertStatus(201, postAs(key(), "/v1/trainings", """
                {"id":"%s","model":"logistic","features":999,"protocol":"hybrid","epsilon":2}""".formatted(id)));
        assertThat(training(id).get("groupSize").asLong()).isEqualTo((long) Math.ceil(2 * 1000 * Math.log(1000) / 4));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                ",'protocol':'laplace','epsilon':1 | /protocol",
                ",'protocol':'harmony' | /epsilon",
                ",'protocol':'harmony','epsilon':1,'epsilons':[1] | /epsilons",
                ",'protocol':'hiera','epsilon':1,'epsilons':[2,1] | /epsilon",
                ",'protocol':'harmony','epsilon':1,'groupSize':0 | /groupSize",
                ",'protocol':'harmony','epsilon':1,'penalty':-1 | /penalty",
            })
    void aDeclarationThatBreaksARuleIsRefusedAtItsPlace(String more, String place) throws Exception {
        assertThat(places(assertProblem(
                        422, "validation-failed", postAs(key(), "/v1/trainings", declaration(newId(), more)))))
                .containsExactly(place);
    }

    @Test
    void trainingsAndCollectionsShareIdsAndNothingElse() throws Exception {
        String id = opened(",'protocol':'harmony','epsilon':1");
        assertProblem(404, "not-found", get("/v1/collections/" + id));
        assertProblem(409, "already-exists", postAs(key(), "/v1/collections", """
                        {"id":"%s","protocol":"grr","categories":["a","b"],"epsilon":1}""".formatted(id)));
        assertThat(json(get("/v1/trainings?limit=1000")).get("items").findValuesAsString("id"))
                .contains(id);
        assertThat(json(get("/v1/collections?limit=1000")).get("items").findValuesAsString("id"))
                .doesNotContain(id);
        assertStatus(200, postAs(key(), "/v1/trainings/" + id + "/closure", ""));
        assertProblem(409, "collection-closed", postAs(key(), "/v1/trainings/" + id + "/tickets", """
                {"count":1}"""));
        assertStatus(204, sendAs(key(), "DELETE", "/v1/trainings/" + id, BodyPublishers.noBody()));
        assertProblem(404, "not-found", get("/v1/trainings/" + id));
    }
}
