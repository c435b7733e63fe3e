package dev.purser.speed;

import dev.purser.lab.Options;
import dev.purser.speed.Load.Connection;
import dev.purser.speed.Load.Request;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long the counts of one analyst take while another analyst sends, without pause, requests that cost no budget:
 * docs/performance.md. Options: {@code folder} on the disk to measure, {@code rate} of an analyst in a minute (0 for
 * none), the {@code connections} of the flood, the {@code seconds} of a round. The system property {@code purser.jar}
 * names the jar.
 */
final class FloodSpeed {
    private static final int ROUNDS = 3;
    private static final Duration BETWEEN_COUNTS = Duration.ofMillis(20);

    private FloodSpeed() {}

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "rate", "connections", "seconds");
        int connections = options.count("connections", 8);
        Duration time = Duration.ofSeconds(options.count("seconds", 20));
        Path folder = options.newFolder("flood-speed");
        String rate = "-Dpurser.rates.analyst=" + options.count("rate", 12_000);
        try (MeasuredService service = new MeasuredService(folder, "ana", List.of(rate))) {
            service.dataset("people", 2, 1_000);
            Map<String, Request> floods = floods(service.port(), service.key("flooding"));
            // The first round does not count, because the service has just started.
            for (int round = 0; round <= ROUNDS; round++) {
                System.out.println(round + ", alone: " + beside(service, null, 0, time));
                for (Map.Entry<String, Request> flood : floods.entrySet()) {
                    System.out.println(round + ", beside " + flood.getKey() + ": "
                            + beside(service, flood.getValue(), connections, time));
                }
            }
        }
    }

    /** The requests of the flood, which cost no budget, by name. */
    private static Map<String, Request> floods(int port, String key) throws Exception {
        String count = """
                {"epsilon":"0.0001"}""";
        String place = "/v1/datasets/people";
        String synopsis = found(exchange(port, Request.of("POST", place + "/synopses", key, """
                {"epsilon":"0.1","columns":[{"column":"c0","edges":[0,250,500,750,1000]}]}""")), "queryId");
        Request replay =
                Request.of("POST", place + "/queries/count", key, count, "Idempotency-Key: the-same-every-time");
        exchange(port, replay);
        Map<String, Request> floods = new LinkedHashMap<>();
        floods.put("quotes", Request.of("POST", place + "/quotes/count", key, count));
        floods.put("free questions", Request.of("POST", "/v1/synopses/" + synopsis + "/answers", key, """
                {"questions":[{"histogram":{"column":"c0","edges":[0,250,500,750,1000]}}]}"""));
        floods.put("replays", replay);
        String session = "/v1/threshold-sessions/"
                + found(exchange(port, Request.of("POST", place + "/threshold-sessions", key, """
                {"epsilon":"0.1","threshold":5,"maxPositives":1,"queries":"counts"}""")), "sessionId");
        close(URI.create("http://127.0.0.1:" + port + session), key);
        floods.put("event streams", Request.of("GET", session + "/events", key, "", "Accept: text/event-stream"));
        return floods;
    }

    private static String beside(MeasuredService service, Request flood, int connections, Duration time)
            throws Exception {
        long end = System.nanoTime() + time.toNanos();
        AtomicLong answered = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        Seen counts;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < connections; i++) {
                threads.submit(() -> flood(service.port(), flood, end, answered, refused));
            }
            counts =
                    Seen.of(service.port(), service.ask("/v1/datasets/people/queries/count", """
                            {"epsilon":"0.0001"}"""), BETWEEN_COUNTS, end);
        }
        return "counts %s; of the flood %,d/s answered, %,d/s refused"
                .formatted(counts, answered.get() / time.toSeconds(), refused.get() / time.toSeconds());
    }

    /** Sends a request again at once after each reply, whatever the reply was. */
    private static void flood(int port, Request request, long end, AtomicLong answered, AtomicLong refused) {
        while (System.nanoTime() < end) {
            try (Connection connection = new Connection(port)) {
                while (System.nanoTime() < end) {
                    connection.exchange(request);
                    answered.incrementAndGet();
                }
            } catch (IOException refusal) {
                refused.incrementAndGet();
            }
        }
    }

    /** Closes a session, which ends its stream of events. */
    private static void close(URI session, String key) throws IOException, InterruptedException {
        HttpRequest closing = HttpRequest.newBuilder(session)
                .header("Authorization", "Bearer " + key)
                .DELETE()
                .build();
        HttpClient.newHttpClient().send(closing, BodyHandlers.discarding());
    }

    private static String found(String reply, String member) {
        Matcher id = Pattern.compile("\"" + member + "\":\"([^\"]+)\"").matcher(reply);
        if (!id.find()) {
            throw new IllegalStateException("no " + member + " in " + reply);
        }
        return id.group(1);
    }

    private static String exchange(int port, Request request) throws IOException {
        try (Connection connection = new Connection(port)) {
            return connection.exchange(request);
        }
    }
}
