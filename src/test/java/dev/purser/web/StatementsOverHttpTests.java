package dev.purser.web;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** A request takes as many statements of the ledger's database as the table in docs/performance.md states. */
class StatementsOverHttpTests extends RunningService {
    /** All statements run in one of these methods, also the statements that begin and end transactions. */
    private static final String RUNS =
            "dev.purser.store.StoreConnection::bound;dev.purser.store.WriterConnection$Control::execute";

    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([a-z ]+) \\| [\\d–]+ \\| (\\d+) \\|$");

    /** The service runs some statements of its own now and then, but hardly in each of this many requests. */
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
        try (Recording recording = new Recording()) {
            recording.enable("jdk.MethodTrace").with("filter", RUNS).withoutStackTrace();
            recording.start();
            for (int i = 0; i < TIMES; i++) {
                for (Map.Entry<String, Callable<HttpResponse<String>>> each : requests.entrySet()) {
                    Asked asked = new Asked(each.getKey());
                    asked.begin();
                    assertStatus(200, each.getValue().call());
                    asked.commit();
                }
            }
            recording.stop();
            recording.dump(folder.resolve("statements.jfr"));
        }
        Map<Boolean, List<RecordedEvent>> events =
                RecordingFile.readAllEvents(folder.resolve("statements.jfr")).stream()
                        .collect(Collectors.partitioningBy(event -> event.hasField("request")));
        Map<String, Long> least = events.get(true).stream()
                .collect(Collectors.toMap(
                        asked -> asked.getString("request"), asked -> within(asked, events.get(false)), Math::min));
        assertThat(least).isEqualTo(documented());
    }

    /** A request as an event, so that its time compares with the times of the recording's own events. */
    private static final class Asked extends Event {
        final String request;

        Asked(String request) {
            this.request = request;
        }
    }

    private static long within(RecordedEvent asked, List<RecordedEvent> runs) {
        return runs.stream()
                .map(RecordedEvent::getStartTime)
                .filter(at -> !at.isBefore(asked.getStartTime()) && !at.isAfter(asked.getEndTime()))
                .count();
    }

    /** The requests of an analyst, about a dataset of which a synopsis was bought. */
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
