package dev.purser.web;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** What pages of other sites may do, and what a client may store. */
class BrowserTests extends RunningService {
    private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

    private static String header(HttpResponse<?> reply, String name) {
        return reply.headers().firstValue(name).orElse("");
    }

    private HttpResponse<String> preflight(String origin, String method, String headers) throws Exception {
        return sendAs(
                "",
                "OPTIONS",
                "/v1/datasets/people/queries/count",
                BodyPublishers.noBody(),
                "Origin",
                origin,
                "Access-Control-Request-Method",
                method,
                "Access-Control-Request-Headers",
                headers);
    }

    @Test
    void aPageOfAnAllowedOriginLearnsWithoutAKeyWhatItMaySend() throws Exception {
        HttpResponse<String> reply =
                assertStatus(200, preflight(DASHBOARD, "POST", "authorization,content-type,idempotency-key"));
        assertThat(header(reply, ALLOW_ORIGIN)).isEqualTo(DASHBOARD);
        assertThat(header(reply, "Access-Control-Allow-Methods")).contains("GET", "POST", "PUT", "DELETE");
        assertThat(header(reply, "Access-Control-Allow-Headers"))
                .contains("authorization", "content-type", "idempotency-key");
        assertThat(header(reply, "Access-Control-Allow-Credentials")).isEmpty();
        assertThat(header(reply, "Access-Control-Max-Age")).isEqualTo("3600");
    }

    @Test
    void aPageOfAnotherOriginIsRefused() throws Exception {
        HttpResponse<String> asked = preflight("https://other.example", "POST", "authorization");
        assertProblem(403, "forbidden", asked);
        assertThat(header(asked, ALLOW_ORIGIN)).isEmpty();
        HttpResponse<String> read = getAs(key(), "/v1/datasets", "Origin", "https://dashboard.example.org");
        assertProblem(403, "forbidden", read);
        assertThat(header(read, ALLOW_ORIGIN)).isEmpty();
        assertProblem(403, "forbidden", preflight(DASHBOARD, "TRACE", "authorization"));
        assertProblem(403, "forbidden", preflight(DASHBOARD, "POST", "x-other"));
        assertStatus(200, preflight(DASHBOARD, "POST", "authorization,mcp-protocol-version,mcp-method,mcp-name"));
    }

    @Test
    void aPageSeesAnswersRefusalsAndTheHeadersOfBoth() throws Exception {
        HttpResponse<String> read = assertStatus(200, getAs(key(), "/v1/datasets", "Origin", DASHBOARD));
        assertThat(header(read, ALLOW_ORIGIN)).isEqualTo(DASHBOARD);
        assertThat(header(read, "Access-Control-Expose-Headers"))
                .contains("ETag", "Idempotency-Key", "Idempotency-Replayed", "Answer-Reused", "Link", "Location")
                .contains("Retry-After", "Certificate");
        HttpResponse<String> refused = getAs("", "/v1/datasets", "Origin", DASHBOARD);
        assertProblem(401, "unauthorized", refused);
        assertThat(header(refused, ALLOW_ORIGIN)).isEqualTo(DASHBOARD);
    }

    @Test
    void whatADashboardReadsAgainIsSentOnlyIfItChanged() throws Exception {
        String id = dataset("3", "age,hours,sex\n17,1,Male\n30,2,Female\n");
        for (String path : new String[] {
            "/v1/datasets/" + id + "/budget", "/v1/datasets/" + id, "/v1/datasets?after=" + id + "&order=desc"
        }) {
            HttpResponse<String> first = assertStatus(200, get(path));
            assertThat(header(first, "Cache-Control")).as(path).isEqualTo("no-cache, private");
            String etag = header(first, "ETag");
            assertThat(etag).as(path).isNotEmpty();
            HttpResponse<String> again = assertStatus(304, get(path, "If-None-Match", etag));
            assertThat(again.body()).isEmpty();
            assertThat(header(again, "ETag")).isEqualTo(etag);
            assertStatus(200, get(path, "If-None-Match", "\"another\""));
            assertThat(header(send("HEAD", path, ""), "ETag")).isEqualTo(etag);
        }
        String budget = "/v1/datasets/" + id + "/budget";
        String before = header(get(budget), "ETag");
        assertStatus(200, ask(id, "count", quoted("{'epsilon':'0.5'}")));
        assertThat(assertStatus(200, get(budget, "If-None-Match", before)).body())
                .contains("2.5");
        assertThat(header(get("/v1/keys"), "Cache-Control")).contains("no-store");
        assertThat(header(get("/v1/keys"), "ETag")).isEmpty();
        assertThat(header(get("/v1/datasets/" + id + "/ledger"), "Cache-Control"))
                .contains("no-store");
    }

    @Test
    void theDocumentationIsKept() throws Exception {
        HttpResponse<String> description = assertStatus(200, getAs("", "/openapi.json"));
        assertThat(header(description, "Cache-Control")).isEqualTo("no-cache");
        String etag = header(description, "ETag");
        assertThat(description.body()).startsWith("{\"openapi\":\"3.1").contains("paths");
        assertStatus(304, getAs("", "/openapi.json", "If-None-Match", etag));
        assertThat(header(getAs("", "/openapi.json", "Accept-Language", "de"), "ETag"))
                .isEqualTo(etag);
        HttpResponse<String> script = assertStatus(200, getAs("", "/swagger-ui/swagger-ui-bundle.js"));
        assertThat(header(script, "Cache-Control")).contains("max-age=");
    }

    @Test
    void longBodiesAreCompressedForThoseWhoHaveAKey() throws Exception {
        HttpResponse<String> compressed = assertStatus(200, get("/v1/mechanisms", "Accept-Encoding", "gzip"));
        assertThat(header(compressed, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(compressed, "Vary")).contains("accept-encoding");
        assertThat(header(get("/v1/mechanisms"), "Content-Encoding")).isEmpty();
        for (String path : new String[] {"/openapi.json", "/openapi.yaml", "/swagger-ui/swagger-ui-bundle.js"}) {
            HttpResponse<String> anybody = assertStatus(200, getAs("", path, "Accept-Encoding", "gzip"));
            assertThat(header(anybody, "Content-Encoding")).as(path).isEmpty();
        }
    }
}
