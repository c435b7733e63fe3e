package dev.purser;

import dev.purser.lab.Options;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * How many reports per second the packaged service takes, durably and over HTTP, beside a bare batched insert of the
 * same rows into SQLite in the same run: see docs/performance.md. Options: {@code folder} on the disk to measure,
 * {@code reports}. The system property {@code purser.jar} names the jar.
 */
final class ReportSpeed {
    private static final int ROUNDS = 3;
    private static final int TOGETHER = 100_000;

    private ReportSpeed() {}

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "reports");
        Path folder = options.newFolder("report-speed");
        int reports = options.count("reports", 1_000_000);
        Path lines = ReportLines.write(folder.resolve("reports.ndjson"), reports);
        for (int round = 0; round < ROUNDS; round++) {
            double service = service(folder.resolve("service" + round), lines);
            double bare = bare(folder.resolve("bare" + round + ".db"), reports);
            System.out.printf(
                    Locale.ROOT,
                    "service %.0f reports/s, bare insert %.0f rows/s, ratio %.2f%n",
                    reports / service,
                    reports / bare,
                    bare / service);
        }
    }

    private static double service(Path home, Path lines) throws Exception {
        try (ServiceProcess service = new ServiceProcess(home)) {
            service.post("/v1/collections", service.key(), ReportLines.COLLECTION);
            long begun = System.nanoTime();
            int status = service.send(
                    "POST",
                    "/v1/collections/signs/reports",
                    service.key(),
                    "application/x-ndjson",
                    lines,
                    Duration.ofMinutes(10));
            if (status != 200) {
                throw new IOException("status " + status);
            }
            return (System.nanoTime() - begun) / 1e9;
        }
    }

    /** The same keys by the same statement, with the same durability, in transactions of the same size. */
    private static double bare(Path file, int reports) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = WAL");
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("CREATE TABLE collection_report (collection INTEGER NOT NULL, report BLOB NOT NULL,"
                    + " PRIMARY KEY (collection, report)) STRICT, WITHOUT ROWID");
            connection.setAutoCommit(false);
            long begun = System.nanoTime();
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO collection_report VALUES (?, ?) ON CONFLICT DO NOTHING")) {
                for (int i = 0; i < reports; i++) {
                    insert.setLong(1, 1);
                    insert.setBytes(2, Arrays.copyOf(digest.digest(bytes(i)), 16));
                    insert.addBatch();
                    if ((i + 1) % TOGETHER == 0 || i + 1 == reports) {
                        insert.executeBatch();
                        connection.commit();
                    }
                }
            }
            return (System.nanoTime() - begun) / 1e9;
        }
    }

    private static byte[] bytes(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }
}
