package dev.purser.ledger;

import dev.purser.accounting.PureAccountant;
import dev.purser.lab.Options;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import dev.purser.store.PurserHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.springframework.util.FileSystemUtils;
import org.sqlite.SQLiteConfig;

/**
 * The ledger's speed, each figure beside its own baseline in one run: see docs/performance.md. Options: {@code folder}
 * on the disk to measure, {@code seconds} for each figure, which {@code parts}.
 */
final class LedgerSpeed {
    private static final int ROUNDS = 3;
    private static final int CONNECTIONS = 16;
    private static final int LOOKS = 100;
    private static final int RESTARTS = 5;

    private final Path folder;
    private final double seconds;

    private LedgerSpeed(Path folder, double seconds) {
        this.folder = folder;
        this.seconds = seconds;
    }

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "seconds", "parts");
        LedgerSpeed speed = new LedgerSpeed(options.newFolder("ledger-speed"), options.decimal("seconds", 10));
        List<String> parts = options.words("parts");
        try {
            if (parts.isEmpty() || parts.contains("debits")) {
                speed.measureDebits(1);
                speed.measureDebits(64);
            }
            if (parts.isEmpty() || parts.contains("hot")) {
                speed.measureHotAccount();
            }
            if (parts.isEmpty() || parts.contains("long")) {
                speed.measureLongAccount();
            }
            if (parts.isEmpty() || parts.contains("blocks")) {
                speed.measureBlocks("SQLite", LedgerSettings.embedded());
                speed.measureBlocks("PostgreSQL", PostgresServer.shared().newDatabase());
                speed.measureVerificationOfBlocks();
            }
            if (parts.isEmpty() || parts.contains("restart")) {
                speed.measureRestart();
            }
        } finally {
            FileSystemUtils.deleteRecursively(speed.folder);
        }
    }

    /** Measures both in turn, so that other work of the machine slows both. */
    private void measureDebits(int threads) throws Exception {
        double[] bare = new double[ROUNDS];
        double[] ledger = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            bare[round] = bareDebits(threads);
            ledger[round] = ledgerDebits(threads);
        }
        compare("durable debits on SQLite, " + threads + " threads", bare, ledger);
    }

    private double bareDebits(int threads) throws Exception {
        Path home = Files.createTempDirectory(folder, "bare");
        try (OpenLedger open = new OpenLedger(home)) {
            open.withAccount(OpenLedger.ACCOUNT, "1000000");
        }
        try (BareGroupCommit bare = new BareGroupCommit(durable(home))) {
            Calls calls = new Calls(threads, bare::debit);
            calls.perSecond(seconds / 2);
            long groups = bare.groups();
            double rate = calls.perSecond(seconds);
            say("  bare     %,9.0f/s, %5.1f in a group", rate, rate * seconds / (bare.groups() - groups));
            return rate;
        }
    }

    private double ledgerDebits(int threads) throws Exception {
        Path home = Files.createTempDirectory(folder, "ledger");
        try (OpenLedger open = new OpenLedger(home)) {
            return ledgerDebits(open, home, threads);
        }
    }

    private double ledgerDebits(OpenLedger open, Path home, int threads) throws Exception {
        guard(open, home);
        open.withAccount(OpenLedger.ACCOUNT, "1000000");
        Calls calls = new Calls(threads, call -> open.reserve("k" + call, "0.000001"));
        calls.perSecond(seconds / 2);
        double rate = calls.perSecond(seconds);
        say("  ledger   %,9.0f/s", rate);
        return rate;
    }

    private void measureHotAccount() throws Exception {
        double[] bare = new double[ROUNDS];
        double[] ledger = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            bare[round] = bareHotAccount();
            ledger[round] = hotAccount();
        }
        compare("one hot account on PostgreSQL, 64 threads", bare, ledger);
    }

    private double bareHotAccount() throws Exception {
        LedgerSettings settings = PostgresServer.shared().newDatabase();
        try (OpenLedger open = new OpenLedger(Files.createTempDirectory(folder, "hot"), settings)) {
            open.withAccount(OpenLedger.ACCOUNT, "1000000");
        }
        try (HotAccount bare = new HotAccount(settings, CONNECTIONS)) {
            Calls calls = new Calls(64, bare::debit);
            calls.perSecond(seconds / 2);
            double rate = calls.perSecond(seconds);
            say("  one transaction per debit %,9.0f/s", rate);
            return rate;
        }
    }

    private double hotAccount() throws Exception {
        Path home = Files.createTempDirectory(folder, "hot");
        try (OpenLedger open = new OpenLedger(home, PostgresServer.shared().newDatabase())) {
            return ledgerDebits(open, home, 64);
        }
    }

    /** Measures one account that grows: reads of its end, and its verification. */
    private void measureLongAccount() throws Exception {
        try (OpenLedger open = new OpenLedger(Files.createTempDirectory(folder, "long"))) {
            open.withAccount(OpenLedger.ACCOUNT, "1000000");
            for (long entries : new long[] {1_000, 10_000, 100_000, 1_000_000}) {
                LedgerFill.upTo(open.database, OpenLedger.ACCOUNT, entries);
                measureLooks(open, entries);
                for (int round = 0; round < ROUNDS; round++) {
                    long start = System.nanoTime();
                    ChainVerification found = open.ledger.verify(OpenLedger.ACCOUNT);
                    say(
                            "  verified %,d entries in %.2f s: %s",
                            found.entries(), (System.nanoTime() - start) / 1e9, found.valid());
                }
            }
        }
    }

    /** Measures charges of windows, beside charges of an account without blocks. */
    private void measureBlocks(String database, LedgerSettings settings) throws Exception {
        Blocks decade = Blocks.from("day", new Blocks.Day(), "2020-01-01", 3_660);
        PrivacyAmount limit = PrivacyAmount.pure(Epsilon.parse("1000"));
        try (OpenLedger open = new OpenLedger(Files.createTempDirectory(folder, "blocks"), settings)) {
            open.withAccount(OpenLedger.ACCOUNT, "1000000").withAccount("days", new PureAccountant(), limit, decade);
            int[] asked = {0};
            millis(() -> open.reserve("warm-up" + asked[0]++, "0.000001"));
            for (int blocks : new int[] {1, 30, 365, 3_650}) {
                say(
                        "%s, a charge of %,d blocks: %.2f ms",
                        database,
                        blocks,
                        millis(() -> open.ledger.reserve(OpenLedger.of(
                                new BlockWindow(3, blocks + 2),
                                OpenLedger.question("days", "ana", "k" + asked[0]++, "0.000001")))));
            }
            say(
                    "%s, a charge without blocks: %.2f ms",
                    database, millis(() -> open.reserve("k" + asked[0]++, "0.000001")));
        }
    }

    private void measureVerificationOfBlocks() throws Exception {
        try (OpenLedger open = new OpenLedger(Files.createTempDirectory(folder, "verified"))) {
            open.withAccount(
                    OpenLedger.ACCOUNT,
                    new PureAccountant(),
                    PrivacyAmount.pure(Epsilon.parse("1000")),
                    Blocks.from("day", new Blocks.Day(), "2020-01-01", 3_660));
            LedgerFill.upTo(open.database, OpenLedger.ACCOUNT, 1_000_000);
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                ChainVerification found = open.ledger.verify(OpenLedger.ACCOUNT);
                say(
                        "  verified %,d entries of weeks in %.2f s: %s",
                        found.entries(), (System.nanoTime() - start) / 1e9, found.valid());
            }
        }
    }

    private static void measureLooks(OpenLedger open, long entries) throws Exception {
        String queryId = String.format(Locale.ROOT, "%026d", entries / 2);
        say(
                "%,9d entries: page %.3f ms, budget %.3f ms, answer %.3f ms, own questions %.3f ms",
                entries,
                millis(() -> open.ledger.entries(OpenLedger.ACCOUNT, entries - 100, 100)),
                millis(() -> open.ledger.budget(OpenLedger.ACCOUNT)),
                millis(() -> open.ledger.answer(queryId)),
                millis(() -> open.ledger.questions(
                        new QuestionFilter(OpenLedger.ACCOUNT, "ana", null, null, null, null), entries - 100, 100)));
    }

    /** The median of many. */
    private static double millis(Callable<?> call) throws Exception {
        double[] took = new double[LOOKS];
        for (int i = 0; i < 2 * LOOKS; i++) {
            long start = System.nanoTime();
            call.call();
            took[i % LOOKS] = (System.nanoTime() - start) / 1e6;
        }
        return median(took);
    }

    /** The packaged service, ended as by a power cut: from its start to an answer it had given before. */
    private void measureRestart() throws Exception {
        Path parent = Files.createTempDirectory(folder, "restart");
        String java = ProcessHandle.current().info().command().orElseThrow();
        Path jar = Path.of(System.getProperty("purser.jar"));
        measureRestart("as built", parent, List.of(java, "-jar", "" + jar));
        Path alone = Files.copy(jar, parent.resolve("purser.jar"));
        measureRestart("the jar alone", parent, List.of(java, "-jar", "" + alone));
    }

    private static void measureRestart(String how, Path parent, List<String> command) throws Exception {
        try (Restarted service = new Restarted(Files.createTempDirectory(parent, "service"), command)) {
            double[] took = new double[RESTARTS];
            for (int i = 0; i < RESTARTS; i++) {
                took[i] = service.restart(home -> {});
            }
            Arrays.sort(took);
            say(
                    "%s, restart with a short ledger: %.2f s to the answer (%.2f to %.2f)",
                    how, median(took), took[0], took[RESTARTS - 1]);
            say(
                    "%s, restart with 100,000 entries: %.2f s to the answer",
                    how, service.restart(home -> {
                        try (Database database = new Database(new PurserHome(home))) {
                            LedgerFill.upTo(database, Restarted.DATASET, 100_000);
                        }
                    }));
        }
    }

    /** Adds the anchor and the journal, as the service does. */
    private static void guard(OpenLedger open, Path home) {
        PurserHome purserHome = new PurserHome(home);
        GuardedDatabase.guard(open.database, purserHome, LedgerSettings.embedded(), true, GuardedDatabase.journal());
    }

    private static Connection durable(Path home) throws Exception {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setGetGeneratedKeys(false);
        return config.createConnection("jdbc:sqlite:" + home.resolve("ledger.db"));
    }

    private static void compare(String what, double[] bare, double[] ledger) {
        say(
                "%s: ledger %,.0f/s, baseline %,.0f/s, ratio %.2f",
                what, median(ledger), median(bare), median(ledger) / median(bare));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void say(String form, Object... values) {
        System.out.println(String.format(Locale.ROOT, form, values));
    }
}
