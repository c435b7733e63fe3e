package dev.purser.web;

import dev.purser.admission.AdmissionControl;
import dev.purser.admission.Turns;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** A principal that has its share of long replies waits for further long replies, and for nothing else. */
class LongRepliesTests extends RunningService {
    @Autowired
    private AdmissionControl admission;

    @Autowired
    private MeterRegistry meters;

    @Test
    void longRepliesOfAPrincipalWaitForEachOther() throws Exception {
        String columns = "[" + quoted("{'name':'age','type':'integer','lower':0,'upper':1000}") + "," + SEX + "]";
        String id = dataset("100", "age,sex\n1,Male\n", columns, "add-or-remove-one");
        String ana = newName();
        String key = keyFor(ana, "analyst", "[\"" + id + "\"]");
        String count = answeredAs(key, id, "count", "{\"epsilon\":\"1\"}");
        String histogram = answeredAs(key, id, "histogram", histogram("1", "age", 0, 1000));
        String synopsis = json(postAs(
                        key,
                        "/v1/datasets/" + id + "/synopses",
                        quoted("{'epsilon':1,'marginals':2,'columns':[{'column':'sex'},{'column':'age','step':100}]}"),
                        "Idempotency-Key",
                        "bought"))
                .get("queryId")
                .stringValue();
        List<Callable<HttpResponse<String>>> all = List.of(
                () -> getAs(key, "/v1/datasets"),
                () -> getAs(key, "/v1/datasets/" + id),
                () -> getAs(key, "/v1/datasets/" + id + "/answers"),
                () -> getAs(key, "/v1/datasets/" + id + "/queries"),
                () -> getAs(key, "/v1/datasets/" + id + "/synopses"),
                () -> getAs(key, "/v1/datasets/" + id + "/threshold-sessions"),
                () -> getAs(key, "/v1/synopses/" + synopsis),
                () -> getAs(key, "/v1/synopses/" + synopsis + "/rows?count=10"),
                () -> postAs(key, "/v1/synopses/" + synopsis + "/refinements", "{\"epsilon\":\"1\"}"),
                () -> getAs(key, "/v1/synopses/" + synopsis + "/tables"),
                () -> getAs(key, "/v1/synopses/" + synopsis + "/tables", "Accept", "text/csv"),
                () -> postAs(key, "/v1/synopses/" + synopsis + "/answers", "{\"questions\":[{\"count\":{}}]}"),
                () -> sendAs(key, "POST", "/v1/statement", BodyPublishers.ofString("SELECT 1")),
                () -> getAs(key, "/v1/queries/" + histogram),
                () -> getAs(key, "/v1/queries/" + histogram, "Accept", "text/csv"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> waiting = new ArrayList<>();
            try (Turns.Lease _ = admission.replying(ana, AdmissionControl.LARGE_REPLY_BYTES)) {
                assertStatus(200, getAs(key, "/v1/datasets"));
            }
            try (Turns.Lease _ = admission.replying(ana, AdmissionControl.LARGE_REPLY_BYTES);
                    Turns.Lease _ = admission.replying(ana, AdmissionControl.REPLY_BYTES)) {
                all.forEach(request -> waiting.add(threads.submit(request)));
                assertStatus(200, getAs(key, "/v1/queries/" + count));
                assertStatus(200, getAs(key, "/v1/datasets/" + id + "/budget"));
                assertStatus(200, get("/v1/datasets/" + id + "/answers"));
                assertStatus(200, get("/v1/queries/" + histogram));
                while (meters.get("purser.questions.waiting").gauge().value() + done(waiting) < all.size()) {
                    Thread.sleep(10);
                }
                assertThat(done(waiting)).isZero();
            }
            for (Future<HttpResponse<String>> reply : waiting) {
                assertStatus(200, reply.get());
            }
        }
        // A reply that is found to take more than its turn does not wait: while it waited, it would hold what was read.
        String rows = "/v1/synopses/" + synopsis + "/rows?count=";
        try (Turns.Lease _ = admission.replying(ana, AdmissionControl.LARGE_REPLY_BYTES)) {
            assertStatus(200, getAs(key, rows + 10));
            HttpResponse<String> refused = getAs(key, rows + 1_000_000);
            assertProblem(503, "temporarily-unavailable", refused);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        }
    }

    private static long done(List<Future<HttpResponse<String>>> requests) {
        return requests.stream().filter(Future::isDone).count();
    }

    private String answeredAs(String key, String id, String kind, String body) throws Exception {
        HttpResponse<String> reply =
                postAs(key, "/v1/datasets/" + id + "/queries/" + kind, body, "Idempotency-Key", kind);
        return json(assertStatus(200, reply)).get("queryId").stringValue();
    }
}
