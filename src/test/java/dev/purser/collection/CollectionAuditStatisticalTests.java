package dev.purser.collection;

import dev.purser.collection.Protocol.Example;
import dev.purser.json.JsonDocument;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.AuditOutcome;
import dev.purser.web.RunningService;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every protocol over HTTP: 5,000 devices of each of two values send reports as the document says. The event is the
 * part of the reports that distinguishes the values best in a pilot. The frequencies of the event must not show more
 * loss than the reply states (chance of a false alarm 2e-6), and the estimates of both collections must differ in the
 * right direction. A device at three times the epsilon has to be found.
 */
@Tag("deep")
class CollectionAuditStatisticalTests extends RunningService {
    private static final int REPORTS = 5_000;
    private static final JsonMapper JSON = new JsonMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "harmony            | ,'range':{'lower':0,'upper':9},'epsilon':#",
                "harmony            | ,'range':{'lower':0,'upper':9},'epsilon':#,'dimensions':2",
                "piecewise          | ,'range':{'lower':0,'upper':9},'epsilon':#",
                "hybrid             | ,'range':{'lower':0,'upper':9},'epsilon':#",
                "laplace            | ,'range':{'lower':0,'upper':9},'epsilon':#",
                "multilevel-laplace | ,'range':{'lower':0,'upper':9},'epsilons':[#,#]",
                "hiera              | ,'range':{'lower':0,'upper':9},'epsilons':[#,#]",
                "lhp                | ,'range':{'lower':0,'upper':9},'epsilons':[#,#],'levelEpsilon':#",
                "grr                | ,'categories':['a','b','c'],'epsilon':#",
                "oue                | ,'categories':['a','b','c'],'epsilon':#",
                "olh                | ,'categories':['a','b','c'],'epsilon':#",
                "hadamard           | ,'categories':['a','b','c'],'epsilon':#",
            })
    void noProtocolLosesMoreThanItsReplyStates(String protocol, String more) throws Exception {
        String declaration = ("{'id':'ID','protocol':'" + protocol + "'" + more + "}").replace('\'', '"');
        double epsilon = audited(parsed(declaration.replace("#", "1")), declaration.replace("#", "1"));
        assertThat(Pilot.of(parsed(declaration.replace("#", "3"))).run().lossLowerBound())
                .as("a device at three times the epsilon")
                .isGreaterThan(epsilon);
    }

    private static Protocol<?> parsed(String declaration) {
        byte[] json = declaration.replace("ID", "x").getBytes(StandardCharsets.UTF_8);
        return JsonDocument.parse(json)
                .read(in -> CollectionDeclaration.read(in, Instant.MIN))
                .declared()
                .protocol();
    }

    /** Audits the devices and their collections; returns the epsilon that the reply states. */
    private <R> double audited(Protocol<R> device, String declaration) throws Exception {
        Pilot<R> pilot = Pilot.of(device);
        List<R> ofFirst = reports(pilot.first());
        List<R> ofLast = reports(pilot.last());
        String one = sent(device, declaration, ofFirst);
        String two = sent(device, declaration, ofLast);
        double epsilon =
                json(get("/v1/collections/" + one)).at("/guarantee/epsilon").asDouble();
        assertThat(pilot.outcome(ofFirst, ofLast).lossLowerBound()).isLessThanOrEqualTo(epsilon);
        assertThat(estimate(one)).isLessThan(estimate(two));
        return epsilon;
    }

    /**
     * Two values, and an event that is more frequent in reports of the last value.
     *
     * @param slope how the sums of a report distinguish the values
     * @param least the least side of a report in the event: three tenths of the last value's reports reach it, or more
     *     where many are alike
     */
    private record Pilot<R>(Protocol<R> device, Example<R> first, Example<R> last, double[] slope, double least) {
        static <R> Pilot<R> of(Protocol<R> device) {
            Example<R> first = device.examples().getFirst();
            // The level of these values is public, so both values have the first level.
            Example<R> last = device.randomizer().equals("multilevel-laplace")
                    ? device.examples().get(1)
                    : device.examples().getLast();
            List<R> ofLast = reports(last);
            long[] sumsOfFirst = sums(device, reports(first));
            long[] sumsOfLast = sums(device, ofLast);
            double[] slope = IntStream.range(0, sumsOfFirst.length)
                    .mapToDouble(i -> sumsOfLast[i] - sumsOfFirst[i])
                    .toArray();
            double[] sides = ofLast.stream()
                    .mapToDouble(report -> side(device, slope, report))
                    .sorted()
                    .toArray();
            return new Pilot<>(device, first, last, slope, sides[REPORTS * 7 / 10]);
        }

        private static <R> double side(Protocol<R> device, double[] slope, R report) {
            long[] own = sums(device, List.of(report));
            return IntStream.range(0, own.length)
                    .mapToDouble(i -> slope[i] * own[i])
                    .sum();
        }

        AuditOutcome run() {
            return outcome(reports(first), reports(last));
        }

        AuditOutcome outcome(List<R> ofFirst, List<R> ofLast) {
            return new AuditOutcome(hits(ofFirst), hits(ofLast), REPORTS);
        }

        private long hits(List<R> reports) {
            return reports.stream()
                    .filter(report -> side(device, slope, report) >= least)
                    .count();
        }
    }

    private static <R> List<R> reports(Example<R> example) {
        SecureBits bits = new SecureBits();
        return IntStream.range(0, REPORTS)
                .mapToObj(i -> example.report().apply(bits))
                .toList();
    }

    private static <R> long[] sums(Protocol<R> device, List<R> reports) {
        long[] sums = new long[device.sums().tallies()];
        reports.forEach(report -> device.sums().add(report, sums, 0));
        return sums;
    }

    private <R> String sent(Protocol<R> device, String declaration, List<R> reports) throws Exception {
        String id = newId();
        assertStatus(201, postAs(key(), "/v1/collections", declaration.replace("ID", id)));
        List<Map<String, Object>> all = new ArrayList<>();
        for (R report : reports) {
            Map<String, Object> fields = new TreeMap<>(device.form().write(report));
            fields.put("reportId", "r" + all.size());
            all.add(fields);
        }
        String body = JSON.writeValueAsString(Map.of("reports", all));
        assertThat(json(assertStatus(200, postAs(key(), "/v1/collections/" + id + "/reports", body)))
                        .get("accepted")
                        .asInt())
                .isEqualTo(REPORTS);
        return id;
    }

    /** The estimated mean, or the estimated share of the last category. */
    private double estimate(String id) throws Exception {
        JsonNode estimate = json(assertStatus(200, get("/v1/collections/" + id + "/estimate")));
        JsonNode mean = estimate.get("unbiasedMean");
        if (mean.isNull()) {
            return estimate.get("frequencies")
                    .get(estimate.get("frequencies").size() - 1)
                    .get("frequency")
                    .asDouble();
        }
        return mean.isArray() ? mean.get(0).asDouble() : mean.asDouble();
    }
}
