package dev.purser.speed;

import dev.purser.ServiceProcess;
import dev.purser.speed.Load.Request;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import tools.jackson.databind.json.JsonMapper;

/** The packaged service, an analyst, and datasets of made-up rows. */
final class MeasuredService implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final ServiceProcess service;
    private final String analyst;

    /**
     * @param folder of the home, which may have been used before
     * @param analyst a name that no key has yet
     */
    MeasuredService(Path folder, String analyst, List<String> flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        // What is measured is the service, unless the flags say otherwise.
        command.add("-Dpurser.rates.analyst=0");
        command.addAll(flags);
        command.addAll(List.of("-jar", System.getProperty("purser.jar")));
        // A line of the log for each request is written as in production, to a file.
        service = new ServiceProcess(folder, Map.of(), command);
        this.analyst = key(analyst);
    }

    /** Makes a key for an analyst of this name, who may ask about everything. */
    String key(String name) throws IOException, InterruptedException {
        String body = """
                {"name":"%s","role":"analyst","datasets":["*"]}""".formatted(name);
        HttpResponse<String> reply = accepted(service.post("/v1/keys", service.key(), body));
        return JSON.readTree(reply.body()).get("key").asString();
    }

    /** Registers a dataset with columns {@code c0}, {@code c1}, … of integers below 1,000. */
    void register(String id, int columns, String accountant) throws IOException, InterruptedException {
        accepted(service.post("/v1/datasets", service.key(), registration(id, columns, accountant)));
    }

    static String registration(String id, int columns, String accountant) {
        String column = """
                {"name":"c%d","type":"integer","lower":0,"upper":999,"missing":0}""";
        return """
                {"id":"%s","title":"Rows","declaredPublic":true,"privacyUnit":{"type":"row"},"columns":[%s],
                 "neighboringRelation":"add-or-remove-one","maxRows":10000000,"accountant":"%s",
                 "budget":{"epsilon":"1000000","delta":"%s"},"source":{"type":"upload"}}
                """.formatted(
                        id,
                        IntStream.range(0, columns).mapToObj(column::formatted).collect(Collectors.joining(",")),
                        accountant,
                        accountant.equals("pure") ? "0" : "0.000001");
    }

    /** A dataset with rows, under zcdp, whose columns have so many values. */
    void columns(String id, List<Integer> values, long rows) throws IOException, InterruptedException {
        String registration = registration(id, values.size(), "zcdp");
        for (int column = 0; column < values.size(); column++) {
            registration = registration.replaceFirst("\"upper\":999,", "\"upper\": " + (values.get(column) - 1) + ",");
        }
        accepted(service.post("/v1/datasets", service.key(), registration));
        fill(id, values.size(), rows);
    }

    /** A registered dataset with rows. */
    void dataset(String id, int columns, long rows) throws IOException, InterruptedException {
        register(id, columns, "pure");
        fill(id, columns, rows);
    }

    void fill(String id, int columns, long rows) throws IOException, InterruptedException {
        String header = IntStream.range(0, columns).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
        String csv = LongStream.range(0, rows)
                .mapToObj(row -> IntStream.range(0, columns)
                        .mapToObj(i -> String.valueOf((row * 7919 + i) % 1000))
                        .collect(Collectors.joining(",")))
                .collect(Collectors.joining("\n", header + "\n", "\n"));
        accepted(service.putCsv("/v1/datasets/" + id + "/data", service.key(), csv));
    }

    /** A question or quote of the analyst. */
    Request ask(String path, String body, String... headers) {
        return Request.of("POST", path, analyst, body, headers);
    }

    Request get(String path) {
        return Request.of("GET", path, analyst, "");
    }

    Request ofAdministrator(String method, String path, String body) throws IOException {
        return Request.of(method, path, service.key(), body);
    }

    Load load() {
        return new Load(service.process(), port());
    }

    int port() {
        return URI.create(service.address()).getPort();
    }

    ProcessHandle process() {
        return service.process();
    }

    /** Resident memory, in megabytes. */
    long residentMegabytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + service.process().pid() + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow()
                >> 10;
    }

    private static HttpResponse<String> accepted(HttpResponse<String> reply) {
        if (reply.statusCode() / 100 != 2) {
            throw new IllegalStateException(reply.body());
        }
        return reply;
    }

    @Override
    public void close() throws InterruptedException {
        service.close();
    }
}
