package dev.purser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packaged service as its own process, on a home folder of its own. Unless a test names another command, it is
 * started from the {@link ExtractedJar}; {@code EndToEndIntegrationTests} start the jar itself, as the README does.
 */
public final class ServiceProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path home;
    private final Path log;
    private final int port;
    private final List<String> command;
    private final Map<String, String> environment;
    private Process process;

    public ServiceProcess(Path folder) throws IOException, InterruptedException {
        this(folder, Map.of());
    }

    /** @param environment what the service is configured with beside its home and port */
    public ServiceProcess(Path folder, Map<String, String> environment) throws IOException, InterruptedException {
        this(folder, environment, extracted());
    }

    /** The command that starts the packaged service, as it is documented. */
    static List<String> jar() {
        return java("-jar", System.getProperty("purser.jar"));
    }

    /** The command that starts the service soonest. */
    static List<String> extracted() {
        return starting(ExtractedJar.path());
    }

    /** The command that starts the service of a jar, from its AOT cache if it has one. */
    public static List<String> starting(Path jar, String... flags) {
        List<String> arguments = new ArrayList<>(List.of(flags));
        Path cache = ExtractedJar.cacheOf(jar);
        if (Files.exists(cache)) {
            arguments.add("-XX:AOTCache=" + cache);
            // Java otherwise warns, in the log of the service, of every part of the cache that it does not use.
            arguments.add("-Xlog:aot*=error");
        }
        arguments.addAll(List.of("-jar", jar.toString()));
        return java(arguments.toArray(String[]::new));
    }

    /** A command of Java that starts the service soonest and with the least work. */
    public static List<String> java(String... arguments) {
        Stream<String> java = Stream.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // A killed process leaves its temporary files behind.
                "-Djava.io.tmpdir=" + Leftovers.folder());
        return Stream.concat(java, Stream.of(arguments)).toList();
    }

    /** @param command that starts the service */
    public ServiceProcess(Path folder, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        this.command = command;
        this.environment = environment;
        Files.createDirectories(folder);
        home = folder.resolve("home");
        log = folder.resolve("service.log");
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        process = start();
    }

    /** Registers a dataset of ages and uploads its rows. Each of the further {@code members} starts with a comma. */
    void ofAges(String id, String key, int epsilon, String members, String rows)
            throws IOException, InterruptedException {
        assertStatus(201, registerAges(id, key, epsilon, members));
        assertStatus(200, uploadAges(id, key, rows));
    }

    HttpResponse<String> registerAges(String id, String key, int epsilon, String members)
            throws IOException, InterruptedException {
        return post("/v1/datasets", key, """
                {"id": "%s", "columns": [{"name": "age", "type": "integer", "lower": 0, "upper": 125}],
                 "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one",
                 "maxRows": 100000, "budget": {"epsilon": "%d"}%s}""".formatted(id, epsilon, members));
    }

    HttpResponse<String> uploadAges(String id, String key, String rows) throws IOException, InterruptedException {
        return putCsv("/v1/datasets/" + id + "/data", key, "age\n" + rows);
    }

    static HttpResponse<String> assertStatus(int status, HttpResponse<String> reply) {
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(status);
        return reply;
    }

    /** Requires that every entry of a dataset's ledger, also the first, follows from the entry before it. */
    JsonNode verifiedLedger(String dataset, String key) throws IOException, InterruptedException {
        JsonNode verification = JsonMapper.shared()
                .readTree(assertStatus(200, get("/v1/datasets/" + dataset + "/ledger/verification", key))
                        .body());
        assertThat(verification.get("valid").asBoolean())
                .as(verification.toString())
                .isTrue();
        return verification;
    }

    private Process start() throws IOException, InterruptedException {
        Process started = Leftovers.watched(launcher()
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!isReady()) {
            if (!started.isAlive() || Instant.now().isAfter(deadline)) {
                started.destroyForcibly();
                throw new AssertionError("the service did not start:\n" + Files.readString(log));
            }
            Thread.sleep(50);
        }
        return started;
    }

    private ProcessBuilder launcher() {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PURSER_HOME", home.toString());
        builder.environment().put("SERVER_PORT", String.valueOf(port));
        builder.environment().remove("PURSER_ADMIN_KEY");
        builder.environment().putAll(environment);
        return builder;
    }

    /** Starts a second process on the same home and another port; returns what it prints until it ends. */
    String refusalOfASecondProcess() throws IOException, InterruptedException {
        ProcessBuilder builder = launcher();
        builder.environment().put("SERVER_PORT", "0");
        Ended second = Ended.of(builder);
        if (second.status() == 0) {
            throw new AssertionError("a second process started on the same home");
        }
        return second.output();
    }

    private boolean isReady() throws InterruptedException {
        try {
            return get("/actuator/health", "").statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Waits for the process to end by itself. */
    int exitStatus() throws InterruptedException {
        if (!process.waitFor(PATIENCE)) {
            throw new AssertionError("the service still runs");
        }
        return process.exitValue();
    }

    /** Ends the process as a power cut would: the process flushes and closes nothing. */
    public void killAndRestart() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        process = start();
    }

    public String key() throws IOException {
        return Files.readString(home.resolve("admin.key")).strip();
    }

    public String log() throws IOException {
        return Files.readString(log);
    }

    public ProcessHandle process() {
        return process.toHandle();
    }

    public Path home() {
        return home;
    }

    public String address() {
        return "http://127.0.0.1:" + port;
    }

    public HttpResponse<String> get(String path, String key) throws IOException, InterruptedException {
        return send(request(path, key).GET());
    }

    /** A table as CSV. */
    public HttpResponse<String> getCsv(String path, String key) throws IOException, InterruptedException {
        return send(request(path, key).header("Accept", "text/csv").GET());
    }

    HttpResponse<String> delete(String path, String key) throws IOException, InterruptedException {
        return send(request(path, key).DELETE());
    }

    public HttpResponse<String> post(String path, String key, String body) throws IOException, InterruptedException {
        return send(request(path, key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public HttpResponse<String> putCsv(String path, String key, String csv) throws IOException, InterruptedException {
        return send(
                request(path, key).header("Content-Type", "text/csv").PUT(HttpRequest.BodyPublishers.ofString(csv)));
    }

    /**
     * Sends a file as {@code curl -T} does, but through the kernel, so that the sender takes almost no time.
     * Returns the status.
     */
    int send(String method, String path, String key, String mediaType, Path file, Duration patience)
            throws IOException {
        try (FileChannel from = FileChannel.open(file);
                SocketChannel to = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            to.socket().setSoTimeout(Math.toIntExact(patience.toMillis()));
            to.write(StandardCharsets.US_ASCII.encode(
                    method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                            + "\r\nContent-Type: " + mediaType + "\r\nContent-Length: " + from.size() + "\r\n\r\n"));
            for (long sent = 0; sent < from.size(); ) {
                sent += from.transferTo(sent, from.size() - sent, to);
            }
            byte[] status = to.socket().getInputStream().readNBytes("HTTP/1.1 200".length());
            return Integer.parseInt(new String(status, "HTTP/1.1 ".length(), 3, StandardCharsets.US_ASCII));
        }
    }

    HttpResponse<String> ask(String path, String key, String idempotencyKey, String body)
            throws IOException, InterruptedException {
        return send(request(path, key)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path, String key) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address() + path)).timeout(PATIENCE);
        return key.isEmpty() ? request : request.header("Authorization", "Bearer " + key);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
        process.destroy();
        if (!process.waitFor(PATIENCE)) {
            process.destroyForcibly();
        }
    }
}
