package dev.purser.collection;

import dev.purser.NodeJs;
import dev.purser.json.Field;
import dev.purser.local.Point;
import dev.purser.local.Position;
import dev.purser.local.SampledCoordinates;
import dev.purser.local.Sign;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.Epsilon;
import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Collections over HTTP. */
class CollectionTests extends RunningService {
    private static final String RANGE = ",'range':{'lower':-1,'upper':1}";

    private static String declaration(String id, String protocol, String more) {
        return """
                {"id":"%s","protocol":"%s"%s}""".formatted(id, protocol, more.replace('\'', '"'));
    }

    private String opened(String protocol, String more) throws Exception {
        String id = newId();
        assertStatus(201, postAs(key(), "/v1/collections", declaration(id, protocol, more)));
        return id;
    }

    private HttpResponse<String> send(String id, String reports) throws Exception {
        return postAs(key(), "/v1/collections/" + id + "/reports", """
                {"reports":[%s]}""".formatted(reports.replace('\'', '"')));
    }

    private HttpResponse<String> sendLines(String id, String lines) throws Exception {
        return sendAs(
                key(),
                "POST",
                "/v1/collections/" + id + "/reports",
                BodyPublishers.ofString(lines),
                "Content-Type",
                "application/x-ndjson");
    }

    private JsonNode estimate(String id) throws Exception {
        return json(assertStatus(200, get("/v1/collections/" + id + "/estimate")));
    }

    private static String signs(int first, int count, int negativeEach) {
        return IntStream.range(first, first + count)
                .mapToObj(i -> """
                        {"reportId":"r%d","sign":%d}""".formatted(i, i % negativeEach == 0 ? -1 : 1))
                .collect(Collectors.joining(","));
    }

    @Test
    void theDescriptionNamesTheListedProtocols() throws Exception {
        JsonNode schemas = json(assertStatus(200, get("/openapi.json"))).at("/components/schemas");
        assertThat(schemas.at("/OpenCollection/properties/protocol/enum").valueStream())
                .extracting(JsonNode::asString)
                .containsExactlyElementsOf(
                        Protocols.ALL.stream().map(ProtocolKind::name).toList());
        assertThat(schemas.at("/OpenTraining/properties/protocol/enum").valueStream())
                .extracting(JsonNode::asString)
                .containsExactlyElementsOf(
                        Protocols.OF_GRADIENTS.stream().map(GradientKind::name).toList());
        assertThat(schemas.at("/Report/properties").propertyNames())
                .containsAll(
                        Protocols.ALL_REPORT_FIELDS.stream().map(Field::name).toList());
        assertThat(schemas.at("/OpenCollection/properties").propertyNames())
                .containsAll(Protocols.FIELDS.stream().map(Field::name).toList());
        assertThat(schemas.at("/Report/properties/point/description").asString())
                .isEqualTo("Of `piecewise` and `hybrid`: 0 to 65535.");
        for (String request : List.of("OpenCollection", "Report", "OpenTraining", "GradientReport")) {
            assertThat(schemas.at("/" + request).findValuesAsString("description"))
                    .noneMatch(description -> description.contains("{"));
        }
    }

    @Test
    void theReplyStatesTheEpsilonOfAWholeReport() throws Exception {
        String id = newId();
        HttpResponse<String> reply = postAs(
                key(),
                "/v1/collections",
                declaration(
                        id,
                        "hiera",
                        RANGE + ",'epsilons':['5','4','3','2','1'],'divisions':[-1,-0.6,-0.2,0.2,0.6,1],'reuse':1"));
        JsonNode collection = json(assertStatus(201, reply));
        assertThat(reply.headers().firstValue("Location")).hasValue("/v1/collections/" + id);
        assertThat(collection.at("/guarantee/epsilon").asString()).isEqualTo("9.044108142");
        assertThat(collection.at("/guarantee/statement").asString())
                .contains("more than the epsilons of the levels suggest", "add up", "shuffling", "fresh randomness");
        assertThat(collection.at("/device/constants/divisions").toString())
                .isEqualTo("[0,13107,26214,39322,52429,65536]");
        assertThat(json(assertStatus(200, get("/v1/collections/" + id)))).isEqualTo(collection);
        assertThat(json(assertStatus(200, get("/v1/collections?limit=1000")))
                        .get("items")
                        .findValuesAsString("id"))
                .contains(id);
        assertProblem(
                409,
                "already-exists",
                postAs(key(), "/v1/collections", declaration(id, "harmony", RANGE + ",'epsilon':1")));
    }

    @Test
    void aReportCountsOnceAndTheEstimateFollowsFromTheSums() throws Exception {
        String id = opened("harmony", ",'range':{'lower':0,'upper':10},'epsilon':'1'");
        JsonNode nothing = estimate(id);
        assertThat(nothing.get("reports").asLong()).isZero();
        assertThat(nothing.get("mean").isNull()).isTrue();

        JsonNode first = json(assertStatus(200, send(id, signs(0, 1000, 4))));
        assertThat(first.get("accepted").asLong()).isEqualTo(1000);
        JsonNode again = json(assertStatus(200, send(id, signs(500, 1000, 4))));
        assertThat(again.get("accepted").asLong()).isEqualTo(500);
        assertThat(again.get("duplicates").asLong()).isEqualTo(500);
        JsonNode twice =
                json(assertStatus(200, send(id, "{'reportId':'twice','sign':1},{'reportId':'twice','sign':-1}")));
        assertThat(twice.toString()).isEqualTo("""
                {"accepted":1,"duplicates":1}""");

        JsonNode estimate = estimate(id);
        assertThat(estimate.get("reports").asLong()).isEqualTo(1501);
        // 375 of 1500 signs are -1. The report that is sent twice counts once, with its first sign, 1.
        double position = (1501 - 2 * 375) / 1501.0 / Math.tanh(0.5);
        double mean = 5 + 5 * position;
        assertThat(estimate.get("unbiasedMean").asDouble()).isCloseTo(mean, within(1e-9));
        assertThat(estimate.get("mean").asDouble()).isCloseTo(Math.min(mean, 10), within(1e-9));
        double half = 5 * 1.959963985 / Math.tanh(0.5) / Math.sqrt(1501);
        assertThat(estimate.at("/interval/low").asDouble()).isCloseTo(Math.min(10, mean - half), within(1e-6));
    }

    private static Offset<Double> within(double offset) {
        return Offset.offset(offset);
    }

    /** A client with one type for the reports of all protocols also sends the fields that it did not set. */
    @Test
    void whatOnlyReportsOfOtherProtocolsHaveMayBeNullOrEmpty() throws Exception {
        String id = opened("hybrid", RANGE + ",'epsilon':1");
        String others = "'sign':null,'coordinate':null,'noisy':null,'level':null,'category':null,'bits':null,"
                + "'multiplier':null,'shift':null,'value':null,'row':null";
        assertStatus(200, send(id, "{'reportId':'a','point':20000,'coordinates':[]," + others + "}"));
        JsonNode problem =
                assertProblem(422, "validation-failed", send(id, "{'reportId':'b','point':20000,'coordinates':[1]}"));
        assertThat(places(problem)).contains("/reports/0/coordinates");
    }

    @Test
    void oneBadReportRefusesTheBatchAndSaysWhichItIs() throws Exception {
        String id = opened("harmony", RANGE + ",'epsilon':1");
        JsonNode problem = assertProblem(
                422,
                "validation-failed",
                send(id, "{'reportId':'a','sign':1},{'reportId':'b','sign':0},{'reportId':'c','value':0.3}"));
        assertThat(places(problem)).contains("/reports/1/sign", "/reports/2/sign", "/reports/2/value");
        assertThat(estimate(id).get("reports").asLong()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "piecewise          | ,'epsilon':1          | {'reportId':'x','point':65536}",
                "piecewise          | ,'epsilon':1          | {'reportId':'x','sign':1}",
                "hybrid             | ,'epsilon':1          | {'reportId':'x','sign':1,'point':3}",
                "hybrid             | ,'epsilon':1,'dimensions':2 | {'reportId':'x','point':3}",
                "hybrid             | ,'epsilon':5,'dimensions':3 | {'reportId':'x','coordinates':[{'coordinate':1,'point':3},{'coordinate':0,'point':3}]}",
                "hybrid             | ,'epsilon':0.1 | {'reportId':'x','point':3}",
                "laplace            | ,'epsilon':1          | {'reportId':'x','noisy':0.5}",
                "laplace            | ,'epsilon':1          | {'reportId':'x','noisy':99999999999}",
                "multilevel-laplace | ,'epsilons':[2,1]     | {'reportId':'x','noisy':5,'level':3}",
                "hiera              | ,'epsilons':[2,1]     | {'reportId':'x','sign':1,'level':0}",
            })
    void whatIsNotInTheAlphabetIsRefused(String protocol, String more, String report) throws Exception {
        String id = opened(protocol, RANGE + more);
        assertProblem(422, "validation-failed", send(id, report));
        assertThat(estimate(id).get("reports").asLong()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "grr      | {'reportId':'x','category':'d'}",
                "oue      | {'reportId':'x','bits':'1'}",
                "oue      | {'reportId':'x','bits':'e0'}",
                "olh      | {'reportId':'x','multiplier':1,'shift':2147483647,'value':0}",
                "olh      | {'reportId':'x','multiplier':1,'shift':2,'value':9}",
                "hadamard | {'reportId':'x','row':4,'sign':1}",
            })
    void whatIsNotInTheAlphabetOfCategoriesIsRefused(String protocol, String report) throws Exception {
        String id = opened(protocol, ",'categories':['a','b','c'],'epsilon':1");
        assertProblem(422, "validation-failed", send(id, report));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "harmony   | ,'epsilon':1                                         | /range",
                "harmony   | ,'range':{'lower':1,'upper':1},'epsilon':1           | /range/upper",
                "harmony   | ,'range':{'lower':0,'upper':1},'epsilon':'0.0001'    | /epsilon",
                "harmony   | ,'range':{'lower':0,'upper':1},'epsilon':1,'reuse':2 | /reuse",
                "harmony   | ,'range':{'lower':0,'upper':1},'epsilon':1,'epsilons':[1,2] | /epsilons",
                "piecewise | ,'range':{'lower':0,'upper':1},'epsilon':11          | /epsilon",
                "laplace   | ,'range':{'lower':0,'upper':1},'epsilon':1,'dimensions':2 | /dimensions",
                "multilevel-laplace | ,'range':{'lower':0,'upper':1},'epsilons':[1,2] | /epsilons",
                "multilevel-laplace | ,'range':{'lower':0,'upper':1},'epsilons':[2,1],'divisions':[0,0.5,1] | /divisions",
                "hiera     | ,'range':{'lower':0,'upper':1},'epsilons':[1,2]      | /epsilons",
                "hiera     | ,'range':{'lower':0,'upper':1},'epsilons':[2,1],'divisions':[0,1] | /divisions",
                "hiera     | ,'range':{'lower':0,'upper':1},'epsilons':[2,1],'divisions':[0,0.5,2] | /divisions",
                "lhp       | ,'range':{'lower':0,'upper':1},'epsilons':[2,1]      | /levelEpsilon",
                "olh       | ,'categories':['a','b'],'epsilon':9                  | /epsilon",
                "grr       | ,'categories':['a','a'],'epsilon':1                  | /categories",
                "frequencies | ,'categories':['a','b'],'epsilon':1,'maxReportBits':0 | /maxReportBits",
                "grr       | ,'categories':['a','b'],'epsilon':1,'closesAt':'2001-01-01T00:00:00Z' | /closesAt",
                "rappor    | ,'categories':['a','b'],'epsilon':1                  | /protocol",
            })
    void aDeclarationThatBreaksARuleIsRefusedAtItsPlace(String protocol, String more, String place) throws Exception {
        JsonNode problem = assertProblem(
                422, "validation-failed", postAs(key(), "/v1/collections", declaration(newId(), protocol, more)));
        assertThat(places(problem)).containsExactly(place);
    }

    @Test
    void theProtocolOfFrequenciesIsTheOneOfLeastVarianceAndIsNamed() throws Exception {
        String categories =
                IntStream.range(0, 1000).mapToObj(i -> "'c" + i + "'").collect(Collectors.joining(","));
        String more = ",'categories':[" + categories + "],'epsilon':1";
        assertThat(randomizer("frequencies", ",'categories':['a','b','c'],'epsilon':1"))
                .isEqualTo("grr");
        assertThat(randomizer("frequencies", more)).isEqualTo("oue");
        assertThat(randomizer("frequencies", more + ",'maxReportBits':100")).isEqualTo("olh");
        assertThat(randomizer("frequencies", more + ",'maxReportBits':20")).isEqualTo("hadamard");
    }

    private String randomizer(String protocol, String more) throws Exception {
        JsonNode collection =
                json(assertStatus(201, postAs(key(), "/v1/collections", declaration(newId(), protocol, more))));
        assertThat(collection.get("protocol").asString()).isEqualTo(protocol);
        return collection.at("/device/randomizer").asString();
    }

    static final List<String> PROTOCOLS = List.of(
            "harmony            | ,'range':{'lower':0,'upper':9},'epsilon':1",
            "harmony            | ,'range':{'lower':0,'upper':9},'epsilon':1,'dimensions':3",
            "piecewise          | ,'range':{'lower':0,'upper':9},'epsilon':5,'dimensions':3",
            "hybrid             | ,'range':{'lower':0,'upper':9},'epsilon':'0.5'",
            "hybrid             | ,'range':{'lower':0,'upper':9},'epsilon':3",
            "laplace            | ,'range':{'lower':0,'upper':9},'epsilon':1",
            "multilevel-laplace | ,'range':{'lower':0,'upper':9},'epsilons':[2,1]",
            "hiera              | ,'range':{'lower':0,'upper':9},'epsilons':[2,1],'reuse':2",
            "hiera              | ,'range':{'lower':0,'upper':9},'epsilons':[2,1],'divisions':[0,3,9]",
            "lhp                | ,'range':{'lower':0,'upper':9},'epsilons':[2,1],'levelEpsilon':1",
            "grr                | ,'categories':['a','b','c'],'epsilon':1",
            "oue                | ,'categories':['a','b','c'],'epsilon':1",
            "olh                | ,'categories':['a','b','c'],'epsilon':1",
            "hadamard           | ,'categories':['a','b','c'],'epsilon':1");

    @ParameterizedTest
    @FieldSource("PROTOCOLS")
    void theTestVectorsOfADocumentAreReportsThatTheCollectionTakes(String protocol) throws Exception {
        String id = opened(protocol);
        JsonNode vectors = json(get("/v1/collections/" + id)).at("/device/testVectors");
        List<String> reports = new ArrayList<>();
        for (JsonNode vector : vectors) {
            String report = vector.get("report").toString();
            reports.add("{'reportId':'v" + reports.size() + "'," + report.substring(1));
        }
        assertThat(reports).hasSizeGreaterThan(1);
        JsonNode counted = json(assertStatus(200, send(id, String.join(",", reports))));
        assertThat(counted.get("accepted").asInt()).isEqualTo(reports.size());
        JsonNode estimate = estimate(id);
        assertThat(estimate.get("reports").asInt()).isEqualTo(reports.size());
        assertThat(estimate.get("frequencies").isNull())
                .isEqualTo(!estimate.get("mean").isNull());
    }

    /** Opens a collection of {@code protocol}: the protocol's name, a bar, and the other fields. */
    private String opened(String protocol) throws Exception {
        List<String> parts = List.of(protocol.split("\\|", 2));
        return opened(parts.getFirst().strip(), parts.getLast().strip());
    }

    @Test
    void theDocumentsPassUnderNodeAndReportsOfAnyValueAreTaken(@TempDir Path folder) throws Exception {
        List<String> ids = new ArrayList<>();
        List<String> documents = new ArrayList<>();
        for (String protocol : PROTOCOLS) {
            ids.add(opened(protocol));
            documents.add(get("/v1/collections/" + ids.getLast()).body());
        }
        Path file = Files.writeString(folder.resolve("documents.json"), documents.toString());
        JsonNode drawn = JsonMapper.shared().readTree(NodeJs.run("test/report.js", file.toString()));
        assertThat(drawn.size()).isEqualTo(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            String reports = drawn.get(i).valueStream().map(JsonNode::toString).collect(Collectors.joining(","));
            JsonNode counted = json(assertStatus(200, send(ids.get(i), reports)));
            assertThat(counted.get("accepted").asInt()).isEqualTo(7);
        }
    }

    @Tag("full")
    @Test
    void linesAreCountedByPartsAndARefusalSaysHowManyAreIn() throws Exception {
        String id = opened("harmony", RANGE + ",'epsilon':1");
        String lines = IntStream.range(0, 100_500).mapToObj("""
                        {"reportId":"%d","sign":1}
                        """::formatted).collect(Collectors.joining());
        JsonNode problem = assertProblem(422, "validation-failed", sendLines(id, lines + "\r\n" + """
                {"reportId":"x","sign":2}
                """));
        assertThat(problem.get("line").asLong()).isEqualTo(100_502);
        assertThat(problem.get("accepted").asLong()).isEqualTo(100_000);
        assertThat(problem.get("duplicates").asLong()).isZero();
        assertThat(places(problem)).containsExactly("/sign");
        assertThat(estimate(id).get("reports").asLong()).isEqualTo(100_000);

        JsonNode counted = json(assertStatus(200, sendLines(id, lines + """
                {"reportId":"x","sign":-1}""")));
        assertThat(counted.toString()).isEqualTo("""
                {"accepted":501,"duplicates":100000}""");
    }

    @Test
    void aClosedCollectionTakesNoReportsAndKeepsItsEstimate() throws Exception {
        String id = opened("harmony", RANGE + ",'epsilon':1");
        assertStatus(200, send(id, "{'reportId':'a','sign':1}"));
        JsonNode closed = json(assertStatus(200, postAs(key(), "/v1/collections/" + id + "/closure", "")));
        assertThat(closed.get("state").asString()).isEqualTo("closed");
        assertThat(closed.get("closesAt").isNull()).isFalse();
        assertProblem(409, "collection-closed", send(id, "{'reportId':'b','sign':1}"));
        assertProblem(409, "collection-closed", sendLines(id, """
                {"reportId":"b","sign":1}"""));
        assertThat(estimate(id).get("reports").asLong()).isEqualTo(1);
        assertThat(json(assertStatus(200, postAs(key(), "/v1/collections/" + id + "/closure", ""))))
                .isEqualTo(closed);
    }

    @Test
    void aDeletedCollectionIsGoneAndItsIdStaysTaken() throws Exception {
        String id = opened("harmony", RANGE + ",'epsilon':1");
        assertStatus(200, send(id, signs(0, 25_000, 2)));
        assertStatus(204, sendAs(key(), "DELETE", "/v1/collections/" + id, BodyPublishers.noBody()));
        assertProblem(404, "not-found", get("/v1/collections/" + id));
        assertProblem(404, "not-found", get("/v1/collections/" + id + "/estimate"));
        assertProblem(404, "not-found", send(id, signs(0, 1, 2)));
        assertStatus(204, sendAs(key(), "DELETE", "/v1/collections/" + id, BodyPublishers.noBody()));
        assertProblem(
                409,
                "already-exists",
                postAs(key(), "/v1/collections", declaration(id, "harmony", RANGE + ",'epsilon':1")));
        assertProblem(404, "not-found", get("/v1/trainings/" + id));
    }

    @Test
    void parallelBatchesCountEachReportOnce() throws Exception {
        String id = opened("harmony", RANGE + ",'epsilon':1");
        long accepted = 0;
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonNode>> replies = IntStream.range(0, 16)
                    .mapToObj(i -> clients.submit(() -> json(assertStatus(200, send(id, signs(50 * i, 200, 3))))))
                    .toList();
            for (Future<JsonNode> reply : replies) {
                accepted += reply.get().get("accepted").asLong();
            }
        }
        assertThat(accepted).isEqualTo(50 * 15 + 200);
        assertThat(estimate(id).get("reports").asLong()).isEqualTo(accepted);
    }

    /**
     * 20 collections of 5,000 devices. The interval misses with probability 0.05 at most, and more than seven of
     * 20 intervals miss with probability below 3e-6.
     */
    @Test
    void theIntervalHoldsTheMean() throws Exception {
        SampledCoordinates<?> device = SampledCoordinates.hybrid(1, Epsilon.parse("1"));
        int missed = 0;
        for (int run = 0; run < 20; run++) {
            String id = opened("hybrid", ",'range':{'lower':0,'upper':65536},'epsilon':1");
            assertStatus(200, send(id, Devices.reports(device, 5_000, i -> 1_000L * (i % 30))));
            JsonNode estimate = estimate(id);
            double mean = 14_480; // the mean of 1000·(i % 30) over 5,000 devices
            missed += mean < estimate.at("/interval/low").asDouble()
                            || mean > estimate.at("/interval/high").asDouble()
                    ? 1
                    : 0;
            assertThat(estimate.at("/interval/high").asDouble()
                            - estimate.at("/interval/low").asDouble())
                    .isLessThan(2 * 65_536 / 2.0 * 1.96 * Math.sqrt(5.0 / 5_000));
        }
        assertThat(missed).isLessThanOrEqualTo(7);
    }

    /** Devices for tests. */
    private static final class Devices {
        static String reports(SampledCoordinates<?> device, int count, IntToLongFunction part) {
            SecureBits bits = new SecureBits();
            return IntStream.range(0, count)
                    .mapToObj(i -> {
                        Object report = device.report(List.of(new Position(part.applyAsLong(i), Protocol.WIDTH)), bits)
                                .getFirst()
                                .report();
                        String field = report instanceof Sign sign
                                ? "'sign':" + sign.factor()
                                : "'point':" + ((Point) report).index();
                        return "{'reportId':'" + i + "'," + field + "}";
                    })
                    .collect(Collectors.joining(","));
        }
    }
}
