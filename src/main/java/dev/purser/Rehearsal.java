package dev.purser;

import dev.purser.dataset.ingest.UploadRehearsal;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * A short life of the service on a home of its own: a start, a dataset, its rows, a question, the answer once more, an end. Java
 * writes down which classes that needs and what is worth compiling, when quick starts are prepared: docs/adr/0027.
 */
final class Rehearsal {
    static final String COMMAND = "rehearse";

    private static final String REGISTRATION = """
            {"id": "rehearsal", "columns": [{"name": "age", "type": "integer", "lower": 0, "upper": 110}],
             "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 10,
             "budget": {"epsilon": "1", "delta": "0"}, "accountant": "pure", "source": {"type": "upload"}}
            """;

    private final String address;
    private final String key;

    private Rehearsal(Environment environment, Path home) throws IOException {
        address = "http://127.0.0.1:" + environment.getRequiredProperty("local.server.port");
        key = Files.readString(home.resolve("admin.key")).strip();
    }

    /**
     * Lives it.
     *
     * @param arguments its own name, and a home where there is nothing yet
     * @throws IOException if the service does not answer
     * @throws IllegalStateException if it refuses
     * @throws IllegalArgumentException if this could be the life of a service at work
     */
    static void run(String... arguments) throws IOException {
        boolean configured = System.getenv().keySet().stream().anyMatch(name -> name.startsWith("PURSER_"));
        if (arguments.length != 2 || Files.exists(Path.of(arguments[1])) || configured) {
            throw new IllegalArgumentException("a rehearsal needs a home that does not exist, and no settings");
        }
        Path home = Path.of(arguments[1]);
        try (ConfigurableApplicationContext service = SpringApplication.run(
                PurserApplication.class,
                "--purser.home=" + home,
                "--server.address=127.0.0.1",
                "--server.port=0",
                // What is uploaded is ours, and where images are built there may be no jail.
                "--purser.unjailed=true")) {
            Rehearsal rehearsal = new Rehearsal(service.getEnvironment(), home);
            rehearsal.send("GET", "/actuator/health", "", "");
            rehearsal.send("POST", "/v1/datasets", "application/json", REGISTRATION);
            rehearsal.send("PUT", "/v1/datasets/rehearsal/data", "text/csv", "age\n30\n40\n");
            for (int i = 0; i < 2; i++) {
                rehearsal.send(
                        "POST", "/v1/datasets/rehearsal/queries/count", "application/json", "{\"epsilon\": \"0.5\"}");
            }
            rehearsal.send("GET", "/v1/datasets/rehearsal/budget", "", "");
            UploadRehearsal.run(home.resolve("further"), () -> true);
        }
    }

    private void send(String method, String path, String type, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address + path).toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setRequestProperty("Authorization", "Bearer " + key);
        connection.setRequestProperty("Idempotency-Key", "rehearsal");
        if (!body.isEmpty()) {
            connection.setRequestProperty("Content-Type", type);
            connection.setDoOutput(true);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
        }
        if (connection.getResponseCode() >= HttpURLConnection.HTTP_BAD_REQUEST) {
            throw new IllegalStateException(method + " " + path + " was answered with " + connection.getResponseCode());
        }
        connection.getInputStream().readAllBytes();
    }
}
