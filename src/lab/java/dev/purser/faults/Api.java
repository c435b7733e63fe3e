package dev.purser.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service's HTTP interface at one address. Closing it drops its connections. */
final class Api implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final int port;
    private final String key;
    private final Duration patience;

    Api(int port, String key) {
        this(port, key, PATIENCE);
    }

    /** @param patience within which a whole reply has to come */
    Api(int port, String key, Duration patience) {
        this.port = port;
        this.key = key;
        this.patience = patience;
    }

    Reply ask(Asked asked) throws IOException, InterruptedException {
        return Reply.of(send(request(asked.path())
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", asked.key())
                .POST(BodyPublishers.ofString(asked.body()))));
    }

    /** Sends a GET. The reply may be an answer or a refusal. */
    Reply read(String path) throws IOException, InterruptedException {
        return Reply.of(send(request(path).GET()));
    }

    /** As {@link #read(String)}, with a reply of this media type. */
    Reply read(String path, String mediaType) throws IOException, InterruptedException {
        return Reply.of(send(request(path).header("Accept", mediaType).GET()));
    }

    /** Sends a POST with a JSON body. The reply may be an answer or a refusal. */
    Reply send(String path, String json) throws IOException, InterruptedException {
        return Reply.of(
                send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json))));
    }

    /** As {@link #send(String, String)}, under an idempotency key. */
    Reply send(String path, String json, String idempotencyKey) throws IOException, InterruptedException {
        return Reply.of(send(request(path)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .POST(BodyPublishers.ofString(json))));
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return expected(send(request(path).GET()), 200);
    }

    byte[] bytes(String path) throws IOException, InterruptedException {
        return send(request(path).GET()).body();
    }

    JsonNode post(String path, String json) throws IOException, InterruptedException {
        return expected(
                send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json))),
                201);
    }

    JsonNode putCsv(String path, String csv) throws IOException, InterruptedException {
        return expected(send(request(path).header("Content-Type", "text/csv").PUT(BodyPublishers.ofString(csv))), 200);
    }

    JsonNode putJson(String path, String json) throws IOException, InterruptedException {
        return expected(
                send(request(path).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(json))), 200);
    }

    /** Puts the rows of a block. The reply may be a report or a refusal. */
    Reply putBlock(String dataset, int block, String csv) throws IOException, InterruptedException {
        return Reply.of(send(request("/v1/datasets/" + dataset + "/blocks/" + block + "/data")
                .header("Content-Type", "text/csv")
                .PUT(BodyPublishers.ofString(csv))));
    }

    private static JsonNode expected(HttpResponse<byte[]> response, int status) throws IOException {
        if (response.statusCode() != status) {
            throw new IOException(
                    response.statusCode() + " from " + response.uri() + ": " + new String(response.body()));
        }
        return JSON.readTree(response.body());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(patience)
                .header("Authorization", "Bearer " + key);
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
