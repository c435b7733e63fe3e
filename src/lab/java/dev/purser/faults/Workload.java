package dev.purser.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask continuously. Of 100 requests, 60 are new questions, 15 repeat a question whose outcome is unknown,
 * 20 are duplicates of an answered question or of one in flight, and 5 are invalid. One new question in six is a plan
 * of several, one in eight refines an answer, and one in twelve buys a synopsis. Other clients ask free questions about
 * synopses, load blocks and ask about blocks. Sessions and reports run beside these clients.
 */
final class Workload {
    private static final int BACK_OFF_MILLIS = 30;
    private static final int COLLECTORS = 2;
    private static final int READERS = 2;
    private static final int LOADERS = 2;
    private static final int ASKERS_OF_BLOCKS = 4;
    private static final int READERS_PAUSE_MILLIS = 50;

    private final TestDataset dataset;
    private final Witness witness;
    private final Findings findings;
    private final List<Api> apis;
    private final Questions single;
    private final List<Thread> clients = new ArrayList<>();
    private final SessionLoad sessionLoad;
    private volatile boolean stopped;

    /**
     * @param apis addresses to ask at; client i uses the i-th modulo their number
     * @param prefix of this cycle's idempotency keys
     */
    Workload(
            TestDataset dataset,
            Sessions sessions,
            ReportLoad reports,
            BlockLoad blocks,
            Witness witness,
            Findings findings,
            List<Api> apis,
            long seed,
            String prefix) {
        this.dataset = dataset;
        this.witness = witness;
        this.findings = findings;
        this.apis = apis;
        this.sessionLoad = new SessionLoad(dataset, sessions, witness, findings, apis, seed ^ 1L << 40, prefix);
        this.single = new Questions(seed ^ -1L, prefix + "-s");
        for (int i = 0; i < FaultSettings.CLIENTS; i++) {
            Questions questions = new Questions(seed + i, prefix + "-" + i);
            Client client = client(i);
            clients.add(Thread.ofVirtual().unstarted(() -> run(() -> step(client, questions))));
        }
        for (int i = 0; i < COLLECTORS; i++) {
            RandomGenerator random = new SplittableRandom(seed ^ 1L << 41 + i);
            Api api = apis.get(i % apis.size());
            clients.add(Thread.ofVirtual().unstarted(() -> run(() -> reports.step(api, random))));
        }
        for (int i = 0; i < READERS; i++) {
            RandomGenerator random = new SplittableRandom(seed ^ 1L << 42 + i);
            SynopsisReader free = new SynopsisReader(apis.get(i % apis.size()), witness, findings);
            clients.add(Thread.ofVirtual().unstarted(() -> run(() -> readOne(free, random))));
        }
        for (int i = 0; i < LOADERS; i++) {
            RandomGenerator random = new SplittableRandom(seed ^ 1L << 43 + i);
            Api api = apis.get(i % apis.size());
            clients.add(Thread.ofVirtual().unstarted(() -> run(() -> blocks.load(api, random))));
        }
        for (int i = 0; i < ASKERS_OF_BLOCKS; i++) {
            RandomGenerator random = new SplittableRandom(seed ^ 1L << 45 + i);
            Api api = apis.get(i % apis.size());
            clients.add(Thread.ofVirtual().unstarted(() -> run(() -> blocks.ask(api, random, prefix + "-w"))));
        }
    }

    private Client client(int i) {
        return new Client(apis.get(i % apis.size()), witness, findings);
    }

    void start() {
        clients.forEach(Thread::start);
        sessionLoad.start();
    }

    /** Lets every client finish its request. */
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread client : clients) {
            client.join();
        }
        sessionLoad.stop();
    }

    /** Asks one new question and gives the reply, if there was one. Only once the clients have stopped. */
    @Nullable
    Reply askOne() throws InterruptedException {
        return client(0).ask(dataset, single.next(dataset.id()));
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
            findings.broken("harness", "a client failed: " + broken);
        }
    }

    private void step(Client client, Questions questions) throws InterruptedException {
        RandomGenerator random = questions.random();
        int kind = random.nextInt(100);
        if (kind < 60) {
            askNew(client, questions);
        } else if (kind < 75) {
            retry(client, questions);
        } else if (kind < 95) {
            duplicate(client, questions);
        } else {
            invalid(client, questions);
        }
    }

    private void askNew(Client client, Questions questions) throws InterruptedException {
        Exchange refinable = questions.random().nextInt(8) == 0 ? dataset.someRefinable(questions.random()) : null;
        if (refinable != null) {
            pauseAfterFailure(client.ask(dataset, questions.refining(refinable, dataset.id())));
            return;
        }
        pauseAfterFailure(client.ask(dataset, questions.next(dataset.id())));
    }

    private void retry(Client client, Questions questions) throws InterruptedException {
        Exchange unknown = dataset.unknown().poll();
        if (unknown == null) {
            askNew(client, questions);
        } else if (unknown.isUnknown()) {
            findings.count("retries of unknown outcomes under load");
            pauseAfterFailure(client.ask(dataset, unknown.asked()));
        }
    }

    private void duplicate(Client client, Questions questions) throws InterruptedException {
        Exchange answered = dataset.someAnswered(questions.random());
        findings.count("duplicates sent");
        if (answered != null && questions.random().nextBoolean()) {
            pauseAfterFailure(client.ask(dataset, answered.asked()));
            return;
        }
        Asked asked = questions.next(dataset.id());
        Thread twin = Thread.startVirtualThread(() -> {
            try {
                client.ask(dataset, asked);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        pauseAfterFailure(client.ask(dataset, asked));
        twin.join();
    }

    private void invalid(Client client, Questions questions) throws InterruptedException {
        Exchange answered = dataset.someAnswered(questions.random());
        if (answered != null && questions.random().nextInt(3) == 0) {
            client.reuse(answered.asked(), questions.random().nextLong(Questions.LEAST_OF_PARTS, 1_000_000));
        } else {
            client.askInvalid(questions.invalid(dataset.id()));
        }
    }

    /** Asks free questions about one synopsis. */
    private void readOne(SynopsisReader free, RandomGenerator random) throws InterruptedException {
        List<Exchange> synopses = dataset.synopses();
        if (!synopses.isEmpty()) {
            free.ask(synopses.get(random.nextInt(synopses.size())));
        }
        Thread.sleep(READERS_PAUSE_MILLIS);
    }

    private static void pauseAfterFailure(Reply reply) throws InterruptedException {
        if (reply == null || reply.status() >= 500) {
            Thread.sleep(BACK_OFF_MILLIS);
        }
    }
}
