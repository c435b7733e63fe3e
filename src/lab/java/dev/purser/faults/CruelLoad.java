package dev.purser.faults;

import dev.purser.faults.CruelTraffic.Request;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/**
 * Sends {@link CruelTraffic} with three keys, slow bodies and slow headers, while an honest client asks for counts and
 * a watcher asks for the service's health. Then every question without an outcome is asked again, and the ledger is
 * compared with what the clients saw. Findings are C1 to C6: docs/reliability.md.
 */
final class CruelLoad {
    private static final String DATASET = "cruel";
    private static final int GREEDY_KEYS = 3;
    private static final int REGISTRATIONS = 60;
    private static final int REFINEMENTS = 6;
    /** Connections with slow headers, from one address. They are more than the service lets one address have. */
    private static final int SLOW_HEADERS = 3_150;

    private static final String SLOW_ADDRESS = "127.0.0.2";
    /** A request waits for memory and for its turn, 30 s each, and is then worked on. */
    private static final Duration DEADLINE = Duration.ofSeconds(100);

    private static final Duration HEALTH_DEADLINE = Duration.ofSeconds(5);
    /** How much larger than before the heap may be at the end. */
    private static final long HEAP_KILOBYTES = 16 << 10;

    /**
     * @param heap of the service, as {@code -Xmx} writes it
     * @param clients that send the traffic
     * @param largest whether they send only the largest questions of every kind
     * @param honestMillis what 99 of 100 honest questions may take
     */
    record Settings(
            Path jar, int port, String heap, int clients, boolean largest, Duration duration, long honestMillis) {}

    private final Settings settings;
    private final Path work;
    private final Findings findings = new Findings();
    private final Latencies honest = new Latencies();
    private final TestDataset dataset = new TestDataset(DATASET, 1_000_000_000_000_000L);
    private final AtomicInteger keys = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private final ServiceUnderTest service;
    private Witness witness;
    private Exchange synopsis;
    private String longestAnswer = "";
    private String ofManyTables = "";
    private volatile boolean stopped;

    CruelLoad(Settings settings) throws IOException {
        this.settings = settings;
        work = Files.createTempDirectory("purser-cruel");
        service = new ServiceUnderTest(
                settings.jar(),
                work.resolve("home"),
                work.resolve("service.log"),
                settings.port(),
                settings.heap(),
                Map.of());
    }

    /** Runs the load. {@link #text()} then reports the result. */
    Findings run() throws IOException, InterruptedException, SQLException {
        Path log = Files.createTempFile(FaultSettings.witnessFolder(), "purser-witness", ".log");
        Files.delete(log);
        try (Belongings belongings = new Belongings();
                Api admin = new Api(service.port(), ServiceUnderTest.ADMIN_KEY, DEADLINE)) {
            belongings.add(service::kill);
            witness = new Witness(log);
            belongings.add(() -> Files.deleteIfExists(log));
            service.start(Map.of());
            service.awaitHealthy();
            prepare(admin);
            long before = heapKilobytes();
            fight(admin);
            check(admin, before);
            witness.close();
        }
        if (findings.broken().isEmpty()) {
            FileSystemUtils.deleteRecursively(work);
        }
        return findings;
    }

    private void prepare(Api admin) throws IOException, InterruptedException {
        admin.post("/v1/datasets", CruelTraffic.registration(DATASET));
        admin.putCsv("/v1/datasets/" + DATASET + "/data", CruelTraffic.csv());
        Asked bought = asked(CruelTraffic.synopsis(), Asked.ADMINISTRATOR);
        ask(admin, bought);
        synopsis = witness.exchange(bought.key());
        ask(admin, CruelTraffic.freeQuestions());
        Asked longest = asked(CruelTraffic.longestAnswer(), Asked.ADMINISTRATOR);
        longestAnswer = ask(admin, longest).json().get("queryId").stringValue();
        if (!settings.largest()) {
            buyManyTables(admin);
            for (int i = 0; i < REGISTRATIONS; i++) {
                admin.post("/v1/datasets", CruelTraffic.largeRegistration(i));
            }
        }
    }

    private void buyManyTables(Api admin) throws IOException, InterruptedException {
        String path = "/v1/datasets/" + CruelTraffic.WIDE;
        admin.post("/v1/datasets", CruelTraffic.wideRegistration());
        admin.putCsv(path + "/data", CruelTraffic.wideCsv());
        ofManyTables = admin.post(path + "/synopses", CruelTraffic.ofManyTables())
                .get("queryId")
                .stringValue();
        for (int i = 0; i < REFINEMENTS; i++) {
            expect(admin.send("/v1/synopses/" + ofManyTables + "/refinements", "{\"epsilon\": \"1\"}"), "refinement");
        }
    }

    private void fight(Api admin) throws IOException, InterruptedException {
        List<Request> traffic = settings.largest() ? CruelTraffic.largest() : CruelTraffic.everything();
        List<Api> apis = new ArrayList<>();
        for (int key = 0; key < GREEDY_KEYS; key++) {
            String principal = "greedy-" + key;
            String secret = key(admin, principal);
            Api api = new Api(service.port(), secret, DEADLINE);
            apis.add(api);
            SlowSender slow = new SlowSender(service.port(), secret);
            for (int i = key; i < settings.clients(); i += GREEDY_KEYS) {
                RandomGenerator random = new SplittableRandom(i);
                start(() -> send(api, slow, principal, traffic.get(random.nextInt(traffic.size()))));
            }
            if (!settings.largest()) {
                start(() -> findings.holds(slow.body(DATASET, DEADLINE), "C1", "a slow body was not ended", ""));
            }
        }
        Api honestApi = new Api(service.port(), key(admin, "honest"), DEADLINE);
        apis.add(honestApi);
        Client client = new Client(honestApi, witness, findings);
        start(() -> askHonestly(client));
        Api health = new Api(service.port(), ServiceUnderTest.ADMIN_KEY, HEALTH_DEADLINE);
        apis.add(health);
        start(() -> watch(health));
        List<Socket> slowHeaders = settings.largest() ? List.of() : slowHeaders();
        Thread.sleep(settings.duration());
        stopped = true;
        for (Thread thread : threads) {
            thread.join(DEADLINE.plusSeconds(20));
            findings.holds(!thread.isAlive(), "C1", "a client never got its reply", "");
        }
        for (Socket socket : slowHeaders) {
            socket.close();
        }
        resolve(apis);
        apis.forEach(Api::close);
    }

    /** One thing that a client does again and again. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private void start(Step step) {
        threads.add(Thread.ofVirtual().start(() -> {
            while (!stopped) {
                try {
                    step.run();
                } catch (HttpTimeoutException late) {
                    findings.broken("C1", "no reply in time: " + late.getMessage());
                } catch (IOException lost) {
                    findings.count("connections lost");
                } catch (InterruptedException interrupted) {
                    return;
                } catch (RuntimeException broken) {
                    findings.broken("harness", "a client failed: " + broken);
                }
            }
        }));
    }

    private String key(Api admin, String name) throws IOException, InterruptedException {
        StringBuilder granted = new StringBuilder("'" + DATASET + "'");
        if (!ofManyTables.isEmpty()) {
            granted.append(", '" + CruelTraffic.WIDE + "'");
        }
        for (int i = 0; i < REGISTRATIONS && !settings.largest(); i++) {
            granted.append(", 'large-").append(i).append('\'');
        }
        String body = "{'name': '" + name + "', 'role': 'analyst', 'datasets': [" + granted + "]}";
        return admin.post("/v1/keys", body.replace('\'', '"')).get("key").stringValue();
    }

    private void send(Api api, SlowSender slow, String principal, Request request)
            throws IOException, InterruptedException {
        switch (request) {
            case Request.Question question -> ask(api, asked(question, principal));
            case Request.Aborted aborted -> {
                Asked asked = asked(aborted.question(), principal);
                witness.sends(asked);
                slow.abort(asked, DEADLINE);
                witness.lost(asked, "aborted");
                findings.count("answers aborted");
                ask(api, asked);
            }
            case Request.Free free -> ask(api, free);
            case Request.Post(String path, String body) -> expect(api.send(there(path), body), path);
            case Request.Get(String path, String mediaType) ->
                expect(api.read(there(path), mediaType), path + " " + mediaType);
            case Request.Malformed(String address) -> {
                try (Socket socket = new Socket("127.0.0.1", service.port())) {
                    SlowSender.send(socket, "GET " + address + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                    String reply = new String(socket.getInputStream().readAllBytes());
                    findings.count("malformed addresses");
                    findings.holds(reply.startsWith("HTTP/1.1 400 "), "C2", address + " got " + reply, "");
                }
            }
        }
    }

    private String there(String path) {
        return CruelTraffic.path(path, DATASET, longestAnswer, synopsis.synopsisId(), ofManyTables);
    }

    private Asked asked(Request.Question question, String principal) {
        return question.asked(principal, principal + "-" + keys.incrementAndGet(), DATASET);
    }

    private Reply ask(Api api, Asked asked) throws IOException, InterruptedException {
        witness.sends(asked);
        try {
            Reply reply = api.ask(asked);
            Reply first = witness.received(asked, reply);
            if (expect(reply, asked.kind())) {
                findings.holds(first.isRepeatedBy(reply), "C3", "two different answers", asked.key());
            }
            return reply;
        } catch (IOException lost) {
            witness.lost(asked, lost.getClass().getSimpleName());
            throw lost;
        }
    }

    private void ask(Api api, Request.Free free) throws IOException, InterruptedException {
        Reply reply = api.send("/v1/synopses/" + synopsis.synopsisId() + "/answers", free.body());
        if (expect(reply, "free questions")) {
            findings.holds(synopsis.answersAsBefore(reply.bodyDigest()), "C3", "two different free answers", "");
        }
    }

    /** Counts the reply. Every reply except an answer, or a 503 with Retry-After, breaks an invariant. */
    private boolean expect(Reply reply, String what) throws InterruptedException {
        findings.count(what + " " + reply.status());
        if (reply.status() == 503 && reply.headers().contains("retry-after")) {
            Thread.sleep(200);
            return false;
        }
        findings.holds(reply.isAnswer(), "C2", what + " got " + reply.status() + " " + reply.body(), "");
        return reply.isAnswer();
    }

    /** Asks for a count until there is an answer, and notes the time until then. */
    private void askHonestly(Client client) throws InterruptedException {
        String key = "honest-" + keys.incrementAndGet();
        Asked asked = new Asked("honest", key, DATASET, "count", 1_000, """
                {"epsilon": "0.000001"}""");
        long began = System.nanoTime();
        Reply reply = client.ask(dataset, asked);
        while (reply == null || reply.status() == 503) {
            Thread.sleep(100);
            reply = client.ask(dataset, asked);
        }
        honest.took(System.nanoTime() - began);
        Thread.sleep(20);
    }

    private void watch(Api health) throws InterruptedException {
        try {
            Reply reply = health.read("/actuator/health/readiness");
            findings.count("health checks");
            findings.holds(
                    reply.status() == 200, "C4", "readiness was " + reply.status() + " of a service that works", "");
        } catch (IOException late) {
            findings.broken("C4", "readiness did not answer: " + late);
        }
        Thread.sleep(500);
    }

    private List<Socket> slowHeaders() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < SLOW_HEADERS; i++) {
            sockets.add(SlowSender.header(service.port(), SLOW_ADDRESS));
        }
        start(() -> {
            Thread.sleep(8_000);
            for (Socket socket : sockets) {
                try {
                    SlowSender.send(socket, "a");
                } catch (IOException closed) {
                    findings.count("slow headers that were ended");
                }
            }
        });
        return sockets;
    }

    /** Every question without an outcome is asked again: it has its answer, or it was never booked. */
    private void resolve(List<Api> apis) throws InterruptedException {
        List<Exchange> unknown = witness.unknown();
        findings.count("unknown outcomes", unknown.size());
        for (Exchange exchange : unknown) {
            String principal = exchange.asked().principal();
            Api api =
                    apis.get(principal.equals("honest") ? GREEDY_KEYS : principal.charAt(principal.length() - 1) - '0');
            for (int attempt = 0; attempt < 10 && exchange.isUnknown(); attempt++) {
                try {
                    ask(api, exchange.asked());
                } catch (IOException lost) {
                    findings.count("connections lost");
                }
            }
            findings.holds(
                    !exchange.isUnknown(),
                    "C3",
                    "a question never got its answer",
                    exchange.asked().key());
        }
    }

    private void check(Api admin, long heapBefore) throws IOException, InterruptedException, SQLException {
        findings.holds(service.isAlive(), "C5", "the process ended", "");
        try (StoredBooks books = SqliteInstance.books(service.home())) {
            new Invariants(witness, findings).check(dataset, books);
        }
        ask(admin, CruelTraffic.freeQuestions());
        JsonNode verified = admin.get("/v1/datasets/" + DATASET + "/ledger/verification");
        findings.holds(verified.get("valid").booleanValue(), "C3", "the chain is not valid", "");
        try (Stream<String> lines = Files.lines(work.resolve("service.log"))) {
            lines.filter(line -> line.contains(" ERROR ") || line.contains("OutOfMemory"))
                    .forEach(line -> findings.broken("C5", "logged: " + line));
        }
        long heap = heapKilobytes();
        // The service may still work on requests whose senders have left.
        for (long end = System.nanoTime() + DEADLINE.toNanos();
                heap - heapBefore > HEAP_KILOBYTES && System.nanoTime() < end; ) {
            Thread.sleep(1000);
            heap = heapKilobytes();
        }
        findings.count("heap before, KB", heapBefore);
        findings.count("heap after, KB", heap);
        findings.count("resident after, KB", residentKilobytes());
        findings.holds(heap - heapBefore <= HEAP_KILOBYTES, "C5", "the heap grew to " + heap + " KB", "");
        findings.holds(
                honest.percentile(99) <= settings.honestMillis(),
                "C6",
                "of an honest client's questions, one in a hundred took " + honest.percentile(99) + " ms or longer",
                "");
    }

    private long residentKilobytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + service.pid() + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }

    /** The heap that the service uses after a garbage collection. */
    private long heapKilobytes() throws IOException, InterruptedException {
        Path jcmd =
                Path.of(ProcessHandle.current().info().command().orElseThrow()).resolveSibling("jcmd");
        String pid = String.valueOf(service.pid());
        Programs.run(jcmd.toString(), pid, "GC.run");
        String info = Programs.output(jcmd.toString(), pid, "GC.heap_info");
        // A line for each generation.
        return Pattern.compile("total .*used (\\d+)K")
                .matcher(info)
                .results()
                .mapToLong(generation -> Long.parseLong(generation.group(1)))
                .sum();
    }

    /** A report of the run for people. */
    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("| -Xmx%s, %d clients, %s, %d s | |"
                .formatted(
                        settings.heap(),
                        settings.clients(),
                        settings.largest() ? "the largest questions" : "everything",
                        settings.duration().toSeconds()));
        lines.add("|---|---|");
        lines.add("| honest questions | " + honest + " |");
        findings.counts().forEach((name, count) -> lines.add("| " + name + " | " + count + " |"));
        lines.add("| broken | " + findings.broken().size() + " |");
        findings.broken().stream()
                .limit(20)
                .forEach(broken -> lines.add("FAILED: " + broken.invariant() + ", " + broken.what()));
        if (!findings.broken().isEmpty()) {
            lines.add("Home and log are kept in " + work + ".");
        }
        return String.join("\n", lines) + "\n";
    }
}
