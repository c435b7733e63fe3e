package dev.purser.store;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The main class of a process in which an exception or error escapes from a thread of the ledger. */
final class LostWriter {
    private LostWriter() {}

    @SuppressWarnings("NullAway") // The writer does not expect a request without an account.
    public static void main(String[] arguments) throws Exception {
        try (Database database = new Database(new PurserHome(Path.of(arguments[0])))) {
            switch (arguments[1]) {
                case "memory-of-the-writer" -> write(database, "a", () -> exhaust());
                case "memory-of-the-witness" -> {
                    database.witness(heads -> exhaust());
                    write(database, "a", () -> {});
                }
                case "escape" -> {
                    CountDownLatch queued = new CountDownLatch(1);
                    Thread.startVirtualThread(() -> write(database, "a", () -> DatabaseContract.await(queued)));
                    Thread.sleep(300);
                    Thread.startVirtualThread(() -> write(database, null, () -> {}));
                    Thread.startVirtualThread(() -> write(database, null, () -> {}));
                    Thread.sleep(300);
                    queued.countDown();
                    Thread.sleep(20_000);
                }
                default -> throw new IllegalArgumentException(arguments[1]);
            }
        }
        System.out.println("the work goes on");
    }

    private static void write(Database database, String account, Runnable work) {
        database.write(account, connection -> {
            connection.noteHead("a", "first");
            work.run();
            return 0;
        });
    }

    private static void exhaust() {
        long[][] hoard = new long[1 << 20][];
        for (int i = 0; i < hoard.length; i++) {
            hoard[i] = new long[1 << 17];
        }
        System.out.println(hoard.length);
    }
}
