package dev.purser.web;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** How many statements of the ledger's database a request takes, those that begin and end transactions included. */
class StatementsOverHttpTests extends RunningService {
    /** Every statement of {@code store} runs in one of these. */
    private static final String RUNS =
            "dev.purser.store.StoreConnection::bound;dev.purser.store.WriterConnection$Control::execute";

    /** Those of an analyst. The table of {@code docs/performance.md} has the same figures. */
    private static final Map<String, Integer> STATEMENTS = Map.of("mean", 0, "stored answer", 0, "quote", 0, "step of a session", 0, "free question", 0, "own key", 0);

    @TempDir
    Path folder;

    private record Sent(Instant begin, Instant end) {}

    @Test
    void aRequestTakesNoMoreStatements() throws Exception {
        String dataset = dataset("1000", "age,hours,sex\n1,1,Male\n2,2,Female\n");
        String key = keyFor("analyst", "[\"" + dataset + "\"]");
        String path = "/v1/datasets/" + dataset;
        String mean = quoted("{'epsilon':1,'column':'age'}");
        String stored = json(assertStatus(200, postAs(key, path + "/queries/mean", mean))).get("queryId").asString();
        String synopsis = json(assertStatus(201, postAs(key, path + "/synopses", quoted("{'epsilon':100,'columns':[{'column':'sex'}]}")))).at("/answer/synopsisId").asString();
        String session = json(assertStatus(201, postAs(key, path + "/threshold-sessions", quoted("{'epsilon':100,'maxPositives':9,'threshold':50,'queries':'counts'}")))).get("sessionId").asString();
        int[] steps = {0};
        Map<String, Callable<HttpResponse<String>>> requests = new LinkedHashMap<>();
        requests.put("mean", () -> postAs(key, path + "/queries/mean", mean));
        requests.put("stored answer", () -> getAs(key, "/v1/queries/" + stored));
        requests.put("quote", () -> postAs(key, path + "/quotes/mean", mean));
        requests.put("step of a session", () -> postAs(key, "/v1/threshold-sessions/" + session + "/queries", quoted("{'sequence':" + ++steps[0] + ",'query':{'count':{}}}")));
        requests.put("free question", () -> postAs(key, "/v1/synopses/" + synopsis + "/answers", quoted("{'questions':[{'count':{}}]}")));
        requests.put("own key", () -> getAs(key, "/v1/keys/self"));
        Map<String, List<Sent>> sent = new LinkedHashMap<>();
        try (Recording recording = new Recording()) {
            recording.enable("jdk.MethodTrace").with("filter", RUNS).withoutStackTrace();
            recording.start();
            for (int i = 0; i < 4; i++) {
                for (Map.Entry<String, Callable<HttpResponse<String>>> each : requests.entrySet()) {
                    Instant begin = Instant.now();
                    assertStatus(200, each.getValue().call());
                    sent.computeIfAbsent(each.getKey(), _ -> new ArrayList<>()).add(new Sent(begin, Instant.now()));
                }
            }
            recording.stop();
            recording.dump(folder.resolve("statements.jfr"));
        }
        List<Instant> runs = RecordingFile.readAllEvents(folder.resolve("statements.jfr")).stream().map(each -> each.getStartTime()).toList();
        // The service itself may run some meanwhile.
        Map<String, List<Long>> least = new LinkedHashMap<>();
        sent.forEach((name, all) -> least.put(name, all.stream().map(one -> runs.stream().filter(at -> !at.isBefore(one.begin()) && at.isBefore(one.end())).count()).toList()));
        System.out.println(least);
        assertThat(least).isEmpty();
    }
}
