package dev.purser.ledger;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The packaged service with one dataset and one answer, to be killed and started again. */
final class Restarted implements AutoCloseable {
    static final String DATASET = "visits";

    private static final String COLUMNS = """
            {"id": "visits", "title": "Visits", "columns": [{"name": "age", "type": "integer", "lower": 0, \
            "upper": 110}],"privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", \
            "maxRows": 1000,"budget": {"epsilon": "5", "delta": "0"}, "accountant": "pure",\
            "source": {"type": "upload"}}""";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int POLL_MILLIS = 10;

    /** What is done to the home while no service has it. */
    @FunctionalInterface
    interface Meanwhile {
        void run(Path home) throws Exception;
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> command;
    private final Path home;
    private final int port;
    private Process process;
    private final String answer;

    /** @param command that starts the service */
    Restarted(Path folder, List<String> command) throws IOException, InterruptedException {
        this.command = command;
        home = folder.resolve("home");
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        process = start();
        while (!Files.exists(home.resolve("admin.key")) || status("/actuator/health") != 200) {
            Thread.sleep(POLL_MILLIS);
        }
        send("", "application/json", COLUMNS);
        send("/visits/data", "text/csv", "age\n" + "40\n41\n".repeat(100));
        answer = ask();
    }

    /** Kills the service, and gives the seconds from its next start to the same answer to the same question. */
    double restart(Meanwhile meanwhile) throws Exception {
        process.destroyForcibly().waitFor();
        meanwhile.run(home);
        long start = System.nanoTime();
        process = start();
        while (true) {
            try {
                if (!ask().equals(answer)) {
                    throw new IllegalStateException("another answer than before");
                }
                return (System.nanoTime() - start) / 1e9;
            } catch (IOException notYet) {
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    private Process start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PURSER_HOME", home.toString());
        builder.environment().put("SERVER_PORT", String.valueOf(port));
        builder.environment().remove("PURSER_ADMIN_KEY");
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.resolveSibling("service.log").toFile()))
                .start();
    }

    private int status(String path) throws InterruptedException {
        try {
            return client.send(request(path).GET().build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException notYet) {
            return 0;
        }
    }

    private String ask() throws IOException, InterruptedException {
        return send("/visits/queries/mean", "application/json", """
                        {"epsilon": "1", "column": "age", "method": "centered"}""");
    }

    private String send(String path, String type, String body) throws IOException, InterruptedException {
        HttpRequest request = request("/v1/datasets" + path)
                .header(
                        "Authorization",
                        "Bearer " + Files.readString(home.resolve("admin.key")).strip())
                .header("Content-Type", type)
                .header("Idempotency-Key", "restart")
                .method(type.equals("text/csv") ? "PUT" : "POST", HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException(response.statusCode() + " " + response.body());
        }
        return response.body();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE);
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
        process.destroyForcibly().waitFor();
    }
}
