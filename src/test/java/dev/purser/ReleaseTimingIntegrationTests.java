package dev.purser;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.inference.TestUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two datasets with the same public facts get the same question alternately. One has a single row, the other 300,000;
 * the question takes twenty passes over the rows. With quantised replies, the times that a client measures do not
 * distinguish the datasets: Welch's t stays below 4.5, which it exceeds by chance once in 150,000 runs. Without
 * quantised replies the times do.
 */
@Tag("timed")
@Tag("full")
class ReleaseTimingIntegrationTests {
    private static final double LIMIT = 4.5;
    private static final int MANY = 300_000;
    private static final String KEY = "a-key-for-timing-and-nothing-else";
    private static final int PASSES = 20;

    /**
     * The service runs with both compilers of Java: with the quick compiler alone, many rows would take more than a
     * quantum.
     */
    private static final List<String> AS_DOCUMENTED =
            List.of(ProcessHandle.current().info().command().orElseThrow(), "-jar", System.getProperty("purser.jar"));

    /** The question. Each of its counts has a filter of its own. */
    private static final String QUESTION = IntStream.range(0, PASSES)
            .mapToObj(i -> """
                            {"count":{"where":[{"column":"age","atLeast":%d},{"column":"income",\
                            "below":%d}]}}""".formatted(i, 700 + i))
            .collect(Collectors.joining(",", """
                    {"epsilon":"0.01","threshold":400000,"whenNone":"none","queries":[""", "]}"));

    @TempDir
    Path folder;

    @Test
    void quantisedRepliesDoNotTellOneRowFromManyByTime() throws Exception {
        Map<String, String> quantised = Map.of(
                "PURSER_ADMIN_KEY", KEY,
                "PURSER_RELEASE_QUANTISED", "true",
                "PURSER_RELEASE_QUANTUM", "60ms",
                "PURSER_RELEASE_PER_MILLION_ROWS", "0ms");
        try (ServiceProcess service = new ServiceProcess(folder, quantised, AS_DOCUMENTED)) {
            assertThat(Math.abs(welch(service, 40, 150))).isLessThan(LIMIT);
        }
    }

    @Test
    void otherRepliesTellThem() throws Exception {
        try (ServiceProcess service = new ServiceProcess(folder, Map.of("PURSER_ADMIN_KEY", KEY), AS_DOCUMENTED)) {
            // The times differ by far more than they vary.
            assertThat(Math.abs(welch(service, 10, 40))).isGreaterThan(LIMIT);
        }
    }

    /** The time that a heavy question waits for the question before it does not reveal how long that question took. */
    @Test
    void aHeavyQuestionHoldsItsTurnUntilItsReplyLeaves() throws Exception {
        Map<String, String> quantised = Map.of(
                "PURSER_ADMIN_KEY", KEY,
                "PURSER_RELEASE_QUANTISED", "true",
                "PURSER_RELEASE_QUANTUM", "2s",
                "PURSER_RELEASE_PER_MILLION_ROWS", "0ms",
                // Room for one heavy question at a time, whatever the number of processors.
                "JAVA_TOOL_OPTIONS", "-Xmx256m");
        try (ServiceProcess service = new ServiceProcess(folder, quantised);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            dataset(service, "one", "age,income\n40,7\n");
            String question = """
                    {"epsilon":"0.01","column":"age","probabilities":[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9]}""";
            long start = System.nanoTime();
            List<Future<Integer>> both = Stream.generate(
                            () -> threads.submit(() -> service.post("/v1/datasets/one/queries/quantile", KEY, question)
                                    .statusCode()))
                    .limit(2)
                    .toList();
            for (Future<Integer> each : both) {
                assertThat(each.get()).isEqualTo(200);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(4));
        }
    }

    private static double welch(ServiceProcess service, int warmUp, int pairs) throws Exception {
        dataset(service, "one", "age,income\n40,7\n");
        dataset(service, "many", "age,income\n" + "31,7\n45,20\n60,900\n".repeat(MANY / 3));
        for (int i = 0; i < warmUp; i++) {
            millis(service, "one");
            millis(service, "many");
        }
        SummaryStatistics one = new SummaryStatistics();
        SummaryStatistics many = new SummaryStatistics();
        Random coin = new Random(1);
        for (int i = 0; i < pairs; i++) {
            boolean oneFirst = coin.nextBoolean();
            if (oneFirst) {
                one.addValue(millis(service, "one"));
            }
            many.addValue(millis(service, "many"));
            if (!oneFirst) {
                one.addValue(millis(service, "one"));
            }
        }
        return TestUtils.t(one, many);
    }

    private static void dataset(ServiceProcess service, String id, String csv) throws Exception {
        String registration = """
                {"id":"%s","columns":[{"name":"age","type":"integer","lower":0,"upper":125},\
                {"name":"income","type":"integer","lower":0,"upper":1000}],"privacyUnit":{"type":"row"},\
                "neighboringRelation":"add-or-remove-one","maxRows":1000000,\
                "budget":{"epsilon":"1000"}}""".formatted(id);
        assertThat(service.post("/v1/datasets", KEY, registration).statusCode()).isEqualTo(201);
        assertThat(service.putCsv("/v1/datasets/" + id + "/data", KEY, csv).statusCode())
                .isEqualTo(200);
    }

    private static double millis(ServiceProcess service, String id) throws Exception {
        long start = System.nanoTime();
        int status = service.post("/v1/datasets/" + id + "/queries/threshold", KEY, QUESTION)
                .statusCode();
        double took = (System.nanoTime() - start) / 1e6;
        assertThat(status).isEqualTo(200);
        return took;
    }
}
