package dev.purser.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * The collections of one home, one for each cycle, and the batches that are sent to them under load. A batch without a
 * reply is sent again until it has one, other batches are sent twice, and neighbouring batches share reports. Each
 * report has to be counted exactly once.
 */
final class ReportLoad {
    private static final int BATCH = 40;
    private static final int SHARED = 10;
    private static final int PAUSE_MILLIS = 100;
    private static final String INVARIANT = "I16";

    /** The probability that a report is the truth, with two categories at epsilon 1. */
    private static final double HONEST = Math.E / (Math.E + 1);

    private record Batch(String collection, int number) {
        String key() {
            return collection + "-b" + number;
        }

        /** The category is a function of the id, so that it does not matter which batch counts a shared report. */
        String body() {
            int first = number * (BATCH - SHARED);
            return IntStream.range(first, first + BATCH)
                    .mapToObj(id -> """
                            {"reportId": "%d", "category": "%s"}""".formatted(id, isFirst(id) ? "a" : "b"))
                    .collect(Collectors.joining(", ", "{\"reports\": [", "]}"));
        }

        static boolean isFirst(int id) {
            return id % 3 == 0;
        }
    }

    private record Collected(String id, AtomicInteger batches) {
        int reports() {
            return batches.get() * (BATCH - SHARED) + SHARED;
        }
    }

    private final Witness witness;
    private final Findings findings;
    private final String name;
    private final List<Collected> all = new ArrayList<>();
    private final Queue<Batch> unknown = new ConcurrentLinkedQueue<>();
    private final List<Batch> counted = new CopyOnWriteArrayList<>();

    ReportLoad(Witness witness, Findings findings, String name) {
        this.witness = witness;
        this.findings = findings;
        this.name = name;
    }

    /** Opens the collection of the next cycle, with its first batch. */
    void begin(Api api) throws IOException, InterruptedException {
        String id = name + "-c" + all.size();
        api.post("/v1/collections", """
                {"id": "%s", "protocol": "grr", "categories": ["a", "b"], "epsilon": "1"}""".formatted(id));
        all.add(new Collected(id, new AtomicInteger()));
        counted.clear();
        send(api, next());
    }

    private Batch next() {
        Collected open = all.getLast();
        return new Batch(open.id(), open.batches().getAndIncrement());
    }

    /** Sends one batch under load: a batch without a reply, a batch that was counted, or a new batch. */
    void step(Api api, RandomGenerator random) throws InterruptedException {
        Batch lost = unknown.poll();
        if (lost != null) {
            send(api, lost);
        } else if (random.nextInt(5) == 0 && !counted.isEmpty()) {
            sendAgain(api, counted.get(random.nextInt(counted.size())));
        } else {
            send(api, next());
        }
        Thread.sleep(PAUSE_MILLIS);
    }

    private void send(Api api, Batch batch) throws InterruptedException {
        if (sent(api, batch) == null) {
            unknown.add(batch);
        } else {
            findings.count("batches of reports witnessed");
            counted.add(batch);
        }
    }

    private void sendAgain(Api api, Batch batch) throws InterruptedException {
        JsonNode reply = sent(api, batch);
        if (reply != null) {
            findings.count("batches of reports sent again");
            findings.holds(
                    reply.path("accepted").longValue(-1) == 0,
                    INVARIANT,
                    "a batch that was counted is counted again: " + reply,
                    batch.key());
        }
    }

    /** Sends a batch. Null if nobody knows how many of its reports are counted. */
    private JsonNode sent(Api api, Batch batch) throws InterruptedException {
        witness.note("sends " + batch.key());
        try {
            Reply reply = api.send("/v1/collections/" + batch.collection() + "/reports", batch.body());
            witness.note("received " + batch.key() + " " + reply.status() + " " + reply.body());
            if (reply.status() >= 500) {
                return null;
            }
            JsonNode json = reply.json();
            findings.holds(
                    reply.isAnswer()
                            && json.path("accepted").longValue(-1)
                                            + json.path("duplicates").longValue(-1)
                                    == BATCH,
                    INVARIANT,
                    "a batch got " + reply.status() + " " + reply.body(),
                    batch.key());
            return json;
        } catch (IOException lost) {
            witness.note("lost " + batch.key() + " " + lost.getClass().getSimpleName());
            return null;
        }
    }

    /** After a restart: every batch without a reply is sent until it has one. */
    void resolve(Api api, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        findings.count("batches of unknown outcome", unknown.size());
        while (!unknown.isEmpty() && System.nanoTime() < deadline) {
            send(api, unknown.remove());
        }
        for (Batch left : unknown) {
            findings.broken("I15", "a batch has no reply within " + patience.toSeconds() + " s", left.key());
        }
        for (Batch batch : counted) {
            sendAgain(api, batch);
        }
    }

    /** Every report that was sent is counted once, with what it said, in every collection of this home. */
    void check(Api api) throws IOException, InterruptedException {
        for (Collected collected : all) {
            JsonNode estimate = api.get("/v1/collections/" + collected.id() + "/estimate");
            int reports = collected.reports();
            double first = IntStream.range(0, reports).filter(Batch::isFirst).count();
            double share = (first / reports - (1 - HONEST)) / (2 * HONEST - 1);
            double found = estimate.at("/frequencies/0/frequency").doubleValue(Double.NaN);
            findings.count("reports checked", reports);
            findings.holds(
                    estimate.path("reports").longValue(-1) == reports && Math.abs(found - share) < 0.25 / reports,
                    INVARIANT,
                    reports + " reports were sent, of share " + share + ": " + estimate,
                    collected.id());
        }
    }
}
