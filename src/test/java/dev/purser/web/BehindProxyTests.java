package dev.purser.web;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Behind a proxy that serves the service as {@code https://purser.example/privacy/} and takes the prefix off. */
class BehindProxyTests extends RunningService {
    private static final String[] FORWARDED = {
        "X-Forwarded-Proto", "https",
        "X-Forwarded-Host", "purser.example",
        "X-Forwarded-Prefix", "/privacy"
    };
    private static final Pattern LOADED = Pattern.compile("(?:href|src)=\"([^\"#]+)\"");

    private HttpResponse<String> through(String path) throws Exception {
        return getAs(key(), path, FORWARDED);
    }

    /** What the proxy sends to the service when a browser follows an address on a page. */
    private static String passedOn(String page, String address) {
        URI followed = URI.create("https://purser.example/privacy" + page).resolve(address);
        assertThat(followed.toString()).startsWith("https://purser.example/privacy/");
        return followed.getRawPath().substring("/privacy".length());
    }

    @Test
    void whatWasMadeIsFoundUnderThePrefix() throws Exception {
        String id = newId();
        HttpResponse<String> made =
                postAs(key(), "/v1/datasets", registration(id, COLUMNS, "200", "replace-one", ""), FORWARDED);
        assertStatus(201, made);
        assertThat(made.headers().firstValue("Location")).hasValue("/privacy/v1/datasets/" + id);
        assertStatus(200, uploadAs(key(), id, "age,hours,sex,of\n1,1,Male," + id + "\n"));
        for (int i = 0; i < 2; i++) {
            assertStatus(200, postAs(key(), "/v1/datasets/" + id + "/queries/count", quoted("{'epsilon':'1'}")));
        }
        assertThat(through("/v1/datasets/" + id + "/ledger?limit=1").headers().firstValue("Link"))
                .hasValueSatisfying(link -> assertThat(link).startsWith("</privacy/v1/datasets/" + id + "/ledger?"));
    }

    @Test
    void aRefusalNamesAPageUnderThePrefixWhoseLinksStayThere() throws Exception {
        HttpResponse<String> refused = through("/v1/datasets/nowhere");
        assertStatus(404, refused);
        String type = json(refused).get("type").asString();
        assertThat(type).isEqualTo("/privacy/problems/not-found");
        assertThat(json(refused).get("instance").asString()).isEqualTo("/privacy/v1/datasets/nowhere");
        for (String page : List.of("/problems", "/problems/not-found")) {
            assertEveryLinkWorks(page);
        }
    }

    @Test
    void theConsoleAndTheDescriptionLoadUnderThePrefix() throws Exception {
        assertEveryLinkWorks("/");
        String viewer = through("/docs").headers().firstValue("Location").orElseThrow();
        assertEveryLinkWorks(passedOn("/docs", viewer));
        assertThat(json(through("/openapi/swagger-config")).get("url").asString())
                .isEqualTo("/privacy/openapi.json");
        assertThat(json(through("/openapi.json"))
                        .get("servers")
                        .get(0)
                        .get("url")
                        .asString())
                .isEqualTo("/privacy");
        assertThat(json(get("/openapi.json")).get("servers").get(0).get("url").asString())
                .isEqualTo("/");
    }

    private void assertEveryLinkWorks(String page) throws Exception {
        HttpResponse<String> reply = through(page);
        assertStatus(200, reply);
        Matcher links = LOADED.matcher(reply.body());
        int found = 0;
        while (links.find()) {
            if (!links.group(1).startsWith("data:")) {
                found++;
                int status = through(passedOn(page, links.group(1))).statusCode();
                assertThat(status).as(page + " loads " + links.group(1)).isIn(200, 302);
            }
        }
        assertThat(found).isPositive();
    }

    @Test
    void theConsoleIsToldWhetherTheProxyAddsACredential() throws Exception {
        assertThat(through("/console/credential").body()).isEqualTo("true");
        HttpRequest bare = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/console/credential"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(bare, BodyHandlers.ofString())
                        .body())
                .isEqualTo("false");
    }
}
