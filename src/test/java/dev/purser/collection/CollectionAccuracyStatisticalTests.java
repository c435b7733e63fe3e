package dev.purser.collection;

import dev.purser.local.OptimizedUnaryEncoding;
import dev.purser.local.Position;
import dev.purser.local.SampledCoordinates;
import dev.purser.local.SignOrPoint;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.Epsilon;
import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The accuracy of estimates: 100,000 devices at epsilon 1, over HTTP. */
@Tag("deep")
class CollectionAccuracyStatisticalTests extends RunningService {
    private static final int DEVICES = 100_000;
    private static final Epsilon ONE = Epsilon.parse("1");
    private static final JsonMapper JSON = new JsonMapper();

    /** The values are spread over the range: grid step 655·(i % 101), whose mean is 32,750. */
    @Test
    void theIntervalOfAMeanHoldsAndIsNoWiderThanItHasToBe() throws Exception {
        SampledCoordinates<SignOrPoint> device = SampledCoordinates.hybrid(1, ONE);
        ReportForm<SignOrPoint> form = HybridProtocol.SIGN_OR_POINT;
        double mean = IntStream.range(0, DEVICES)
                .mapToLong(i -> 655L * (i % 101))
                .average()
                .orElseThrow();
        // The standard error for these values, if the variance of each value's report were known.
        double ideal = Math.sqrt(IntStream.range(0, DEVICES)
                        .mapToDouble(i -> device.variance(655.0 * (i % 101) * 2 / Protocol.WIDTH - 1))
                        .sum())
                / DEVICES;
        int held = 0;
        double widest = 0;
        for (int run = 0; run < 100; run++) {
            SecureBits bits = new SecureBits();
            JsonNode estimate = estimate(
                    "'protocol':'hybrid','range':{'lower':0,'upper':" + Protocol.WIDTH + "}",
                    i -> form.write(device.report(List.of(new Position(655L * (i % 101), Protocol.WIDTH)), bits)
                            .getFirst()
                            .report()));
            double low = estimate.at("/interval/low").asDouble();
            double high = estimate.at("/interval/high").asDouble();
            held += low <= mean && mean <= high ? 1 : 0;
            widest = Math.max(widest, high - low);
        }
        double ratio = widest / (2 * 1.959964 * ideal * Protocol.WIDTH / 2);
        System.out.printf("the mean was in %d of 100 intervals, %.3f times as wide as ideal%n", held, ratio);
        assertThat(held).isGreaterThanOrEqualTo(90);
        assertThat(ratio).isLessThanOrEqualTo(1.3);
    }

    /** Five collections of 1,000 categories: the mean of the squared errors has a standard deviation of 2 %. */
    @Test
    void theErrorsOfSharesAreThoseOfTheirFormula() throws Exception {
        OptimizedUnaryEncoding device = new OptimizedUnaryEncoding(1_000, ONE);
        String categories =
                IntStream.range(0, 1_000).mapToObj(i -> "'c" + i + "'").collect(Collectors.joining(","));
        double squares = 0;
        for (int run = 0; run < 5; run++) {
            SecureBits bits = new SecureBits();
            JsonNode estimate = estimate(
                    "'protocol':'frequencies','categories':[" + categories + "]",
                    i -> OueProtocol.form(1_000).write(device.report(i % 1_000, bits)));
            for (JsonNode share : estimate.get("frequencies")) {
                squares += Math.pow(share.get("frequency").asDouble() - 0.001, 2);
            }
        }
        double ratio = squares / 5_000 / device.frequencyVariance(0.001, DEVICES);
        System.out.printf("the mean squared error of a share was %.3f times its formula%n", ratio);
        assertThat(ratio).isBetween(1 / 1.1, 1.1);
    }

    private JsonNode estimate(String fields, IntFunction<Map<String, Object>> report) throws Exception {
        String id = newId();
        String declaration = "{'id':'" + id + "','epsilon':'1'," + fields + "}";
        assertStatus(201, postAs(key(), "/v1/collections", declaration.replace('\'', '"')));
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < DEVICES; i++) {
            String fieldsOfReport = JSON.writeValueAsString(report.apply(i)).substring(1);
            lines.append("""
                    {"reportId":"%d",%s
                    """.formatted(i, fieldsOfReport));
        }
        assertStatus(
                200,
                sendAs(
                        key(),
                        "POST",
                        "/v1/collections/" + id + "/reports",
                        BodyPublishers.ofString(lines.toString()),
                        "Content-Type",
                        "application/x-ndjson"));
        JsonNode estimate = json(assertStatus(200, get("/v1/collections/" + id + "/estimate")));
        assertThat(estimate.get("reports").asInt()).isEqualTo(DEVICES);
        return estimate;
    }
}
