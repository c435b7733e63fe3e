package dev.purser.web;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** The statements of the ledger's database that a request takes are those of the table in docs/performance.md. */
class StatementsOverHttpTests extends RunningService {
    /** All statements run in one of these, those that begin and end transactions included. */
    private static final String RUNS =
            "dev.purser.store.StoreConnection::bound;dev.purser.store.WriterConnection$Control::execute";

    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([a-z ]+) \\| [\\d–]+ \\| (\\d+) \\|$");

    /** The service runs some statements of its own now and then, but hardly in each of so many requests. */
    private static final int TIMES = 4;

    @TempDir
    Path folder;

    private static Map<String, Long> documented() throws IOException {
        String page = Files.readString(Path.of("docs/performance.md"));
        return ROW.matcher(page.split("<!-- statements -->")[1])
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> Long.valueOf(row.group(2))));
    }

    @Test
    void aRequestTakesAsManyStatementsAsDocumented() throws Exception {
        Map<String, Callable<HttpResponse<String>>> requests = requests();
        Map<String, List<Instant>> sent = new LinkedHashMap<>();
        try (Recording recording = new Recording()) {
            recording.enable("jdk.MethodTrace").with("filter", RUNS).withoutStackTrace();
            recording.start();
            for (int i = 0; i < TIMES; i++) {
                for (Map.Entry<String, Callable<HttpResponse<String>>> each : requests.entrySet()) {
                    List<Instant> between = sent.computeIfAbsent(each.getKey(), _ -> new ArrayList<>());
                    between.add(Instant.now());
                    assertStatus(200, each.getValue().call());
                    between.add(Instant.now());
                }
            }
            recording.stop();
            recording.dump(folder.resolve("statements.jfr"));
        }
        List<Instant> runs = RecordingFile.readAllEvents(folder.resolve("statements.jfr")).stream()
                .map(RecordedEvent::getStartTime)
                .toList();
        Map<String, Long> least = new LinkedHashMap<>();
        sent.forEach((name, between) -> {
            for (int i = 0; i < between.size(); i += 2) {
                least.merge(name, count(runs, between.get(i), between.get(i + 1)), Math::min);
            }
        });
        assertThat(least).isEqualTo(documented());
    }

    private static long count(List<Instant> runs, Instant begin, Instant end) {
        return runs.stream()
                .filter(at -> !at.isBefore(begin) && !at.isAfter(end))
                .count();
    }

    /** Those of an analyst, about a dataset of which a synopsis was bought. */
    private Map<String, Callable<HttpResponse<String>>> requests() throws Exception {
        String dataset = dataset("1000", "age,hours,sex\n1,1,Male\n2,2,Female\n");
        String key = keyFor("analyst", "['" + dataset + "']");
        String path = "/v1/datasets/" + dataset;
        String mean = quoted("{'epsilon':1,'column':'age'}");
        HttpResponse<String> answered = assertStatus(200, postAs(key, path + "/queries/mean", mean));
        String stored = "/v1/queries/" + json(answered).get("queryId").asString();
        HttpResponse<String> bought =
                postAs(key, path + "/synopses", quoted("{'epsilon':100,'columns':[{'column':'sex'}]}"));
        String synopsis = "/v1/synopses/"
                + json(assertStatus(201, bought)).at("/answer/synopsisId").asString();
        HttpResponse<String> opened = postAs(
                key,
                path + "/threshold-sessions",
                quoted("{'epsilon':100,'maxPositives':9,'threshold':50,'queries':'counts'}"));
        String session = "/v1/threshold-sessions/"
                + json(assertStatus(201, opened)).get("sessionId").asString();
        int[] steps = {0};
        Map<String, Callable<HttpResponse<String>>> requests = new LinkedHashMap<>();
        requests.put("mean", () -> postAs(key, path + "/queries/mean", mean));
        requests.put("stored answer", () -> getAs(key, stored));
        requests.put("quote", () -> postAs(key, path + "/quotes/mean", mean));
        requests.put(
                "step of a session",
                () -> postAs(
                        key, session + "/queries", quoted("{'sequence':" + ++steps[0] + ",'query':{'count':{}}}")));
        requests.put("free question", () -> postAs(key, synopsis + "/answers", quoted("{'questions':[{'count':{}}]}")));
        requests.put("own key", () -> getAs(key, "/v1/keys/self"));
        return requests;
    }
}
