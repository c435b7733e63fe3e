package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.lab.Options;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.ExactForTests;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.springframework.util.FileSystemUtils;

/**
 * The embedded engine's speed, each figure beside its own baseline on the same rows in one run: see
 * docs/performance.md. Options: {@code folder} on the disk to measure, the number of {@code rows}.
 */
final class EngineSpeed implements AutoCloseable {
    private static final int ROUNDS = 7;
    private static final long HUGE = 1L << 40;
    private static final Column.Numeric AGE = DatasetsForTests.integer("age", 0, 125);
    private static final Column.Numeric WEIGHT = DatasetsForTests.integer("weight", 0, 2_000_000);
    private static final Column.Numeric AMOUNT = DatasetsForTests.integer("amount", -HUGE, HUGE);
    private static final Column.Category SEX = DatasetsForTests.category("sex", null, "F", "M");
    private static final int GROUPS = 1000;
    private static final long GROUP_STEPS = 2001;
    private static final Filter MIDDLE_AGED = new Filter(List.of(new Filter.Between(AGE, 30, 50)));
    private static final String MIDDLE_AGED_SQL = " WHERE c0 >= 30 AND c0 < 50";
    private static final CommittedDebit DEBIT = DebitsForTests.committed("speed");

    private final DatasetFiles files;
    private final Path folder;
    private final Dataset dataset;
    private final EmbeddedEngine engine;
    private final EmbeddedEngine single;
    private final Connection duckDb;

    private EngineSpeed(Path folder, long rows) throws IOException, SQLException {
        this.folder = folder;
        files = new DatasetFiles(folder.resolve("data"), InstanceId.draw());
        dataset = DatasetsForTests.rows("rows-" + rows, AGE, WEIGHT, AMOUNT, SEX);
        ingest(rows);
        EmbeddedEngine.Settings settings = EmbeddedEngine.Settings.DEFAULT;
        engine = new EmbeddedEngine(files, BlockFiles.digests(files), settings);
        single = new EmbeddedEngine(
                files,
                BlockFiles.digests(files),
                new EmbeddedEngine.Settings(1, settings.maxOpen(), settings.timeout()));
        Properties properties = new Properties();
        properties.setProperty("threads", Integer.toString(settings.threads()));
        properties.setProperty("memory_limit", "1GB");
        properties.setProperty("jdbc_stream_results", "true");
        duckDb = DriverManager.getConnection("jdbc:duckdb:" + folder.resolve(dataset.id() + ".duckdb"), properties);
        fillDatabase(rows);
    }

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "rows");
        Path folder = options.newFolder("engine-speed");
        long rows = options.number("rows", 10_000_000);
        try {
            for (long part : new long[] {rows / 10, rows}) {
                say(
                        "%,d rows, a heap of at most %d MB",
                        part, Runtime.getRuntime().maxMemory() >> 20);
                try (EngineSpeed speed = new EngineSpeed(folder, part)) {
                    speed.measure();
                }
            }
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private void ingest(long rows) throws IOException {
        long start = System.nanoTime();
        GeneratedCsv.upload(rows, dataset, files);
        say(
                "  upload: %.1f s to a file of %d MB",
                millisSince(start) / 1e3, Files.size(files.data(dataset.id())) >> 20);
    }

    /** The same rows as a table of DuckDB, the baseline. */
    private void fillDatabase(long rows) throws IOException, SQLException {
        Path csv = folder.resolve("rows.csv");
        try (InputStream generated = new GeneratedCsv(rows);
                Statement statement = duckDb.createStatement()) {
            Files.copy(generated, csv, StandardCopyOption.REPLACE_EXISTING);
            statement.execute("CREATE TABLE rows AS SELECT age AS c0, weight AS c1, amount AS c2,"
                    + " CASE sex WHEN 'F' THEN 0 ELSE 1 END AS c3 FROM read_csv('" + csv + "')");
            statement.execute("CHECKPOINT");
        } finally {
            Files.deleteIfExists(csv);
        }
    }

    private void measure() throws Exception {
        long heapBefore = usedHeap();
        double first = millis(() -> collect(AMOUNT, Filter.ALL_ROWS, 0));
        say("  first question on a column, its checksum verified: %.0f ms", first);
        check();
        for (Column.Numeric column : List.of(WEIGHT, AMOUNT)) {
            long[] many = edges(column, 100_000);
            say("  100,000 range counts, %s, no filter:", column.name());
            compare(
                    "one grouped statement of DuckDB, streamed",
                    () -> grouped(column, ""),
                    "all, looked up",
                    () -> ranges(column, Filter.ALL_ROWS, many));
            long[] thousand = edges(column, 1000);
            say("  1,000 range counts, %s, filtered:", column.name());
            compare(
                    "one filtered count(*) of DuckDB",
                    () -> single("SELECT count(*) FROM rows" + MIDDLE_AGED_SQL),
                    "all, one pass",
                    () -> ranges(column, MIDDLE_AGED, thousand));
            say("  1,000 clipping bounds, %s, filtered:", column.name());
            compare(
                    "one bound, one pass",
                    () -> collect(column, MIDDLE_AGED, thousand[500]),
                    "all, one pass",
                    () -> collect(column, MIDDLE_AGED, Arrays.copyOf(thousand, 1000)));
        }
        measureGroups();
        say("  heap used: %d MB before, %d MB after", heapBefore >> 20, usedHeap() >> 20);
    }

    /** Measures a table of a thousand groups, with one thread on both sides. */
    private void measureGroups() throws Exception {
        execute("SET threads = 1");
        for (boolean squares : new boolean[] {false, true}) {
            if (!table(squares).equals(tableOfDatabase(squares))) {
                throw new AssertionError("not the groups that the database finds");
            }
            say("  count and sum of amount%s in 1,000 groups of weight, one thread:", squares ? ", squares" : "");
            compare(
                    "one grouped statement of DuckDB",
                    () -> tableOfDatabase(squares),
                    "all, one pass",
                    () -> table(squares));
        }
        execute("SET threads = " + EmbeddedEngine.Settings.DEFAULT.threads());
    }

    private record Group(long count, BigInteger sum, BigInteger squares) {}

    private List<Group> table(boolean squares) {
        GroupKey key = new GroupKey(
                WEIGHT,
                LongStream.rangeClosed(0, GROUPS).map(i -> i * GROUP_STEPS).toArray());
        BucketRequest request = new BucketRequest(AMOUNT, Filter.ALL_ROWS, List.of(key), new long[0], squares);
        Buckets table = ExactForTests.open(single.collect(DEBIT, dataset, List.of(request)))
                .getFirst();
        return ExactForTests.groups(table).stream()
                .map(group -> {
                    ExactForTests.Prefixes all = ExactForTests.prefixes(group, new long[0]);
                    return new Group(
                            all.counts().getLast(),
                            all.sums().getLast(),
                            squares ? ExactForTests.squares(group, new long[0]).getLast() : BigInteger.ZERO);
                })
                .toList();
    }

    private List<Group> tableOfDatabase(boolean squares) throws SQLException {
        Group[] table = new Group[GROUPS];
        Arrays.fill(table, new Group(0, BigInteger.ZERO, BigInteger.ZERO));
        String sql = "SELECT c1 // " + GROUP_STEPS + ", count(*), sum(c2), "
                + (squares ? "sum(CAST(c2 AS HUGEINT) * c2)" : "0") + " FROM rows GROUP BY ALL";
        try (Statement statement = duckDb.createStatement();
                ResultSet groups = statement.executeQuery(sql)) {
            while (groups.next()) {
                table[groups.getInt(1)] = new Group(
                        groups.getLong(2),
                        groups.getBigDecimal(3).toBigIntegerExact(),
                        groups.getBigDecimal(4).toBigIntegerExact());
            }
        }
        return List.of(table);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = duckDb.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Compares some of the ranges with the database. */
    private void check() throws SQLException {
        Random random = new Random(5);
        for (Column.Numeric column : List.of(AGE, WEIGHT, AMOUNT)) {
            for (Filter filter : List.of(Filter.ALL_ROWS, MIDDLE_AGED)) {
                long[] edges = random.longs(10, column.lower(), column.upper() + 1)
                        .sorted()
                        .distinct()
                        .toArray();
                Buckets buckets = collect(column, filter, edges);
                String name = "c" + dataset.columns().indexOf(column);
                for (int i = 1; i < edges.length; i++) {
                    String where = filter.isSelective() ? MIDDLE_AGED_SQL + " AND " : " WHERE ";
                    long expected = single("SELECT count(*) FROM rows" + where + name + " >= " + edges[i - 1] + " AND "
                            + name + " < " + edges[i]);
                    if (ExactForTests.count(buckets, edges[i - 1], edges[i]) != expected) {
                        throw new AssertionError("not the count that the database finds");
                    }
                }
            }
        }
        say("  counts agree with the database's");
    }

    private Buckets collect(Column column, Filter filter, long... edges) {
        return ExactForTests.open(engine.collect(DEBIT, dataset, List.of(BucketRequest.of(column, filter, edges))))
                .getFirst();
    }

    /** The sum of the counts of all ranges. Each range has two edges of its own. */
    private long ranges(Column column, Filter filter, long[] edges) {
        Buckets buckets = collect(column, filter, edges);
        long sum = 0;
        for (int i = 0; i + 1 < edges.length; i += 2) {
            sum += ExactForTests.count(buckets, edges[i], edges[i + 1]);
        }
        return sum;
    }

    /** The ends of this many ranges, ascending. */
    private static long[] edges(Column.Numeric column, int ranges) {
        return new Random(7)
                .longs(column.lower(), column.upper() + 1)
                .distinct()
                .limit(2L * ranges)
                .sorted()
                .toArray();
    }

    private long grouped(Column column, String where) throws SQLException {
        String name = "c" + dataset.columns().indexOf(column);
        long rows = 0;
        try (Statement statement = duckDb.createStatement();
                ResultSet groups = statement.executeQuery(
                        "SELECT " + name + ", count(*) FROM rows" + where + " GROUP BY " + name)) {
            while (groups.next()) {
                rows += groups.getLong(2);
            }
        }
        return rows;
    }

    private long single(String sql) throws SQLException {
        try (Statement statement = duckDb.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** Measures both in turn, so that other work of the machine slows both. The median counts. */
    private static void compare(String baseline, Callable<?> theirs, String what, Callable<?> ours) throws Exception {
        double[] base = new double[ROUNDS];
        double[] own = new double[ROUNDS];
        millis(theirs);
        millis(ours);
        for (int round = 0; round < ROUNDS; round++) {
            base[round] = millis(theirs);
            own[round] = millis(ours);
        }
        Arrays.sort(base);
        Arrays.sort(own);
        say("    %-45s %8.1f ms (%.1f to %.1f)", baseline, base[ROUNDS / 2], base[0], base[ROUNDS - 1]);
        say(
                "    %-45s %8.1f ms (%.1f to %.1f), ratio %.2f",
                what, own[ROUNDS / 2], own[0], own[ROUNDS - 1], own[ROUNDS / 2] / base[ROUNDS / 2]);
    }

    private static double millis(Callable<?> call) throws Exception {
        long start = System.nanoTime();
        call.call();
        return millisSince(start);
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    @SuppressWarnings("SystemGcCall") // The heap after a garbage collection is meant.
    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void say(String form, Object... values) {
        System.out.println(String.format(Locale.ROOT, form, values));
    }

    @Override
    public void close() throws SQLException {
        engine.close();
        single.close();
        duckDb.close();
    }
}
