package dev.purser.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;

/**
 * The threshold sessions of one home. Some are opened and asked under load. Others only repeat one count in one session
 * with gaps, before and after a kill: {@link OneThreshold} says whether they had one threshold.
 */
final class Sessions {
    /** Sessions that repeat one count, for each kill. */
    private static final int REPEATING = 16;

    /** The positives of each of these sessions before the load; below, the most before the kill, and in all. */
    private static final int REPEATS_BEFORE = 6;

    static final int REPEATS_UNDER_LOAD = 10;
    private static final int REPEATS = 16;
    private static final long REPEATING_NANOS = 2_000_000_000L;
    private static final long REPEATING_BUDGET_NANOS = 100_000_000_000_000L;

    private static final int REPLAYS = 60;
    private static final int PROBES = 5;

    private final Witness witness;
    private final Findings findings;
    private final OneThreshold oneThreshold;
    private final String name;
    private final List<SessionSeen> all = Collections.synchronizedList(new ArrayList<>());
    private final List<SessionSeen> repeating = new ArrayList<>();
    private final Map<String, TestDataset> datasets = new HashMap<>();
    private TestDataset ofRepeating;
    private volatile int life;
    private volatile boolean mayExpire;
    private int cycles;

    Sessions(Witness witness, Findings findings, OneThreshold oneThreshold, String name) {
        this.witness = witness;
        this.findings = findings;
        this.oneThreshold = oneThreshold;
        this.name = name;
    }

    /** Notes that the service is about to be started with this clock. */
    void starts(Clock clock) {
        life++;
        mayExpire |= clock != Clock.NOW;
    }

    int life() {
        return life;
    }

    /** Whether the clock has jumped, so that open sessions may have expired. */
    boolean mayExpire() {
        return mayExpire;
    }

    synchronized TestDataset dataset(String id) {
        return datasets.get(id);
    }

    private synchronized void add(TestDataset dataset) {
        datasets.put(dataset.id(), dataset);
    }

    List<SessionSeen> all() {
        synchronized (all) {
            return List.copyOf(all);
        }
    }

    List<SessionSeen> repeating() {
        return List.copyOf(repeating);
    }

    /** The dataset of the sessions that repeat a count; null before the first cycle. */
    TestDataset ofRepeating() {
        return ofRepeating;
    }

    SessionSeen add(SessionPlan plan) {
        SessionSeen session = new SessionSeen(plan);
        all.add(session);
        return session;
    }

    /** Opens the sessions that repeat a count over the next kill. */
    void begin(TestDataset load, Api api) throws IOException, InterruptedException {
        add(load);
        if (ofRepeating == null) {
            ofRepeating = new TestDataset(name + "-repeating", REPEATING_BUDGET_NANOS);
            ofRepeating.register(api);
            add(ofRepeating);
        }
        repeating.clear();
        String prefix = name + "-r" + cycles++;
        for (int i = 0; i < REPEATING; i++) {
            repeating.add(add(new SessionPlan(
                    prefix + "-" + i, ofRepeating.id(), REPEATING_NANOS, 0, REPEATS, "gaps", false, 0)));
        }
        SessionClient client = client(api);
        inParallel(repeating, session -> {
            client.open(session);
            repeat(client, session, REPEATS_BEFORE);
        });
    }

    /** Asks the same count until this many questions were asked, the session is closed or a reply is unknown. */
    static void repeat(SessionClient client, SessionSeen session, int upTo) throws InterruptedException {
        while (session.isOpened()) {
            StepSeen step = session.next();
            if (step == null || step.sequence() > upTo) {
                return;
            }
            Reply reply = client.ask(session, step, SessionLoad.question(step.sequence(), -1));
            if (reply == null || !reply.isAnswer()) {
                return;
            }
        }
    }

    /** After a restart: every outcome is made known, and the repeating sessions are asked to their end. */
    void resolve(Api api, Duration patience) {
        SessionClient client = client(api);
        long deadline = System.nanoTime() + patience.toNanos();
        List<SessionSeen> unknown = unknown();
        inParallel(unknown, session -> resolve(client, session, deadline));
        List<SessionSeen> left = unknown();
        findings.count("session outcomes unknown", unknown.size());
        findings.count("session outcomes unknown resolved", unknown.size() - left.size());
        left.stream()
                .limit(3)
                .forEach(session -> findings.broken(
                        "I15",
                        "no outcome within " + patience.toSeconds() + " s",
                        session.plan().key()));
        inParallel(repeating, session -> repeat(client, session, Integer.MAX_VALUE));
        for (SessionSeen session : repeating) {
            oneThreshold.add(session.gapsByLife());
        }
        repeating.clear();
    }

    private List<SessionSeen> unknown() {
        return all().stream()
                .filter(session -> session.isOpeningUnknown() || session.hasUnknown())
                .toList();
    }

    private void resolve(SessionClient client, SessionSeen session, long deadline) throws InterruptedException {
        while (session.isOpeningUnknown() && System.nanoTime() < deadline) {
            Reply reply = client.open(session);
            if (reply == null || SessionClient.isUnknown(reply)) {
                Thread.sleep(50);
            }
        }
        while (session.hasUnknown() && System.nanoTime() < deadline) {
            StepSeen step = session.next();
            boolean allRefused = true;
            for (String body : step.bodies()) {
                Reply reply = client.ask(session, step, body);
                if (reply != null && reply.isExhausted()) {
                    session.settledByRefusal(step);
                }
                if (!session.hasUnknown()) {
                    return;
                }
                allRefused &= reply != null && SessionClient.isOutOfTurn(reply);
            }
            if (allRefused) {
                findings.broken(
                        "I11",
                        "no body sent under number " + step.sequence() + " is the one that has it",
                        session.plan().key());
                return;
            }
            Thread.sleep(50);
        }
    }

    /** Repeats outcomes that were seen, of open and closed sessions, and asks what has to be refused. */
    void replay(Api api, RandomGenerator random) throws InterruptedException {
        SessionClient client = client(api);
        List<SessionSeen> answered =
                all().stream().filter(session -> !session.answered().isEmpty()).toList();
        for (int i = 0; i < REPLAYS && !answered.isEmpty(); i++) {
            SessionSeen session = answered.get(random.nextInt(answered.size()));
            List<StepSeen> steps = session.answered();
            StepSeen step = steps.get(random.nextInt(steps.size()));
            client.ask(session, step, step.answeredBody());
            if (i < PROBES) {
                client.open(session);
                client.probe(session, step, SessionLoad.question(step.sequence(), 200));
            }
        }
    }

    private SessionClient client(Api api) {
        return new SessionClient(api, witness, findings, this);
    }

    @FunctionalInterface
    private interface Work {
        void on(SessionSeen session) throws InterruptedException;
    }

    private void inParallel(List<SessionSeen> sessions, Work work) {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (SessionSeen session : sessions) {
                clients.execute(() -> {
                    try {
                        work.on(session);
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    } catch (RuntimeException broken) {
                        findings.broken("harness", "a client of a session failed: " + broken);
                    }
                });
            }
        }
    }
}
