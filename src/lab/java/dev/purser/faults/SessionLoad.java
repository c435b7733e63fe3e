package dev.purser.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Clients that open threshold sessions and ask in them while everything else goes on. Each has its own sessions. */
final class SessionLoad {
    private static final int CLIENTS = 4;
    private static final int OPEN_AT_ONCE = 3;
    private static final int BACK_OFF_MILLIS = 30;

    private final TestDataset dataset;
    private final Sessions sessions;
    private final Findings findings;
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean stopped;

    /** @param apis addresses to ask at */
    SessionLoad(
            TestDataset dataset,
            Sessions sessions,
            Witness witness,
            Findings findings,
            List<Api> apis,
            long seed,
            String prefix) {
        this.dataset = dataset;
        this.sessions = sessions;
        this.findings = findings;
        List<SessionSeen> open = sessions.all().stream()
                .filter(session -> session.isOpened()
                        && session.closedBecause() == null
                        && !sessions.dataset(session.plan().dataset()).wasExhausted()
                        && !sessions.repeating().contains(session))
                .toList();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            List<SessionSeen> own = new ArrayList<>();
            for (int j = i; j < open.size(); j += CLIENTS) {
                own.add(open.get(j));
            }
            RandomGenerator random = new SplittableRandom(seed + i);
            SessionClient client = new SessionClient(apis.get(i % apis.size()), witness, findings, sessions);
            String keys = prefix + "-t" + number;
            clients.add(Thread.ofVirtual().unstarted(() -> run(() -> step(client, own, random, keys))));
        }
        SessionClient repeating = new SessionClient(apis.getFirst(), witness, findings, sessions);
        List<SessionSeen> repeated = sessions.repeating();
        RandomGenerator random = new SplittableRandom(seed - 1);
        clients.add(Thread.ofVirtual().unstarted(() -> run(() -> repeat(repeating, repeated, random))));
    }

    void start() {
        clients.forEach(Thread::start);
    }

    /** Lets every client finish its request. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread client : clients) {
            client.join();
        }
    }

    @FunctionalInterface
    private interface Step {
        void take() throws InterruptedException;
    }

    private void run(Step step) {
        try {
            while (!stopped) {
                step.take();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException broken) {
            findings.broken("harness", "a client of sessions failed: " + broken);
        }
    }

    /** Goes on with one of the sessions that repeat a count, so that the kill meets them too. */
    private static void repeat(SessionClient client, List<SessionSeen> repeated, RandomGenerator random)
            throws InterruptedException {
        SessionSeen session = repeated.get(random.nextInt(repeated.size()));
        int answered = session.answered().size();
        Sessions.repeat(client, session, Math.min(answered + 1, Sessions.REPEATS_UNDER_LOAD));
        Thread.sleep(BACK_OFF_MILLIS);
    }

    private void step(SessionClient client, List<SessionSeen> own, RandomGenerator random, String keys)
            throws InterruptedException {
        own.removeIf(session -> session.closedBecause() != null && random.nextInt(3) == 0);
        if (own.size() < OPEN_AT_ONCE) {
            SessionSeen opening = sessions.add(plan(keys + "-" + random.nextInt(Integer.MAX_VALUE), random));
            pauseAfterFailure(client.open(opening));
            if (opening.isOpened()) {
                own.add(opening);
            }
            return;
        }
        SessionSeen session = own.get(random.nextInt(own.size()));
        List<StepSeen> answered = session.answered();
        int kind = random.nextInt(100);
        if (kind < 6 && !answered.isEmpty()) {
            StepSeen old = answered.get(random.nextInt(answered.size()));
            pauseAfterFailure(client.ask(session, old, old.answeredBody()));
        } else if (kind < 10 && !answered.isEmpty()) {
            StepSeen old = answered.get(random.nextInt(answered.size()));
            client.probe(session, old, question(old.sequence(), 200));
        } else {
            askNext(client, session, random, kind);
        }
    }

    /** Mostly asks one question. Otherwise sends it twice at once, or sends two questions under one number. */
    private static void askNext(SessionClient client, SessionSeen session, RandomGenerator random, int kind)
            throws InterruptedException {
        StepSeen step = session.next();
        if (step == null) {
            return;
        }
        List<String> sent = step.bodies();
        String body =
                sent.isEmpty() ? question(step.sequence(), random.nextInt(90)) : sent.get(random.nextInt(sent.size()));
        if (kind < 60) {
            pauseAfterFailure(client.ask(session, step, body));
            return;
        }
        String other = kind < 80 ? body : question(step.sequence(), 90 + random.nextInt(30));
        Thread twin = Thread.startVirtualThread(() -> {
            try {
                client.ask(session, step, other);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        pauseAfterFailure(client.ask(session, step, body));
        twin.join();
    }

    private SessionPlan plan(String key, RandomGenerator random) {
        int maxPositives = random.nextInt(1, 5);
        long nanos = random.nextLong(10_000, Questions.MEAN_NANOS / 2);
        TestDataset of = dataset.wasExhausted() || random.nextBoolean() ? sessions.ofRepeating() : dataset;
        return new SessionPlan(
                key,
                of.id(),
                nanos,
                random.nextInt(300),
                maxPositives,
                List.of("indices", "gaps", "values").get(random.nextInt(3)),
                random.nextBoolean(),
                random.nextInt(3) == 0 ? random.nextInt(1, 9) : 0);
    }

    /** The body of a question, which counts the rows with an age above this, or all rows for -1. */
    static String question(long sequence, int above) {
        String where = above < 0 ? "" : "'where': [{'column': 'age', 'above': " + above + "}]";
        return ("{'sequence': " + sequence + ", 'query': {'count': {" + where + "}}}").replace('\'', '"');
    }

    private static void pauseAfterFailure(Reply reply) throws InterruptedException {
        if (reply == null || !reply.isAnswer() && reply.status() != 201) {
            Thread.sleep(BACK_OFF_MILLIS);
        }
    }
}
