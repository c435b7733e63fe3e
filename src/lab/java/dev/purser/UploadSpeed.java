package dev.purser;

import dev.purser.lab.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * How fast the packaged service takes an upload, and in how much memory, beside DuckDB's own {@code COPY … (FORMAT
 * parquet)} of the same file in the same run: see docs/performance.md. Options: {@code folder}
 * on the disk to measure, {@code rows}. The system property {@code purser.jar} names the jar.
 */
final class UploadSpeed {
    private static final int ROUNDS = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String ROWS = "SELECT (hash(i) % 90)::INTEGER AS age,"
            + " ((hash(i + 1) % 10000000) / 100)::DECIMAL(9, 2) AS income,"
            + " (hash(i + 2) % 400) / 4.0 AS hours,"
            + " CASE hash(i + 3) % 3 WHEN 0 THEN 'Female' WHEN 1 THEN 'Male' ELSE 'Other' END AS sex";
    private static final String COLUMNS = """
            [{"name":"age","type":"integer","lower":0,"upper":125},
             {"name":"income","type":"decimal","lower":0,"upper":100000,"resolution":0.01},
             {"name":"hours","type":"decimal","lower":0,"upper":100,"resolution":0.25},
             {"name":"sex","type":"category","categories":["Female","Male","Other"]}]""";

    private final Path folder;
    private final long rows;

    private UploadSpeed(Path folder, long rows) {
        this.folder = folder;
        this.rows = rows;
    }

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "rows");
        Path folder = options.newFolder("upload-speed");
        try {
            new UploadSpeed(folder, options.number("rows", 10_000_000)).measure();
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private void measure() throws Exception {
        Path csv = folder.resolve("rows.csv");
        Path parquet = folder.resolve("rows.parquet");
        String all = "COPY (" + ROWS + " FROM range(" + rows + ") t(i)) TO ";
        copy(all + "'" + csv + "' (FORMAT csv, HEADER)");
        copy(all + "'" + parquet + "' (FORMAT parquet)");
        measure(csv, "text/csv", "read_csv");
        measure(parquet, "application/vnd.apache.parquet", "read_parquet");
    }

    private void measure(Path file, String mediaType, String reader) throws Exception {
        double[] copying = new double[ROUNDS];
        double[] uploading = new double[ROUNDS];
        Peak peak = new Peak();
        for (int round = 0; round < ROUNDS; round++) {
            copying[round] = copy("COPY (SELECT * FROM " + reader + "('" + file + "')) TO '"
                    + folder.resolve("copy.parquet") + "' (FORMAT parquet)");
            uploading[round] = upload(file, mediaType, peak);
        }
        System.out.printf(
                Locale.ROOT,
                "%s, %d rows, %d MB: DuckDB's COPY %.2f s; upload %.2f s (%.2f to %.2f); ratio %.3f;"
                        + " peak MB: service %d, child %d%n",
                file.getFileName(),
                rows,
                Files.size(file) >> 20,
                median(copying),
                median(uploading),
                Arrays.stream(uploading).min().orElseThrow(),
                Arrays.stream(uploading).max().orElseThrow(),
                median(copying) / median(uploading),
                peak.service >> 20,
                peak.child >> 20);
    }

    /** The seconds of the first upload that a service takes. */
    private double upload(Path file, String mediaType, Peak peak) throws Exception {
        Path home = folder.resolve("home");
        List<String> command = List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-jar",
                System.getProperty("purser.jar"));
        try (ServiceProcess service = new ServiceProcess(home, Map.of(), command)) {
            Thread watch = Thread.ofPlatform().start(() -> peak.watch(service.process()));
            double seconds = upload(service, file, mediaType);
            watch.interrupt();
            watch.join();
            return seconds;
        } finally {
            FileSystemUtils.deleteRecursively(home);
        }
    }

    private double upload(ServiceProcess service, Path file, String mediaType) throws Exception {
        String key = service.key();
        String registration = """
                {"id":"rows","title":"Rows","declaredPublic":true,"columns":%s,"privacyUnit":{"type":"row"},
                 "neighboringRelation":"add-or-remove-one","maxRows":%d,
                 "budget":{"epsilon":"1","delta":"0"},"accountant":"pure","source":{"type":"upload"}}
                """.formatted(COLUMNS, rows);
        require(201, service.post("/v1/datasets", key, registration).statusCode());
        long start = System.nanoTime();
        require(200, service.send("PUT", "/v1/datasets/rows/data", key, mediaType, file, PATIENCE));
        return (System.nanoTime() - start) / 1e9;
    }

    private static void require(int expected, int actual) {
        if (actual != expected) {
            throw new IllegalStateException("answered with " + actual);
        }
    }

    /** Runs DuckDB's copy in this process, with as many threads as there are processors. */
    private static double copy(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            long start = System.nanoTime();
            statement.execute(sql);
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private static double median(double[] values) {
        return Arrays.stream(values).sorted().toArray()[values.length / 2];
    }

    /** The most resident memory of a service so far, and of the child that it starts meanwhile, in bytes. */
    private static final class Peak {
        private static final int EVERY_MILLIS = 50;

        private long service;
        private long child;

        void watch(ProcessHandle handle) {
            try {
                while (true) {
                    service = Math.max(service, memory(handle, "VmHWM"));
                    child = Math.max(
                            child,
                            handle.descendants()
                                    .mapToLong(each -> memory(each, "VmHWM"))
                                    .sum());
                    Thread.sleep(EVERY_MILLIS);
                }
            } catch (InterruptedException end) {
                // The upload is over.
            }
        }

        private static long memory(ProcessHandle process, String line) {
            try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
                return lines.filter(each -> each.startsWith(line))
                        .mapToLong(each -> Long.parseLong(each.replaceAll("\\D", "")) << 10)
                        .findFirst()
                        .orElse(0);
            } catch (IOException | UncheckedIOException gone) {
                return 0;
            }
        }
    }
}
