package dev.purser.speed;

import dev.purser.speed.Load.Request;
import dev.purser.speed.Load.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processor time of the frequent requests, as a multiple of that of a bare servlet in the same run: less than twice
 * what a service takes that has just started. It is counted for the process alone, so other work on the machine changes
 * it little.
 */
class QuestionSpeedIntegrationTests {
    private static final int CONNECTIONS = 32;
    private static final int ROUNDS = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration EACH = Duration.ofSeconds(1);

    /** Less than twice the least of three runs: 85, 34, 25, 40 and 15. A warm service takes a third to a half of it. */
    private static final Map<String, Double> MOST =
            Map.of("spending count", 165.0, "quote", 66.0, "stored answer", 48.0, "replay", 78.0, "health", 29.0);

    @TempDir
    Path folder;

    @Test
    void noFrequentRequestCostsTwiceWhatItDid() throws Exception {
        try (MeasuredService service = new MeasuredService(folder.resolve("service"), "ana", List.of());
                BareServlet.Running bare = new BareServlet.Running(Files.createDirectories(folder.resolve("bare")))) {
            service.dataset("people", 4, 1_000);
            Map<String, List<Request>> requests = QuestionSpeed.requests(service);
            for (List<Request> request : requests.values()) {
                service.load().unpaced(request, CONNECTIONS, WARM_UP);
            }
            bare.load().unpaced(BareServlet.REQUEST, CONNECTIONS, WARM_UP);
            List<Result> baseline = new ArrayList<>();
            Map<String, List<Result>> results = new HashMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                baseline.add(bare.load().unpaced(BareServlet.REQUEST, CONNECTIONS, EACH));
                for (Map.Entry<String, List<Request>> request : requests.entrySet()) {
                    results.computeIfAbsent(request.getKey(), name -> new ArrayList<>())
                            .add(service.load().unpaced(request.getValue(), CONNECTIONS, EACH));
                }
            }
            double unit = QuestionSpeed.median(baseline);
            results.forEach((name, all) -> System.out.printf("%s: %.1f%n", name, QuestionSpeed.median(all) / unit));
            results.forEach((name, all) ->
                    assertThat(QuestionSpeed.median(all) / unit).as(name).isLessThan(MOST.get(name)));
        }
    }
}
