package dev.purser.ledger;

import dev.purser.store.PurserHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.sqlite.SQLiteConfig;

/**
 * The ledger's speed, each figure beside its own baseline in one run: see docs/performance.md. Arguments: a folder on the
 * disk to measure, seconds for each figure, and which parts, all without any.
 */
final class LedgerSpeed {
    private static final int ROUNDS = 3;

    private final Path folder;
    private final double seconds;

    private LedgerSpeed(Path folder, double seconds) {
        this.folder = folder;
        this.seconds = seconds;
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of(arguments[0])), "ledger-speed");
        LedgerSpeed speed = new LedgerSpeed(folder, Double.parseDouble(arguments[1]));
        List<String> parts = Arrays.asList(arguments).subList(2, arguments.length);
        try {
            if (parts.isEmpty() || parts.contains("debits")) {
                speed.measureDebits(1);
                speed.measureDebits(64);
            }
        } finally {
            speed.delete();
        }
    }

    /** Alternating, so that whatever else the machine does meanwhile meets both. */
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
            guard(open, home);
            open.withAccount(OpenLedger.ACCOUNT, "1000000");
            Calls calls = new Calls(threads, call -> open.reserve("k" + call, "0.000001"));
            calls.perSecond(seconds / 2);
            double rate = calls.perSecond(seconds);
            say("  ledger   %,9.0f/s", rate);
            return rate;
        }
    }

    /** As the service does: signed anchor and all. */
    private static void guard(OpenLedger open, Path home) {
        PurserHome purserHome = new PurserHome(home);
        LedgerGuard.open(open.database, Anchor.read(purserHome, SigningKey.of(purserHome, "")), true);
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

    private void delete() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
