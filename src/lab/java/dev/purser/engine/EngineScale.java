package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.FingerprintSecrets;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.Source;
import dev.purser.lab.Figure;
import dev.purser.lab.Options;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.ExactForTests;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.tables.MariaDbWarehouse;
import dev.purser.tables.PostgresWarehouse;
import dev.purser.tables.TableName;
import dev.purser.tables.TrinoWarehouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.postgresql.PGConnection;

/**
 * Measures one count and 1,000 ranges on each engine as the rows grow, and the memory of this process; see
 * docs/performance.md. Every engine has the same rows and must find the same counts. Options: {@code folder} on the
 * disk to measure, the largest number of {@code rows}, a file for the {@code picture}. Trino takes part if the system
 * property {@code tests.trino} names its archive.
 */
final class EngineScale {
    private static final int ROUNDS = 3;
    private static final Column.Numeric AGE = DatasetsForTests.decimal("age", "1", 0, 125, 0L);
    private static final Column.Numeric WEIGHT = DatasetsForTests.decimal("weight", "1", 0, 2_000_000, 0L);
    private static final Column.Numeric AMOUNT = DatasetsForTests.decimal("amount", "1", -(1L << 40), 1L << 40, 0L);
    private static final Column.Category SEX = DatasetsForTests.category("sex", 0, "F", "M");
    private static final Filter MIDDLE_AGED = new Filter(List.of(new Filter.Between(AGE, 30, 50)));
    private static final CommittedDebit DEBIT = DebitsForTests.committed("scale");
    private static final String COLUMNS = " (age integer, weight integer, amount bigint, sex char(1))";

    private final Path folder;
    private final long largest;
    private final Map<String, Map<String, List<Figure.Point>>> panels = new LinkedHashMap<>();

    private EngineScale(Path folder, long largest) {
        this.folder = folder;
        this.largest = largest;
    }

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "rows", "picture");
        EngineScale scale = new EngineScale(options.newFolder("scale"), options.number("rows", 10_000_000));
        scale.measureUploads();
        scale.measurePostgres();
        scale.measureMariaDb();
        Figure.draw(scale.panels, "rows", "", Path.of(options.text("picture", "docs/engine-scale.svg")));
    }

    private void measureUploads() throws Exception {
        DatasetFiles files = new DatasetFiles(folder.resolve("data"), InstanceId.draw());
        try (EmbeddedEngine engine =
                new EmbeddedEngine(files, BlockFiles.digests(files), EmbeddedEngine.Settings.DEFAULT)) {
            for (long rows = largest / 100; rows <= largest; rows *= 10) {
                Dataset dataset = DatasetsForTests.rows("rows-" + rows, AGE, WEIGHT, AMOUNT, SEX);
                GeneratedCsv.upload(rows, dataset, files);
                measure("uploaded rows", engine, dataset, rows);
            }
        }
    }

    private void measurePostgres() throws Exception {
        PostgresWarehouse warehouse = PostgresWarehouse.create();
        TableEngine engine = new TableEngine(warehouse.connections(), FingerprintSecrets.of(7), Duration.ofMinutes(10));
        for (long rows = largest / 100; rows <= largest; rows *= 10) {
            try (Connection owner = warehouse.owner();
                    Statement statement = owner.createStatement()) {
                statement.execute("CREATE TABLE census.t" + rows + COLUMNS.replace("char(1)", "text"));
                owner.unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY census.t" + rows + " FROM STDIN (FORMAT csv, HEADER)", new GeneratedCsv(rows));
                statement.execute("VACUUM ANALYZE census.t" + rows);
            }
            measure("PostgreSQL", engine, table(rows), rows);
        }
        if (!System.getProperty("tests.trino", "").isEmpty()) {
            measureTrino(warehouse);
        }
    }

    /** Measures Trino over the same tables of PostgreSQL. */
    private void measureTrino(PostgresWarehouse tables) throws Exception {
        try (TrinoWarehouse warehouse = TrinoWarehouse.start(tables)) {
            TableEngine engine =
                    new TableEngine(warehouse.connections("reader"), FingerprintSecrets.of(7), Duration.ofMinutes(10));
            for (long rows = largest / 100; rows <= largest; rows *= 10) {
                measure("Trino over PostgreSQL", engine, table(rows), rows);
            }
        }
    }

    private void measureMariaDb() throws Exception {
        try (MariaDbWarehouse warehouse = MariaDbWarehouse.start()) {
            TableEngine engine =
                    new TableEngine(warehouse.connections(), FingerprintSecrets.of(7), Duration.ofMinutes(10));
            for (long rows = largest / 100; rows <= largest; rows *= 10) {
                try (Connection owner = warehouse.owner();
                        Statement statement = owner.createStatement()) {
                    statement.execute("CREATE TABLE t" + rows + COLUMNS.replace("char(1)", "varchar(1)"));
                    statement
                            .unwrap(org.mariadb.jdbc.Statement.class)
                            .setLocalInfileInputStream(new GeneratedCsv(rows));
                    statement.execute("LOAD DATA LOCAL INFILE 'rows' INTO TABLE t" + rows
                            + " FIELDS TERMINATED BY ',' IGNORE 1 LINES (age, weight, amount, sex)");
                }
                measure("MariaDB", engine, table(rows), rows);
            }
        }
    }

    private static Dataset table(long rows) {
        Source source = new Source.Table("warehouse", new TableName("census", "t" + rows));
        return DatasetsForTests.of("t" + rows, new PrivacyUnit.Row(), 1, List.of(AGE, WEIGHT, AMOUNT, SEX), source);
    }

    private void measure(String name, DataEngine engine, Dataset dataset, long rows) throws Exception {
        long[] one = {WEIGHT.lower(), WEIGHT.upper() / 2};
        long[] thousand = new Random(7)
                .longs(WEIGHT.lower(), WEIGHT.upper() + 1)
                .distinct()
                .limit(2_000)
                .sorted()
                .toArray();
        double ofOne = median(engine, dataset, one);
        double ofThousand = median(engine, dataset, thousand);
        long heap = usedHeap() >> 20;
        long own = megabytes("RssAnon:");
        System.out.println(String.format(
                Locale.ROOT,
                "%-22s %,11d rows: one count %,8.1f ms, 1,000 ranges %,8.1f ms (%d rows counted);"
                        + " heap %d MB, own memory %d MB, mapped files %d MB",
                name,
                rows,
                ofOne,
                ofThousand,
                count(engine, dataset, thousand),
                heap,
                own,
                megabytes("RssFile:")));
        plot("one count with a filter, ms", name, rows, ofOne);
        plot("1,000 ranges with a filter, ms", name, rows, ofThousand);
        plot("the service's own memory, MB", name, rows, own);
    }

    private void plot(String panel, String engine, double rows, double value) {
        panels.computeIfAbsent(panel, title -> new LinkedHashMap<>())
                .computeIfAbsent(engine, line -> new ArrayList<>())
                .add(new Figure.Point(rows, value));
    }

    private static double median(DataEngine engine, Dataset dataset, long[] edges) {
        double[] took = new double[ROUNDS];
        for (int round = -1; round < ROUNDS; round++) {
            long start = System.nanoTime();
            count(engine, dataset, edges);
            took[Math.max(0, round)] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(took);
        return took[ROUNDS / 2];
    }

    private static long count(DataEngine engine, Dataset dataset, long[] edges) {
        BucketRequest request = BucketRequest.of(WEIGHT, MIDDLE_AGED, edges);
        return ExactForTests.count(
                ExactForTests.open(engine.collect(DEBIT, dataset, List.of(request)))
                        .getFirst(),
                edges[0],
                edges[edges.length - 1]);
    }

    private static long megabytes(String kind) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith(kind))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow()
                >> 10;
    }

    @SuppressWarnings("SystemGcCall") // The heap after a garbage collection is meant.
    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
