package dev.purser.ledger;

import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.store.Database;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;

/**
 * Seconds to verify an account's books. A measurement to run by hand, not a test; its arguments are a folder on the disk to
 * measure and a number of entries.
 */
final class VerificationTime {
    private static final int TOGETHER = 10_000;
    private static final int RUNS = 5;
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private VerificationTime() {}

    public static void main(String[] arguments) throws Exception {
        Path home = Files.createTempDirectory(Path.of(arguments[0]), "verification");
        int entries = Integer.parseInt(arguments[1]);
        try (OpenLedger open = new OpenLedger(home)) {
            fill(open.database, entries);
            for (int i = 0; i < RUNS; i++) {
                long start = System.nanoTime();
                long busy = CPU.getCurrentThreadCpuTime();
                ChainVerification found = open.ledger.verify(OpenLedger.ACCOUNT);
                System.out.printf(
                        Locale.ROOT,
                        "%,d entries in %.2f s, %.2f s of the processor: %s%n",
                        found.entries(),
                        (System.nanoTime() - start) / 1e9,
                        (CPU.getCurrentThreadCpuTime() - busy) / 1e9,
                        found.valid());
            }
        }
    }

    private static void fill(Database database, int entries) {
        Step[] last = {
            LedgerRules.open(
                    OpenLedger.ACCOUNT,
                    new PureAccountant(),
                    PrivacyAmount.pure(Epsilon.parse("1000000")),
                    "carla",
                    Instant.EPOCH)
        };
        for (int i = 0; i < entries; i += TOGETHER) {
            int from = i;
            database.write(OpenLedger.ACCOUNT, session -> {
                SqlBooks books = new SqlBooks(session);
                for (int j = from; j < Math.min(entries, from + TOGETHER); j++) {
                    last[0] = j == 0 ? last[0] : next(last[0].after(), j);
                    books.append(last[0]);
                    Question question = last[0].question();
                    if (question != null) {
                        books.answer(question.queryId(), "answer".getBytes(StandardCharsets.US_ASCII));
                    }
                }
                return null;
            });
        }
    }

    private static Step next(Account account, int number) {
        ChargeRequest request = OpenLedger.question(
                OpenLedger.ACCOUNT,
                "ana",
                "key-" + number,
                new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("0.000001")));
        return LedgerRules.charge(
                account, null, request, Instant.ofEpochMilli(number), String.format(Locale.ROOT, "%026d", number));
    }
}
