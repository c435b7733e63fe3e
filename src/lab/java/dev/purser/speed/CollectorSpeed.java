package dev.purser.speed;

import dev.purser.lab.Options;
import dev.purser.speed.Load.Connection;
import dev.purser.speed.Load.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How long counts and health checks take beside collectors that send batches of 100,000 new reports as fast as they
 * are answered: docs/performance.md. Options: {@code folder} on the disk to measure, the number of {@code collectors},
 * the {@code seconds} of a round. The system property {@code purser.jar} names the jar.
 */
final class CollectorSpeed {
    private static final int ROUNDS = 3;
    private static final int BATCH = 100_000;
    private static final Duration BETWEEN_COUNTS = Duration.ofMillis(50);
    private static final Duration BETWEEN_CHECKS = Duration.ofMillis(250);

    private CollectorSpeed() {}

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "collectors", "seconds");
        Path folder = options.newFolder("collector-speed");
        int collectors = options.count("collectors", 3);
        Duration time = Duration.ofSeconds(options.count("seconds", 20));
        try (MeasuredService service = new MeasuredService(folder, "ana", List.of())) {
            service.dataset("people", 1, 1_000);
            exchange(service.port(), service.ofAdministrator("POST", "/v1/collections", """
                                    {"id":"signs","protocol":"harmony","range":{"lower":-1,"upper":1},"epsilon":1}"""));
            List<Batches> all = new ArrayList<>();
            for (int i = 0; i < collectors; i++) {
                String made = exchange(service.port(), service.ofAdministrator("POST", "/v1/keys", """
                                {"name":"collector%d","role":"collector","collections":["signs"]}""".formatted(i)));
                all.add(new Batches(i, find("\"key\":\"([^\"]+)\"", made)));
            }
            // The first round does not count, because the service has just started.
            for (int round = 0; round <= ROUNDS; round++) {
                System.out.println(round + ", alone: " + measured(service, List.of(), time));
                System.out.println(round + ", beside collectors: " + measured(service, all, time));
            }
        }
    }

    private static String measured(MeasuredService service, List<Batches> collectors, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        long reports = 0;
        String text;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Request count = service.ask("/v1/datasets/people/queries/count", """
                    {"epsilon":"0.0001"}""");
            Future<Seen> counts = threads.submit(() -> Seen.of(service.port(), count, BETWEEN_COUNTS, end));
            Request health = service.get("/actuator/health/readiness");
            Future<Seen> checks = threads.submit(() -> Seen.of(service.port(), health, BETWEEN_CHECKS, end));
            List<Future<Long>> sent = collectors.stream()
                    .map(each -> threads.submit(() -> each.send(service.port(), end)))
                    .toList();
            text = "counts " + counts.get() + "; health checks " + checks.get();
            for (Future<Long> each : sent) {
                reports += each.get();
            }
        }
        return "%s; %,d reports/s".formatted(text, reports / time.toSeconds());
    }

    private static String exchange(int port, Request request) throws IOException {
        try (Connection connection = new Connection(port)) {
            return connection.exchange(request);
        }
    }

    private static String find(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("no " + pattern + " in " + text);
        }
        return found.group(1);
    }

    /** The batches of one collector: one body, in which a part of every id is written again for each batch. */
    private static final class Batches {
        private static final String ID = "{\"reportId\":\"";
        private static final int TAG = 8;

        private final int collector;
        private final Request request;
        private final int first;
        private final int width;
        private int batches;

        private Batches(int collector, String key) {
            this.collector = collector;
            String reports = IntStream.range(0, BATCH)
                    .mapToObj(i -> ID + "-".repeat(TAG) + "%06d\",\"sign\":1}".formatted(i))
                    .collect(Collectors.joining(","));
            request = Request.of("POST", "/v1/collections/signs/reports", key, """
                    {"reports":[%s]}""".formatted(reports));
            first = new String(request.bytes(), StandardCharsets.US_ASCII).indexOf(ID) + ID.length();
            width = (reports.length() + 1) / BATCH;
        }

        private long send(int port, long end) throws IOException {
            long reports = 0;
            try (Connection connection = new Connection(port)) {
                while (System.nanoTime() < end) {
                    byte[] tag = String.format(Locale.ROOT, "%02d%06d", collector, batches++)
                            .getBytes(StandardCharsets.US_ASCII);
                    for (int at = first; at < first + BATCH * width; at += width) {
                        System.arraycopy(tag, 0, request.bytes(), at, TAG);
                    }
                    reports += Long.parseLong(find("\"accepted\":(\\d+)", connection.exchange(request)));
                }
            }
            return reports;
        }
    }
}
