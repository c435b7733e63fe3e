package dev.purser.ledger;

import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Durable debits per second, beside the same threads committing one bare row each: what the ledger's rules cost on top of
 * the group commit. A measurement to run by hand, not a test; its only argument is a folder on the disk to measure.
 */
final class LedgerThroughput {
    private static final int SECONDS = 5;

    private LedgerThroughput() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        for (int threads : new int[] {1, 64, 1, 64}) {
            measureBare(Files.createTempDirectory(folder, "bare"), threads);
            measureDebits(Files.createTempDirectory(folder, "debits"), threads, "debits");
            measureDebits(Files.createTempDirectory(folder, "anchored"), threads, "anchored");
        }
    }

    private static void measureDebits(Path folder, int threads, String what) throws Exception {
        try (OpenLedger open = new OpenLedger(folder)) {
            if (what.equals("anchored")) {
                PurserHome home = new PurserHome(folder);
                LedgerGuard.open(open.database, Anchor.read(home, SigningKey.of(home, "")), false);
            }
            open.withAccount(OpenLedger.ACCOUNT, "1000000");
            run(what, threads, call -> open.reserve("k" + call, "0.000001"));
            long start = System.nanoTime();
            ChainVerification verification = open.ledger.verify(OpenLedger.ACCOUNT);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "verified   %,d entries at %,.0f/s: %s%n",
                    verification.entries(),
                    verification.entries() / seconds,
                    verification.valid());
        }
    }

    private static void measureBare(Path home, int threads) throws Exception {
        try (Database database = new Database(new PurserHome(home))) {
            database.write(
                    Database.NO_ACCOUNT,
                    session -> session.update("CREATE TABLE bare (call INTEGER PRIMARY KEY, text TEXT) STRICT"));
            run(
                    "bare rows",
                    threads,
                    call -> database.write(
                            Database.NO_ACCOUNT,
                            session -> session.update("INSERT INTO bare VALUES (?, ?)", call, "x".repeat(200))));
        }
    }

    private interface Call {
        void run(long call);
    }

    private static void run(String what, int threads, Call call) throws InterruptedException {
        AtomicLong calls = new AtomicLong();
        CountDownLatch done = new CountDownLatch(threads);
        long start = System.nanoTime();
        long end = start + SECONDS * 1_000_000_000L;
        for (int i = 0; i < threads; i++) {
            Thread.ofVirtual().start(() -> {
                while (System.nanoTime() < end) {
                    call.run(calls.getAndIncrement());
                }
                done.countDown();
            });
        }
        done.await();
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(Locale.ROOT, "%-10s %3d threads %,9.0f/s%n", what, threads, calls.get() / seconds);
    }
}
