package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Several cycles on one home: ask, inject a fault, kill, restart, repeat the questions without a reply, check. Each
 * ledger goes through many restarts. A new home from time to time keeps the checks of the whole ledger short.
 */
final class Era implements AutoCloseable {
    private static final int REPLAYS = 60;
    private static final int REUSES = 3;

    /** How many synopses of a dataset are asked after each restart; all of them at the end. */
    private static final int SYNOPSES = 60;

    private final FaultSettings settings;
    private final Topology topology;
    private final Witness witness;
    private final Findings findings;
    private final Restarts restarts;
    private final String name;
    private final Sessions sessions;
    private final ReportLoad reports;
    private final BlockLoad blocks;
    private final RandomGenerator random;
    private final Schedule<Nemesis> nemeses;
    private final Schedule<Clock> clocks;
    private final Schedule<Boolean> networks;
    private final List<TestDataset> datasets = new ArrayList<>();
    private Clock clock = Clock.NOW;

    Era(
            FaultSettings settings,
            Topology topology,
            Path witnessLog,
            Findings findings,
            Restarts restarts,
            OneThreshold oneThreshold,
            int number)
            throws IOException {
        this.settings = settings;
        this.topology = topology;
        this.witness = new Witness(witnessLog);
        this.findings = findings;
        this.restarts = restarts;
        this.name = "e" + number;
        this.sessions = new Sessions(witness, findings, oneThreshold, name);
        this.reports = new ReportLoad(witness, findings, name);
        this.blocks = new BlockLoad(witness, findings, name);
        this.random = new SplittableRandom(settings.seed() * 1_000_003 + number);
        this.nemeses = new Schedule<>(chosen(topology.nemeses()), random);
        this.clocks = new Schedule<>(clocks(), random);
        this.networks = new Schedule<>(List.of(true, false, false), random);
    }

    private List<Nemesis> chosen(List<Nemesis> all) {
        List<Nemesis> possible = all.stream()
                .filter(nemesis -> nemesis.leftOut().isEmpty())
                .filter(nemesis -> !(nemesis instanceof FullDisk disk) || disk.isPossibleHere())
                .toList();
        if (settings.only().isEmpty()) {
            return possible;
        }
        return possible.stream()
                .filter(nemesis -> settings.only().contains(nemesis.name()))
                .toList();
    }

    private List<Clock> clocks() {
        // Two at once under libfaketime are so slow that they give up waiting for their database.
        boolean alone = topology.services().size() == 1;
        if (!Clock.canJump() || !alone || !settings.only().isEmpty()) {
            return List.of(Clock.NOW);
        }
        // A start under another clock takes many times as long.
        List<Clock> clocks = new ArrayList<>(Collections.nCopies(22, Clock.NOW));
        clocks.add(11, Clock.TEN_YEARS_AHEAD);
        clocks.add(Clock.TEN_YEARS_BACK);
        return clocks;
    }

    void begin() throws IOException, InterruptedException {
        start(Clock.NOW);
    }

    private void start(Clock at) throws IOException, InterruptedException {
        topology.healStore();
        clock = at;
        sessions.starts(clock);
        for (ServiceUnderTest service : topology.services()) {
            service.start(at.environment());
        }
        for (ServiceUnderTest service : topology.services()) {
            service.awaitHealthy();
        }
    }

    /** Runs one cycle, and adds broken invariants to the findings. */
    void cycle(int number) throws IOException, InterruptedException, SQLException {
        TestDataset dataset = dataset();
        long seed = random.nextLong();
        Nemesis nemesis = nemeses.draw();
        findings.count("nemesis: " + nemesis.name(), 0);
        boolean network = networks.draw() && settings.only().isEmpty();
        System.out.printf(
                "%s cycle %d: %s%s, %s%n", name, number, nemesis.name(), network ? ", bad network" : "", clock);
        try (Api api = api(first())) {
            sessions.begin(dataset, api);
            reports.begin(api);
            blocks.begin(api, new SplittableRandom(seed));
        }
        fight(dataset, nemesis, network, seed, name + "-" + number);
        restartOrLookCloser(dataset);
        examine(dataset, new SplittableRandom(seed));
    }

    private TestDataset dataset() throws IOException, InterruptedException {
        if (datasets.isEmpty() || datasets.getLast().wasExhausted()) {
            long questions = random.nextLong(settings.questions() / 2, settings.questions() * 3L / 2);
            TestDataset dataset = new TestDataset(name + "-d" + datasets.size(), questions * Questions.MEAN_NANOS);
            try (Api api = api(first())) {
                dataset.register(api);
            }
            datasets.add(dataset);
        }
        return datasets.getLast();
    }

    private void fight(TestDataset dataset, Nemesis nemesis, boolean network, long seed, String prefix)
            throws IOException, InterruptedException {
        List<AutoCloseable> closing = new ArrayList<>();
        try {
            List<Api> apis = new ArrayList<>();
            int proxyPort = settings.proxyPort();
            for (ServiceUnderTest service : topology.services()) {
                int port = service.port();
                if (network) {
                    closing.add(new FaultProxy(proxyPort, port, new SplittableRandom(seed + port), findings));
                    port = proxyPort++;
                }
                Api api = new Api(port, ServiceUnderTest.ADMIN_KEY);
                apis.add(api);
                closing.add(api);
            }
            Workload load = new Workload(dataset, sessions, reports, blocks, witness, findings, apis, seed, prefix);
            load.start();
            int delivered = nemesis.strike(
                    new Nemesis.Battle(first(), load, findings, dataset, witness), new SplittableRandom(seed));
            findings.count("nemesis: " + nemesis.name(), delivered);
            for (ServiceUnderTest service : topology.services()) {
                findings.count("kills delivered", service.isAlive() ? 1 : 0);
                service.kill();
            }
            load.stop();
        } finally {
            closing.forEach(Era::close);
        }
    }

    /** Restarts the service. If it refuses its ledger, the invariants say why. */
    private void restartOrLookCloser(TestDataset dataset) throws IOException, InterruptedException, SQLException {
        try {
            restart(dataset);
        } catch (IOException refused) {
            try (StoredBooks books = topology.books()) {
                new Invariants(witness, findings).check(dataset, books);
            }
            throw refused;
        }
    }

    private void restart(TestDataset dataset) throws IOException, InterruptedException {
        topology.healStore();
        clock = clocks.draw();
        sessions.starts(clock);
        datasets.forEach(TestDataset::restarts);
        Exchange known = dataset.someAnswered(random);
        long began = System.nanoTime();
        for (ServiceUnderTest service : topology.services()) {
            service.start(clock.environment());
        }
        for (ServiceUnderTest service : topology.services()) {
            try (Api api = api(service)) {
                service.await(() -> isCorrect(api, dataset, known));
            }
        }
        // libfaketime alone makes a start several times as long.
        if (clock == Clock.NOW) {
            restarts.took((System.nanoTime() - began) / 1_000_000);
        }
    }

    /** Whether the service answers, and repeats the known answer if there is one. */
    private boolean isCorrect(Api api, TestDataset dataset, Exchange known) throws IOException, InterruptedException {
        if (known == null) {
            return !api.get("/v1/datasets/" + dataset.id() + "/budget").isEmpty();
        }
        Reply reply = api.ask(known.asked());
        if (reply.status() == 503) {
            return false;
        }
        findings.count("replays compared");
        findings.holds(
                known.answer().isRepeatedBy(reply),
                "I5",
                "after the restart the answer is another: " + reply,
                known.asked().key());
        return true;
    }

    private void examine(TestDataset dataset, RandomGenerator drawn)
            throws IOException, InterruptedException, SQLException {
        try (Api api = api(first())) {
            Client client = new Client(api, witness, findings);
            new Recovery(witness, findings, clock.patience()).resolve(dataset, asked -> client.ask(dataset, asked));
            sessions.resolve(api, clock.patience());
            reports.resolve(api, clock.patience());
            blocks.resolve(api, clock.patience());
            replay(api, drawn);
            sessions.replay(api, drawn);
            if (dataset.wasExhausted()) {
                findings.count("cycles that exhausted a budget");
                new Boundary(client, api, findings).check(dataset, drawn.nextLong());
            }
            checkLedger(dataset, api, drawn, SYNOPSES);
            checkLedger(sessions.ofRepeating(), api, drawn, 0);
            checkBlocks(blocks.counted(api, drawn, clock.patience()), api, drawn);
            reports.check(api);
        }
    }

    private void replay(Api api, RandomGenerator drawn) throws InterruptedException {
        Client client = new Client(api, witness, findings);
        for (int i = 0; i < REPLAYS; i++) {
            // Any dataset of this home: answers stay as long as it does.
            TestDataset any = datasets.get(i % 2 == 0 ? datasets.size() - 1 : drawn.nextInt(datasets.size()));
            Exchange answered = any.someAnswered(drawn);
            if (answered != null) {
                client.ask(any, answered.asked());
                if (i < REUSES) {
                    client.reuse(answered.asked(), drawn.nextLong(Questions.LEAST_OF_PARTS, 1_000_000));
                }
            }
        }
    }

    private void checkBlocks(List<DividedDataset> some, Api api, RandomGenerator drawn)
            throws IOException, InterruptedException, SQLException {
        for (DividedDataset divided : some) {
            List<Booked> entries = checkLedger(divided.dataset(), api, drawn, 0);
            new BlockInvariants(api, witness, findings).check(divided, entries);
        }
    }

    private List<Booked> checkLedger(TestDataset dataset, Api api, RandomGenerator drawn, int synopses)
            throws IOException, InterruptedException, SQLException {
        try (StoredBooks books = topology.books()) {
            List<Booked> entries = new Invariants(witness, findings).check(dataset, books);
            PublicView view = new PublicView(api, findings);
            new SessionInvariants(sessions, findings).check(dataset, entries, books, api, drawn);
            view.check(dataset, entries, drawn);
            new SynopsisInvariants(new SynopsisReader(api, witness, findings), findings, clock.patience())
                    .check(dataset, entries, books, drawn, synopses);
            List<Booked> charges = entries.stream().filter(Booked::isCharge).toList();
            if (!charges.isEmpty()) {
                Booked last = charges.getLast();
                view.checkStored(charges.get(drawn.nextInt(charges.size())));
                if (clock != Clock.NOW && clock.agreesWith(last.atMillis())) {
                    findings.count("nemesis: " + clock.title());
                }
            }
            charges.stream()
                    .filter(entry -> entry.bodyDigest() == null)
                    .limit(3)
                    .forEach(entry -> findings.broken("I13", "still no answer after every retry", entry.key()));
            return entries;
        }
    }

    /** Checks every dataset of this home once more, also datasets that were used up long ago. */
    void end() throws IOException, InterruptedException, SQLException {
        try (Api api = api(first())) {
            for (TestDataset dataset : datasets) {
                checkLedger(dataset, api, random, Integer.MAX_VALUE);
            }
            checkLedger(sessions.ofRepeating(), api, random, 0);
            checkBlocks(blocks.counted(api, clock.patience()), api, random);
        }
    }

    /** Writes all entries of this home's datasets into a file, to find out what went wrong. */
    void keepLedger(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        try (StoredBooks books = topology.books()) {
            for (TestDataset dataset : datasets) {
                books.entries(books.account(dataset.id())).forEach(entry -> lines.add(entry.toString()));
            }
        } catch (SQLException unreadable) {
            lines.add("the database cannot be read: " + unreadable);
        }
        Files.write(file, lines);
    }

    Witness witness() {
        return witness;
    }

    private ServiceUnderTest first() {
        return topology.services().getFirst();
    }

    private static Api api(ServiceUnderTest service) {
        return new Api(service.port(), ServiceUnderTest.ADMIN_KEY);
    }

    private static void close(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        witness.close();
    }
}
